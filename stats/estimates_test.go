package stats

import (
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"
)

// freireich et al., Blood 21 (1963), remission in weeks under 6-MP; + is censored.
var freireich = []Detection{
	{6, true}, {6, true}, {6, true}, {6, false}, {7, true}, {9, false}, {10, true}, {10, false}, {11, false}, {13, true}, {16, true},
	{17, false}, {19, false}, {20, false}, {22, true}, {23, true}, {25, false}, {32, false}, {32, false}, {34, false}, {35, false},
}

// The curve is table 4.1B of Klein and Moeschberger (2003); digits, restricted means and
// their errors from R 4.2, survfit of package survival, rmean = 35 and 20.
func TestKaplanMeierOfFreireich(t *testing.T) {
	r := KaplanMeier(freireich, 35)
	want := []SurvivalStep{
		{6, 21, 3, 0.857143}, {7, 17, 1, 0.806723}, {10, 15, 1, 0.752941},
		{13, 12, 1, 0.690196}, {16, 11, 1, 0.627451}, {22, 7, 1, 0.537815}, {23, 6, 1, 0.448179},
	}
	assert.Assert(t, len(r.Steps) == len(want), "%d steps, want %d", len(r.Steps), len(want))
	for i, w := range want {
		g := r.Steps[i]
		assert.Check(t, g.Time == w.Time && g.AtRisk == w.AtRisk && g.Found == w.Found,
			"step %d is %+v, want %+v", i, g, w)
		near(t, "survival", g.Survival, w.Survival, 5e-7)
	}
	near(t, "median", *r.Median, 23, 0)
	near(t, "restricted mean", *r.RestrictedMean, 23.287394958, 1e-8)
	near(t, "its error", *r.RestrictedMeanStdErr, 2.827467623, 1e-8)
	r = KaplanMeier(freireich, 20)
	near(t, "restricted mean to 20", *r.RestrictedMean, 16.116526611, 1e-8)
	near(t, "its error", *r.RestrictedMeanStdErr, 1.251560196, 1e-8)
}

func TestKaplanMeierEdges(t *testing.T) {
	tests := []struct {
		name    string
		trials  []Detection
		horizon float64
		mean    float64 // -1: none
		median  float64 // -1: none
	}{
		{"never found", []Detection{{60, false}, {60, false}}, 60, 60, -1},
		{"always found", []Detection{{10, true}, {20, true}}, 60, 15, 10},
		{"found at once", []Detection{{0, true}}, 60, 0, 0},
		{"one of three", []Detection{{30, true}, {60, false}, {60, false}}, 60, 50, -1},
		{"found at the horizon", []Detection{{60, true}, {60, false}}, 60, 60, 60},
		{"not watched to the end", []Detection{{10, true}, {20, false}}, 60, -1, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := KaplanMeier(tt.trials, tt.horizon)
			check := func(what string, got *float64, want float64) {
				if want < 0 != (got == nil) {
					t.Errorf("%s: %v, want %g", what, got, want)
				} else if got != nil {
					near(t, what, *got, want, 1e-12)
				}
			}
			check("restricted mean", r.RestrictedMean, tt.mean)
			check("median", r.Median, tt.median)
		})
	}
}

// Efron and Tibshirani (1993), table 14.1: the spatial test data, test A.
var spatialA = []float64{48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41}

func variance(samples [][]float64) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(samples[0]))
	for _, x := range samples[0] {
		sum += x
	}
	for _, x := range samples[0] {
		squares += (x - sum/n) * (x - sum/n)
	}
	return squares / n
}

func meanOf(samples [][]float64) float64 {
	sum := 0.0
	for _, x := range samples[0] {
		sum += x
	}
	return sum / float64(len(samples[0]))
}

// The book gives estimate 171.5, a = 0.061, z0 = 0.146 and, at 90%, 115.8 to 259.6 with
// 2000 resamples (table 14.2); R 4.2, boot.ci of package boot, 115.6 to 260.9 with 200,000.
func TestBCaOfEfronAndTibshirani(t *testing.T) {
	r := BCa([][]float64{spatialA}, variance, Bootstrap{Resamples: 40000, Level: 0.9, Rand: rand.New(rand.NewPCG(1, 1))})
	near(t, "estimate", r.Estimate, 171.5, 0.05)
	near(t, "a", r.acceleration, 0.061, 5e-4)
	near(t, "z0", r.bias, 0.146, 0.03)
	near(t, "low", r.Low, 115.6, 1)
	near(t, "high", r.High, 260.9, 2)
	assert.Check(t, !r.Few, "26 values are said to be few")
}

func TestBCaOfTwoSamples(t *testing.T) {
	x := []float64{12, 15, 11, 19, 14, 13, 18, 22, 16, 17, 15}
	y := []float64{10, 9, 14, 8, 11, 30, 10, 12, 9, 11, 10, 13}
	difference := func(s [][]float64) float64 { return meanOf(s[:1]) - meanOf(s[1:]) }
	b := Bootstrap{Resamples: 20000, Level: 0.95, Rand: rand.New(rand.NewPCG(2, 2))}
	r := BCa([][]float64{x, y}, difference, b)
	// R 4.2, boot.ci of package boot with strata, 200,000 resamples: 3.386, -2.09 to 6.02.
	near(t, "estimate", r.Estimate, 3.386363636, 1e-9)
	near(t, "low", r.Low, -2.09, 0.25)
	near(t, "high", r.High, 6.02, 0.12)
	b.Rand = rand.New(rand.NewPCG(2, 2))
	again := BCa([][]float64{x, y}, difference, b)
	assert.Check(t, again.Low == r.Low && again.High == r.High, "equal seeds give different intervals")
	b.Rand = rand.New(rand.NewPCG(2, 2))
	swapped := BCa([][]float64{x, y}, func(s [][]float64) float64 { return -difference(s) }, b)
	near(t, "mirrored low", swapped.Low, -r.High, 1e-9)
}

// Values that are equal, or one, have an interval without width.
func TestBCaOfEqualValues(t *testing.T) {
	for _, xs := range [][]float64{{4}, {4, 4, 4}} {
		r := BCa([][]float64{xs}, meanOf, Bootstrap{Resamples: 200, Level: 0.95, Rand: rand.New(rand.NewPCG(3, 3))})
		assert.Check(t, r.Low == 4 && r.High == 4 && r.Few, "%v: %+v", xs, r)
	}
}
