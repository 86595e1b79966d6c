package stats

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// maxRandomizationSum bounds the exact null distribution: its size is the sum of the absolute differences.
const maxRandomizationSum = 10_000_000

// A RandomizationResult is the comparison of two tools over pairs, such as the trials in which each detects a bug.
type RandomizationResult struct {
	P    float64 // two-sided, exact
	MinP float64 // the smallest P that differences of these sizes could give
}

// errTooLarge is for samples that are too large for an exact test.
var errTooLarge = errors.New("sample too large for an exact test")

// PairedRandomization is Fisher's randomisation test of paired differences (Fisher, The Design of
// Experiments, 1935, section 21). Differences are whole numbers in one unit, one for each pair. Under the null
// hypothesis each has either sign with equal probability, independently of the others. P is the probability of
// a sum at least as far from 0 as theirs, computed exactly. With differences of -1, 0 and 1 it is McNemar's
// exact test. A sign belongs to one pair alone, so that pairs of several strata (bugs of several libraries)
// are tested within their strata.
func PairedRandomization(differences []int) (RandomizationResult, error) {
	sizes, observed, sum := []int{}, 0, 0
	for _, d := range differences {
		if d != 0 {
			sizes = append(sizes, max(d, -d))
			sum += max(d, -d)
			observed += d
		}
	}
	if sum > maxRandomizationSum || sum < 0 {
		return RandomizationResult{}, fmt.Errorf("%w: differences with a sum of %d", errTooLarge, sum)
	}
	if sum == 0 {
		return RandomizationResult{P: 1, MinP: 1}, nil
	}
	// The sum is twice what is positive, less everything.
	positive := subsetSums(sizes, sum)
	r := RandomizationResult{MinP: min(2*positive[0], 1)}
	for s, p := range positive {
		if total := 2*s - sum; max(total, -total) >= max(observed, -observed) {
			r.P += p
		}
	}
	r.P = min(r.P, 1)
	return r, nil
}

// subsetSums returns the probability of each sum 0..total of a subset that has each size with probability ½.
func subsetSums(sizes []int, total int) []float64 {
	probs := make([]float64, total+1)
	probs[0] = 1
	reached := 0
	for _, size := range sizes {
		reached += size
		for s := reached; s >= 0; s-- {
			p := probs[s] / 2
			if s >= size {
				p += probs[s-size] / 2
			}
			probs[s] = p
		}
	}
	return probs
}

// trialsTried are the numbers of trials that TrialsNeeded tries, and powerSimulations how many experiments it
// simulates for each: a power of 0.8 is then known to ±0.04 (95%).
var trialsTried = []int{1, 2, 3, 5, 7, 10, 15, 20, 30}

const powerSimulations = 400

// MostTrials is the largest number of trials that TrialsNeeded tries.
const MostTrials = 30

// TrialsNeeded returns how many trials of each tool PairedRandomization needs to tell two tools apart at level
// Alpha with the given power (0..1). In one trial the tools detect bug i with the probabilities first[i] and
// second[i]. It simulates experiments of 1, 2, 3, 5, 7, 10, 15, 20 and 30 trials, and returns 0 if none is
// enough. The test's unit is the bug, so trials cannot make up for too few bugs.
func TrialsNeeded(first, second []float64, power float64, r *rand.Rand) int {
	must(len(first) == len(second), "%d and %d bugs", len(first), len(second))
	for _, n := range trialsTried {
		rejected := 0
		for range powerSimulations {
			if result, err := PairedRandomization(simulate(first, second, n, r)); err == nil && result.P < Alpha {
				rejected++
			}
		}
		if float64(rejected) >= power*powerSimulations {
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
