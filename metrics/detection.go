package metrics

import (
	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A sighting is all that was seen of one test and one bug.
type sighting struct {
	Without []trial.Outcome // on the build without the bug, each time
	With    []trial.Outcome // on the build with it, each time
	Forged  bool            // it has written to the coverage counters: what it executes is not known
	Reaches bool            // it executes what the bug changes, or that cannot be seen

	// Disguised are its runs on builds that only their behaviour tells from one of the two.
	Disguised []disguisedRun
	// OddAlone: compiled and linked stand-alone, it or all that were tried for the bug did something else.
	OddAlone bool
}

// A disguisedRun is how a test ended on a disguised build.
type disguisedRun struct {
	Behaves libbuild.Side // as the build without or as the one with the bug
	Outcome trial.Outcome
}

// Judge is the definition of a detection. A test detects a bug if it
//
//   - passes on the build without it, which is the reference, n times,
//   - executes what the bug changes,
//   - fails on the build with it, n times, and
//   - agrees on every disguised build with what that build behaves like.
//
// If a test that passes without the bug and fails with it does not count, why says so. With n = 0 a test detects the
// bug as long as nothing speaks against it.
func (s *sighting) Judge(n int) (detects bool, why trial.Exclusion) {
	passes, failures := count(s.Without, passed), count(s.With, failed)
	steady := passes == len(s.Without) && failures == len(s.With) && !s.OddAlone
	dependent := false
	if passes == 0 || failures == 0 {
		return false, "" // it fails without the bug too, or passes with it
	}
	for _, run := range s.Disguised {
		switch {
		case run.Behaves == libbuild.Fixed && passed(run.Outcome):
			passes++
		case run.Behaves == libbuild.Buggy && failed(run.Outcome):
			failures++
		case run.Behaves == libbuild.Fixed:
			dependent = true // that build is another file, and else as the one on which the test passes
		default:
			steady = false
		}
	}
	switch {
	case s.Forged:
		return false, trial.ForgedCoverage
	case !s.Reaches:
		return false, trial.DoesNotReach
	case dependent && count(s.Without, passed) == len(s.Without):
		return false, trial.DependsOnBuild
	case dependent || !steady:
		return false, trial.IsFlaky
	}
	return passes >= n && failures >= n, ""
}

// failsWithout reports whether the test has failed on a build without the bug: then it detects no bug at all.
func (s *sighting) failsWithout() bool {
	for _, run := range s.Disguised {
		if run.Behaves == libbuild.Fixed && !passed(run.Outcome) {
			return true
		}
	}
	return count(s.Without, passed) < len(s.Without)
}

func passed(o trial.Outcome) bool { return o == trial.OK }

// failed reports whether a test that ended so has failed. One that does not compile says nothing: the API may be an
// older one.
func failed(o trial.Outcome) bool { return o.Compiled() && o != trial.OK }

func count(outcomes []trial.Outcome, is func(trial.Outcome) bool) (n int) {
	for _, o := range outcomes {
		if is(o) {
			n++
		}
	}
	return n
}
