package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// askedPower is the power for which a comparison says how many trials it needs: Cohen's convention.
const askedPower = 0.8

// A ratePair says in how many of the trials that checked one bug each of two contenders detected it.
type ratePair struct{ detectedA, checkedA, detectedB, checkedB int }

// trialCells compares two contenders over the trials of each bug: the p of the randomisation test, and how many
// trials would tell the two apart.
func trialCells(rates []ratePair) (p, needed Cell) {
	unit := 1 // the smallest part of a trial in which all rates are whole
	for _, r := range rates {
		unit = lcm(lcm(unit, r.checkedA), r.checkedB)
	}
	var differences []int
	var first, second []float64
	for _, r := range rates {
		differences = append(differences, r.detectedA*unit/r.checkedA-r.detectedB*unit/r.checkedB)
		first = append(first, float64(r.detectedA)/float64(r.checkedA))
		second = append(second, float64(r.detectedB)/float64(r.checkedB))
	}
	result := sure(stats.PairedRandomization(differences))
	p = pValue(result.P, result.MinP, "no signs of these differences")
	if result.MinP >= stats.Alpha {
		return p, notApplicable("too few bugs differ: no number of trials would show a significant difference")
	}
	trials := sure(stats.TrialsNeeded(first, second, askedPower, trial.Seed(1).Stream("report/trials")))
	if trials == 0 {
		return p, notApplicable(fmt.Sprintf("%d trials would not show a significant difference", stats.MostTrials))
	}
	return p, whole(trials)
}

// lcm returns the least common multiple of two numbers above 0.
func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
