package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/exec/verdicts"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	chunkPrograms     = 200  // programs whose counters are held in memory at a time
	referencePrograms = 1000 // programs whose results are; enough to balance long ones over the processors
	firstReferences   = 5    // tests kept in full per bug and of the false alarms
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
	// Places compares the sources of the reference and of the build with the bug. The function by reports whether
	// a test with these counters on the coverage build executes what differs. What differs without by knowing is
	// in elsewhere, "" if nothing does. Only who observes asks.
	Places func(ctx context.Context) (by func(counters []uint64) bool, elsewhere string, err error)
	// Disguise makes builds of both that differ recognisably only in their behaviour.
	Disguise func(ctx context.Context) (Disguiser, error)
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
	Selector Selector // nil: it is not known what tests execute
	RunAll   bool     // on each bug's build, also the tests that cannot tell it from the reference
	Observer Observer // nil: how far bugs come is not asked
	Repeats  int      // n: every detecting test fails on the buggy build and passes on the fixed one in n of n runs, at least
	Workers  int      // builds that are made and run at a time
	Secret   libbuild.Secret
	Memo     Memo
	Kept     *Kept // nil: nothing of earlier evaluations is used, and nothing kept
	Log      *slog.Logger

	keys   []string        // of the programs, in Kept
	limits []time.Duration // of their processor time on builds with a bug
	looks  []string        // their keys there
	places func() []places // by bug, where somebody observes; compared when first asked
}

// A verdict is what is remembered of a result: all but its output.
type verdict struct {
	Outcome   trial.Outcome           `json:"outcome"`
	Signal    int                     `json:"signal,omitempty"`
	CPU       time.Duration           `json:"cpu_ns,omitempty"` // of one that passes on the reference
	Assertion *trial.AssertionFailure `json:"assertion,omitempty"`
	Detail    string                  `json:"detail,omitempty"`
}

// Evaluate fills the record's parts. What keeps one from being measured is its reason in the
// record, and the others are tried all the same. The error ends the evaluation: an interruption, a
// full disk, or a memo that cannot be kept; the parts that were finished are then in the memo.
func (e *Programs) Evaluate(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, rec *trial.Record) error {
	e.keys = e.contents(programs)
	e.places = sync.OnceValue(func() []places { return e.changed(ctx) })
	judged, missing, err := try(ctx, e.Memo, e.Log, "reference", func() ([]verdict, error) { return e.reference(ctx, entries, programs) })
	if err != nil {
		return fmt.Errorf("run on the reference build: %w", err)
	}
	known := missing == nil
	if known {
		rec.Programs, rec.Alarms, rec.Failures = count(entries, programs, judged)
	} else {
		rec.Lack(trial.PartSuccess, *missing)
	}
	measure := sync.OnceValues(func() (*curve, error) { return e.coverage(ctx, entries, programs, judged) })
	if err := coverageParts(ctx, e.Memo, e.Log, rec, measure); err != nil {
		return fmt.Errorf("measure coverage: %w", err)
	}
	runs, err := e.executions(ctx, measure)
	if err != nil {
		return fmt.Errorf("trace tests: %w", err)
	}
	e.limit(judged)
	passing := indexesOf(judged, trial.OK)
	if err := e.verifications(ctx, programs, passing, known, rec); err != nil {
		return fmt.Errorf("count verifications: %w", err)
	}
	if err := e.mutation(ctx, programs, passing, known, rec); err != nil {
		return fmt.Errorf("run on mutants: %w", err)
	}
	honest := slices.DeleteFunc(slices.Clone(passing), func(i int) bool { return len(runs) > 0 && runs[i].Forged })
	found := make([]bugVerdict, len(e.Bugs))
	rec.Bugs = make([]trial.BugResult, len(e.Bugs))
	look := func(ctx context.Context, k int, key string, tests []int) (err error) {
		bug, missing := e.Bugs[k], &needsSuccess
		if known {
			found[k], missing, err = try(ctx, e.Memo, e.Log, key+bug.ID, func() (bugVerdict, error) {
				return e.bug(ctx, bug, entries, programs, tests, runs)
			})
			if err != nil {
				return fmt.Errorf("bug %s: %w", bug.ID, err)
			}
		}
		rec.Bugs[k] = trial.BugResult{Bug: bug.ID, Missing: missing}
		return nil
	}
	looks, lookCtx := errgroup.WithContext(ctx)
	looks.SetLimit(bugsAtATime)
	for k := range e.Bugs {
		looks.Go(func() error { return look(lookCtx, k, "bug:", honest) })
	}
	if err := looks.Wait(); err != nil {
		return err
	}
	// What was seen to be flaky later may have stood for other tests before.
	out := barred(found)
	left := slices.DeleteFunc(slices.Clone(honest), func(i int) bool { return out[i] })
	for k := range e.Bugs {
		if slices.ContainsFunc(found[k].Detecting, func(d detecting) bool { return d.Rep && out[d.Index] }) {
			if err := look(ctx, k, "bug again:", left); err != nil {
				return err
			}
		}
	}
	e.conclude(entries, programs, found, out, rec)
	for k, bug := range e.Bugs {
		if rec.Bugs[k].Missing == nil {
			if rec.Bugs[k].Steps, err = e.steps(ctx, k, programs, passing, runs); err != nil {
				return fmt.Errorf("steps of bug %s: %w", bug.ID, err)
			}
		}
	}
	return nil
}

// bugsAtATime is how many bugs are looked for at a time. While the last tests run on one build, the
// next is made, and its first tests take the processors that are free. How many tests run at a time is
// the runner's to limit.
const bugsAtATime = 2

// reference runs every program on the reference build, but for those that their tool refused.
// Those that fail are run again: one that passes or fails otherwise in another run is flaky.
func (e *Programs) reference(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program) ([]verdict, error) {
	judged := make([]verdict, len(programs))
	var runnable []int
	for i, entry := range entries {
		if entry.Refused == "" {
			runnable = append(runnable, i)
		} else {
			judged[i] = verdict{Outcome: trial.Policy, Detail: entry.Refused}
		}
	}
	table, err := e.table("reference", e.Reference)
	if err != nil {
		return nil, err
	}
	for part := range slices.Chunk(runnable, referencePrograms) {
		if err := e.referencePart(ctx, table, programs, part, judged); err != nil {
			return nil, err
		}
	}
	return judged, nil
}

// referencePart judges the programs of these indexes; what they wrote is not held any longer.
func (e *Programs) referencePart(ctx context.Context, table *verdicts.Table, programs []trial.Program, indexes []int, judged []verdict) error {
	known, fresh, err := recallAll[verdict](table, e.keys, indexes)
	if err != nil {
		return err
	}
	for i, v := range known {
		judged[i] = v.renamed(nameless, fileOf(programs[i]))
	}
	results, err := e.Runner.Run(ctx, e.Reference, pick(programs, fresh), testrun.Options{})
	if err != nil {
		return as(trial.ReasonSandbox, err)
	}
	var failed []int
	for k, i := range fresh {
		judged[i] = toVerdict(results[k])
		if judged[i].Outcome == trial.OK {
			judged[i].CPU = results[k].CPU()
		}
		if fails(results[k]) {
			failed = append(failed, i)
		}
	}
	for n := 1; n < e.Repeats && len(failed) > 0; n++ {
		again, err := e.Runner.Run(ctx, e.Reference, pick(programs, failed), testrun.Options{})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		for k, i := range failed {
			if again[k].Outcome != judged[i].Outcome && judged[i].Outcome != trial.Flaky {
				judged[i].Detail = fmt.Sprintf("%s, then %s", judged[i].Outcome, again[k].Outcome)
				judged[i].Outcome = trial.Flaky
			}
		}
	}
	keep := map[string]any{}
	for k, i := range fresh {
		if lasting(results[k]) && judged[i].Outcome != trial.Flaky {
			keep[e.keys[i]] = judged[i].renamed(fileOf(programs[i]), nameless)
		}
	}
	return keepAll(table, keep)
}

func toVerdict(r trial.Result) verdict {
	const most = 2000 // characters of a diagnostic that are worth keeping for a report
	detail := r.Diagnostic
	if len(detail) > most {
		detail = detail[:most] + "…" // a copy, which does not hold the whole
	}
	v := verdict{Outcome: r.Outcome, Signal: r.Signal, Assertion: r.Assertion, Detail: detail}
	if r.Outcome == trial.Timeout { // which limit ended it depends on the machine's load
		v.Signal = 0
	}
	return v
}

// limit sets what programs may take on builds with a bug. The limit is in a finding's key there: one that
// was stopped by another limit might have gone on.
func (e *Programs) limit(judged []verdict) {
	e.limits, e.looks = make([]time.Duration, len(judged)), make([]string, len(judged))
	for i, v := range judged {
		e.limits[i] = testrun.PatienceWithBugs.Limit(v.CPU)
		if e.keys[i] != "" {
			e.looks[i] = verdicts.Key(e.keys[i], e.limits[i])
		}
	}
}

// count makes the success counts, and the false alarms: programs whose own assertion fails
// on the reference build.
func count(entries []trial.SuiteEntry, programs []trial.Program, judged []verdict) (c *trial.ProgramCounts, alarms, failures []trial.TestReference) {
	c = &trial.ProgramCounts{Generated: len(judged), Outcomes: map[trial.Outcome]int{}}
	for i, v := range judged {
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
func (e *Programs) coverage(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, judged []verdict) (*curve, error) {
	build, err := e.Coverage(ctx)
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	lines, err := e.table("lines", build)
	if err != nil {
		return nil, err
	}
	runs, err := e.table("coverage", build)
	if err != nil {
		return nil, err
	}
	c := newCurve(keptCoverage{e.Cov, lines}, build)
	c.runs = make([]execution, len(programs))
	marks := checkpoints(len(programs), growthPoints)
	for from := 0; from < len(programs); from += chunkPrograms {
		to := min(from+chunkPrograms, len(programs))
		var runnable []int
		for i := from; i < to; i++ {
			if judged == nil && entries[i].Refused == "" || judged != nil && judged[i].Outcome.Compiled() {
				runnable = append(runnable, i)
			}
		}
		covered, err := e.cover(ctx, build, programs, runnable, runs)
		if err != nil {
			return nil, err
		}
		for i := from; i < to; i++ {
			if err := e.addTo(c, i, entries[i].ID, covered[i]); err != nil {
				return nil, err
			}
			if len(marks) > 0 && marks[0] == i+1 {
				c.mark(trial.GrowthPoint{Programs: i + 1, Elapsed: entries[i].Elapsed, Tokens: entries[i].Tokens, Dollars: entries[i].Dollars})
				marks = marks[1:]
			}
		}
	}
	c.read(ctx)
	return c, nil
}

// addTo adds what a program reached to the curve: nothing, if it has written to the counters itself.
func (e *Programs) addTo(c *curve, i int, id string, run coverageRun) error {
	counters, err := unpack(run.Counters, c.build.Counters)
	if err != nil {
		return err
	}
	if e.Selector == nil {
		return c.add(counters)
	}
	ran := &c.runs[i]
	ran.Whole = run.Passes
	if ran.Forged, err = e.Selector.Forged(c.build, counters); err != nil {
		return as(trial.ReasonToolchain, err)
	}
	if ran.Forged {
		c.forged = append(c.forged, id)
		return nil
	}
	if ran.Trace, err = e.Selector.Trace(c.build, counters); err != nil {
		return as(trial.ReasonToolchain, err)
	}
	if e.Observer != nil && counters != nil {
		ran.Places = visited(e.places(), counters)
	}
	return c.add(counters)
}

// cover runs programs on the coverage build, or knows what they reached there.
func (e *Programs) cover(ctx context.Context, build *libbuild.Build, programs []trial.Program, indexes []int, runs *verdicts.Table) (map[int]coverageRun, error) {
	done, fresh, err := recallAll[coverageRun](runs, e.keys, indexes)
	if err != nil {
		return nil, err
	}
	results, err := e.Runner.Run(ctx, build, pick(programs, fresh), testrun.Options{Counters: true})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	keep := map[string]any{}
	for k, i := range fresh {
		// One that was cut short might have gone on.
		run := coverageRun{Passes: results[k].Outcome == trial.OK}
		if run.Counters, err = pack(results[k].Counters); err != nil {
			return nil, err
		}
		if done[i] = run; lasting(results[k]) {
			keep[e.keys[i]] = run
		}
	}
	return done, keepAll(runs, keep)
}

// referTo describes how a test failed. A crash or a hang is an oracle of its own, whatever
// the test asserts; a failed assertion has the class of its line.
func referTo(entry trial.SuiteEntry, p trial.Program, v verdict) trial.TestReference {
	line := 0
	if v.Assertion != nil {
		line = v.Assertion.Line
	}
	oracle := p.OracleAt(line)
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
		Assertion: v.Assertion, Elapsed: entry.Elapsed.Round(time.Millisecond),
		Tokens: entry.Tokens, Dollars: entry.Dollars, Detail: v.Detail,
	}
}

func indexesOf(judged []verdict, o trial.Outcome) []int {
	var found []int
	for i, v := range judged {
		if v.Outcome == o {
			found = append(found, i)
		}
	}
	return found
}

func pick[T any](all []T, indexes []int) []T {
	picked := make([]T, len(indexes))
	for k, i := range indexes {
		picked[k] = all[i]
	}
	return picked
}
