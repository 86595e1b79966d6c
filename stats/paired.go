package stats

import (
	"fmt"

	"gonum.org/v1/gonum/mathext"
)

// A McNemarResult is the comparison of two tools that faced the same cases.
type McNemarResult struct {
	P         float64  // two-sided, exact
	OddsRatio *float64 // cases that only the first detects per case that only the second does; nil when there is none of the latter
	Odds      OddsInterval
	MinP      float64 // the smallest P that this many discordant cases could give
	Warnings  []string
}

// McNemarExact tests paired outcomes (McNemar, Psychometrika 12, 1947, in its exact
// form): onlyFirst cases were detected by the first tool alone, onlySecond by the second
// alone. Cases on which the tools agree carry no information and are not asked for. P is
// twice the smaller binomial tail of a fair coin, at most 1. The interval of the odds
// ratio comes from that of Clopper and Pearson.
func McNemarExact(onlyFirst, onlySecond int) (McNemarResult, error) {
	if onlyFirst < 0 || onlySecond < 0 {
		return McNemarResult{}, fmt.Errorf("%w: %d and %d discordant cases", errCounts, onlyFirst, onlySecond)
	}
	n := onlyFirst + onlySecond
	r := McNemarResult{P: 1, MinP: 1, Odds: OddsInterval{Level: 1 - Alpha}}
	if n == 0 {
		r.Warnings = append(r.Warnings, "no power: the tools agree on every case")
		return r, nil
	}
	r.P = min(2*coinTail(min(onlyFirst, onlySecond), n), 1)
	r.MinP = min(2*coinTail(0, n), 1)
	if onlySecond > 0 {
		or := float64(onlyFirst) / float64(onlySecond)
		r.OddsRatio = &or
	} else {
		r.Warnings = append(r.Warnings, "the odds ratio is undefined: no case is detected by the second alone")
	}
	share, err := ClopperPearson(onlyFirst, n, 1-Alpha)
	if err != nil {
		return McNemarResult{}, err
	}
	r.Odds.Low = share.Low / (1 - share.Low)
	if share.High < 1 {
		high := share.High / (1 - share.High)
		r.Odds.High = &high
	}
	r.Warnings = append(r.Warnings, noPower(r.MinP, "%d discordant cases", n)...)
	return r, nil
}

// coinTail is the probability of at most k heads in n > k throws of a fair coin.
func coinTail(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
