package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is a two-sided confidence interval for a proportion, 0 <= Low <= High <= 1.
type Interval struct{ Low, High float64 }

// ClopperPearson returns the exact interval for k successes of n (Clopper and Pearson,
// Biometrika 26, 1934). It never covers less than level, and usually covers more.
func ClopperPearson(k, n int, level float64) Interval {
	mustCount(k, n)
	tail := (1 - level) / 2
	iv := Interval{Low: 0, High: 1}
	if k > 0 {
		iv.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		iv.High = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return iv
}

// Wilson returns the score interval without continuity correction for k successes of n
// (Wilson, JASA 22, 1927). It covers level on average, not for every proportion.
func Wilson(k, n int, level float64) Interval {
	mustCount(k, n)
	z := distuv.UnitNormal.Quantile(1 - (1-level)/2)
	size := float64(n)
	p := float64(k) / size
	scale := 1 + z*z/size
	centre := (p + z*z/(2*size)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	// The bounds are exactly p at the ends; rounding must not put them outside it.
	return Interval{Low: min(max(centre-half, 0), p), High: max(min(centre+half, 1), p)}
}

// A McNemarResult is the comparison of two tools that faced the same cases.
type McNemarResult struct {
	P    float64 // two-sided, exact
	MinP float64 // the smallest P that this many discordant cases could give
}

// McNemarExact tests paired outcomes (McNemar, Psychometrika 12, 1947, in its exact
// form): onlyFirst cases were detected by the first tool alone, onlySecond by the second
// alone. Cases on which the tools agree carry no information and are not asked for. P is
// twice the smaller binomial tail of a fair coin, at most 1.
func McNemarExact(onlyFirst, onlySecond int) McNemarResult {
	must(onlyFirst >= 0 && onlySecond >= 0, "%d and %d discordant cases", onlyFirst, onlySecond)
	n := onlyFirst + onlySecond
	if n == 0 {
		return McNemarResult{P: 1, MinP: 1}
	}
	coin := distuv.Binomial{N: float64(n), P: 0.5}
	return McNemarResult{P: min(2*coin.CDF(float64(min(onlyFirst, onlySecond))), 1), MinP: min(2*coin.CDF(0), 1)}
}

// Holm adjusts the p-values of one family of tests. At any level, the chance of at least one false rejection
// among them is then at most that level (Holm, Scand. J. Stat. 6, 1979). adjusted[i] belongs to ps[i], is at
// least it and at most 1.
func Holm(ps []float64) (adjusted []float64) {
	adjusted = make([]float64, len(ps))
	largest := 0.0
	for rank, i := range ordered(ps) {
		largest = max(largest, min(float64(len(ps)-rank)*ps[i], 1))
		adjusted[i] = largest
	}
	return adjusted
}

// ordered returns the indices of xs, those of its smallest values first.
func ordered(xs []float64) []int {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	return order
}
