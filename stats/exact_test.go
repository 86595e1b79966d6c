package stats

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestMcNemarExact(t *testing.T) {
	tests := []struct {
		name       string
		first, sec int
		p, least   float64
	}{
		// Agresti, Categorical Data Analysis (1990), p. 350, in R's ?mcnemar.test; the exact p is
		// that of R: binom.test(86, 236).
		{"approval ratings", 86, 150, 3.71593613957e-05, 0},
		{"R: binom.test(12, 15)", 12, 3, 0.03515625, 2.0 / 32768},
		{"R: binom.test(11, 12)", 11, 1, 0.00634765625, 2.0 / 4096},
		{"six to none is the least that can be significant", 6, 0, 2.0 / 64, 2.0 / 64},
		{"five discordant", 5, 0, 2.0 / 32, 2.0 / 32},
		{"even", 10, 10, 1, 2.0 / 1048576},
		{"no disagreement", 0, 0, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := McNemarExact(tt.first, tt.sec)
			near(t, "p", r.P, tt.p, 1e-10)
			near(t, "smallest p", r.MinP, tt.least, 1e-12)
		})
	}
}

func TestHolm(t *testing.T) {
	tests := []struct {
		name     string
		ps, want []float64
	}{
		{"R: p.adjust(c(0.01, 0.04, 0.03, 0.005), \"holm\")", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"one test", []float64{0.04}, []float64{0.04}},
		{"never above 1", []float64{0.9, 0.6}, []float64{1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Holm(tt.ps)
			for i := range got {
				near(t, "adjusted", got[i], tt.want[i], 1e-12)
			}
		})
	}
}

// R 4.2: the sum over all outcomes of dbinom(a, n1, p1) dbinom(b, n2, p2) where
// fisher.test's p < 0.05.
func TestFisherPowerOfR(t *testing.T) {
	tests := []struct {
		p1    float64
		n1    int
		p2    float64
		n2    int
		power float64
	}{
		{0.48, 25, 0.12, 25, 0.7243399653},
		{0.48, 25, 0.08, 25, 0.855691153},
		{0.12, 25, 0.12, 25, 0.01339989034},
		{0.9, 10, 0.2, 8, 0.8391735576},
		{1, 5, 0, 5, 1},
	}
	for _, tt := range tests {
		got := rejections(tt.n1, tt.n2).power(tt.p1, tt.p2)
		near(t, "power", got, tt.power, 1e-9)
	}
}

func TestMinimumDetectable(t *testing.T) {
	d, higher := rejections(25, 25), MinimumDetectable(25, 0.12, 0.8)
	assert.Check(t, higher != nil && d.power(*higher, 0.12) >= 0.8 && d.power(*higher-0.001, 0.12) < 0.8,
		"got %v", higher)
	// Two groups of three cannot give p < 0.05 whatever happens.
	if higher := MinimumDetectable(3, 0.2, 0.8); higher != nil {
		t.Errorf("got %g", *higher)
	}
}
