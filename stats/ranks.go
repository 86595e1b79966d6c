package stats

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

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

// doubledRanks returns twice the middle rank of each value; doubling keeps the middle ranks of ties whole.
func doubledRanks(xs []float64) []int {
	ranks := make([]int, len(xs))
	for i, x := range xs {
		for _, other := range xs { // those below count 2, those tied 1, and itself 1 more
			ranks[i] += 1 + cmp.Compare(x, other)
		}
		ranks[i]++
	}
	return ranks
}

// MannWhitneyU tests whether xs and ys come from one distribution (Mann and Whitney, Ann. Math. Stat. 18,
// 1947). P is the share of all splits of the pooled values into samples of these sizes in which the rank sum is
// at least as far from its mean as observed. Ties take middle ranks. More than 100 values together are an error: the
// work grows with their cube.
func MannWhitneyU(xs, ys []float64) (Exact, error) {
	m, n := len(xs), len(ys)
	if m+n > 100 {
		return Exact{}, errors.New("samples too large for an exact test")
	}
	ranks := doubledRanks(slices.Concat(xs, ys))
	total := (m + n) * (m + n + 1)
	ways := make([][]float64, m+1) // ways[k][s]: subsets of k of the ranks seen that sum to s
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	observed := 0
	for i, r := range ranks {
		if i < m {
			observed += r
		}
		for k := m; k >= 1; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	// Deviations from the mean sum m*total/(m+n) are compared times m+n, in whole numbers.
	deviation := func(sum int) int { return max(sum*(m+n)-m*total, m*total-sum*(m+n)) }
	extreme, all := 0.0, 0.0
	for s, count := range ways[m] {
		all += count
		if deviation(s) >= deviation(observed) {
			extreme += count
		}
	}
	return Exact{P: extreme / all, MinP: min(2/combin.GeneralizedBinomial(float64(m+n), float64(m)), 1)}, nil
}

// VarghaDelaneyA12 returns the probability, 0..1, that a value of xs exceeds one of ys,
// ties counting half (Vargha and Delaney, J. Educ. Behav. Stat. 25, 2000); 0.5 means
// that neither tends to be larger.
func VarghaDelaneyA12(xs, ys []float64) float64 {
	wins := 0.0
	for _, x := range xs {
		for _, y := range ys {
			wins += float64(1+cmp.Compare(x, y)) / 2
		}
	}
	return wins / (float64(len(xs)) * float64(len(ys)))
}

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
	sums := make([]int, k) // twice the sums of ranks
	squares := 0           // of all ranks, from the middle rank, times 4
	for _, row := range scores {
		for i, d := range doubledRanks(row) {
			sums[i] += 2*(k+1) - d // the largest is first
			squares += (d - k - 1) * (d - k - 1)
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
	if squares > 0 { // Conover, 1999, section 5.8, for tied ranks
		r.ChiSquare = float64(spread*(k-1)) / float64(squares)
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

// studentizedRange returns the quantile p, in (0, 1), of the range of k >= 2 standard normal values: the studentized
// range with infinitely many degrees of freedom. Its distribution is k ∫ φ(z) (Φ(z) - Φ(z-w))^(k-1) dz (David and
// Nagaraja, Order Statistics, 2003, section 2.3). Beyond |z| = 9 the integrand is below 1e-18.
func studentizedRange(p float64, k int) float64 {
	n := distuv.UnitNormal
	low, high := 0.0, 20.0
	for high-low > 1e-12 {
		w := (low + high) / 2
		if float64(k)*quad.Fixed(func(z float64) float64 {
			return n.Prob(z) * math.Pow(n.CDF(z)-n.CDF(z-w), float64(k-1))
		}, -9, 9, 200, quad.Legendre{}, 0) < p {
			low = w
		} else {
			high = w
		}
	}
	return low
}
