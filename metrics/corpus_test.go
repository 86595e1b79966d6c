package metrics

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeFuzz runs inputs that are words: each letter a..h of one lights a coverage counter.
// fails says on which build an input fails and how, a second time of asking onwards by the
// second outcome, and so on.
type fakeFuzz struct {
	t        *testing.T
	fails    map[string][]trial.Outcome // "build word"
	found    map[string]string          // executable: words that fuzzing it finds to crash, one after the other
	sessions []libfuzzer.Session
}

func (f *fakeFuzz) outcome(build, path string) trial.Outcome {
	data, err := os.ReadFile(path)
	if err != nil {
		f.t.Fatal(err)
	}
	key := build + " " + string(data)
	all := f.fails[key]
	if len(all) == 0 {
		return trial.OK
	}
	if len(all) > 1 {
		f.fails[key] = all[1:]
	}
	return all[0]
}

func (f *fakeFuzz) Replay(_ context.Context, j libfuzzer.ReplayJob) (libfuzzer.Replayed, error) {
	out := libfuzzer.Replayed{Counters: make([]uint64, j.Library.Counters)}
	for _, in := range j.Inputs {
		out.Results = append(out.Results, trial.Result{Outcome: f.outcome(j.Library.SharedLib, in)})
		data, _ := os.ReadFile(in)
		for _, letter := range data {
			if i := int(letter - 'a'); i < len(out.Counters) {
				out.Counters[i]++
			}
		}
	}
	return out, nil
}

func (f *fakeFuzz) Try(_ context.Context, executable, input string, _ time.Duration) (trial.Result, error) {
	return trial.Result{Outcome: f.outcome(executable, input), Diagnostic: "SUMMARY"}, nil
}

func (f *fakeFuzz) Run(ctx context.Context, s libfuzzer.Session) (libfuzzer.Report, error) {
	f.sessions = append(f.sessions, s)
	report := libfuzzer.Report{Inputs: []libfuzzer.Input{{Path: filepath.Join(s.Dir, "harmless")}}}
	for i, word := range strings.Fields(f.found[s.Executable]) {
		path := filepath.Join(s.Dir, fmt.Sprint("crash-", i))
		if err := errors.Join(os.MkdirAll(s.Dir, 0o755), os.WriteFile(path, []byte(word), 0o644)); err != nil {
			return report, err
		}
		in := libfuzzer.Input{Path: path, Failure: libfuzzer.Crash, Elapsed: s.Before + time.Second}
		report.Inputs = append(report.Inputs, in)
		report.Execs, report.Wall = report.Execs+10, report.Wall+time.Second
		if enough, err := s.Enough(ctx, in); enough || err != nil {
			return report, err
		}
	}
	return report, nil
}

// Coverage counts a line per counter that is alive.
func (f *fakeFuzz) Coverage(_ context.Context, _ *libbuild.Build, counters []uint64) (trial.Coverage, error) {
	c := trial.Coverage{LinesTotal: len(counters), BranchesTotal: 1}
	for _, n := range counters {
		if n > 0 {
			c.LinesCovered++
		}
	}
	return c, nil
}

func fuzzBuilds(name string) FuzzBuilds {
	return FuzzBuilds{
		Plain:   &libbuild.Build{SharedLib: name},
		Targets: map[string]*libbuild.FuzzBuild{"t": {Target: "t", Executable: name + ".exe"}},
	}
}

// newCorpus makes a cell with a corpus of words and one bug, "bug".
func newCorpus(t *testing.T, f *fakeFuzz, words ...string) (*Corpus, []trial.CorpusInput) {
	t.Helper()
	f.t = t
	e := &Corpus{
		Runner:   f,
		Cov:      f,
		Coverage: made(&libbuild.Build{SharedLib: "coverage", Variant: libbuild.Coverage, Counters: 8}),
		Replay:   made(fuzzBuilds("reference").Targets),
		Targets:  []trial.FuzzTarget{{Name: "t"}, {Name: "gone", Missing: "clang: exit status 1\n  clang -c /cache/gone.c\n/cache/gone.c:3:5: error: undeclared f\n  |^\n"}},
		Repeats:  3,
		Timeout:  time.Second,
		Budget:   trial.Budget{Execs: 1000},
		CellDir:  t.TempDir(),
		Store:    store.New(t.TempDir()),
		Log:      quiet,
		Bugs: []FuzzBug{{ID: "bug", Builds: func(context.Context) (FuzzBuilds, FuzzBuilds, error) {
			return fuzzBuilds("fixed"), fuzzBuilds("buggy"), nil
		}}},
	}
	assert.NilError(t, os.MkdirAll(filepath.Join(e.CellDir, "suite"), 0o755))
	var inputs []trial.CorpusInput
	for i, w := range words {
		in := trial.CorpusInput{Target: "t", File: w, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(w))), Elapsed: time.Duration(i) * time.Second}
		assert.NilError(t, os.WriteFile(e.path(in), []byte(w), 0o644))
		inputs = append(inputs, in)
	}
	return e, inputs
}

func TestCorpusCoverage(t *testing.T) {
	f := &fakeFuzz{fails: map[string][]trial.Outcome{"coverage abc": {trial.Crash}}}
	e, inputs := newCorpus(t, f, "a", "a", "ab", "abc", "h")
	e.Bugs = nil
	var rec trial.Record
	assert.NilError(t, e.Evaluate(t.Context(), inputs, &rec))
	assert.Check(t, rec.Inputs == 5 && rec.Coverage.LinesCovered == 4 && rec.Coverage.LinesTotal == 8,
		"%d inputs, coverage %+v; want 5, 4 of 8 lines", rec.Inputs, *rec.Coverage)
	var lines []int
	for _, p := range rec.Growth {
		lines = append(lines, p.LinesCovered)
	}
	if want := []int{0, 1, 1, 2, 3, 4}; !slices.Equal(lines, want) {
		t.Errorf("growth %v, want %v: a crashing input keeps what it reached", lines, want)
	}
	if last := rec.Growth[5]; last.Programs != 5 || last.Elapsed != 4*time.Second {
		t.Errorf("last point %+v", last)
	}
	if len(rec.Notes) != 2 || rec.Notes[0] != "fuzz target gone could not be had and took no part: clang: exit status 1: undeclared f" ||
		!strings.HasPrefix(rec.Notes[1], "1 of 5 inputs fail") {
		t.Errorf("notes %q", rec.Notes)
	}
}

func TestCorpusBug(t *testing.T) {
	crash, hang, ok := trial.Crash, trial.Timeout, trial.OK
	type fails = map[string][]trial.Outcome
	found := map[string]string{"buggy.exe": "x"}
	tests := []struct {
		name     string
		fails    fails
		found    map[string]string
		tests    int
		unstable int
		oracles  []trial.OracleClass
	}{
		{name: "nothing fails"},
		{name: "crash found by fuzzing", found: found, fails: fails{"buggy.exe x": {crash}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "fails on the fixed build too", found: found, fails: fails{"buggy.exe x": {crash}, "fixed.exe x": {crash}}},
		{name: "four crashes of both builds, then one of the bug", found: map[string]string{"buggy.exe": "p q r s x"},
			fails: fails{"buggy.exe p": {crash}, "fixed.exe p": {crash}, "buggy.exe q": {crash}, "fixed.exe q": {crash}, "buggy.exe r": {crash}, "fixed.exe r": {crash},
				"buggy.exe s": {crash}, "fixed.exe s": {crash}, "buggy.exe x": {crash}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "fails on the fixed build the third time", found: found, fails: fails{"buggy.exe x": {crash}, "fixed.exe x": {ok, ok, crash}}},
		{name: "passes on the buggy build the third time", found: found, fails: fails{"buggy.exe x": {crash, crash, ok}}, unstable: 1},
		{name: "fails in two ways, as of the first", found: found, fails: fails{"buggy.exe x": {crash, hang}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "corpus input hangs the plain build", fails: fails{"buggy ab": {hang}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleHang}},
		{name: "no replay after a detection", found: found, fails: fails{"buggy.exe x": {crash}, "buggy ab": {hang}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "replay after an unstable failure", found: found, fails: fails{"buggy.exe x": {crash, ok}, "buggy ab": {crash}, "buggy a": {crash, ok}},
			tests: 1, unstable: 2, oracles: []trial.OracleClass{trial.OracleCrash}},
		{name: "one hang is enough", fails: fails{"buggy a": {hang}, "buggy ab": {hang}},
			tests: 1, oracles: []trial.OracleClass{trial.OracleHang}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeFuzz{fails: tt.fails, found: tt.found}
			e, inputs := newCorpus(t, f, "a", "ab")
			var rec trial.Record
			assert.NilError(t, e.Evaluate(t.Context(), inputs, &rec))
			got := rec.Bugs[0]
			if got.Detected != (tt.tests > 0) || got.Tests != tt.tests || got.Flaky != tt.unstable || !slices.Equal(got.Oracles, tt.oracles) {
				t.Errorf("got %+v", got)
			}
			assert.Assert(t, len(got.First) == tt.tests, "%d references for %d tests", len(got.First), tt.tests)
			for _, ref := range got.First {
				if _, err := os.Stat(filepath.Join(e.CellDir, ref.File)); err != nil {
					t.Errorf("the input of %s was not kept: %v", ref.ID, err)
				}
				assert.Check(t, ref.Outcome != trial.OK && ref.Oracle != "", "reference %+v", ref)
			}
			if _, err := os.Stat(f.sessions[0].Dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the session was left behind: %v", err)
			}
		})
	}
}

func TestCorpusBudgetOfBugs(t *testing.T) {
	f := &fakeFuzz{}
	e, inputs := newCorpus(t, f, "a", "b")
	inputs[1].Crash = true // on the reference
	e.Bugs = append(e.Bugs, FuzzBug{ID: "unbuildable", Builds: func(context.Context) (a, b FuzzBuilds, err error) {
		return a, b, errors.New("it does not compile")
	}})
	e.Budget = trial.Budget{Wall: 10 * time.Second, Execs: 101}
	var rec trial.Record
	assert.NilError(t, e.Evaluate(t.Context(), inputs, &rec))
	want := trial.BugResult{Bug: "unbuildable", Missing: &trial.Reason{Kind: trial.ReasonBuild, Message: "it does not compile"}}
	assert.Check(t, reflect.DeepEqual(rec.Bugs[1], want), "got %+v, want %+v", rec.Bugs[1], want)
	assert.Assert(t, len(f.sessions) == 1, "%d sessions, want 1", len(f.sessions))
	s := f.sessions[0]
	if s.Wall != 5*time.Second || s.Execs != 50 || len(s.Seeds) != 1 {
		t.Errorf("session of %v and %d executions from %d seeds; want half the budget, from the corpus less what crashes", s.Wall, s.Execs, len(s.Seeds))
	}
}

// Two targets take turns, on one clock that goes on where the generation ended.
func TestCorpusTurns(t *testing.T) {
	f := &fakeFuzz{found: map[string]string{"buggy.exe": "x", "second.exe": "y"},
		fails: map[string][]trial.Outcome{"buggy.exe x": {trial.Crash}, "fixed.exe x": {trial.Crash}, "second.exe y": {trial.Crash}}}
	e, inputs := newCorpus(t, f, "a")
	e.Targets = append(e.Targets, trial.FuzzTarget{Name: "u"}, trial.FuzzTarget{Name: "v"})
	e.Bugs[0].Builds = func(context.Context) (fixed, buggy FuzzBuilds, err error) {
		fixed, buggy = fuzzBuilds("fixed"), fuzzBuilds("buggy")
		fixed.Targets["u"] = &libbuild.FuzzBuild{Target: "u", Executable: "good.exe"}
		buggy.Targets["u"] = &libbuild.FuzzBuild{Target: "u", Executable: "second.exe"}
		return fixed, buggy, nil
	}
	e.Budget, e.Generated = trial.Budget{Wall: 30 * time.Second, Execs: 300}, time.Minute
	var rec trial.Record
	assert.NilError(t, e.Evaluate(t.Context(), inputs, &rec))
	got := rec.Bugs[0]
	assert.Check(t, got.Detected && got.First[0].ID == "u/crash-0" && got.First[0].Elapsed == time.Minute+2*time.Second,
		"got %+v, want one detection a minute and two seconds after the beginning", got)
	if want := (trial.Fuzzed{Execs: 20, Wall: 2 * time.Second}); *got.Fuzzed != want {
		t.Errorf("spent %+v, want %+v", *got.Fuzzed, want)
	}
	var turns []string
	for _, s := range f.sessions {
		turns = append(turns, fmt.Sprint(s.Wall, "/", s.Execs))
	}
	if want := []string{"10s/100", "19s/190"}; !slices.Equal(turns, want) {
		t.Errorf("turns %v, want %v: the second has what the first left, the third none", turns, want)
	}
}

func TestCorpusResumes(t *testing.T) {
	f := &fakeFuzz{found: map[string]string{"buggy.exe": "x"}, fails: map[string][]trial.Outcome{"buggy.exe x": {trial.Crash}}}
	e, inputs := newCorpus(t, f, "a", "b")
	var first, second trial.Record
	assert.NilError(t, e.Evaluate(t.Context(), inputs, &first))
	sessions := len(f.sessions)
	assert.NilError(t, e.Evaluate(t.Context(), inputs, &second))
	assert.Check(t, len(f.sessions) == sessions, "%d more sessions", len(f.sessions)-sessions)
	assert.Check(t, reflect.DeepEqual(first, second), "first %+v\nthen %+v", first, second)
}
