package ngram

import (
	"cmp"
	"math"
	"slices"
	"testing"

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

// exponents are the α of a condensation: of the random energies' own skew, and the extremes.
func exponents(normalized []float64) []float64 {
	return []float64{alpha(skew(normalized), 0.5), 0.5, 0.999, 0.01}
}

// TestKnownValues holds the equations against values computed by hand from the paper.
func TestKnownValues(t *testing.T) {
	normalized, ok := normalize([]float64{1, 3, 5}, 0.01)
	if !ok || !near(normalized[0], 0.01) || !near(normalized[1], 0.505) || !near(normalized[2], 1) {
		t.Errorf("normalised 1 3 5 = %v", normalized)
	}
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
	if !near(c[1]/c[0], 10) {
		t.Errorf("ratio under alpha_min = %g, want 10", c[1]/c[0])
	}
	for _, tc := range []struct {
		values []float64
		want   float64
	}{{[]float64{1, 1, 1, 1}, 0}, {[]float64{0, 0, 0, 1}, 0.75}, {[]float64{1, 3}, 0.25}} {
		if got := gini(tc.values); !near(got, tc.want) {
			t.Errorf("Gini of %v = %g, want %g", tc.values, got, tc.want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestEqualEnergiesAreNotNormalised(t *testing.T) {
	for _, e := range [][]float64{{1}, {1, 1, 1}, {7, 7}} {
		if n, ok := normalize(e, 0.01); ok {
			t.Errorf("Normalize(%v) = %v, want none", e, n)
		}
	}
}

// TestOrderIsKept: a greater energy has a greater probability, an equal one an equal one,
// and none has none.
func TestOrderIsKept(t *testing.T) {
	for _, e := range energySets(300) {
		normalized, _ := normalize(e, 0.01)
		for _, alpha := range exponents(normalized) {
			p := probabilities(condense(normalized, alpha))
			sum := 0.0
			for i := range e {
				sum += p[i]
				if !(p[i] > 0) {
					t.Fatalf("probability %g for energy %g", p[i], e[i])
				}
				if i > 0 && cmp.Compare(e[i-1], e[i]) != cmp.Compare(p[i-1], p[i]) {
					t.Fatalf("energies %g, %g have probabilities %g, %g", e[i-1], e[i], p[i-1], p[i])
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("probabilities sum to %g", sum)
			}
		}
	}
}

// TestRatiosAreCompressed is prop:range-compression: 1 < f(y)/f(x) < y/x for x < y.
func TestRatiosAreCompressed(t *testing.T) {
	for _, e := range energySets(300) {
		normalized, _ := normalize(e, 0.01)
		for _, alpha := range exponents(normalized) {
			c := condense(normalized, alpha)
			for i := 1; i < len(e); i++ {
				x, y, fx, fy := normalized[i-1], normalized[i], c[i-1], c[i]
				if x > y {
					x, y, fx, fy = y, x, fy, fx
				}
				if x < y && !(1 < fy/fx && fy/fx < y/x) {
					t.Fatalf("alpha %g: ratio %g became %g", alpha, y/x, fy/fx)
				}
			}
		}
	}
}

func TestAlphaStaysInItsRange(t *testing.T) {
	for _, alphaMin := range []float64{0.01, 0.5, 0.9, 1} {
		last := math.Inf(1)
		for skew := 0.0; skew < 50; skew += 0.05 {
			a := alpha(skew, alphaMin)
			if a < alphaMin || a > 1 || a > last {
				t.Fatalf("alpha of skew %g = %g after %g, want it in [%g, 1] and falling", skew, a, last, alphaMin)
			}
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

// TestNormalisationForgetsScale: energies in another unit, or from another baseline, lead to
// the same choice.
func TestNormalisationForgetsScale(t *testing.T) {
	for _, e := range energySets(100) {
		want, _ := normalize(e, 0.01)
		for _, scale := range []struct{ factor, shift float64 }{{3, 0}, {0.001, 0}, {1, 1000}, {7, -3}} {
			scaled := make([]float64, len(e))
			for i, v := range e {
				scaled[i] = scale.factor*v + scale.shift
			}
			got, ok := normalize(scaled, 0.01)
			if !ok {
				t.Fatal("scaled energies count as equal")
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Fatalf("scaled by %+v: %g, want %g", scale, got[i], want[i])
				}
			}
			if math.Abs(skew(got)-skew(want)) > 1e-9 {
				t.Fatalf("scaled by %+v: skew %g, want %g", scale, skew(got), skew(want))
			}
		}
	}
}
