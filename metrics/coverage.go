package metrics

import (
	"context"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostCounters is of how many programs the counters are in memory at a time.
const mostCounters = 200

// A coverageRun is what is stored of a run on the coverage build.
type coverageRun struct {
	Passes bool        `json:"passes"`
	Counts [][2]uint64 `json:"counts"` // a counter and its value, where that is not 0; nil if the program did not reach the library
	chance bool        // one that was cut short might have gone on
}

// counters are the n counters of the build.
func (r coverageRun) counters(n int) []uint64 {
	if r.Counts == nil {
		return nil
	}
	all := make([]uint64, n)
	for _, c := range r.Counts {
		all[c[0]] = c[1]
	}
	return all
}

// coverage measures what the suite covers, how that grew, and what each test executes. It runs every program that
// compiles on the coverage build; one that crashes or is killed keeps what it reached. Where it is not known which
// compile, it tries all: the others reach nothing.
func (e *Programs) coverage(ctx context.Context, s *suite) error {
	return coverageParts(ctx, e.Log, s.rec, func() (*curve, error) {
		build, err := e.Coverage(ctx)
		if err != nil {
			return nil, as(trial.ReasonBuild, err)
		}
		c := newCurve(e.Cov, e.Store, build)
		marks := checkpoints(len(s.tests), growthPoints)
		for from := 0; from < len(s.tests); from += mostCounters {
			part := s.tests[from:min(from+mostCounters, len(s.tests))]
			runs, err := e.coverageRuns(ctx, build, where(part, func(t *test) bool {
				return s.known && t.ending.Outcome.Compiled() || !s.known && t.entry.Refused == ""
			}))
			if err != nil {
				return nil, err
			}
			for i, t := range part {
				if err := e.addTo(c, t, runs[t]); err != nil {
					return nil, err
				}
				if done := from + i + 1; slices.Contains(marks, done) {
					c.mark(trial.GrowthPoint{Programs: done, Elapsed: t.entry.Elapsed, Tokens: t.entry.Tokens, Dollars: t.entry.Dollars})
				}
			}
		}
		s.seen = e.Selector != nil
		if e.Uncovered != nil {
			u, err := e.Uncovered(ctx, build, c.sum)
			if err != nil {
				return nil, as(trial.ReasonToolchain, err)
			}
			s.rec.Uncovered = &u
		}
		return c, nil
	})
}

// addTo adds what a test reached to the curve: nothing, if it has written to the counters itself.
func (e *Programs) addTo(c *curve, t *test, run coverageRun) error {
	counters := run.counters(c.build.Counters)
	if e.Selector == nil {
		return c.add(counters)
	}
	t.executed = execution{whole: run.Passes}
	var err error
	if t.executed.trace, t.executed.forged, err = e.Selector.Trace(c.build, counters); err != nil {
		return as(trial.ReasonToolchain, err)
	}
	if t.executed.forged {
		c.forged = append(c.forged, t.entry.ID)
		return nil
	}
	return c.add(counters)
}

// coverageRuns runs tests on the coverage build, or knows what they reached there.
func (e *Programs) coverageRuns(ctx context.Context, build *libbuild.Build, tests []*test) (map[*test]coverageRun, error) {
	key := func(t *test) string { return e.key("coverage", []*libbuild.Build{build}, []*test{t}) }
	find := func(fresh []*test) (runs []coverageRun, err error) {
		results, err := e.Runner.Run(ctx, build, programsOf(fresh), testrun.Options{Counters: true})
		if err != nil {
			return nil, as(trial.ReasonSandbox, err)
		}
		for _, r := range results {
			run := coverageRun{Passes: r.Outcome == trial.OK, chance: byChance(r)}
			if r.Counters != nil {
				run.Counts = [][2]uint64{}
			}
			for i, n := range r.Counters {
				if n != 0 {
					run.Counts = append(run.Counts, [2]uint64{uint64(i), n})
				}
			}
			runs = append(runs, run)
		}
		return runs, nil
	}
	return of(e, tests, key, find, func(r coverageRun) bool { return !r.chance })
}
