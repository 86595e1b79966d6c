package ngram

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// paper is the paper's configuration.
var paper = Config{Order: 3, Epsilon: 0.01, AlphaMin: 0.5}

func energies(s *Scheduler) string {
	var out []string
	for i, name := range s.apis {
		out = append(out, fmt.Sprintf("%s:%g", name, s.energies[i]))
	}
	return strings.Join(out, " ")
}

func TestObserve(t *testing.T) {
	for name, tc := range map[string]struct {
		order    int
		programs []string
		fresh    int // of the last program
		want     string
		distinct int
	}{
		"nothing yet":         {3, nil, 0, "a:1 b:1 c:1 d:1", 0},
		"overlapping triples": {3, []string{"a b c d"}, 2, "a:2 b:3 c:3 d:2", 2},
		"too short":           {3, []string{"a b"}, 0, "a:1 b:1 c:1 d:1", 0},
		"seen before":         {3, []string{"a b c", "a b c d"}, 1, "a:2 b:3 c:3 d:2", 2},
		"seen in the same":    {3, []string{"a a a a a"}, 1, "a:4 b:1 c:1 d:1", 1},
		"order counts":        {3, []string{"a b c", "c b a"}, 1, "a:3 b:3 c:3 d:1", 2},
		"one position each":   {3, []string{"a a b"}, 1, "a:3 b:2 c:1 d:1", 1},
		"others are left out": {3, []string{"a printf b malloc c"}, 1, "a:2 b:2 c:2 d:1", 1},
		"pairs":               {2, []string{"a b c", "b c"}, 0, "a:2 b:3 c:2 d:1", 2},
		"fours":               {4, []string{"a b c d", "a b c"}, 0, "a:2 b:2 c:2 d:2", 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := paper
			c.Order = tc.order
			s := New([]string{"a", "b", "c", "d"}, c)
			fresh := 0
			for _, p := range tc.programs {
				fresh = s.Observe(strings.Fields(p))
			}
			if got := energies(s); fresh != tc.fresh || got != tc.want || s.Distinct() != tc.distinct {
				t.Errorf("%d new of %d, energies %s", fresh, s.Distinct(), got)
			}
		})
	}
}

func TestAlpha(t *testing.T) {
	s := New([]string{"a", "b", "c", "d"}, paper)
	assert.Equal(t, s.Alpha(), 1.0)
	s.Observe([]string{"a", "b", "c"}) // energies 2 2 2 1, normalised 1 1 1 0.01
	mean, sd := 3.01/4, math.Sqrt(3)/4*0.99
	if want := 0.5 + 0.5*math.Exp(-sd/mean); !near(s.Alpha(), want) || s.Distinct() != 1 {
		t.Errorf("after one triple: %g, want %g", s.Alpha(), want)
	}
}

// skewed is a scheduler of n choices with energies far apart, the last of them untouched.
func skewed(t *testing.T, c Config, n int) *Scheduler {
	t.Helper()
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("f%02d", i))
	}
	s := New(names, c)
	r := trial.Seed(7).Stream("skewed")
	for range 40 {
		var calls []string
		for range 8 {
			calls = append(calls, names[min(r.IntN(n-1), r.IntN(n-1), r.IntN(n-1))])
		}
		s.Observe(calls)
	}
	return s
}

// chiSquareP is the probability of counts at least as far from expected as these.
func chiSquareP(counts []int, expected []float64) float64 {
	x := 0.0
	for i, c := range counts {
		x += (float64(c) - expected[i]) * (float64(c) - expected[i]) / expected[i]
	}
	return distuv.ChiSquared{K: float64(len(counts) - 1)}.Survival(x)
}

// TestFirstDrawFollowsTheEquation checks frequencies against eqn:sampling-prob.
func TestFirstDrawFollowsTheEquation(t *testing.T) {
	uniform := paper
	uniform.Uniform = true
	for _, tc := range []struct {
		name string
		s    *Scheduler
		flat bool
	}{
		{"by energy", skewed(t, paper, 12), false},
		{"uniform variant", skewed(t, uniform, 12), true},
		{"equal energies", New([]string{"a", "b", "c", "d", "e", "f"}, paper), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			const rounds = 20000
			p := probabilities(tc.s.weights())
			counts, expected, flat := make([]int, len(p)), make([]float64, len(p)), make([]float64, len(p))
			for round := range rounds {
				counts[tc.s.index[tc.s.Combination(3, round)[0]]]++
			}
			for i := range p {
				expected[i], flat[i] = rounds*p[i], rounds/float64(len(p))
			}
			if p := chiSquareP(counts, expected); p < 0.001 {
				t.Errorf("counts %v, expected %v: p = %g", counts, expected, p)
			}
			if p := chiSquareP(counts, flat); (p >= 0.001) != tc.flat {
				t.Errorf("p of a uniform choice = %g, want uniform: %v", p, tc.flat)
			}
		})
	}
}

// TestPairsFollowSuccessiveSampling checks the joint distribution of draws without
// replacement against the product of conditional probabilities.
func TestPairsFollowSuccessiveSampling(t *testing.T) {
	weights := []float64{0.1, 0.5, 1, 0.25}
	total := 1.85
	const n = 40000
	r := trial.Seed(5).Stream("pairs")
	counts := map[[2]int]int{}
	for range n {
		d := draw(weights, 2, r)
		counts[[2]int{d[0], d[1]}]++
	}
	var got []int
	var expected []float64
	for i, a := range weights {
		for j, b := range weights {
			if i != j {
				got = append(got, counts[[2]int{i, j}])
				expected = append(expected, n*a/total*b/(total-a))
			}
		}
	}
	if p := chiSquareP(got, expected); p < 0.001 {
		t.Errorf("pairs %v, expected %.0f: p = %g", got, expected, p)
	}
}

func TestCombinationHasNoRepeats(t *testing.T) {
	s := skewed(t, paper, 12)
	sizes := map[int]int{}
	for round := range 2000 {
		c := s.Combination(11, round)
		sizes[len(c)]++
		slices.Sort(c)
		assert.Assert(t, len(slices.Compact(c)) == len(c), "round %d: repeated API", round)
	}
	assert.Check(t, len(sizes) == 2 && sizes[4] >= 900 && sizes[5] >= 900,
		"sizes = %v, want 4 and 5 about equally often", sizes)
	few := New([]string{"a", "b"}, paper)
	if c := few.Combination(1, 1); len(c) != 2 {
		t.Errorf("combination of two APIs = %v, want both", c)
	}
}

func TestCombinationsAreReproducible(t *testing.T) {
	a, b := skewed(t, paper, 12), skewed(t, paper, 12)
	for round := 9; round >= 0; round-- { // another order of asking
		b.Combination(4, round)
	}
	differ := 0
	for round := range 10 {
		x, y := a.Combination(4, round), b.Combination(4, round)
		assert.Check(t, slices.Equal(x, y), "round %d: %v and %v", round, x, y)
		if !slices.Equal(x, a.Combination(5, round)) {
			differ++
		}
	}
	assert.Check(t, differ != 0, "another seed gives the same combinations")
}

// probabilities divides weights by their sum (paper, eqn:sampling-prob).
func probabilities(weights []float64) []float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	p := make([]float64, len(weights))
	for i, w := range weights {
		p[i] = w / total
	}
	return p
}
