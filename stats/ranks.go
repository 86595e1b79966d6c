package stats

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// maxExactRanks bounds the two samples of an exact rank test together: the work grows
// with its cube, and trials are far fewer.
const maxExactRanks = 100

// A MannWhitneyResult is the comparison of two samples by ranks.
type MannWhitneyResult struct {
	P    float64 // two-sided, exact, conditional on the ties
	MinP float64 // the smallest P that samples of these sizes without ties could give
}

// MannWhitneyU tests whether xs and ys come from one distribution (Mann and Whitney, Ann. Math. Stat. 18,
// 1947). P is the share of all splits of the pooled values into samples of these sizes in which the rank sum is
// at least as far from its mean as observed. Ties take middle ranks. More than 100 values together are errTooLarge.
func MannWhitneyU(xs, ys []float64) (MannWhitneyResult, error) {
	m, n := len(xs), len(ys)
	must(m > 0 && n > 0, "samples of %d and %d values", m, n)
	if m+n > maxExactRanks {
		return MannWhitneyResult{}, fmt.Errorf("%w: %d and %d values", errTooLarge, m, n)
	}
	ranks := doubledRanks(slices.Concat(xs, ys))
	sum := 0
	for _, r := range ranks[:m] {
		sum += r
	}
	return MannWhitneyResult{P: rankSumP(ranks, m, sum),
		MinP: min(2/combin.GeneralizedBinomial(float64(m+n), float64(m)), 1)}, nil
}

// VarghaDelaneyA12 returns the probability, 0..1, that a value of xs exceeds one of ys,
// ties counting half (Vargha and Delaney, J. Educ. Behav. Stat. 25, 2000); 0.5 means
// that neither tends to be larger.
func VarghaDelaneyA12(xs, ys []float64) float64 {
	must(len(xs) > 0 && len(ys) > 0, "samples of %d and %d values", len(xs), len(ys))
	wins := 0.0
	for _, x := range xs {
		for _, y := range ys {
			wins += float64(1+cmp.Compare(x, y)) / 2
		}
	}
	return wins / (float64(len(xs)) * float64(len(ys)))
}

// doubledRanks returns twice the middle rank of each value; doubling keeps the middle ranks of ties whole.
func doubledRanks(pooled []float64) []int {
	order := ordered(pooled)
	ranks := make([]int, len(pooled))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && pooled[order[end]] == pooled[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			ranks[i] = start + 1 + end // first rank start+1 plus last rank end
		}
		start = end
	}
	return ranks
}

// rankSumP counts, by dynamic programming over the ranks, the subsets of size m whose sum
// lies at least as far from the mean sum as the observed one.
func rankSumP(ranks []int, m, observed int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([][]float64, m+1) // ways[k][s]: subsets of k of the ranks seen that sum to s
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := m; k >= 1; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	// Deviations from the mean sum m*total/N are compared times N, in whole numbers.
	size := len(ranks)
	deviation := func(sum int) int { return max(sum*size-m*total, m*total-sum*size) }
	extreme, all := 0.0, 0.0
	for s, count := range ways[m] {
		all += count
		if deviation(s) >= deviation(observed) {
			extreme += count
		}
	}
	return extreme / all
}
