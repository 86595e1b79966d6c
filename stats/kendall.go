package stats

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A RankCorrelation is Kendall's τ-b over pairs of observations.
type RankCorrelation struct {
	Tau       *float64 // -1 to 1; nil if there are no pairs, or all are tied in one of the two
	Low, High *float64 // of the interval at 1-Alpha; nil where an observation that is left out takes τ away
	Pairs     int      // that were compared
}

// Kendall returns τ-b, the rank correlation with ties, of observations (x[i], y[i]) (Kendall, Biometrika 33,
// 1945). It compares only pairs that alike accepts, such as those of one stratum; all if alike is nil. The
// interval is τ ± t(n-1) times the standard error of the jackknife over observations (Arvesen, Ann. Math. Stat.
// 40, 1969), within -1 and 1. It takes observations for independent.
func Kendall(x, y []float64, alike func(i, j int) bool) RankCorrelation {
	must(len(x) == len(y), "%d values beside %d", len(x), len(y))
	n := len(x)
	var all pairCounts
	of := make([]pairCounts, n) // pairs with one observation
	for i := range n {
		for j := range i {
			if alike == nil || alike(i, j) {
				c := compared(x[i]-x[j], y[i]-y[j])
				all, of[i], of[j] = all.plus(c, 1), of[i].plus(c, 1), of[j].plus(c, 1)
			}
		}
	}
	r := RankCorrelation{Pairs: all.pairs}
	tau, ok := all.tau()
	if !ok {
		return r
	}
	r.Tau = &tau
	var without []float64 // an observation that is in some pair
	for i := range n {
		if of[i].pairs == 0 {
			continue
		}
		t, ok := all.plus(of[i], -1).tau()
		if !ok {
			return r
		}
		without = append(without, t)
	}
	m := float64(len(without))
	_, variance := stat.PopMeanVariance(without, nil)
	half := math.Sqrt((m-1)*variance) * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: m - 1}.Quantile(1-Alpha/2)
	low, high := max(tau-half, -1), min(tau+half, 1)
	r.Low, r.High = &low, &high
	return r
}

// pairCounts counts pairs: concordant less discordant, and those that are not tied in x, and in y.
type pairCounts struct{ pairs, score, x, y int }

func compared(dx, dy float64) pairCounts {
	a, b := cmp.Compare(dx, 0), cmp.Compare(dy, 0)
	return pairCounts{1, a * b, a * a, b * b}
}

func (c pairCounts) plus(d pairCounts, times int) pairCounts {
	return pairCounts{c.pairs + times*d.pairs, c.score + times*d.score, c.x + times*d.x, c.y + times*d.y}
}

func (c pairCounts) tau() (float64, bool) {
	if c.x == 0 || c.y == 0 {
		return 0, false
	}
	return float64(c.score) / math.Sqrt(float64(c.x)*float64(c.y)), true
}
