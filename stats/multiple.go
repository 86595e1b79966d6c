package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts the p-values of one family of tests. At any level, the chance of at least one false rejection
// among them is then at most that level (Holm, Scand. J. Stat. 6, 1979). adjusted[i] belongs to ps[i], is at
// least it and at most 1.
func Holm(ps []float64) (adjusted []float64, err error) {
	if err := checkSample(ps); err != nil {
		return nil, err
	}
	order := make([]int, len(ps))
	for i, p := range ps {
		if p < 0 || p > 1 {
			return nil, fmt.Errorf("%w: p[%d] = %g", errProbability, i, p)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	adjusted = make([]float64, len(ps))
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(float64(len(ps)-rank)*ps[i], 1))
		adjusted[i] = largest
	}
	return adjusted, nil
}
