package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// fewForBootstrap is the sample size below which a warning says that the interval is too
// narrow. Its error in coverage shrinks with the size of the sample (Efron and Tibshirani,
// 1993, section 14.3), but no size is a sharp limit: ten is our choice.
const fewForBootstrap = 10

// Bootstrap says how to resample.
type Bootstrap struct {
	Resamples int        // e.g. 10000; at least 100
	Level     float64    // of the interval, e.g. 0.95
	Rand      *rand.Rand // e.g. trial.Seed.Stream("bootstrap"); equal streams give equal intervals
}

// A BootstrapResult is an interval for a statistic of one or more samples, in its unit.
type BootstrapResult struct {
	Estimate  float64 // of the samples as they are
	Low, High float64
	Warnings  []string

	bias         float64 // z0: how far the median of the replicates is off, in standard deviations
	acceleration float64 // a: how fast the standard deviation changes with the statistic
}

// BCa returns the bias-corrected and accelerated bootstrap interval (Efron, JASA 82, 1987)
// of a statistic, e.g. the mean of one sample or the difference of the means of two. Each
// sample is resampled by itself. The statistic must not keep or change what it is given,
// and must be finite for every resample. Acceleration comes from the jackknife, for several
// samples as in Davison and Hinkley (1997, section 5.3.2).
func BCa(samples [][]float64, statistic func(samples [][]float64) float64, b Bootstrap) (BootstrapResult, error) {
	if err := b.check(samples); err != nil {
		return BootstrapResult{}, err
	}
	r := BootstrapResult{Estimate: statistic(samples)}
	replicates := b.replicates(samples, statistic)
	if err := checkSample(append(replicates, r.Estimate)); err != nil {
		return BootstrapResult{}, fmt.Errorf("statistic of a resample: %w", err)
	}
	slices.Sort(replicates)
	for i, xs := range samples {
		if len(xs) < fewForBootstrap {
			r.Warnings = append(r.Warnings, fmt.Sprintf("sample %d has %d values: a bootstrap interval of so few is too narrow", i+1, len(xs)))
		}
	}
	if replicates[0] == replicates[len(replicates)-1] {
		r.Low, r.High = replicates[0], replicates[0]
		r.Warnings = append(r.Warnings, "all resamples are equal: the interval has no width")
		return r, nil
	}
	if err := r.correct(replicates, samples, statistic); err != nil {
		return BootstrapResult{}, err
	}
	tail := (1 - b.Level) / 2
	r.Low = quantile(replicates, r.adjusted(tail))
	r.High = quantile(replicates, r.adjusted(1-tail))
	return r, nil
}

func (b Bootstrap) check(samples [][]float64) error {
	if len(samples) == 0 {
		return errEmpty
	}
	for i, xs := range samples {
		if err := checkSample(xs); err != nil {
			return fmt.Errorf("sample %d: %w", i+1, err)
		}
	}
	if !(b.Level > 0 && b.Level < 1) {
		return fmt.Errorf("%w: %g", errLevel, b.Level)
	}
	if b.Resamples < 100 {
		return fmt.Errorf("%w: %d resamples, fewer than 100", errCounts, b.Resamples)
	}
	return nil
}

func (b Bootstrap) replicates(samples [][]float64, statistic func([][]float64) float64) []float64 {
	drawn := make([][]float64, len(samples))
	for i, xs := range samples {
		drawn[i] = make([]float64, len(xs))
	}
	replicates := make([]float64, b.Resamples)
	for i := range replicates {
		for j, xs := range samples {
			for k := range drawn[j] {
				drawn[j][k] = xs[b.Rand.IntN(len(xs))]
			}
		}
		replicates[i] = statistic(drawn)
	}
	return replicates
}

// correct sets bias and acceleration. Where one of them has no value, the replicates say
// nothing about it: it stays 0, which is the percentile interval, and a warning says so.
func (r *BootstrapResult) correct(sorted []float64, samples [][]float64, statistic func([][]float64) float64) error {
	below := 0.0
	for _, x := range sorted {
		if x < r.Estimate {
			below++
		} else if x == r.Estimate {
			below += 0.5
		}
	}
	if share := below / float64(len(sorted)); share > 0 && share < 1 {
		r.bias = distuv.UnitNormal.Quantile(share)
	} else {
		r.Warnings = append(r.Warnings, "all resamples lie on one side of the estimate: no correction of bias")
	}
	a, err := acceleration(samples, statistic)
	if err != nil {
		return err
	}
	if a == nil {
		r.Warnings = append(r.Warnings, "a sample has one value, or none changes the statistic: no correction of skewness")
		return nil
	}
	r.acceleration = *a
	return nil
}

// acceleration is from the jackknife influence values, nil where it is undefined.
func acceleration(samples [][]float64, statistic func([][]float64) float64) (*float64, error) {
	cubes, squares := 0.0, 0.0
	for i, xs := range samples {
		n := float64(len(xs))
		if len(xs) == 1 {
			return nil, nil
		}
		left := slices.Clone(samples)
		without := make([]float64, len(xs))
		for j := range xs {
			left[i] = slices.Concat(xs[:j], xs[j+1:])
			without[j] = statistic(left)
		}
		if err := checkSample(without); err != nil {
			return nil, fmt.Errorf("statistic of sample %d without one value: %w", i+1, err)
		}
		mean := floats.Sum(without) / n
		for _, x := range without {
			influence := (n - 1) * (mean - x)
			cubes += influence * influence * influence / (n * n * n)
			squares += influence * influence / (n * n)
		}
	}
	if squares == 0 {
		return nil, nil
	}
	a := cubes / (6 * math.Pow(squares, 1.5))
	return &a, nil
}

// adjusted is the quantile of the replicates that stands for the quantile p.
func (r *BootstrapResult) adjusted(p float64) float64 {
	z := r.bias + distuv.UnitNormal.Quantile(p)
	divisor := 1 - r.acceleration*z
	if divisor <= 0 { // far out in a very skewed tail
		return math.Round(p)
	}
	return distuv.UnitNormal.CDF(r.bias + z/divisor)
}

// quantile interpolates between the order statistics at (n+1)p, as Davison and Hinkley do.
func quantile(sorted []float64, p float64) float64 {
	at := p*float64(len(sorted)+1) - 1
	i := int(math.Floor(at))
	switch {
	case i < 0:
		return sorted[0]
	case i >= len(sorted)-1:
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
