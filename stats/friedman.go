package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// maxExactTools bounds the exact Friedman test.
const maxExactTools = 5

// maxExactBlocks bounds it for each number of tools: within about a second even with ties.
var maxExactBlocks = [maxExactTools + 1]int{2: 40, 3: 20, 4: 12, 5: 7}

// A FriedmanResult compares several tools over blocks (libraries).
type FriedmanResult struct {
	Blocks, Tools int
	AverageRanks  []float64 // of each tool, 1 is best
	ChiSquare     float64   // corrected for ties
	P             float64
	Exact         bool // P is over all permutations within blocks; otherwise from the chi-square distribution
	// CriticalDifference is Nemenyi's at level Alpha: tools whose average ranks differ by
	// less are not told apart.
	CriticalDifference float64
	// Groups are the largest sets of tools (indices, best first) that are not told apart,
	// two or more each: the bars of a critical-difference diagram.
	Groups   [][]int
	Warnings []string
}

// Friedman ranks the tools within each block (Friedman, JASA 32, 1937): larger scores[block][tool] are better,
// ties share the middle rank. It compares average ranks with Nemenyi's critical difference (Demšar, JMLR 7,
// 2006, section 3.2.2). P is exact for up to 5 tools in 7 blocks, 4 in 12, 3 in 20 and 2 in 40.
func Friedman(scores [][]float64) (FriedmanResult, error) {
	if len(scores) < 2 || len(scores[0]) < 2 {
		return FriedmanResult{}, fmt.Errorf("%w: ranking needs two blocks and two tools", errShape)
	}
	n, k := len(scores), len(scores[0])
	doubled := make([][]int, n) // twice the ranks
	ties := 0                   // sum of t³-t over groups of t tied values
	for b, row := range scores {
		if len(row) != k {
			return FriedmanResult{}, fmt.Errorf("%w: block %d has %d values, not %d", errShape, b+1, len(row), k)
		}
		if err := checkSample(row); err != nil {
			return FriedmanResult{}, fmt.Errorf("block %d: %w", b+1, err)
		}
		negated := make([]float64, k)
		for i, x := range row {
			negated[i] = -x
		}
		doubled[b] = doubledRanks(negated)
		ties += tieTerm(row)
	}
	r := FriedmanResult{Blocks: n, Tools: k, P: 1, AverageRanks: make([]float64, k)}
	sums := make([]int, k)
	for _, ranks := range doubled {
		for i, d := range ranks {
			sums[i] += d
		}
	}
	for i, s := range sums {
		r.AverageRanks[i] = float64(s) / float64(2*n)
	}
	r.CriticalDifference = studentizedRange(1-Alpha, k) / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
	r.Groups = rankGroups(r.AverageRanks, r.CriticalDifference)
	// The denominator is that of tied ranks (Conover, 1999, section 5.8).
	divisor := float64(n*k*(k+1)) - float64(ties)/float64(k-1)
	if divisor == 0 {
		r.Warnings = append(r.Warnings, "all tools are tied in every block: there is nothing to compare")
		return r, nil
	}
	r.ChiSquare = 3 * float64(spread(sums)) / divisor
	r.Exact = k <= maxExactTools && n <= maxExactBlocks[k]
	if r.Exact {
		r.P = exactFriedmanP(doubled, spread(sums))
	} else {
		r.P = distuv.ChiSquared{K: float64(k - 1)}.Survival(r.ChiSquare)
	}
	return r, nil
}

// spread is the sum of squared deviations of doubled rank sums from their mean; as whole
// numbers, so that equal tables compare equal. The mean of doubled sums is n(k+1).
func spread(sums []int) int {
	total := 0
	for _, s := range sums {
		total += s
	}
	mean, q := total/len(sums), 0
	for _, s := range sums {
		q += (s - mean) * (s - mean)
	}
	return q
}

func tieTerm(row []float64) int {
	sorted := slices.Sorted(slices.Values(row))
	sum := 0
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		t := j - i
		sum += t*t*t - t
		i = j
	}
	return sum
}

// exactFriedmanP is the share of all assignments of each block's ranks to tools whose
// spread is at least the observed one. Tools are interchangeable, so states of the sum
// that are permutations of each other are counted together.
func exactFriedmanP(blocks [][]int, observed int) float64 {
	var start [maxExactTools]int
	states := map[[maxExactTools]int]float64{start: 1}
	for _, ranks := range blocks {
		perms := permutations(ranks)
		next := map[[maxExactTools]int]float64{}
		for _, state := range sortedStates(states) {
			share := states[state]
			for _, p := range perms {
				s := state
				for i, d := range p {
					s[i] += d
				}
				slices.Sort(s[:len(ranks)])
				next[s] += share / float64(len(perms))
			}
		}
		states = next
	}
	p := 0.0
	for _, state := range sortedStates(states) {
		if spread(state[:len(blocks[0])]) >= observed {
			p += states[state]
		}
	}
	return min(p, 1)
}

// sortedStates fixes the order of sums, so that the order of a map shows in no last digit.
func sortedStates(states map[[maxExactTools]int]float64) [][maxExactTools]int {
	return slices.SortedFunc(maps.Keys(states), func(a, b [maxExactTools]int) int { return slices.Compare(a[:], b[:]) })
}

func permutations(xs []int) [][]int {
	if len(xs) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, x := range xs {
		for _, rest := range permutations(slices.Concat(xs[:i], xs[i+1:])) {
			all = append(all, append([]int{x}, rest...))
		}
	}
	return all
}

// rankGroups returns the maximal runs of tools, in order of rank, that span less than cd.
func rankGroups(ranks []float64, cd float64) [][]int {
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	var groups [][]int
	covered := 0
	for start := range order {
		end := start + 1
		for end < len(order) && ranks[order[end]]-ranks[order[start]] < cd {
			end++
		}
		if end-start > 1 && end > covered {
			groups = append(groups, slices.Clone(order[start:end]))
			covered = end
		}
	}
	return groups
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
