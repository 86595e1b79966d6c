package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeTests runs programs by a script: on the build of that name, a program has the first
// outcome, when run again the second, and so on; the last one stays. Without a script it is
// OK. A program's source is the numbers of the coverage counters that it adds to.
type fakeTests struct {
	fakeFuzz // Coverage
	mu       sync.Mutex
	script   map[string][]trial.Outcome // "build id", or "plain build id" for the plain way
	runs     int                        // of programs, by Run
	breaks   map[string]error           // by build, once
	cpu      time.Duration              // of each program
	chunks   []int                      // sizes of the runs on the coverage build
}

func (f *fakeTests) next(key, id string) trial.Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := trial.Result{ID: id, Outcome: trial.OK, CPUMs: float64(f.cpu.Milliseconds())}
	if all := f.script[key]; len(all) > 0 {
		r.Outcome = all[0]
		if len(all) > 1 {
			f.script[key] = all[1:]
		}
	}
	if r.Outcome == trial.Assertion {
		r.Assertion = &trial.AssertionFailure{File: id + ".c", Line: 1, Expr: "x"}
	}
	return r
}

func (f *fakeTests) Run(_ context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error) {
	f.mu.Lock()
	err := f.breaks[b.SharedLib]
	delete(f.breaks, b.SharedLib)
	if err == nil {
		f.runs += len(programs)
		if o.Counters {
			f.chunks = append(f.chunks, len(programs))
		}
	}
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		results[i] = f.next(b.SharedLib+" "+p.ID, p.ID)
		if o.Counters && p.Source != "" {
			results[i].Counters = make([]uint64, b.Counters)
			for _, digit := range p.Source {
				results[i].Counters[digit-'0'] = math.MaxUint64 / 2
			}
		}
	}
	return results, nil
}

func (f *fakeTests) Plain(_ context.Context, b *libbuild.Build, p trial.Program, _ testrun.PlainOptions) ([]trial.Result, error) {
	key := "plain " + b.SharedLib + " " + p.ID
	if _, scripted := f.script[key]; !scripted { // the same verdict as the fast way gave last
		key = b.SharedLib + " " + p.ID
	}
	return []trial.Result{f.next(key, p.ID)}, nil
}

func named(name string) *libbuild.Build { return &libbuild.Build{Key: name, SharedLib: name} }

var quiet = slog.New(slog.DiscardHandler)

// made returns what is made on demand.
func made[T any](v T) func(context.Context) (T, error) {
	return func(context.Context) (T, error) { return v, nil }
}

func bugOf(fixed, buggy string) Bug {
	return Bug{ID: buggy, Builds: func(context.Context) (*libbuild.Build, *libbuild.Build, error) {
		return named(fixed), named(buggy), nil
	}, Disguise: func(context.Context) (Disguiser, error) { return fakeDisguise{fixed, buggy}, nil }}
}

// A fakeDisguise hands out the plain builds, by behaviour.
type fakeDisguise [2]string

func (d fakeDisguise) Build(_ context.Context, as libbuild.Behaviour) (*libbuild.Build, error) {
	return named(d[as]), nil
}

func (fakeDisguise) Close() error { return nil }

// newPrograms makes an evaluation of programs a, b, c, …, one for each source.
func newPrograms(f *fakeTests, sources ...string) (*Programs, []trial.SuiteEntry, []trial.Program) {
	e := &Programs{
		Runner: f, Cov: f, Reference: named("ref"), Coverage: made(&libbuild.Build{SharedLib: "cov", Counters: 8}),
		Bugs: []Bug{bugOf("ref", "bug")}, Repeats: 3, Log: quiet,
	}
	var entries []trial.SuiteEntry
	var programs []trial.Program
	for i, src := range sources {
		id := string(rune('a' + i))
		if len(sources) > 26 {
			id = fmt.Sprint(i)
		}
		entries = append(entries, trial.SuiteEntry{ID: id, File: id + ".c", Elapsed: time.Duration(i+1) * time.Second})
		programs = append(programs, trial.Program{ID: id, Source: src, Oracle: trial.OracleReference})
	}
	return e, entries, programs
}

func evaluate(t *testing.T, e *Programs, entries []trial.SuiteEntry, programs []trial.Program) *trial.Record {
	t.Helper()
	var rec trial.Record
	assert.NilError(t, e.Evaluate(t.Context(), entries, programs, &rec))
	return &rec
}

func TestProgramCounts(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{
		"ref b": {trial.CompileError},
		"ref c": {trial.LinkError},
		"ref d": {trial.Assertion},
		"ref e": {trial.Crash, trial.Crash, trial.OK}, // flaky in the last run only
		"ref f": {trial.NonzeroExit},
		"ref g": {trial.Policy},
		"ref h": {trial.Assertion, trial.Crash}, // flaky, so no false alarm
	}}
	e, entries, programs := newPrograms(f, "", "", "", "", "", "", "", "")
	rec := evaluate(t, e, entries, programs)
	want := &trial.ProgramCounts{Generated: 8, Compiled: 5, Executed: 1, FalseAlarms: 1, Outcomes: map[trial.Outcome]int{
		trial.OK: 1, trial.CompileError: 1, trial.LinkError: 1, trial.Assertion: 1, trial.Flaky: 2, trial.NonzeroExit: 1, trial.Policy: 1,
	}}
	assert.Check(t, reflect.DeepEqual(rec.Programs, want), "counts %+v, want %+v", rec.Programs, want)
	alarm := []trial.TestReference{{ID: "d", File: "suite/d.c", Outcome: trial.Assertion, Oracle: trial.OracleReference,
		Assertion: &trial.AssertionFailure{File: "d.c", Line: 1, Expr: "x"}, Elapsed: 4 * time.Second}}
	assert.Check(t, reflect.DeepEqual(rec.Alarms, alarm), "alarms %+v, want %+v", rec.Alarms, alarm)
}

func TestProgramCoverage(t *testing.T) {
	many := slices.Repeat([]string{"0"}, 450)
	many[449] = "1"
	tests := []struct {
		name    string
		sources []string
		script  map[string][]trial.Outcome
		lines   []int // of each point
		done    []int
		chunks  []int
	}{
		{name: "no program", lines: []int{0}, done: []int{0}},
		{name: "fewer programs than checkpoints", sources: []string{"01", "1", "2"}, lines: []int{0, 2, 2, 3}, done: []int{0, 1, 2, 3}, chunks: []int{3}},
		{name: "counters saturate", sources: []string{"0", "0", "0"}, lines: []int{0, 1, 1, 1}, done: []int{0, 1, 2, 3}, chunks: []int{3}},
		{name: "what did not compile is not run, what crashes counts", sources: []string{"0", "1", "2"},
			script: map[string][]trial.Outcome{"ref a": {trial.CompileError}, "ref b": {trial.Crash}, "cov b": {trial.Crash}},
			lines:  []int{0, 0, 1, 2}, done: []int{0, 1, 2, 3}, chunks: []int{2}},
		{name: "no counters from one that did not reach the library", sources: []string{"", "3"}, lines: []int{0, 0, 1}, done: []int{0, 1, 2}, chunks: []int{2}},
		{name: "many programs", sources: many, lines: append(append([]int{0}, slices.Repeat([]int{1}, 19)...), 2),
			done: []int{0, 23, 45, 68, 90, 113, 135, 158, 180, 203, 225, 248, 270, 293, 315, 338, 360, 383, 405, 428, 450}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: tt.script}
			e, entries, programs := newPrograms(f, tt.sources...)
			e.Bugs = nil
			rec := evaluate(t, e, entries, programs)
			var lines, done []int
			for _, p := range rec.Growth {
				lines, done = append(lines, p.LinesCovered), append(done, p.Programs)
				if p.Programs > 0 && p.Elapsed != entries[p.Programs-1].Elapsed {
					t.Errorf("point after %d programs at %v", p.Programs, p.Elapsed)
				}
			}
			assert.Check(t, slices.Equal(lines, tt.lines) && slices.Equal(done, tt.done),
				"growth %v after %v, want %v after %v", lines, done, tt.lines, tt.done)
			assert.Check(t, rec.Coverage.LinesTotal == 8 && rec.Coverage.LinesCovered == lines[len(lines)-1],
				"final %+v", *rec.Coverage)
			if tt.chunks != nil && !slices.Equal(f.chunks, tt.chunks) {
				t.Errorf("ran %v programs at a time, want %v", f.chunks, tt.chunks)
			}
		})
	}
}

func TestProgramBug(t *testing.T) {
	ok, fail, crash, hang := trial.OK, trial.Assertion, trial.Crash, trial.Timeout
	type script = map[string][]trial.Outcome
	tests := []struct {
		name     string
		script   script
		pair     bool
		tests    []string // that detect the bug
		unstable int
		depends  int
		oracles  []trial.OracleClass
	}{
		{name: "nothing fails"},
		{name: "assertion", script: script{"bug a": {fail}}, tests: []string{"a"}, oracles: []trial.OracleClass{trial.OracleReference}},
		{name: "crash and hang are oracles of their own", script: script{"bug a": {hang}, "bug b": {crash}, "bug c": {crash}},
			tests: []string{"a", "b", "c"}, oracles: []trial.OracleClass{trial.OracleCrash, trial.OracleHang}},
		{name: "fails once, then passes", script: script{"bug a": {fail, ok}}, unstable: 1},
		{name: "passes in the last run", script: script{"bug a": {fail, fail, ok}}, unstable: 1},
		{name: "passes at first", script: script{"bug a": {ok, fail}}},
		{name: "fails in two ways, as of the first", script: script{"bug a": {crash, fail}}, tests: []string{"a"}, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "fails on the reference: not asked", script: script{"ref a": {fail}, "bug a": {fail}}},
		{name: "fails on the fixed build in the last run", script: script{"ref a": {ok, ok, ok, fail}, "bug a": {fail}}, unstable: 1},
		{name: "does not compile or link on the buggy build", script: script{"bug a": {trial.CompileError}, "bug b": {trial.LinkError}}},
		{name: "pair: passes on the reference, fails on both sides", pair: true, script: script{"fixed a": {fail}, "bug a": {fail}}},
		{name: "pair: does not compile on the fixed side", pair: true, script: script{"fixed a": {trial.CompileError}, "bug a": {fail}}},
		{name: "pair: passes on the fixed side only at times", pair: true, script: script{"fixed a": {ok, fail, ok}, "bug a": {fail}}, depends: 1},
		{name: "pair: detected", pair: true, script: script{"bug a": {fail}, "ref b": {fail}, "bug b": {fail}}, tests: []string{"a"},
			oracles: []trial.OracleClass{trial.OracleReference}},
		{name: "the plain way passes", script: script{"bug a": {fail}, "plain bug a": {ok}}, unstable: 1},
		{name: "the plain way fails on the fixed build", script: script{"bug a": {fail}, "plain ref a": {crash}}, unstable: 1},
		{name: "the plain way does not compile", script: script{"bug a": {fail}, "plain bug a": {trial.CompileError}}, unstable: 1},
		{name: "the plain way confirms the second", script: script{"bug a": {fail}, "bug b": {crash}, "bug c": {fail}, "plain bug a": {ok}},
			tests: []string{"b", "c"}, unstable: 1, oracles: []trial.OracleClass{trial.OracleCrash, trial.OracleReference}},
		{name: "the plain way confirms none of the first three", script: script{"bug a": {fail}, "bug b": {fail}, "bug c": {fail}, "bug d": {fail},
			"plain bug a": {ok}, "plain bug b": {ok}, "plain bug c": {ok}}, unstable: 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: tt.script}
			e, entries, programs := newPrograms(f, "", "", "", "")
			if tt.pair {
				e.Bugs = []Bug{bugOf("fixed", "bug")}
			}
			got := evaluate(t, e, entries, programs).Bugs[0]
			if got.Detected != (len(tt.tests) > 0) || got.Tests != len(tt.tests) || got.Flaky != tt.unstable || got.DependsOnBuild != tt.depends || !slices.Equal(got.Oracles, tt.oracles) {
				t.Errorf("got %+v", got)
			}
			var first []string
			for _, r := range got.First {
				first = append(first, r.ID)
			}
			assert.Check(t, slices.Equal(first, tt.tests), "first tests %v, want %v", first, tt.tests)
		})
	}
}

// TestProgramBugByOracle counts detecting tests by class, and keeps the assertions of those that
// argue from documents: all of them, unlike the first references.
func TestProgramBugByOracle(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{}}
	e, entries, programs := newPrograms(f, slices.Repeat([]string{""}, 12)...)
	var want []string
	for i, p := range programs {
		f.script["bug "+p.ID] = []trial.Outcome{trial.Assertion}
		switch {
		case i < 9:
			programs[i].Oracle, want = trial.OracleSpecification, append(want, entries[i].ID)
		case i == 9: // a specification, but for the assertion that fails
			programs[i].Oracle, programs[i].Source = trial.OracleSpecification, strings.Repeat("assert(n == 2); // "+trial.RepairedMark+"\n", 100)
		case i == 10:
			f.script["bug "+p.ID] = []trial.Outcome{trial.Crash}
		}
	}
	b := evaluate(t, e, entries, programs).Bugs[0]
	classes := []trial.ClassCount{{Oracle: trial.OracleCrash, Tests: 1}, {Oracle: trial.OracleReference, Tests: 1}, {Oracle: trial.OracleRepaired, Tests: 1}, {Oracle: trial.OracleSpecification, Tests: 9}}
	assert.Check(t, slices.Equal(b.Classes, classes), "classes %+v", b.Classes)
	var failed []string
	for _, line := range b.Failed {
		failed = append(failed, line.Test)
		assert.Check(t, line.Line != 0 && line.Expr != "", "%+v", line)
	}
	assert.Check(t, slices.Equal(failed, want), "failed assertions of %v, want %v", failed, want)
}

// TestDetectionsByDefinition compares the evaluation with the definition of a detection, on
// random outcomes of random programs.
func TestDetectionsByDefinition(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		f := &fakeTests{script: map[string][]trial.Outcome{}}
		e, entries, programs := newPrograms(f, slices.Repeat([]string{""}, rng.IntN(8))...)
		e.Repeats = 1 + rng.IntN(4)
		e.Bugs = []Bug{bugOf("fixed", "bug")}
		want, executed := 0, 0
		for _, p := range programs {
			ref, fixed, buggy := outcomes(rng, e.Repeats), outcomes(rng, e.Repeats), outcomes(rng, e.Repeats)
			f.script["ref "+p.ID], f.script["fixed "+p.ID], f.script["bug "+p.ID] = ref, fixed, buggy
			f.script["plain fixed "+p.ID], f.script["plain bug "+p.ID] = fixed[:1], buggy[:1]
			if ref[0] != trial.OK {
				continue
			}
			executed++
			passes := !slices.ContainsFunc(fixed, func(o trial.Outcome) bool { return o != trial.OK })
			fails := !slices.ContainsFunc(buggy, func(o trial.Outcome) bool { return o == trial.OK || !o.Compiled() })
			if passes && fails {
				want++
			}
		}
		rec := evaluate(t, e, entries, programs)
		got := rec.Bugs[0]
		assert.Check(t, got.Tests == want,
			"seed %d: %d tests detect the bug, want %d: %v", seed, got.Tests, want, f.script)
		if got.Detected != (got.Tests > 0) || (len(got.Oracles) > 0) != got.Detected || len(got.First) != min(got.Tests, firstReferences) {
			t.Errorf("seed %d: %+v contradicts itself", seed, got)
		}
		assert.Check(t, got.Tests+got.Flaky <= executed && rec.Programs.Executed == executed,
			"seed %d: %d tests and %d unstable of %d that pass", seed, got.Tests, got.Flaky, executed)
		sum := 0
		for _, n := range rec.Programs.Outcomes {
			sum += n
		}
		if c := rec.Programs; sum != c.Generated || c.Executed > c.Compiled || c.Compiled > c.Generated || c.FalseAlarms < len(rec.Alarms) {
			t.Errorf("seed %d: counts %+v contradict each other", seed, *c)
		}
	}
}

// outcomes returns n outcomes of a program, mostly of one kind.
func outcomes(rng *rand.Rand, n int) []trial.Outcome {
	kinds := []trial.Outcome{trial.OK, trial.OK, trial.Assertion, trial.Assertion, trial.Crash, trial.Timeout, trial.CompileError, trial.NonzeroExit}
	list := slices.Repeat(kinds[rng.IntN(len(kinds)):][:1], n)
	if rng.IntN(4) == 0 {
		list[rng.IntN(n)] = kinds[rng.IntN(len(kinds))]
	}
	return list
}

// A region without a counter of its own counts the difference of others: here line 1 runs
// whenever counter 0 is ahead of counter 1.
func TestCoverageGrowsWithoutAFreshCounter(t *testing.T) {
	f := &fakeTests{}
	e, entries, programs := newPrograms(f, "01", "0")
	e.Bugs, e.Cov = nil, differenceCoverage{}
	rec := evaluate(t, e, entries, programs)
	if got := rec.Growth[2].LinesCovered - rec.Growth[1].LinesCovered; got != 1 {
		t.Errorf("the second program covers %d more lines, want 1: %+v", got, rec.Growth)
	}
}

type differenceCoverage struct{}

func (differenceCoverage) Coverage(_ context.Context, _ *libbuild.Build, c []uint64) (trial.Coverage, error) {
	cov := trial.Coverage{LinesTotal: 1}
	if c[0] > c[1] {
		cov.LinesCovered = 1
	}
	return cov, nil
}

func TestHangsEndTheFirstLookAtABug(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{}}
	e, entries, programs := newPrograms(f, make([]string, 400)...)
	for _, p := range programs[60:] { // from the second chunk on everything hangs
		f.script["bug "+p.ID] = []trial.Outcome{trial.Timeout}
	}
	rec := evaluate(t, e, entries, programs)
	b := rec.Bugs[0]
	if !b.Detected || b.Tests != 40 || b.Untried != 300 || !slices.Equal(b.Oracles, []trial.OracleClass{trial.OracleHang}) {
		t.Errorf("bug = %+v; want it detected by the 40 tests of the second chunk that hang, 300 untried", b)
	}
}

func TestFailuresAreListedApartFromFalseAlarms(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{
		"ref a": {trial.CompileError}, "ref b": {trial.Assertion}, "ref d": {trial.Crash},
	}}
	e, entries, programs := newPrograms(f, "", "", "", "")
	entries[0].Origin = "mine.c"
	rec := evaluate(t, e, entries, programs)
	ids := func(refs []trial.TestReference) (list []string) {
		for _, r := range refs {
			list = append(list, strings.TrimSpace(r.ID+" "+r.Origin))
		}
		return list
	}
	if got := ids(rec.Failures); !slices.Equal(got, []string{"a mine.c", "d"}) {
		t.Errorf("failures = %q", got)
	}
	if got := ids(rec.Alarms); !slices.Equal(got, []string{"b"}) {
		t.Errorf("alarms = %q", got)
	}
}

func TestReasonOfANonzeroExit(t *testing.T) {
	for _, tt := range []struct {
		r    trial.Result
		want string
	}{
		{trial.Result{ExitCode: 3}, "exit status 3, and it printed nothing"},
		{trial.Result{ExitCode: 1, Stdout: "1\n2\n3\n4\n5\n6\n"}, "exit status 1: 2\n3\n4\n5\n6"},
		{trial.Result{ExitCode: 1, Stdout: "ok\n", Stderr: "wrong\n"}, "exit status 1: wrong"},
	} {
		tt.r.Outcome = trial.NonzeroExit
		if got := endingOf(tt.r).Detail; got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A fakeVerifier counts one verification for each program it is given.
type fakeVerifier struct {
	err error // once
}

func (f *fakeVerifier) Verify(_ context.Context, _ *libbuild.Build, programs []trial.Program) (trial.Verifications, error) {
	err := f.err
	f.err = nil
	return trial.Verifications{Unique: len(programs), Assertions: 2 * len(programs)}, err
}

// TestVerifications checks that the mean is over all seeds while only those that pass
// count, and that recorded values do not.
func TestVerifications(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{"ref b": {trial.Assertion}, "ref c": {trial.CompileError}}}
	e, entries, programs := newPrograms(f, "", "", "", "")
	if rec := evaluate(t, e, entries, programs); rec.Verifications != nil || rec.Missing != nil {
		t.Errorf("without a verifier: %+v, %v", rec.Verifications, rec.Missing)
	}
	v := &fakeVerifier{}
	e.Verify = v.Verify
	if rec := evaluate(t, e, entries, programs); rec.Verifications != nil || rec.Missing != nil {
		t.Error("recorded values are counted as verifications")
	}
	programs[0].Oracle = trial.OracleSpecification
	want := trial.Verifications{Seeds: 4, Programs: 4, Passing: 2, Unique: 2, Assertions: 4}
	rec := evaluate(t, e, entries, programs)
	assert.Check(t, *rec.Verifications == want, "%+v, want %+v", *rec.Verifications, want)
	if mean, ok := rec.Verifications.AUVC(); !ok || mean != 0.5 {
		t.Errorf("AUVC %v, %v; want 0.5", mean, ok)
	}
	seeded := trial.Record{Generation: &trial.Generation{Invariants: &trial.Invariants{Seeds: 8}}}
	assert.NilError(t, e.Evaluate(t.Context(), entries, programs, &seeded))
	perSeed, _ := seeded.Verifications.AUVC()
	if perProgram, _ := seeded.Verifications.PerProgram(); perSeed != 0.25 || perProgram != 0.5 {
		t.Errorf("of 2 in 4 programs of 8 seeds: %v for a seed, %v for a program", perSeed, perProgram)
	}
}
