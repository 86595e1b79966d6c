package stats

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Summary describes one sample in the sample's own unit.
type Summary struct {
	N        int
	Mean     float64
	StdDev   *float64 // sample standard deviation (divisor N-1); nil when N is 1
	Median   float64
	Min, Max float64
	Warnings []string
}

// Summarize describes xs. It refuses an empty sample and values that are not finite.
func Summarize(xs []float64) (Summary, error) {
	if err := checkSample(xs); err != nil {
		return Summary{}, err
	}
	sorted := slices.Sorted(slices.Values(xs))
	s := Summary{
		N:      len(xs),
		Median: median(sorted),
		Min:    sorted[0],
		Max:    sorted[len(sorted)-1],
	}
	// The sum is taken in sorted order, so that the order of trials cannot change its last digit. The mean is
	// clamped, because rounding can move the mean of equal values away from them.
	s.Mean = min(max(stat.Mean(sorted, nil), s.Min), s.Max)
	if s.N == 1 {
		s.Warnings = append(s.Warnings, "one trial: no spread can be given")
		return s, nil
	}
	sd := stat.StdDev(sorted, nil)
	s.StdDev = &sd
	return s, nil
}

// median returns the middle of a sorted sample, or the mean of its two middle values.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1] + (sorted[n/2]-sorted[n/2-1])/2
}
