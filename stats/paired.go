package stats

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// A McNemarResult is the comparison of two tools that faced the same cases.
type McNemarResult struct {
	P    float64 // two-sided, exact
	MinP float64 // the smallest P that this many discordant cases could give
}

// McNemarExact tests paired outcomes (McNemar, Psychometrika 12, 1947, in its exact
// form): onlyFirst cases were detected by the first tool alone, onlySecond by the second
// alone. Cases on which the tools agree carry no information and are not asked for. P is
// twice the smaller binomial tail of a fair coin, at most 1.
func McNemarExact(onlyFirst, onlySecond int) (McNemarResult, error) {
	if onlyFirst < 0 || onlySecond < 0 {
		return McNemarResult{}, fmt.Errorf("%w: %d and %d discordant cases", errCounts, onlyFirst, onlySecond)
	}
	n := onlyFirst + onlySecond
	if n == 0 {
		return McNemarResult{P: 1, MinP: 1}, nil
	}
	coin := distuv.Binomial{N: float64(n), P: 0.5}
	return McNemarResult{P: min(2*coin.CDF(float64(min(onlyFirst, onlySecond))), 1), MinP: min(2*coin.CDF(0), 1)}, nil
}
