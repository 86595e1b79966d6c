package metrics

import (
	"context"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostCounters is of how many programs the counters are in memory at a time.
const mostCounters = 200

// A coverageRun is what is stored of a run on the coverage build.
type coverageRun struct {
	Passes   bool   `json:"passes"`
	Counters []byte `json:"counters"` // packed; empty if the program did not reach the library
}

// coverage measures what the suite covers, how that grew, and what each test executes.
func (e *Programs) coverage(ctx context.Context, s *suite) error {
	measure := sync.OnceValues(func() (*curve, error) {
		c, err := e.cover(ctx, s)
		s.seen = err == nil && e.Selector != nil
		return c, err
	})
	return coverageParts(ctx, e.Log, s.rec, measure)
}

// cover runs every program that compiles on the coverage build; one that crashes or is killed keeps what it reached.
// Where it is not known which compile, it tries all: the others reach nothing.
func (e *Programs) cover(ctx context.Context, s *suite) (*curve, error) {
	build, err := e.Coverage(ctx)
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	c := newCurve(storedCoverage{e.Cov, e.Store}, build)
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
			if done := from + i + 1; len(marks) > 0 && marks[0] == done {
				c.mark(trial.GrowthPoint{Programs: done, Elapsed: t.entry.Elapsed, Tokens: t.entry.Tokens, Dollars: t.entry.Dollars})
				marks = marks[1:]
			}
		}
	}
	c.read(ctx)
	return c, nil
}

// addTo adds what a test reached to the curve: nothing, if it has written to the counters itself.
func (e *Programs) addTo(c *curve, t *test, run coverageRun) error {
	counters, err := unpack(run.Counters, c.build.Counters)
	if err != nil {
		return err
	}
	if e.Selector == nil {
		return c.add(counters)
	}
	t.executed = execution{whole: run.Passes}
	if t.executed.forged, err = e.Selector.Forged(c.build, counters); err != nil {
		return as(trial.ReasonToolchain, err)
	}
	if t.executed.forged {
		c.forged = append(c.forged, t.entry.ID)
		return nil
	}
	if t.executed.trace, err = e.Selector.Trace(c.build, counters); err != nil {
		return as(trial.ReasonToolchain, err)
	}
	return c.add(counters)
}

// coverageRuns runs tests on the coverage build, or knows what they reached there.
func (e *Programs) coverageRuns(ctx context.Context, build *libbuild.Build, tests []*test) (map[*test]coverageRun, error) {
	runs := map[*test]coverageRun{}
	key := func(t *test) string { return e.key("coverage", []*libbuild.Build{build}, []*test{t}) }
	var fresh []*test
	for _, t := range tests {
		var run coverageRun
		known, err := e.get(key(t), &run)
		if err != nil {
			return nil, err
		}
		if known {
			runs[t] = run
		} else {
			fresh = append(fresh, t)
		}
	}
	results, err := e.Runner.Run(ctx, build, programsOf(fresh), testrun.Options{Counters: true})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	for i, t := range fresh {
		run := coverageRun{Passes: results[i].Outcome == trial.OK}
		if run.Counters, err = pack(results[i].Counters); err != nil {
			return nil, err
		}
		if runs[t] = run; byChance(results[i]) {
			continue // one that was cut short might have gone on
		}
		if err := e.put(key(t), run); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// A storedCoverage is a CoverageReader that reads the same counters once.
type storedCoverage struct {
	CoverageReader
	store *store.Store
}

// Coverage implements CoverageReader.
func (s storedCoverage) Coverage(ctx context.Context, b *libbuild.Build, counters []uint64) (cov trial.Coverage, err error) {
	packed, err := pack(counters)
	if err != nil {
		return cov, err
	}
	key := store.Key("lines", protocol, b.Key, packed, len(counters))
	if known, err := s.store.Get(key, &cov); known || err != nil {
		return cov, err
	}
	if cov, err = s.CoverageReader.Coverage(ctx, b, counters); err != nil {
		return cov, err
	}
	return cov, s.store.Put(key, cov)
}
