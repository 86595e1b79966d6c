package stats

import (
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"
)

// Darwin's Zea mays in eighths of an inch, as Fisher tests them in The Design of Experiments (1935), section 21:
// 863 of 32,768 sums are at least as large, and as many at least as small.
func TestPairedRandomizationOfDarwin(t *testing.T) {
	r := PairedRandomization([]int{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48})
	near(t, "P", r.P, 1726.0/32768, 1e-12)
	near(t, "MinP", r.MinP, 2.0/32768, 1e-12)
}

func TestPairedRandomizationIsMcNemarOfOneTrial(t *testing.T) {
	for first := range 12 {
		for second := range 12 {
			differences := []int{0, 0}
			for range first {
				differences = append(differences, 1)
			}
			for range second {
				differences = append(differences, -1)
			}
			r := PairedRandomization(differences)
			m := McNemarExact(first, second)
			near(t, "P", r.P, m.P, 1e-12)
			near(t, "MinP", r.MinP, m.MinP, 1e-12)
		}
	}
}

// Ten bugs that one tool always finds and the other never: one trial is enough (P = 2/2^10). Four such bugs
// give P = 0.125 however often they are tried. Ten that are found with 0.5 and 0.1 need several trials.
func TestTrialsNeeded(t *testing.T) {
	rates := func(n int, p float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			all[i] = p
		}
		return all
	}
	for _, c := range []struct {
		bugs          int
		first, second float64
		low, high     int
	}{
		{10, 1, 0, 1, 1},
		{4, 1, 0, 0, 0},
		{10, 0.5, 0.1, 2, 5},
		{10, 0.3, 0.3, 0, 0},
	} {
		got := TrialsNeeded(rates(c.bugs, c.first), rates(c.bugs, c.second), 0.8, rand.New(rand.NewPCG(3, 4)))
		assert.Check(t, got >= c.low && got <= c.high,
			"%d bugs found with %g and %g: %d trials, want %d to %d", c.bugs, c.first, c.second, got, c.low, c.high)
	}
}
