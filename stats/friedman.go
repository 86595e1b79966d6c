package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
	Warnings           []string
}

// Friedman ranks the tools within each block (Friedman, JASA 32, 1937): larger scores[block][tool] are better,
// ties share the middle rank. It compares average ranks with Nemenyi's critical difference (Demšar, JMLR 7,
// 2006, section 3.2.2).
func Friedman(scores [][]float64) (FriedmanResult, error) {
	if len(scores) < 2 || len(scores[0]) < 2 {
		return FriedmanResult{}, fmt.Errorf("%w: ranking needs two blocks and two tools", errShape)
	}
	n, k := len(scores), len(scores[0])
	sums := make([]int, k) // twice the sums of ranks
	ties := 0              // sum of t³-t over groups of t tied values
	for b, row := range scores {
		if len(row) != k {
			return FriedmanResult{}, fmt.Errorf("%w: block %d has %d values, not %d", errShape, b+1, len(row), k)
		}
		if err := checkSample(row); err != nil {
			return FriedmanResult{}, fmt.Errorf("block %d: %w", b+1, err)
		}
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
	r := FriedmanResult{Blocks: n, Tools: k, P: 1, MinP: chi.Survival(float64(n * (k - 1))), AverageRanks: make([]float64, k)}
	spread := 0 // sum of squared deviations from the mean sum n(k+1)
	for i, s := range sums {
		r.AverageRanks[i] = float64(s) / float64(2*n)
		spread += (s - n*(k+1)) * (s - n*(k+1))
	}
	r.CriticalDifference = studentizedRange(1-Alpha, k) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
	// The denominator is that of tied ranks (Conover, 1999, section 5.8).
	divisor := float64(n*k*(k+1)) - float64(ties)/float64(k-1)
	if divisor == 0 {
		r.Warnings = append(r.Warnings, "all tools are tied in every block: there is nothing to compare")
		return r, nil
	}
	r.ChiSquare = 3 * float64(spread) / divisor
	r.P = chi.Survival(r.ChiSquare)
	return r, nil
}

// Order returns the tools (indices), the best rank first.
func (r FriedmanResult) Order() []int { return rankOrder(r.AverageRanks) }

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

func rankOrder(ranks []float64) []int {
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	return order
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
