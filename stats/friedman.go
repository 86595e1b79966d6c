package stats

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// A FriedmanResult compares several tools over blocks (libraries).
type FriedmanResult struct {
	Blocks, Tools int
	AverageRanks  []float64 // of each tool, 1 is best
	ChiSquare     float64   // corrected for ties
	P             float64   // from the chi-square distribution
	MinP          float64   // the smallest P that so many tools and blocks could give: all blocks agree
	// CriticalDifference is Nemenyi's at level Alpha: tools whose average ranks differ by
	// less are not told apart.
	CriticalDifference float64
}

// Friedman ranks the tools within each block (Friedman, JASA 32, 1937): larger scores[block][tool] are better,
// ties share the middle rank. It compares average ranks with Nemenyi's critical difference (Demšar, JMLR 7,
// 2006, section 3.2.2). If all tools are tied in every block, there is nothing to compare: P is 1.
func Friedman(scores [][]float64) FriedmanResult {
	n, k := len(scores), len(scores[0])
	must(n > 1 && k > 1, "a ranking of %d tools in %d blocks", k, n)
	sums := make([]int, k) // twice the sums of ranks
	ties := 0              // sum of t³-t over groups of t tied values
	for _, row := range scores {
		must(len(row) == k, "a block of %d values beside one of %d", len(row), k)
		counts := map[float64]int{}
		for i, d := range doubledRanks(row) {
			sums[i] += 2*(k+1) - d // the largest is first
			counts[row[i]]++
		}
		for _, t := range counts {
			ties += t*t*t - t
		}
	}
	chi := distuv.ChiSquared{K: float64(k - 1)}
	r := FriedmanResult{Blocks: n, Tools: k, P: 1, MinP: chi.Survival(float64(n * (k - 1))),
		AverageRanks: make([]float64, k)}
	spread := 0 // sum of squared deviations from the mean sum n(k+1)
	for i, s := range sums {
		r.AverageRanks[i] = float64(s) / float64(2*n)
		spread += (s - n*(k+1)) * (s - n*(k+1))
	}
	r.CriticalDifference = studentizedRange(1-Alpha, k) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
	// The denominator is that of tied ranks (Conover, 1999, section 5.8).
	if divisor := float64(n*k*(k+1)) - float64(ties)/float64(k-1); divisor > 0 {
		r.ChiSquare = 3 * float64(spread) / divisor
		r.P = chi.Survival(r.ChiSquare)
	}
	return r
}

// Order returns the tools (indices), the best rank first.
func (r FriedmanResult) Order() []int { return ordered(r.AverageRanks) }

// Alike returns the tools that are not told apart from tool i: their average ranks differ by less than the critical
// difference.
func (r FriedmanResult) Alike(i int) []int {
	var others []int
	for j, rank := range r.AverageRanks {
		if j != i && math.Abs(rank-r.AverageRanks[i]) < r.CriticalDifference {
			others = append(others, j)
		}
	}
	return others
}

// studentizedRange returns the quantile p, in (0, 1), of the range of k >= 2 standard
// normal values: the studentized range with infinitely many degrees of freedom.
func studentizedRange(p float64, k int) float64 {
	return rootOfIncreasing(func(w float64) float64 {
		if w <= 0 {
			return -p
		}
		return rangeCDF(w, k) - p
	})
}

// rangeCDF is k ∫ φ(z) (Φ(z) - Φ(z-w))^(k-1) dz (David and Nagaraja, Order Statistics,
// 2003, section 2.3). Beyond |z| = 9 the integrand is below 1e-18.
func rangeCDF(w float64, k int) float64 {
	n := distuv.UnitNormal
	return float64(k) * quad.Fixed(func(z float64) float64 {
		return n.Prob(z) * math.Pow(n.CDF(z)-n.CDF(z-w), float64(k-1))
	}, -9, 9, 200, quad.Legendre{}, 0)
}
