package report

import (
	"slices"
	"testing"
)

func TestCommonGrid(t *testing.T) {
	curves := []curve{{x: []float64{1, 3, 5}, pct: []float64{10, 20, 30}}, {x: []float64{2, 5, 8}, pct: []float64{12, 22, 40}}}
	grid := commonGrid(curves)
	if want := []float64{2, 3, 5, 8}; !slices.Equal(grid, want) {
		t.Fatalf("grid %v, want %v: from where both have begun", grid, want)
	}
	points := meanCurve(curves, grid)
	// At 2 the first curve still stands at 10; at 8 it stays at its end, 30.
	for i, want := range []Point{{X: 2, Mean: 11, Min: 10, Max: 12}, {X: 3, Mean: 16, Min: 12, Max: 20}, {X: 5, Mean: 26, Min: 22, Max: 30}, {X: 8, Mean: 35, Min: 30, Max: 40}} {
		if p := points[i]; p.X != want.X || p.Mean != want.Mean || p.Min != want.Min || p.Max != want.Max {
			t.Errorf("point %d: %+v, want %+v", i, p, want)
		}
	}
	if got := thin([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 4); !slices.Equal(got, []float64{0, 3, 6, 9}) {
		t.Errorf("thinned to %v", got)
	}
}
