package stats

import (
	"math"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
)

// Demšar, JMLR 7 (2006), table 6 (areas under the curve of four variants of C4.5 on 14
// data sets) and the text of section 3.2.2: average ranks, chi-square 9.28, CD 1.25 and
// that no pair is told apart at 0.05. In the data set "voting" the third variant ranks
// before the fourth although both print 0.975: the fourth decimal here is ours.
func TestFriedmanOfDemsar(t *testing.T) {
	scores := [][]float64{
		{0.763, 0.768, 0.771, 0.798}, {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967}, {0.628, 0.661, 0.654, 0.657},
		{0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931}, {0.661, 0.668, 0.609, 0.685}, {0.583, 0.583, 0.563, 0.625},
		{0.775, 0.838, 0.866, 0.875}, {1.000, 1.000, 1.000, 1.000}, {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
		{0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970},
	}
	r := Friedman(scores)
	for i, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		near(t, "average rank", r.AverageRanks[i], want, 5e-4)
	}
	near(t, "critical difference", r.CriticalDifference, 1.25, 5e-3)
	// The paper's 9.28 has no correction for ties, of which there are 3 pairs and one of all four.
	correction := 1 - (3*6.0+60)/(14*60)
	near(t, "chi-square", r.ChiSquare*correction, 9.28, 5e-3)
	assert.Check(t, slices.Equal(r.Order(), []int{3, 1, 2, 0}) && slices.Equal(r.Alike(0), []int{1, 2, 3}),
		"in the order %v the first is like %v", r.Order(), r.Alike(0))
}

// Hollander and Wolfe (1973), p. 140 ff., in R's ?friedman.test: rounding first base.
func TestFriedmanOfR(t *testing.T) {
	times := [][]float64{
		{5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40}, {5.90, 5.85, 5.70}, {5.45, 5.55, 5.60},
		{5.40, 5.40, 5.35}, {5.45, 5.50, 5.35}, {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70}, {5.25, 5.20, 5.10}, {5.65, 5.55, 5.45},
		{5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40}, {5.45, 5.55, 5.50}, {5.55, 5.55, 5.35}, {5.45, 5.50, 5.55},
		{5.50, 5.45, 5.25}, {5.65, 5.60, 5.40}, {5.70, 5.65, 5.55}, {6.30, 6.30, 6.25},
	}
	r := Friedman(times)
	near(t, "chi-square", r.ChiSquare, 11.142857, 1e-6)
	near(t, "p", r.P, 0.003805041, 1e-9)
}

func TestFriedmanEnds(t *testing.T) {
	tests := []struct {
		name   string
		scores [][]float64
		chi, p float64 // p = exp(-chi/2) with three tools
	}{
		{"all blocks agree", [][]float64{{3, 2, 1}, {3, 2, 1}, {3, 2, 1}}, 6, math.Exp(-3)},
		{"no difference", [][]float64{{1, 2}, {2, 1}}, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Friedman(tt.scores)
			near(t, "chi-square", r.ChiSquare, tt.chi, 1e-12)
			near(t, "p", r.P, tt.p, 1e-12)
			assert.Check(t, r.P >= r.MinP-1e-12, "p %g is below the least, %g", r.P, r.MinP)
		})
	}
}

// Demšar (2006), table 5(a): the studentized range at 0.05 over the root of 2. Digits
// from R 4.2: qtukey(0.95, k, Inf) / sqrt(2).
func TestStudentizedRange(t *testing.T) {
	want := []float64{1.959963985, 2.343700588, 2.569031777, 2.727774383, 2.849705443, 2.948320061, 3.030878523, 3.101730458, 3.163683754}
	for i, q := range want {
		near(t, "q", studentizedRange(0.95, i+2)/math.Sqrt2, q, 2e-6)
	}
	near(t, "R: qtukey(0.99, 3, Inf)", studentizedRange(0.99, 3), 4.120303283, 2e-6)
}
