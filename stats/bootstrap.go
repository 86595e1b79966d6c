package stats

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
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
	Few       bool // a sample has fewer than ten values: the interval is too narrow

	bias         float64 // z0: how far the median of the replicates is off, in standard deviations
	acceleration float64 // a: how fast the standard deviation changes with the statistic
}

// BCa returns the bias-corrected and accelerated bootstrap interval (Efron, JASA 82, 1987)
// of a statistic, e.g. the mean of one sample or the difference of the means of two. Each
// sample is resampled by itself. The statistic must not keep or change what it is given,
// and must be finite for every resample. Acceleration comes from the jackknife, for several
// samples as in Davison and Hinkley (1997, section 5.3.2). Where the replicates say nothing
// about bias or skewness these stay 0, which is the percentile interval.
func BCa(samples [][]float64, statistic func(samples [][]float64) float64, b Bootstrap) BootstrapResult {
	r := BootstrapResult{Estimate: statistic(samples)}
	for _, xs := range samples {
		r.Few = r.Few || len(xs) < fewForBootstrap
	}
	replicates := b.replicates(samples, statistic)
	slices.Sort(replicates)
	below := 0.0
	for _, x := range replicates {
		if x < r.Estimate {
			below++
		} else if x == r.Estimate {
			below += 0.5
		}
	}
	if share := below / float64(len(replicates)); share > 0 && share < 1 {
		r.bias = distuv.UnitNormal.Quantile(share)
	}
	r.acceleration = acceleration(samples, statistic)
	tail := (1 - b.Level) / 2
	r.Low, r.High = quantile(replicates, r.adjusted(tail)), quantile(replicates, r.adjusted(1-tail))
	return r
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

// acceleration is from the jackknife influence values, 0 where it is undefined: of a sample of one value, or where
// none changes the statistic.
func acceleration(samples [][]float64, statistic func([][]float64) float64) float64 {
	cubes, squares := 0.0, 0.0
	for i, xs := range samples {
		if len(xs) == 1 {
			return 0
		}
		n := float64(len(xs))
		left := slices.Clone(samples)
		without := make([]float64, len(xs))
		for j := range xs {
			left[i] = slices.Concat(xs[:j], xs[j+1:])
			without[j] = statistic(left)
		}
		mean := stat.Mean(without, nil)
		for _, x := range without {
			influence := (n - 1) * (mean - x)
			cubes += influence * influence * influence / (n * n * n)
			squares += influence * influence / (n * n)
		}
	}
	if squares == 0 {
		return 0
	}
	return cubes / (6 * math.Pow(squares, 1.5))
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
