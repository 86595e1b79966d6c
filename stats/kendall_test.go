package stats

import (
	"math"
	"testing"
)

func TestKendall(t *testing.T) {
	parity := func(i, j int) bool { return i%2 == j%2 }
	for _, tt := range []struct {
		name  string
		x, y  []float64
		alike func(i, j int) bool
		want  float64 // NaN: undefined
		pairs int
	}{
		{"the same order", []float64{1, 2, 3, 4}, []float64{10, 20, 30, 40}, nil, 1, 6},
		{"the other way round", []float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, nil, -1, 6},
		// 7 concordant pairs, 1 discordant; 9 are not tied in x, and 9 in y.
		{"ties", []float64{1, 2, 2, 3, 5}, []float64{2, 1, 3, 3, 4}, nil, 2.0 / 3, 10},
		{"one pair of ten is discordant", []float64{1, 2, 3, 4, 5}, []float64{1, 2, 3, 5, 4}, nil, 0.8, 10},
		{"within strata", []float64{1, 9, 2, 8, 3, 7}, []float64{1, 1, 2, 2, 3, 3}, parity, 0, 6},
		{"all tied in one", []float64{1, 1, 1}, []float64{1, 2, 3}, nil, math.NaN(), 3},
		{"no pair", []float64{1, 2}, []float64{1, 2}, parity, math.NaN(), 0},
	} {
		r := Kendall(tt.x, tt.y, tt.alike)
		got := math.NaN()
		if r.Tau != nil {
			got = *r.Tau
		}
		if r.Pairs != tt.pairs || math.Abs(got-tt.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(tt.want) {
			t.Errorf("%s: τ = %g of %d pairs; want %g of %d", tt.name, got, r.Pairs, tt.want, tt.pairs)
		}
	}
}

// TestKendallInterval holds the jackknife against its definition, by computing τ anew without each observation.
func TestKendallInterval(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}
	y := []float64{2, 7, 1, 8, 2, 8, 1, 8, 2, 8}
	r := Kendall(x, y, nil)
	var taus []float64
	mean := 0.0
	for i := range x {
		var xs, ys []float64
		for j := range x {
			if j != i {
				xs, ys = append(xs, x[j]), append(ys, y[j])
			}
		}
		one := Kendall(xs, ys, nil)
		taus = append(taus, *one.Tau)
		mean += *one.Tau / float64(len(x))
	}
	sum := 0.0
	for _, tau := range taus {
		sum += (tau - mean) * (tau - mean)
	}
	half := 2.262157 * math.Sqrt(0.9*sum) // t with 9 degrees of freedom
	if math.Abs(*r.Low-(*r.Tau-half)) > 1e-6 || math.Abs(*r.High-(*r.Tau+half)) > 1e-6 {
		t.Errorf("%g [%g, %g], want half a width of %g", *r.Tau, *r.Low, *r.High, half)
	}
}
