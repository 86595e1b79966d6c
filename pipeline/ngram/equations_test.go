package ngram

import (
	"math"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// energySets are random energies of random libraries, always the same ones: at least 2 choices
// that are not all equal, some with a few choices far above the rest.
func energySets(n int) [][]float64 {
	r := trial.Seed(1).Stream("ngram energy sets")
	var sets [][]float64
	for len(sets) < n {
		set := make([]float64, 2+r.IntN(300))
		limit := []int{2, 10, 100, 1_000_000}[r.IntN(4)]
		for i := range set {
			set[i] = float64(1 + r.IntN(limit))
			if r.IntN(10) > 0 {
				set[i] = float64(1 + r.IntN(2))
			}
		}
		if slices.Min(set) < slices.Max(set) {
			sets = append(sets, set)
		}
	}
	return sets
}

// TestKnownValues holds the equations against values computed by hand from the paper.
func TestKnownValues(t *testing.T) {
	normalized, ok := normalize([]float64{1, 3, 5}, 0.01)
	assert.Check(t, ok && near(normalized[0], 0.01) && near(normalized[1], 0.505) && near(normalized[2], 1),
		"normalised 1 3 5 = %v", normalized)
	// Mean 5, population's standard deviation 2: the usual textbook example.
	if s := skew([]float64{2, 4, 4, 4, 5, 5, 7, 9}); !near(s, 0.4) {
		t.Errorf("skew = %v, want 0.4", s)
	}
	for _, tc := range []struct{ skew, want float64 }{{0, 1}, {math.Ln2, 0.75}, {math.Inf(1), 0.5}} {
		if got := alpha(tc.skew, 0.5); !near(got, tc.want) {
			t.Errorf("alpha of skew %g = %g, want %g", tc.skew, got, tc.want)
		}
	}
	// sec:choice-of-alpha-min: under the strongest condensation the greatest energy is 10
	// times as likely as the least.
	c := condense([]float64{0.01, 1}, 0.5)
	assert.Check(t, near(c[1]/c[0], 10), "ratio under alpha_min = %g, want 10", c[1]/c[0])
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestEqualEnergiesAreNotNormalised(t *testing.T) {
	for _, e := range [][]float64{{1}, {1, 1, 1}, {7, 7}} {
		if n, ok := normalize(e, 0.01); ok {
			t.Errorf("Normalize(%v) = %v, want none", e, n)
		}
	}
}

func TestAlphaStaysInItsRange(t *testing.T) {
	for _, alphaMin := range []float64{0.01, 0.5, 0.9, 1} {
		last := math.Inf(1)
		for skew := 0.0; skew < 50; skew += 0.05 {
			a := alpha(skew, alphaMin)
			assert.Assert(t, a >= alphaMin && a <= 1 && a <= last,
				"alpha of skew %g = %g after %g, want it in [%g, 1] and falling", skew, a, last, alphaMin)
			last = a
		}
	}
	for _, e := range energySets(100) {
		normalized, _ := normalize(e, 0.01)
		if a := alpha(skew(normalized), 0.5); !(a > 0.5 && a < 1) {
			t.Fatalf("alpha = %g for unequal energies, want it inside (0.5, 1)", a)
		}
	}
}
