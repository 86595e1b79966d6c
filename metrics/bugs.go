package metrics

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	// bugsAtATime is how many bugs are looked for at a time. While the last tests run on one build, the next is made,
	// and its first tests take the processors that are free.
	bugsAtATime = 2

	// A bug that hangs hangs many tests, each for all the time that it has. The first look at a bug goes in chunks and
	// ends after the chunk in which so many have hung.
	hangChunk  = 50 // tests
	hangsTried = 4
)

// A finding is a test that has failed on a buggy build, and what was seen of it there and elsewhere.
type finding struct {
	*test
	failure ending // on the buggy build
	class   trial.OracleClass
	sighting
	settled

	limitCPU, limitWall time.Duration // on the disguised builds; 0: none of its own
	took                time.Duration // the longest on one that behaves as the reference
}

// A settled is what is stored of a finding.
type settled struct {
	Detects  bool            `json:"detects,omitempty"`
	Why      trial.Exclusion `json:"why,omitempty"`
	Stands   bool            `json:"stands,omitempty"`   // for its oracle class: it ran on all builds that chance is held against
	Unstable bool            `json:"unstable,omitempty"` // it has failed on a build without the bug
}

// A look is what was found with a suite's tests on one bug.
type look struct {
	findings []*finding // in the order of the suite
	nearest  []*test    // the first that execute what the bug changes
	untried  int        // tests that were not run any more after several had hung
}

// bugs looks for each bug with the tests that pass on the reference build.
func (e *Programs) bugs(ctx context.Context, s *suite) error {
	s.rec.Bugs = make([]trial.BugResult, len(e.Bugs))
	looks := make([]look, len(e.Bugs))
	one := func(ctx context.Context, k int, tests []*test) (err error) {
		id, missing := e.Bugs[k].ID, &needsSuccess
		if s.known {
			if e.Looking != nil {
				e.Looking(id, false)
				defer e.Looking(id, true)
			}
			if looks[k], missing, err = try(ctx, e.Log, "bug "+id, func() (look, error) { return e.bug(ctx, s, e.Bugs[k], tests) }); err != nil {
				return fmt.Errorf("bug %s: %w", id, err)
			}
		}
		s.rec.Bugs[k] = trial.BugResult{Bug: id, Missing: missing}
		return nil
	}
	honest := where(s.passing(), func(t *test) bool { return !t.executed.forged })
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(bugsAtATime)
	for k := range e.Bugs {
		g.Go(func() error { return one(gctx, k, honest) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	// What was seen to fail without a bug later may have stood for other tests before.
	out := unstable(looks)
	left := where(honest, func(t *test) bool { return !out[t] })
	for k := range e.Bugs {
		if slices.ContainsFunc(looks[k].findings, func(f *finding) bool { return f.Stands && out[f.test] }) {
			if err := one(ctx, k, left); err != nil {
				return err
			}
		}
	}
	for k, l := range looks {
		if s.rec.Bugs[k].Missing == nil {
			s.rec.Bugs[k] = l.result(e.Bugs[k].ID, out)
		}
	}
	for _, why := range []trial.Exclusion{trial.DependsOnBuild, trial.IsFlaky, trial.DoesNotReach} {
		flag(s, why, e.Bugs, looks)
	}
	return nil
}

// unstable are the tests that have failed on a build without a bug: they detect no bug.
func unstable(looks []look) map[*test]bool {
	out := map[*test]bool{}
	for _, l := range looks {
		for _, f := range l.findings {
			if f.Unstable {
				out[f.test] = true
			}
		}
	}
	return out
}

// bug looks for one bug with tests. Only those are run that can tell the buggy build from the reference, unless all
// are asked for; the others pass there too.
func (e *Programs) bug(ctx context.Context, s *suite, bug Bug, tests []*test) (l look, err error) {
	if len(tests) == 0 { // nothing can detect it: it need not be built
		return l, nil
	}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		return l, as(trial.ReasonBuild, err)
	}
	change := e.change(ctx, s, bug.ID, buggy)
	if !e.RunAll {
		tests = where(tests, change.canTell)
	}
	near := where(tests, change.executedBy)
	l.nearest = near[:min(nearestReferences, len(near))]
	if l.findings, l.untried, err = e.failing(ctx, buggy, tests); err != nil {
		return l, err
	}
	for _, f := range l.findings {
		f.reaches, f.forged = change.executedBy(f.test), f.executed.forged
	}
	return l, e.settle(ctx, bug, fixed, buggy, len(s.tests), l.findings)
}

// failing runs tests on a buggy build and returns those that fail, and how many were not tried after several hung.
func (e *Programs) failing(ctx context.Context, buggy *libbuild.Build, tests []*test) (found []*finding, untried int, err error) {
	untried = len(tests)
	hung := 0
	for chunk := range slices.Chunk(tests, hangChunk) {
		endings, err := e.endings(ctx, buggy, chunk, true)
		if err != nil {
			return nil, 0, err
		}
		untried -= len(chunk)
		for _, t := range chunk {
			if how := endings[t]; failed(how.Outcome) {
				found = append(found, &finding{test: t, failure: how, class: t.oracle(how), sighting: sighting{with: []trial.Outcome{how.Outcome}}})
			}
			if endings[t].Outcome == trial.Timeout {
				hung++
			}
		}
		if hung >= hangsTried {
			break
		}
	}
	return found, untried, nil
}

// settle judges tests that have failed on the buggy build, once for the same tests and the same number of builds.
func (e *Programs) settle(ctx context.Context, bug Bug, fixed, buggy *libbuild.Build, suite int, found []*finding) error {
	var tests []*test
	var near []*finding
	parts := []any{disguisesFor(suite, len(e.Bugs))}
	for _, f := range found {
		if !f.reaches {
			f.Why = trial.DoesNotReach
			continue
		}
		tests, near, parts = append(tests, f.test), append(near, f), append(parts, f.limit())
	}
	if len(near) == 0 {
		return nil
	}
	key := e.key("settled", []*libbuild.Build{fixed, buggy}, tests, parts...)
	var all []settled
	known, err := e.get(key, &all)
	if err != nil {
		return err
	}
	if known && len(all) == len(near) {
		for i, f := range near {
			f.settled = all[i]
		}
		return nil
	}
	if err := e.confirm(ctx, bug, fixed, near, disguisesFor(suite, len(e.Bugs))); err != nil {
		return err
	}
	all = nil
	for _, f := range near {
		all = append(all, f.settled)
	}
	return e.put(key, all)
}

// result makes the record of a bug. A test that has failed without any bug detects none, and a class counts only if
// a test that stands for it does.
func (l look) result(bug string, out map[*test]bool) trial.BugResult {
	res := trial.BugResult{Bug: bug, Untried: l.untried}
	stands := map[trial.OracleClass]bool{}
	for _, f := range l.findings {
		if f.Stands && !out[f.test] {
			stands[f.class] = true
		}
	}
	for _, f := range l.findings {
		switch {
		case f.Why == trial.DependsOnBuild:
			res.DependsOnBuild++
		case f.Why == trial.DoesNotReach:
			res.DoesNotReach++
		case f.Why != "" || f.Detects && (out[f.test] || !stands[f.class]):
			res.Flaky++
		case f.Detects:
			res.Detected, res.Tests = true, res.Tests+1
			res.Oracles = append(res.Oracles, f.class)
			if a := f.failure.Assertion; a != nil && f.class == trial.OracleSpecification {
				res.Failed = append(res.Failed, trial.FailedLine{Test: f.entry.ID, Line: a.Line, Expr: a.Expr})
			}
			if len(res.First) < firstReferences {
				res.First = append(res.First, f.reference(f.failure))
			}
		}
	}
	if !res.Detected {
		for _, t := range l.nearest {
			res.Nearest = append(res.Nearest, t.reference(ending{Outcome: trial.OK}))
		}
	}
	slices.Sort(res.Oracles)
	for _, o := range res.Oracles {
		if n := len(res.Classes); n > 0 && res.Classes[n-1].Oracle == o {
			res.Classes[n-1].Tests++
		} else {
			res.Classes = append(res.Classes, trial.ClassCount{Oracle: o, Tests: 1})
		}
	}
	res.Oracles = slices.Compact(res.Oracles)
	return res
}

// firstFlagged is how many tests a flag names.
const firstFlagged = 5

// flag flags the suite if tests that fail do not count for that reason.
func flag(s *suite, why trial.Exclusion, bugs []Bug, looks []look) {
	f := trial.Flag{Kind: why}
	tests := map[*test]bool{}
	for k, l := range looks {
		seen := false
		for _, found := range l.findings {
			if found.Why == why {
				tests[found.test], seen = true, true
			}
		}
		if seen {
			f.Bugs = append(f.Bugs, bugs[k].ID)
		}
	}
	if f.Tests = len(tests); f.Tests == 0 {
		return
	}
	for _, t := range s.tests {
		if tests[t] && len(f.First) < firstFlagged {
			f.First = append(f.First, t.entry.ID)
		}
	}
	s.rec.Flags = append(s.rec.Flags, f)
	s.rec.Notes = append(s.rec.Notes, f.String())
}
