package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// maxPowerSample bounds a group of an exact power computation: the work grows with its cube.
const maxPowerSample = 300

// A FisherDesign is a comparison of two independent proportions by Fisher's exact test at
// level Alpha, before anything is measured.
type FisherDesign struct {
	n1, n2 int
	reject [][]bool // [k1][k2]
}

// NewFisherDesign prepares the design for groups of n1 and n2, at most 300 each.
func NewFisherDesign(n1, n2 int) (*FisherDesign, error) {
	if n1 <= 0 || n2 <= 0 {
		return nil, fmt.Errorf("%w: groups of %d and %d", errCounts, n1, n2)
	}
	if n1 > maxPowerSample || n2 > maxPowerSample {
		return nil, fmt.Errorf("%w: groups of %d and %d", ErrTooLarge, n1, n2)
	}
	d := &FisherDesign{n1: n1, n2: n2, reject: make([][]bool, n1+1)}
	for k1 := range d.reject {
		d.reject[k1] = make([]bool, n2+1)
		for k2 := range d.reject[k1] {
			d.reject[k1][k2] = fisherP(k1, n1, k2, n2) < Alpha
		}
	}
	return d, nil
}

// power is the probability that the test rejects when the proportions are p1 and p2, by
// summing over all outcomes. With p1 = p2 it is the true size of the test.
func (d *FisherDesign) power(p1, p2 float64) (float64, error) {
	for _, p := range []float64{p1, p2} {
		if !(p >= 0 && p <= 1) {
			return 0, fmt.Errorf("%w: %g", errProbability, p)
		}
	}
	first, second := binomialProbs(d.n1, p1), binomialProbs(d.n2, p2)
	power := 0.0
	for k1, row := range d.reject {
		for k2, rejected := range row {
			if rejected {
				power += first[k1] * second[k2]
			}
		}
	}
	return min(power, 1), nil
}

// A DetectableEffect says what a comparison could have found.
type DetectableEffect struct {
	Baseline float64  // proportion of the second group, 0..1
	Higher   *float64 // smallest proportion above Baseline of the first group found with that power; nil when none is
	Warnings []string
}

// MinimumDetectable searches for the proportions of the first group above the baseline that the test tells from it
// with at least the power. Power grows with the distance but for small ripples, so proportions are searched from far
// to near in steps of 0.001 until the first that misses the power.
func (d *FisherDesign) MinimumDetectable(baseline, power float64) (DetectableEffect, error) {
	if !(power > 0 && power < 1) {
		return DetectableEffect{}, fmt.Errorf("%w: power %g", errProbability, power)
	}
	e := DetectableEffect{Baseline: baseline}
	for i := 0; i <= int(math.Floor((1-baseline)*1000)); i++ {
		p := 1 - float64(i)/1000
		reached, err := d.power(p, baseline)
		if err != nil {
			return DetectableEffect{}, err
		}
		if reached < power {
			break
		}
		e.Higher = &p
	}
	if e.Higher == nil {
		e.Warnings = append(e.Warnings, fmt.Sprintf(
			"no power: with samples of %d and %d and a baseline of %.3g, no higher proportion is found with a probability of %g", d.n1, d.n2, baseline, power))
	}
	return e, nil
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
