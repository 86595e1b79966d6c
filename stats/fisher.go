package stats

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// relativeSlack is by how much a table may be more probable than the observed one and
// still count as equally probable; the value is that of R's fisher.test.
const relativeSlack = 1e-7

// A FisherResult is the comparison of two proportions k1/n1 and k2/n2.
type FisherResult struct {
	P         float64  // two-sided: the tables no more probable than the observed one, given the margins
	OddsRatio *float64 // of the sample, (k1 (n2-k2)) / (k2 (n1-k1)); nil when the divisor is 0
	MinP      float64  // the smallest P that any outcome of n1 and n2 could give
}

// FisherExact tests k1 of n1 against k2 of n2 (Fisher, 1935). It assumes that the two groups are independent.
// If both tools face the same bugs they are not: the caller says so beside the figure, and McNemarExact is the
// test for that case.
func FisherExact(k1, n1, k2, n2 int) FisherResult {
	mustCount(k1, n1)
	mustCount(k2, n2)
	r := FisherResult{P: fisherP(k1, n1, k2, n2), MinP: minFisherP(n1, n2)}
	if divisor := k2 * (n1 - k1); divisor != 0 {
		or := float64(k1) * float64(n2-k2) / float64(divisor)
		r.OddsRatio = &or
	}
	return r
}

// fisherP sums the hypergeometric probabilities of all tables with the observed margins that are no more probable
// than the observed one.
func fisherP(k1, n1, k2, n2 int) float64 {
	total := k1 + k2
	least := max(0, total-n2) // of the first count
	var weights []float64     // ln of the number of ways to make each table
	for k := least; k <= min(n1, total); k++ {
		weights = append(weights, combin.LogGeneralizedBinomial(float64(n1), float64(k))+
			combin.LogGeneralizedBinomial(float64(n2), float64(total-k)))
	}
	all := floats.LogSumExp(weights)
	observed := math.Exp(weights[k1-least]-all) * (1 + relativeSlack)
	p := 0.0
	for _, w := range weights {
		if q := math.Exp(w - all); q <= observed {
			p += q
		}
	}
	return min(p, 1)
}

// minFisherP finds the most extreme outcome. For a given total the smallest p is that of
// a table at the end of its range, so only those are tried.
func minFisherP(n1, n2 int) float64 {
	best := 1.0
	for total := 0; total <= n1+n2; total++ {
		for _, k1 := range []int{max(0, total-n2), min(n1, total)} {
			best = min(best, fisherP(k1, n1, total-k1, n2))
		}
	}
	return best
}
