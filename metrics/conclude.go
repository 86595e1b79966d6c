package metrics

import (
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// firstFlagged is how many tests a flag names.
const firstFlagged = 5

// conclude fills in the bugs that could be checked, of what was found on each, and flags the suite.
func (e *Programs) conclude(entries []trial.SuiteEntry, programs []trial.Program, found []bugVerdict, barred map[int]bool, rec *trial.Record) {
	var build, chance, distance suspects
	for k, v := range found {
		build.add(e.Bugs[k].ID, v.Dependent)
		chance.add(e.Bugs[k].ID, v.Unstable)
		distance.add(e.Bugs[k].ID, v.Distant)
	}
	for k, v := range found {
		if rec.Bugs[k].Missing == nil {
			rec.Bugs[k] = v.result(e.Bugs[k].ID, entries, programs, barred)
		}
	}
	build.flag(trial.FlagBuild, entries, rec)
	chance.flag(trial.FlagChance, entries, rec)
	distance.flag(trial.FlagDistance, entries, rec)
}

// barred are the tests, by index, that have failed on a fixed build, or on one that behaves as it,
// at any time: they detect nothing.
func barred(found []bugVerdict) map[int]bool {
	out := map[int]bool{}
	for _, v := range found {
		for _, i := range slices.Concat(v.Flaky, v.Dependent) {
			out[i] = true
		}
	}
	return out
}

// suspects are tests with the bugs on whose builds they were seen.
type suspects struct {
	tests map[int]bool
	bugs  []string
}

func (s *suspects) add(bug string, tests []int) {
	if len(tests) == 0 {
		return
	}
	if s.tests == nil {
		s.tests = map[int]bool{}
	}
	for _, i := range tests {
		s.tests[i] = true
	}
	s.bugs = append(s.bugs, bug)
}

func (s *suspects) flag(kind trial.FlagKind, entries []trial.SuiteEntry, rec *trial.Record) {
	if len(s.tests) == 0 {
		return
	}
	f := trial.Flag{Kind: kind, Tests: len(s.tests), Bugs: s.bugs}
	for _, i := range slices.Sorted(maps.Keys(s.tests)) {
		if len(f.First) < firstFlagged {
			f.First = append(f.First, entries[i].ID)
		}
	}
	rec.Flags = append(rec.Flags, f)
	rec.Notes = append(rec.Notes, f.String())
}
