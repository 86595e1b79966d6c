package stats

import (
	"math"
	"testing"

	"gotest.tools/v3/assert"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	assert.Check(t, !math.IsNaN(got) && math.Abs(got-want) <= tolerance,
		"%s = %.10g, want %.10g ± %g", what, got, want, tolerance)
}

func TestSummarize(t *testing.T) {
	tests := []struct {
		name          string
		xs            []float64
		mean, sd, med float64
	}{
		// R: x <- c(2,4,4,4,5,5,7,9); mean(x); sd(x); median(x)
		{"even", []float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, 2.138089935, 4.5},
		// R: datasets::sleep$extra[1:10]; mean 0.75, sd 1.789010 (Student 1908, table of section IX)
		{"student 1908", []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}, 0.75, 1.789010, 0.35},
		{"odd, unsorted", []float64{3, 1, 2}, 2, 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Summarize(tt.xs)
			near(t, "mean", s.Mean, tt.mean, 1e-9)
			near(t, "sd", *s.StdDev, tt.sd, 1e-6)
			near(t, "median", s.Median, tt.med, 1e-9)
		})
	}
}

// Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, methods 3 (score without
// continuity correction) and 5 (exact): the published bounds have four decimals.
func TestProportionIntervalsOfNewcombe(t *testing.T) {
	tests := []struct {
		k, n          int
		wilson, exact [2]float64
	}{
		{81, 263, [2]float64{0.2553, 0.3662}, [2]float64{0.2527, 0.3676}},
		{15, 148, [2]float64{0.0624, 0.1605}, [2]float64{0.0578, 0.1617}},
		{0, 20, [2]float64{0.0000, 0.1611}, [2]float64{0.0000, 0.1684}},
		{1, 29, [2]float64{0.0061, 0.1718}, [2]float64{0.0009, 0.1776}},
	}
	for _, tt := range tests {
		w := Wilson(tt.k, tt.n, 0.95)
		near(t, "Wilson low", w.Low, tt.wilson[0], 6e-5)
		near(t, "Wilson high", w.High, tt.wilson[1], 6e-5)
		e := ClopperPearson(tt.k, tt.n, 0.95)
		near(t, "exact low", e.Low, tt.exact[0], 6e-5)
		near(t, "exact high", e.High, tt.exact[1], 6e-5)
	}
}

// R: binom.test(682, 925)$conf.int, the example of ?binom.test (Conover 1971, p. 97).
func TestClopperPearsonOfR(t *testing.T) {
	iv := ClopperPearson(682, 925, 0.95)
	near(t, "low", iv.Low, 0.7076683, 5e-8)
	near(t, "high", iv.High, 0.7654066, 5e-8)
}

func TestFisherExact(t *testing.T) {
	tests := []struct {
		name           string
		k1, n1, k2, n2 int
		p, tolerance   float64
		or             float64
	}{
		{"LISA against CITYWALK, paper section 5.3", 12, 25, 3, 25, 0.0121, 5e-5, 6.77},
		{"LISA against OSS-Fuzz, paper section 5.3", 12, 25, 2, 25, 0.0036, 5e-5, 10.6},
		// R: ?fisher.test, Agresti (1990, p. 61 f.), Fisher's tea drinker.
		{"tea tasting", 3, 4, 1, 4, 0.4857, 5e-5, 9},
		// R: ?fisher.test, Fisher (1962, 1970), criminal convictions of like-sex twins.
		{"convictions", 2, 17, 10, 13, 0.0005367, 5e-8, 2.0 * 3 / (10 * 15)},
		{"equal", 5, 10, 5, 10, 1, 1e-12, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := FisherExact(tt.k1, tt.n1, tt.k2, tt.n2)
			near(t, "p", r.P, tt.p, tt.tolerance)
			assert.Assert(t, r.OddsRatio != nil, "no odds ratio")
			near(t, "odds ratio", *r.OddsRatio, tt.or, 0.02)
		})
	}
}

// R: ?wilcox.test, Hollander and Wolfe (1973), 69f., permeability of the human
// chorioamnion at term and earlier: W = 35, one-sided p = 0.1272, so two-sided 0.2544.
func TestMannWhitneyOfR(t *testing.T) {
	x := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	y := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	r, err := MannWhitneyU(x, y)
	assert.NilError(t, err)
	near(t, "p", r.P, 0.2544, 1e-4)
	a12 := VarghaDelaneyA12(x, y)
	near(t, "A12", a12, 35.0/50, 1e-12)
}

func TestMannWhitneySmallSamples(t *testing.T) {
	tests := []struct {
		name     string
		x, y     []float64
		p, least float64
	}{
		// Mann and Whitney 1947, table I: P(U <= 0) = 1/C(6,3) = 0.05, so two-sided 0.1.
		{"three and three apart", []float64{4, 5, 6}, []float64{1, 2, 3}, 0.1, 0.1},
		// The same table: P(U <= 1) = 2/C(8,4) = 0.0286, so two-sided 4/70.
		{"four and four", []float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}, 4.0 / 70, 2.0 / 70},
		{"all equal", []float64{1, 1}, []float64{1, 1}, 1, 2.0 / 6},
		// By hand: pooled {1,1,2,2}; of the 6 splits, 2 are as far from the mean as this.
		{"ties within groups", []float64{1, 1}, []float64{2, 2}, 2.0 / 6, 2.0 / 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := MannWhitneyU(tt.x, tt.y)
			assert.NilError(t, err)
			near(t, "p", r.P, tt.p, 1e-12)
			near(t, "smallest p", r.MinP, tt.least, 1e-12)
		})
	}
}
