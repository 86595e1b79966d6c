package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/touched"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	chunkPrograms   = 200 // programs whose counters are held in memory at a time
	firstReferences = 5   // tests kept in full per bug and of the false alarms
)

// A TestRunner compiles and runs test programs against a build (testrun.Engine).
type TestRunner interface {
	// Run runs every program once; results[i] belongs to programs[i].
	Run(ctx context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error)
	// Plain compiles one program stand-alone, without any of Run's short cuts, and runs it.
	Plain(ctx context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error)
}

// A Bug is a re-introduced bug as it is evaluated. Builds returns the build without and
// the build with it; they are made on demand.
type Bug struct {
	ID     string
	Builds func(ctx context.Context) (fixed, buggy *libbuild.Build, err error)
}

// Programs evaluates a suite of test programs.
type Programs struct {
	Runner    TestRunner
	Cov       CoverageReader
	Reference *libbuild.Build // plain
	// Coverage returns the coverage build of the reference, made on demand.
	Coverage func(ctx context.Context) (*libbuild.Build, error)
	Bugs     []Bug
	Verifier Verifier // nil: verifications are not counted
	Mutator  Mutator  // nil: no mutants are run
	Selector Selector // nil: every test is run on every bug's build
	Repeats  int      // n: a detection must fail on the buggy build and pass on the fixed one in n of n runs
	Memo     Memo
	Log      *slog.Logger
}

// A verdict is what is remembered of a result: all but its output.
type verdict struct {
	Outcome   trial.Outcome           `json:"outcome"`
	Signal    int                     `json:"signal,omitempty"`
	Assertion *trial.AssertionFailure `json:"assertion,omitempty"`
	Detail    string                  `json:"detail,omitempty"`
}

// Evaluate fills the record's parts. What keeps one from being measured is its reason in the
// record, and the others are tried all the same. The error ends the evaluation: an interruption, a
// full disk, or a memo that cannot be kept; the parts that were finished are then in the memo.
func (e *Programs) Evaluate(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, rec *trial.Record) error {
	verdicts, missing, err := try(ctx, e.Memo, e.Log, "reference", func() ([]verdict, error) { return e.reference(ctx, entries, programs) })
	if err != nil {
		return fmt.Errorf("run on the reference build: %w", err)
	}
	known := missing == nil
	if known {
		rec.Programs, rec.Alarms, rec.Failures = count(entries, programs, verdicts)
	} else {
		rec.Lack(trial.PartSuccess, *missing)
	}
	measure := sync.OnceValues(func() (*curve, error) { return e.coverage(ctx, entries, programs, verdicts) })
	if err := coverageParts(ctx, e.Memo, e.Log, rec, measure); err != nil {
		return fmt.Errorf("measure coverage: %w", err)
	}
	traces, err := e.traces(ctx, measure)
	if err != nil {
		return fmt.Errorf("trace tests: %w", err)
	}
	passing := indexesOf(verdicts, trial.OK)
	if err := e.verifications(ctx, programs, passing, known, rec); err != nil {
		return fmt.Errorf("count verifications: %w", err)
	}
	if err := e.mutation(ctx, programs, passing, known, rec); err != nil {
		return fmt.Errorf("run on mutants: %w", err)
	}
	for _, bug := range e.Bugs {
		res := trial.BugResult{Bug: bug.ID, Missing: &needsSuccess}
		if known {
			res, missing, err = try(ctx, e.Memo, e.Log, "bug:"+bug.ID, func() (trial.BugResult, error) {
				return e.bug(ctx, bug, entries, programs, passing, traces)
			})
			if err != nil {
				return fmt.Errorf("bug %s: %w", bug.ID, err)
			}
			if missing != nil {
				res = trial.BugResult{Bug: bug.ID, Missing: missing}
			}
		}
		rec.Bugs = append(rec.Bugs, res)
	}
	return nil
}

// reference runs every program on the reference build, but for those that their tool refused.
// Those that fail are run again: one that passes or fails otherwise in another run is flaky.
func (e *Programs) reference(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program) ([]verdict, error) {
	verdicts := make([]verdict, len(programs))
	var runnable []int
	for i, entry := range entries {
		if entry.Refused == "" {
			runnable = append(runnable, i)
		} else {
			verdicts[i] = verdict{Outcome: trial.Policy, Detail: entry.Refused}
		}
	}
	results, err := e.Runner.Run(ctx, e.Reference, pick(programs, runnable), testrun.Options{})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	var failed []int
	for k, i := range runnable {
		verdicts[i] = toVerdict(results[k])
		if fails(results[k]) {
			failed = append(failed, i)
		}
	}
	for n := 1; n < e.Repeats && len(failed) > 0; n++ {
		again, err := e.Runner.Run(ctx, e.Reference, pick(programs, failed), testrun.Options{})
		if err != nil {
			return nil, as(trial.ReasonSandbox, err)
		}
		for k, i := range failed {
			if again[k].Outcome != verdicts[i].Outcome && verdicts[i].Outcome != trial.Flaky {
				verdicts[i].Detail = fmt.Sprintf("%s, then %s", verdicts[i].Outcome, again[k].Outcome)
				verdicts[i].Outcome = trial.Flaky
			}
		}
	}
	return verdicts, nil
}

func toVerdict(r trial.Result) verdict {
	const most = 2000 // characters of a diagnostic that are worth keeping for a report
	detail := r.Diagnostic
	if len(detail) > most {
		detail = detail[:most] + "…"
	}
	return verdict{Outcome: r.Outcome, Signal: r.Signal, Assertion: r.Assertion, Detail: detail}
}

// count makes the success counts, and the false alarms: programs whose own assertion fails
// on the reference build.
func count(entries []trial.SuiteEntry, programs []trial.Program, verdicts []verdict) (c *trial.ProgramCounts, alarms, failures []trial.TestReference) {
	c = &trial.ProgramCounts{Generated: len(verdicts), Outcomes: map[trial.Outcome]int{}}
	for i, v := range verdicts {
		c.Outcomes[v.Outcome]++
		if v.Outcome.Compiled() {
			c.Compiled++
		}
		list := &failures
		switch v.Outcome {
		case trial.OK:
			c.Executed++
			continue
		case trial.Assertion:
			c.FalseAlarms++
			list = &alarms
		}
		if len(*list) < firstReferences {
			*list = append(*list, referTo(entries[i], programs[i], v))
		}
	}
	return c, alarms, failures
}

// coverage runs every program that compiled on the coverage build; a program that crashes or is
// killed keeps what it reached. Without verdicts it tries all programs: those that do not compile
// reach nothing.
func (e *Programs) coverage(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, verdicts []verdict) (*curve, error) {
	build, err := e.Coverage(ctx)
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	c := newCurve(ctx, e.Cov, build)
	c.traces = make([]touched.Trace, len(programs))
	done := 0
	for _, mark := range checkpoints(len(programs), growthPoints) {
		var runnable []int
		for i := done; i < mark; i++ {
			if verdicts == nil && entries[i].Refused == "" || verdicts != nil && verdicts[i].Outcome.Compiled() {
				runnable = append(runnable, i)
			}
		}
		done = mark
		for chunk := range slices.Chunk(runnable, chunkPrograms) {
			results, err := e.Runner.Run(ctx, build, pick(programs, chunk), testrun.Options{Counters: true})
			if err != nil {
				return nil, as(trial.ReasonSandbox, err)
			}
			for k, r := range results {
				if err := c.add(r.Counters); err != nil {
					return nil, err
				}
				if e.Selector != nil && r.Outcome == trial.OK { // one that was cut short might have gone on
					if c.traces[chunk[k]], err = e.Selector.Trace(build, r.Counters); err != nil {
						return nil, as(trial.ReasonToolchain, err)
					}
				}
			}
		}
		last := entries[done-1]
		c.mark(ctx, trial.GrowthPoint{Programs: done, Elapsed: last.Elapsed, Tokens: last.Tokens, Dollars: last.Dollars})
	}
	return c, nil
}

// referTo describes how a test failed. A crash or a hang is an oracle of its own, whatever
// the test asserts.
func referTo(entry trial.SuiteEntry, p trial.Program, v verdict) trial.TestReference {
	oracle := p.Oracle
	switch v.Outcome {
	case trial.Crash:
		oracle = trial.OracleCrash
	case trial.Timeout:
		oracle = trial.OracleHang
	case trial.CompileError, trial.LinkError, trial.Policy:
		oracle = "" // it never came to its assertions
	}
	return trial.TestReference{
		ID: entry.ID, File: "suite/" + entry.File, Origin: entry.Origin, Outcome: v.Outcome, Oracle: oracle, Signal: v.Signal,
		Assertion: v.Assertion, Elapsed: entry.Elapsed.Round(time.Millisecond), Detail: v.Detail,
	}
}

func indexesOf(verdicts []verdict, o trial.Outcome) []int {
	var found []int
	for i, v := range verdicts {
		if v.Outcome == o {
			found = append(found, i)
		}
	}
	return found
}

func pick(programs []trial.Program, indexes []int) []trial.Program {
	picked := make([]trial.Program, len(indexes))
	for k, i := range indexes {
		picked[k] = programs[i]
	}
	return picked
}
