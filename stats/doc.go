// Package stats turns samples into estimates: summaries over trials, intervals for
// proportions, and tests and effect sizes that compare two tools.
//
// It consumes plain numbers and counts and produces values that are finite for finite samples. Arguments that no caller
// may have, such as an empty sample or more successes than trials, may panic. An undefined part of an answer, such as
// the spread of one trial or an odds ratio over zero, is a nil pointer. Nothing is rounded. Only the bootstrap and the
// simulated experiments are random; the caller supplies their streams.
package stats

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Alpha is the level at which a test that cannot reach significance is said to have no
// power, and 1-Alpha the level of the intervals in reports.
const Alpha = 0.05

// An Exact is the answer of an exact test.
type Exact struct {
	P    float64 // two-sided
	MinP float64 // the smallest P that samples of these sizes could give
}

// A Summary describes one sample in the sample's own unit.
type Summary struct {
	N      int
	Mean   float64
	StdDev *float64 // sample standard deviation (divisor N-1); nil when N is 1
	Median float64
}

// Summarize describes xs.
func Summarize(xs []float64) Summary {
	sorted := slices.Sorted(slices.Values(xs))
	n := len(xs)
	// The sum is taken in sorted order, so that the order of trials cannot change its last digit. The mean is
	// clamped, because rounding can move the mean of equal values away from them.
	s := Summary{N: n, Mean: min(max(stat.Mean(sorted, nil), sorted[0]), sorted[n-1]), Median: sorted[n/2]}
	if n%2 == 0 {
		s.Median = sorted[n/2-1] + (sorted[n/2]-sorted[n/2-1])/2
	}
	if n > 1 {
		sd := stat.StdDev(sorted, nil)
		s.StdDev = &sd
	}
	return s
}
