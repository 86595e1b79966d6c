package stats

import (
	"math"
	"math/rand/v2"
	"testing"
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

func TestHolmProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		ps := make([]float64, 1+rng.IntN(8))
		for i := range ps {
			ps[i] = math.Round(rng.Float64()*20) / 20 // with ties
		}
		got := Holm(ps)
		for i := range ps {
			if got[i] < ps[i] || got[i] > min(1, float64(len(ps))*ps[i]) {
				t.Fatalf("%v: %v is not between p and Bonferroni's", ps, got)
			}
			for j := range ps {
				if ps[i] < ps[j] && got[i] > got[j] {
					t.Fatalf("%v: %v changes the order", ps, got)
				}
				if ps[i] == ps[j] && got[i] != got[j] {
					t.Fatalf("%v: %v tells equal values apart", ps, got)
				}
			}
		}
	}
}
