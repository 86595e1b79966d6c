package stats

import "math/rand/v2"

// PairedRandomization is Fisher's randomisation test of paired differences (Fisher, The Design of
// Experiments, 1935, section 21), such as of the trials in which two tools detect each bug. Differences are whole
// numbers in one unit, one for each pair. Under the null hypothesis each has either sign with equal probability,
// independently of the others. P is the probability of a sum at least as far from 0 as theirs, computed exactly. With
// differences of -1, 0 and 1 it is McNemar's exact test. A sign belongs to one pair alone, so that pairs of several
// strata (bugs of several libraries) are tested within their strata.
func PairedRandomization(differences []int) Exact {
	observed, all := 0, 0
	for _, d := range differences {
		observed += d
		all += max(d, -d)
	}
	positive := make([]float64, all+1) // the probability of each sum of what is positive
	positive[0] = 1
	for _, d := range differences {
		size := max(d, -d)
		for s := all; s >= 0 && size > 0; s-- {
			positive[s] /= 2
			if s >= size {
				positive[s] += positive[s-size] / 2
			}
		}
	}
	r := Exact{MinP: min(2*positive[0], 1)}
	for s, p := range positive {
		if sum := 2*s - all; max(sum, -sum) >= max(observed, -observed) {
			r.P += p
		}
	}
	r.P = min(r.P, 1)
	return r
}

// MostTrials is the largest number of trials that TrialsNeeded tries.
const MostTrials = 30

// TrialsNeeded returns how many trials of each tool PairedRandomization needs to tell two tools apart at level
// Alpha with the given power (0..1). In one trial the tools detect bug i with the probabilities first[i] and
// second[i]. It simulates experiments of 1, 2, 3, 5, 7, 10, 15, 20 and 30 trials, and returns 0 if none is
// enough. The test's unit is the bug, so trials cannot make up for too few bugs.
func TrialsNeeded(first, second []float64, power float64, r *rand.Rand) int {
	const simulations = 400 // a power of 0.8 is then known to ±0.04 (95%)
	for _, n := range []int{1, 2, 3, 5, 7, 10, 15, 20, MostTrials} {
		rejected := 0
		for range simulations {
			if PairedRandomization(simulate(first, second, n, r)).P < Alpha {
				rejected++
			}
		}
		if float64(rejected) >= power*simulations {
			return n
		}
	}
	return 0
}

// simulate draws, bug by bug, in how many of n trials the first tool detects it more often than the second.
func simulate(first, second []float64, n int, r *rand.Rand) []int {
	differences := make([]int, len(first))
	for i := range first {
		for range n {
			if r.Float64() < first[i] {
				differences[i]++
			}
			if r.Float64() < second[i] {
				differences[i]--
			}
		}
	}
	return differences
}
