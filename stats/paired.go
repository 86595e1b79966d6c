package stats

import (
	"fmt"

	"gonum.org/v1/gonum/mathext"
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
	return McNemarResult{P: min(2*coinTail(min(onlyFirst, onlySecond), n), 1), MinP: min(2*coinTail(0, n), 1)}, nil
}

// coinTail is the probability of at most k heads in n >= k throws of a fair coin.
func coinTail(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
