package metrics

import "github.com/lisa-bench/lisa-bench/internal/trial"

// A sighting is all that was seen of one test and one bug: how the test ended, each time.
type sighting struct {
	without []trial.Outcome // on the build without the bug, which is the reference most often
	with    []trial.Outcome // on the build with it

	// On disguised builds, which only their behaviour tells from one of the two.
	asWithout, asWith []trial.Outcome

	forged   bool // the test has written to the coverage counters: what it executes is not known
	reaches  bool // it executes what the bug changes, or what it executes cannot be seen
	oddAlone bool // compiled and linked stand-alone, it did something else, or all that were tried for the bug did
}

// judge is the definition of a detection. A test detects a bug if it
//
//   - passes on the build without it n times,
//   - executes what the bug changes,
//   - fails on the build with it n times, and
//   - agrees on every disguised build with what that build behaves like.
//
// If a test that passes without the bug and fails with it does not count, why says so. With n = 0 a test detects the
// bug as long as nothing speaks against it.
func (s *sighting) judge(n int) (detects bool, why trial.Exclusion) {
	passes, passesDisguised := count(s.without, passed), count(s.asWithout, passed)
	failures, failuresDisguised := count(s.with, failed), count(s.asWith, failed)
	switch {
	case passes == 0 || failures == 0:
		return false, "" // it fails without the bug too, or passes with it
	case s.forged:
		return false, trial.ForgedCoverage
	case !s.reaches:
		return false, trial.DoesNotReach
	case passes < len(s.without) || failures < len(s.with) || failuresDisguised < len(s.asWith) || s.oddAlone:
		return false, trial.IsFlaky
	case passesDisguised < len(s.asWithout):
		return false, trial.DependsOnBuild // that build is another file, and else as the one on which it passes
	}
	return passes+passesDisguised >= n && failures+failuresDisguised >= n, ""
}

// failsWithout reports whether the test has failed where no bug is: then it detects no bug at all.
func (s *sighting) failsWithout() bool {
	return count(s.without, passed)+count(s.asWithout, passed) < len(s.without)+len(s.asWithout)
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
