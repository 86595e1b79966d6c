package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A FisherDesign is a comparison of two independent proportions by Fisher's exact test at
// level Alpha, before anything is measured.
type FisherDesign struct {
	n1, n2 int
	reject [][]bool // [k1][k2]
}

// NewFisherDesign prepares the design for groups of n1 and n2; the work grows with their cube.
func NewFisherDesign(n1, n2 int) *FisherDesign {
	must(n1 > 0 && n2 > 0, "groups of %d and %d", n1, n2)
	d := &FisherDesign{n1: n1, n2: n2, reject: make([][]bool, n1+1)}
	for k1 := range d.reject {
		d.reject[k1] = make([]bool, n2+1)
		for k2 := range d.reject[k1] {
			d.reject[k1][k2] = fisherP(k1, n1, k2, n2) < Alpha
		}
	}
	return d
}

// power is the probability that the test rejects when the proportions are p1 and p2, by
// summing over all outcomes. With p1 = p2 it is the true size of the test.
func (d *FisherDesign) power(p1, p2 float64) float64 {
	first, second := binomialProbs(d.n1, p1), binomialProbs(d.n2, p2)
	power := 0.0
	for k1, row := range d.reject {
		for k2, rejected := range row {
			if rejected {
				power += first[k1] * second[k2]
			}
		}
	}
	return min(power, 1)
}

// MinimumDetectable returns the smallest proportion of the first group above the baseline, that of the second, which
// the test tells from it with at least the power; nil if there is none. Power grows with the distance but for small
// ripples, so proportions are searched from far to near in steps of 0.001 until the first that misses the power.
func (d *FisherDesign) MinimumDetectable(baseline, power float64) (higher *float64) {
	for i := 0; i <= int(math.Floor((1-baseline)*1000)); i++ {
		p := 1 - float64(i)/1000
		if d.power(p, baseline) < power {
			break
		}
		higher = &p
	}
	return higher
}

func binomialProbs(n int, p float64) []float64 {
	probs := make([]float64, n+1)
	if p == 0 || p == 1 {
		probs[int(p)*n] = 1
		return probs
	}
	for k := range probs {
		probs[k] = distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
	}
	return probs
}
