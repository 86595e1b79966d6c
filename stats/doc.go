// Package stats turns samples into estimates: summaries over trials, intervals for
// proportions, and tests and effect sizes that compare two tools.
//
// It consumes plain numbers and counts and produces values that are always finite. An empty or non-finite
// sample is an error. An undefined part of an answer, such as the spread of one trial or an odds ratio over
// zero, is a nil pointer; what readers of the answer are to be told is in Warnings. Nothing is rounded. Only the bootstrap and the simulated
// experiments are random; the caller supplies their streams.
package stats

import (
	"errors"
	"fmt"
	"math"
)

// Alpha is the level at which a test that cannot reach significance is said to have no
// power, and 1-Alpha the level of the intervals in reports.
const Alpha = 0.05

// The reasons for refusing an input.
var (
	errEmpty     = errors.New("empty sample")
	errNotFinite = errors.New("sample holds a value that is not finite")
	errCounts    = errors.New("impossible counts")
	errLevel     = errors.New("confidence level outside (0, 1)")
	ErrTooLarge  = errors.New("sample too large for an exact test")
	// errProbability is for a p-value or proportion.
	errProbability = errors.New("probability outside [0, 1]")
	// errShape is for tables whose rows differ in length or are too few.
	errShape = errors.New("table of the wrong shape")
)

func checkSample(xs []float64) error {
	if len(xs) == 0 {
		return errEmpty
	}
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%w: [%d] = %g", errNotFinite, i, x)
		}
	}
	return nil
}

// checkCount refuses k successes of n trials unless 0 <= k <= n and n > 0.
func checkCount(k, n int) error {
	if n <= 0 || k < 0 || k > n {
		return fmt.Errorf("%w: %d of %d", errCounts, k, n)
	}
	return nil
}
