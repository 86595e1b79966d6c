package metrics

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	chunkPrograms    = 200 // programs whose counters are held in memory at a time
	growthPoints     = 20  // checkpoints of a growth curve; each costs one llvm-cov export
	firstReferences  = 5   // tests kept in full per bug and of the false alarms
	plainConfirmTrys = 3   // detecting tests tried the plain way before a detection is dropped
)

// A TestRunner compiles and runs test programs against a build (testrun.Engine).
type TestRunner interface {
	// Run runs every program once; results[i] belongs to programs[i].
	Run(ctx context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error)
	// Plain compiles one program stand-alone, without any of Run's short cuts, and runs it.
	Plain(ctx context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error)
}

// A CoverageReader turns summed counters of a coverage build into line and branch counts.
type CoverageReader interface {
	Coverage(ctx context.Context, b *libbuild.Build, counters []uint64) (trial.Coverage, error)
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
	Coverage  *libbuild.Build
	Bugs      []Bug
	Repeats   int // n: a detection must fail on the buggy build and pass on the fixed one in n of n runs
	Memo      Memo
}

// A verdict is what is remembered of a result: all but its output.
type verdict struct {
	Outcome   trial.Outcome           `json:"outcome"`
	Signal    int                     `json:"signal,omitempty"`
	Assertion *trial.AssertionFailure `json:"assertion,omitempty"`
	Detail    string                  `json:"detail,omitempty"`
}

// Evaluate fills the record's counts, coverage, growth, alarms and bugs.
func (e *Programs) Evaluate(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, rec *trial.Record) error {
	verdicts, err := remember(e.Memo, "reference", func() ([]verdict, error) { return e.reference(ctx, programs) })
	if err != nil {
		return fmt.Errorf("run on the reference build: %w", err)
	}
	rec.Programs, rec.Alarms = count(entries, programs, verdicts)

	cov, err := remember(e.Memo, "coverage", func() (growth, error) { return e.coverage(ctx, entries, programs, verdicts) })
	if err != nil {
		return fmt.Errorf("measure coverage: %w", err)
	}
	rec.Coverage, rec.Growth = &cov.Final, cov.Points

	passing := indexesOf(verdicts, trial.OK)
	for _, bug := range e.Bugs {
		res, err := remember(e.Memo, "bug:"+bug.ID, func() (trial.BugResult, error) {
			return e.bug(ctx, bug, entries, programs, passing)
		})
		if err != nil {
			return fmt.Errorf("bug %s: %w", bug.ID, err)
		}
		rec.Bugs = append(rec.Bugs, res)
	}
	return nil
}

// reference runs every program on the reference build. Those that fail are run again: one
// that passes or fails otherwise in another run is flaky.
func (e *Programs) reference(ctx context.Context, programs []trial.Program) ([]verdict, error) {
	verdicts := make([]verdict, len(programs))
	results, err := e.Runner.Run(ctx, e.Reference, programs, testrun.Options{})
	if err != nil {
		return nil, err
	}
	var failed []int
	for i, r := range results {
		verdicts[i] = toVerdict(r)
		if r.Outcome.Compiled() && r.Outcome != trial.OK {
			failed = append(failed, i)
		}
	}
	for n := 1; n < e.Repeats && len(failed) > 0; n++ {
		again, err := e.Runner.Run(ctx, e.Reference, pick(programs, failed), testrun.Options{})
		if err != nil {
			return nil, err
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
func count(entries []trial.SuiteEntry, programs []trial.Program, verdicts []verdict) (*trial.ProgramCounts, []trial.TestReference) {
	c := &trial.ProgramCounts{Generated: len(verdicts), Outcomes: map[trial.Outcome]int{}}
	var alarms []trial.TestReference
	for i, v := range verdicts {
		c.Outcomes[v.Outcome]++
		if v.Outcome.Compiled() {
			c.Compiled++
		}
		switch v.Outcome {
		case trial.OK:
			c.Executed++
		case trial.Assertion:
			c.FalseAlarms++
			if len(alarms) < firstReferences {
				alarms = append(alarms, referTo(entries[i], programs[i], v))
			}
		}
	}
	return c, alarms
}

// growth is coverage over a suite.
type growth struct {
	Final  trial.Coverage      `json:"final"`
	Points []trial.GrowthPoint `json:"points"`
}

// coverage runs every program that compiled on the coverage build; a program that crashes
// or is killed keeps what it reached.
func (e *Programs) coverage(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, verdicts []verdict) (growth, error) {
	sum := make([]uint64, e.Coverage.Counters)
	var g growth
	checkpoint := func(done int) error {
		cov, err := e.Cov.Coverage(ctx, e.Coverage, sum)
		if err != nil {
			return err
		}
		p := trial.GrowthPoint{Programs: done, LinesCovered: cov.LinesCovered, BranchesCovered: cov.BranchesCovered}
		if done > 0 {
			p.Elapsed = entries[done-1].Elapsed
		}
		g.Final, g.Points = cov, append(g.Points, p)
		return nil
	}
	if err := checkpoint(0); err != nil { // also the totals of an empty suite
		return g, err
	}
	marks := checkpoints(len(programs), growthPoints)
	for start := 0; start < len(programs); start += chunkPrograms {
		end := min(start+chunkPrograms, len(programs))
		var runnable []int
		for i := start; i < end; i++ {
			if verdicts[i].Outcome.Compiled() {
				runnable = append(runnable, i)
			}
		}
		results, err := e.Runner.Run(ctx, e.Coverage, pick(programs, runnable), testrun.Options{Counters: true})
		if err != nil {
			return g, err
		}
		counters := map[int][]uint64{}
		for k, i := range runnable {
			counters[i] = results[k].Counters
		}
		for i := start; i < end; i++ {
			if c := counters[i]; c != nil {
				if err := toolchain.AddCounters(sum, c); err != nil {
					return g, err
				}
			}
			if len(marks) > 0 && marks[0] == i+1 {
				marks = marks[1:]
				if err := checkpoint(i + 1); err != nil {
					return g, err
				}
			}
		}
	}
	return g, nil
}

// checkpoints returns at most most program counts, evenly spread over 1..n, ending with n.
func checkpoints(n, most int) []int {
	var marks []int
	for k := 1; k <= most; k++ {
		if m := (n*k + most - 1) / most; m > 0 && (len(marks) == 0 || m > marks[len(marks)-1]) {
			marks = append(marks, m)
		}
	}
	return marks
}

// bug judges one bug by the repeat rule: a test detects it if it fails on the buggy build
// and passes on the fixed one in each of n runs; and the bug counts only if one of the
// first such tests does so stand-alone too.
func (e *Programs) bug(ctx context.Context, bug Bug, entries []trial.SuiteEntry, programs []trial.Program, passing []int) (trial.BugResult, error) {
	res := trial.BugResult{Bug: bug.ID}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return res, err
		}
		res.Incomplete = err.Error()
		return res, nil
	}
	failing, first, err := e.failing(ctx, buggy, programs, passing)
	if err != nil {
		return res, err
	}
	stable, err := e.stable(ctx, fixed, buggy, programs, failing)
	if err != nil {
		return res, err
	}
	res.Unstable = len(failing) - len(stable)
	confirmed, err := e.confirm(ctx, fixed, buggy, programs, stable)
	if err != nil {
		return res, err
	}
	if confirmed < 0 {
		res.Unstable += len(stable)
		return res, nil
	}
	res.Detected, res.Tests = true, len(stable)
	for _, i := range stable {
		ref := referTo(entries[i], programs[i], first[i])
		if !slices.Contains(res.Oracles, ref.Oracle) {
			res.Oracles = append(res.Oracles, ref.Oracle)
		}
		if len(res.First) < firstReferences {
			res.First = append(res.First, ref)
		}
	}
	slices.Sort(res.Oracles)
	return res, nil
}

// failing returns the programs that fail on the buggy build, and how. One that does not
// compile or link there (a pair's older API) says nothing about the bug.
func (e *Programs) failing(ctx context.Context, buggy *libbuild.Build, programs []trial.Program, passing []int) ([]int, map[int]verdict, error) {
	results, err := e.Runner.Run(ctx, buggy, pick(programs, passing), testrun.Options{})
	if err != nil {
		return nil, nil, err
	}
	var failing []int
	verdicts := map[int]verdict{}
	for k, i := range passing {
		if fails(results[k]) {
			failing = append(failing, i)
			verdicts[i] = toVerdict(results[k])
		}
	}
	return failing, verdicts, nil
}

func fails(r trial.Result) bool { return r.Outcome.Compiled() && r.Outcome != trial.OK }

// stable keeps the programs that fail on the buggy build in n-1 more runs and pass on the
// fixed build in n.
func (e *Programs) stable(ctx context.Context, fixed, buggy *libbuild.Build, programs []trial.Program, failing []int) ([]int, error) {
	for n := 0; n < e.Repeats && len(failing) > 0; n++ {
		on := func(b *libbuild.Build, good func(trial.Result) bool) error {
			results, err := e.Runner.Run(ctx, b, pick(programs, failing), testrun.Options{})
			if err != nil {
				return err
			}
			var kept []int
			for k, i := range failing {
				if good(results[k]) {
					kept = append(kept, i)
				}
			}
			failing = kept
			return nil
		}
		if err := on(fixed, func(r trial.Result) bool { return r.Outcome == trial.OK }); err != nil {
			return nil, err
		}
		if n == 0 {
			continue // the first failure on the buggy build has been seen already
		}
		if err := on(buggy, fails); err != nil {
			return nil, err
		}
	}
	return failing, nil
}

// confirm returns the first of the stable programs that also passes on the fixed and fails
// on the buggy build when it is compiled and run the plain way; -1 if none of the first
// few does.
func (e *Programs) confirm(ctx context.Context, fixed, buggy *libbuild.Build, programs []trial.Program, stable []int) (int, error) {
	for _, i := range stable[:min(len(stable), plainConfirmTrys)] {
		good, err := e.Runner.Plain(ctx, fixed, programs[i], testrun.PlainOptions{})
		if err != nil {
			return -1, err
		}
		bad, err := e.Runner.Plain(ctx, buggy, programs[i], testrun.PlainOptions{})
		if err != nil {
			return -1, err
		}
		if good[0].Outcome == trial.OK && fails(bad[0]) {
			return i, nil
		}
	}
	return -1, nil
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
	}
	return trial.TestReference{
		ID: entry.ID, File: "suite/" + entry.File, Outcome: v.Outcome, Oracle: oracle, Signal: v.Signal,
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
