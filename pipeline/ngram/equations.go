package ngram

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// gramsOf returns the contiguous subsequences of n calls, in order, repetitions included
// (paper, sec:n-gram and the set T of sec:api-scheduling). They share memory with calls.
func gramsOf(calls []string, n int) [][]string {
	var grams [][]string
	for i := 0; i+n <= len(calls); i++ {
		grams = append(grams, calls[i:i+n:i+n])
	}
	return grams
}

// normalize maps energies to [epsilon, 1] by min-max normalisation with a floor (paper,
// eqn:energy-normalization), with epsilon in (0, 1). If all energies are equal, ok is false: the paper then
// samples uniformly.
func normalize(energies []float64, epsilon float64) (normalized []float64, ok bool) {
	least, most := slices.Min(energies), slices.Max(energies)
	if least == most {
		return nil, false
	}
	normalized = make([]float64, len(energies))
	for i, e := range energies {
		normalized[i] = epsilon + (1-epsilon)*((e-least)/(most-least))
	}
	return normalized, true
}

// skew returns the coefficient of variation of values, σ/μ with the population's standard
// deviation (paper, "Distribution-aware adaptive condensation", s_t). Values are
// positive.
func skew(values []float64) float64 {
	mean, variance := stat.PopMeanVariance(values, nil)
	return math.Sqrt(variance) / mean
}

// alpha returns the exponent for energies of that skew (paper, eqn:adaptive-condensation). It is 1 for no skew
// and approaches alphaMin as skew grows. The range of alphaMin is (0, 1]; skew is at least 0.
func alpha(skew, alphaMin float64) float64 {
	return alphaMin + (1-alphaMin)*math.Exp(-skew)
}

// condense raises normalised energies to the power alpha (paper, eqn:power-condense). For
// alpha below 1 it keeps their order and lowers every ratio (def:condense,
// prop:range-compression).
func condense(normalized []float64, alpha float64) []float64 {
	condensed := make([]float64, len(normalized))
	for i, e := range normalized {
		condensed[i] = math.Pow(e, alpha)
	}
	return condensed
}
