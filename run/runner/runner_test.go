package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

func newLab() *fakeLab {
	return &fakeLab{exec: &hashExecutor{}, keys: Keys{Generate: "g", Evaluate: "e"}}
}

// mustComplete runs a session that has to complete all its cells.
func mustComplete(t *testing.T, s Summary, err error) {
	t.Helper()
	assert.Assert(t, err == nil && len(s.Incomplete) == 0 && s.Complete == s.Planned && s.Planned != 0,
		"summary %+v, error %v", s, err)
}

func TestJobsDoNotChangeResults(t *testing.T) {
	p := plan(trial.Budget{Programs: 30}, 3, []string{"a", "b"}, []string{"zlib", "cJSON"})
	one, four := t.TempDir(), t.TempDir()
	for dir, jobs := range map[string]int{one: 1, four: 4} {
		s, err := session(t.Context(), dir, p, newLab(), jobs, feedbackTool{name: "a"}, feedbackTool{name: "b"})
		mustComplete(t, s, err)
	}
	assert.Check(t, maps.Equal(content(t, one), content(t, four)), "one job and four make different runs")
	data, err := results.Load(one)
	assert.NilError(t, err)
	rec := data.Cells[0].Record
	if rec.Programs.Generated != 30 || rec.Stop != trial.StopPrograms || rec.Usage.Programs != 30 || rec.Usage.CPU == 0 {
		t.Errorf("record %+v", rec)
	}
}

func TestChangedKeysRecomputeWhatTheyTouch(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"zlib"})
	for _, tt := range []struct {
		name      string
		change    func(*fakeLab)
		generates bool
		evaluates bool
	}{
		{"nothing", func(*fakeLab) {}, false, false},
		{"buggy trees, or how suites are measured", func(l *fakeLab) { l.keys.Evaluate = "e2" }, false, true},
		{"reference", func(l *fakeLab) { l.keys.Generate = "g2" }, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, exec := t.TempDir(), &hashExecutor{}
			lab := &fakeLab{exec: exec, keys: Keys{Generate: "g", Evaluate: "e"}}
			s, err := session(t.Context(), dir, p, lab, 1, feedbackTool{name: "a"})
			mustComplete(t, s, err)
			before, steps := exec.runs.Load(), lab.steps.Load()
			tt.change(lab)
			s, err = session(t.Context(), dir, p, lab, 1, feedbackTool{name: "a"})
			mustComplete(t, s, err)
			assert.Check(t, is.Equal(exec.runs.Load() > before, tt.generates), "generated again")
			assert.Check(t, is.Equal(lab.steps.Load() > steps, tt.evaluates), "evaluated again")
		})
	}
}

func TestOneCellsTroubleLeavesTheOthersAlone(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 2, []string{"good", "fails", "panics", "without", "unknown"}, []string{"zlib", "lcms"})
	lab := newLab()
	lab.broken = map[string]error{"lcms": &trial.IncompleteError{Kind: "source", Message: "no such package"}}
	fails := func(context.Context, trial.Job) (trial.StopReason, error) { return "", errors.New("clang went away") }
	panics := func(context.Context, trial.Job) (trial.StopReason, error) { panic("index out of range") }
	without := func(context.Context, trial.Job) (trial.StopReason, error) {
		return "", fmt.Errorf("zlib: %w", &trial.IncompleteError{Kind: "missing_harness", Message: "none in the tree"})
	}
	dir := t.TempDir()
	s, err := session(t.Context(), dir, p, lab, 3,
		feedbackTool{name: "good"}, feedbackTool{"fails", fails}, feedbackTool{"panics", panics}, feedbackTool{"without", without})
	assert.NilError(t, err)
	assert.Check(t, s.Complete == 2 && len(s.Incomplete) == 18,
		"%d complete, %d incomplete", s.Complete, len(s.Incomplete))
	want := map[string]string{"fails": "tool", "panics": "tool", "without": "missing_harness", "unknown": "missing_tool"}
	for _, inc := range s.Incomplete {
		kind := want[inc.Cell.Tool]
		if inc.Cell.Library == "lcms" && kind != "missing_tool" {
			kind = "source"
		}
		assert.Check(t, inc.Kind == kind && inc.Message != "",
			"%s: %s: %s, want kind %s", inc.Cell.ID(), inc.Kind, inc.Message, kind)
	}
	log, err := os.ReadFile(filepath.Join(dir, "cells", "panics.default.zlib.debian.1", "log.jsonl"))
	assert.Check(t, err == nil && strings.Contains(string(log), "runner_test.go"),
		"no stack of the panic in the log: %v", err)
	data, err := results.Load(dir)
	assert.NilError(t, err)
	for _, c := range data.Cells {
		if (c.Record == nil) != (c.Cell.Tool != "good" || c.Cell.Library == "lcms") || c.Incomplete != nil && c.Incomplete.Kind == "not_run" {
			t.Errorf("%s is stored as %+v", c.Cell.ID(), c.Incomplete)
		}
	}
}

func TestInterruptKeepsWhatThereIs(t *testing.T) {
	p := plan(trial.Budget{Programs: 40}, 3, []string{"a"}, []string{"zlib"})
	plain := t.TempDir()
	s, err := session(t.Context(), plain, p, newLab(), 1, feedbackTool{name: "a"})
	mustComplete(t, s, err)

	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	lab := newLab()
	lab.evaluate = func(e Evaluation) error {
		if e.Cell.Trial == 2 {
			cancel()
		}
		return nil
	}
	s, err = session(ctx, dir, p, lab, 1, feedbackTool{name: "a"})
	if !errors.Is(err, ErrInterrupted) || s.Complete != 1 || len(s.Incomplete) != 2 ||
		s.Incomplete[0].Kind != KindInterrupted || s.Incomplete[1].Kind != KindNotRun {
		t.Fatalf("%+v, %v", s, err)
	}
	lab.evaluate = nil
	s, err = session(t.Context(), dir, p, lab, 1, feedbackTool{name: "a"})
	mustComplete(t, s, err)
	assert.Check(t, maps.Equal(content(t, dir), content(t, plain)), "the resumed run differs")
}

func TestFullDiskStopsTheRun(t *testing.T) {
	p := plan(trial.Budget{Programs: 40}, 6, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	lab := newLab()
	var n atomic.Int64
	lab.evaluate = func(Evaluation) error {
		if n.Add(1) == 3 {
			return fmt.Errorf("profile: %w", &os.PathError{Op: "write", Path: "x.profraw", Err: unix.ENOSPC})
		}
		return nil
	}
	s, err := session(t.Context(), dir, p, lab, 1, feedbackTool{name: "a"})
	assert.Assert(t, results.IsDisk(err), "error = %v", err)
	assert.Check(t, s.Complete == 2 && s.Incomplete[0].Kind == KindDisk && s.Incomplete[1].Kind == KindNotRun, "%+v", s)
	s, err = session(t.Context(), dir, p, lab, 1, feedbackTool{name: "a"})
	mustComplete(t, s, err)
}

func TestDamagedJournalIsOneCellsTrouble(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 2, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	s, err := session(t.Context(), dir, p, newLab(), 1, feedbackTool{name: "a"})
	mustComplete(t, s, err)
	cell := filepath.Join(dir, "cells", "a.default.zlib.debian.1")
	path := filepath.Join(cell, "events.jsonl")
	text, err := os.ReadFile(path)
	assert.NilError(t, err)
	assert.NilError(t, errors.Join(os.WriteFile(path, []byte(strings.Replace(string(text), "executed", "exploded", 1)), 0o644),
		os.Remove(filepath.Join(cell, "record.json"))))
	s, err = session(t.Context(), dir, p, newLab(), 1, feedbackTool{name: "a"})
	assert.Assert(t, err == nil && s.Complete == 1 && len(s.Incomplete) == 1, "%+v, %v", s, err)
	if inc := s.Incomplete[0]; inc.Kind != KindJournal || !strings.Contains(inc.Message, "events.jsonl:2: damaged journal") {
		t.Errorf("%+v", inc)
	}
}

func TestWallBudgetEndsATool(t *testing.T) {
	dir := t.TempDir() // its cleanup uses the real clock
	synctest.Test(t, func(t *testing.T) {
		p := plan(trial.Budget{Wall: 20 * time.Second}, 1, []string{"deaf", "slow"}, []string{"zlib"})
		deaf := func(ctx context.Context, job trial.Job) (trial.StopReason, error) {
			<-ctx.Done() // never asks its ledger
			return "", ctx.Err()
		}
		lab := newLab()
		lab.exec = &hashExecutor{pause: time.Second}
		s, err := session(t.Context(), dir, p, lab, 2, feedbackTool{"deaf", deaf}, feedbackTool{name: "slow"})
		mustComplete(t, s, err)
		data, err := results.Load(dir)
		assert.NilError(t, err)
		for _, c := range data.Cells {
			assert.Check(t, c.Record.Stop == trial.StopWall && c.Record.Usage.Wall == 20*time.Second,
				"%s: %s after %s", c.Cell.ID(), c.Record.Stop, c.Record.Usage.Wall)
		}
	})
}

// TestTimeSpentSurvives interrupts a tool that journals nothing by itself and one that is
// replayed: neither gets its time twice, and the replay costs none.
func TestTimeSpentSurvives(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		p := plan(trial.Budget{Wall: 20 * time.Second}, 1, []string{"silent", "talker"}, []string{"zlib"})
		silent := func(ctx context.Context, job trial.Job) (trial.StopReason, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}
		lab := newLab()
		lab.exec = &hashExecutor{pause: time.Second}
		tools := []Tool{feedbackTool{"silent", silent}, feedbackTool{name: "talker"}}
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		if _, err := session(ctx, dir, p, lab, 2, tools...); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		began := time.Now()
		s, err := session(t.Context(), dir, p, lab, 2, tools...)
		mustComplete(t, s, err)
		// Both had journalled 10 s: a tick, and the second batch of five programs.
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("the second session took %s", took)
		}
	})
}

func TestReplayRepeatsFlakyAnswers(t *testing.T) {
	dir := t.TempDir()
	p := plan(trial.Budget{Programs: 9}, 1, []string{"a"}, []string{"zlib"})
	n := 0
	flaky := executorFunc(func(programs []trial.Program) []trial.Result {
		n++
		return []trial.Result{{ID: programs[0].ID, Outcome: trial.OK, ExitCode: n}}
	})
	var seen []string
	tool := func(ctx context.Context, job trial.Job) (trial.StopReason, error) {
		line := ""
		for i := range 4 {
			got, err := job.Exec.Run(ctx, []trial.Program{{ID: fmt.Sprint("id", i), Lang: trial.C, Source: "same"}}, trial.ExecOptions{})
			if err != nil {
				return "", err
			}
			line += fmt.Sprintf("%s=%d ", got[0].ID, got[0].ExitCode)
			if i == 2 && len(seen) == 0 {
				seen = append(seen, line)
				return "", errors.New("cut short")
			}
		}
		seen = append(seen, line)
		return trial.StopExhausted, nil
	}
	lab := newLab()
	lab.exec = flaky
	for range 2 {
		if _, err := session(t.Context(), dir, p, lab, 1, feedbackTool{"a", tool}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"id0=1 id1=2 id2=3 ", "id0=1 id1=2 id2=3 id3=4 "}; fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("seen %q", seen)
	}
}

type executorFunc func([]trial.Program) []trial.Result

func (f executorFunc) Run(_ context.Context, p []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	return f(p), nil
}

// TestCellsHaveTheirOwnBugs: in one run, one tool's suites are checked for no bugs and another's on the
// same library for some, as when an experiment on coverage and one on bugs are run together.
func TestCellsHaveTheirOwnBugs(t *testing.T) {
	dir := t.TempDir()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a", "b", "c"}, []string{"zlib"})
	want := map[string][]string{"a": nil, "b": {"zlib-1", "zlib-2"}, "c": {"zlib-2"}}
	for i := range p.Cells {
		p.Cells[i].Bugs = want[p.Cells[i].Tool]
	}
	lab := newLab()
	s, err := session(t.Context(), dir, p, lab, 2, feedbackTool{name: "a"}, feedbackTool{name: "b"}, feedbackTool{name: "c"})
	mustComplete(t, s, err)
	data, err := results.Load(dir)
	assert.NilError(t, err)
	for _, c := range data.Cells {
		var bugs []string
		for _, b := range c.Record.Bugs {
			bugs = append(bugs, b.Bug)
		}
		assert.Check(t, slices.Equal(bugs, want[c.Cell.Tool]),
			"%s was checked for %q, want %q", c.Cell.Tool, bugs, want[c.Cell.Tool])
	}
	if bugs := lab.library.Bugs; !slices.Equal(bugs, []string{"zlib-1", "zlib-2"}) {
		t.Errorf("the library was prepared for %q", bugs)
	}
}

// TestMissingPartsAreTriedAgain checks that a record without a part is a complete cell, that the next session measures
// it again without generating or repeating anything, and that what goes wrong then takes nothing from the record.
func TestMissingPartsAreTriedAgain(t *testing.T) {
	dir := t.TempDir()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"zlib"})
	exec := &hashExecutor{}
	lab := &fakeLab{exec: exec, keys: Keys{Generate: "g", Evaluate: "e"}}
	why := trial.Reason{Kind: trial.ReasonMissingTool, Message: "clang-19 is not installed"}
	lab.lacks = map[trial.Part]trial.Reason{trial.PartVerifications: why}
	with := func(what string, ctx context.Context, gaps int) error {
		t.Helper()
		s, err := session(ctx, dir, p, lab, 1, feedbackTool{name: "a"})
		assert.Assert(t, s.Complete == 1 && len(s.Incomplete) == 0 && len(s.Gaps) == gaps, "%s: summary %+v", what, s)
		if gaps > 0 && (len(s.Gaps[0].Gaps) != 1 || s.Gaps[0].Gaps[0] != trial.Gap{Part: trial.PartVerifications, Reason: why}) {
			t.Errorf("%s: gaps %+v", what, s.Gaps)
		}
		data, loadErr := results.Load(dir)
		assert.Assert(t, loadErr == nil && data.Cells[0].Record != nil && data.Cells[0].Record.Programs.Generated == 5,
			"%s: stored %+v, %v", what, data.Cells, loadErr)
		if _, statErr := os.Stat(filepath.Join(data.Cells[0].Dir, "incomplete.json")); statErr == nil {
			t.Errorf("%s: the cell is said to be incomplete as well", what)
		}
		return err
	}
	assert.NilError(t, with("first", t.Context(), 1))
	runs := exec.runs.Load()

	lab.evaluate = func(Evaluation) error { return errors.New("clang went away") }
	if err := with("with a library that cannot be prepared", t.Context(), 1); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	lab.evaluate = func(Evaluation) error { cancel(); return ctx.Err() }
	if err := with("interrupted", ctx, 1); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	lab.evaluate, lab.lacks = nil, nil
	for range 2 {
		assert.NilError(t, with("with a solver", t.Context(), 0))
	}
	assert.Check(t, exec.runs.Load() == runs, "%d programs generated again", exec.runs.Load()-runs)
}

// A readingTool reads a file that its parameters name.
type readingTool struct {
	feedbackTool
	file string
}

func (r readingTool) Inputs(string, map[string]any) []trial.Input {
	return []trial.Input{{Param: "file", Path: r.file}}
}

func TestInputsAreInTheKey(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"lib"})
	tool := readingTool{feedbackTool{name: "a"}, filepath.Join(t.TempDir(), "seed.c")}
	dir, exec := t.TempDir(), &hashExecutor{}
	generated := func() bool {
		t.Helper()
		before := exec.runs.Load()
		s, err := session(t.Context(), dir, p, &fakeLab{exec: exec}, 1, tool)
		assert.Assert(t, err == nil && s.Complete == 1, "%+v, %v", s, err)
		return exec.runs.Load() > before
	}
	write := func(text string) func() {
		return func() {
			assert.NilError(t, os.WriteFile(tool.file, []byte(text), 0o644))
		}
	}
	for _, step := range []struct {
		name   string
		change func()
		again  bool
	}{
		{"first, without the file", func() {}, true},
		{"nothing changed", func() {}, false},
		{"the file appears", write(""), true},
		{"its content changes", write("int x;"), true},
		{"it is written again", write("int x;"), false},
	} {
		step.change()
		assert.Check(t, generated() == step.again, "%s: generated again: %v", step.name, !step.again)
	}
	tool.file = t.TempDir() // no file
	if _, err := session(t.Context(), dir, p, &fakeLab{exec: exec}, 1, tool); err == nil {
		t.Error("an input that cannot be read is no error")
	}
}

// A needyTool says what it needs, and sees what it gets.
type needyTool struct {
	feedbackTool
	needs trial.Needs
	saw   *trial.Target
}

func (n needyTool) Needs(map[string]any) trial.Needs { return n.needs }

func (n needyTool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	*n.saw = job.Target
	return n.feedbackTool.Generate(ctx, job)
}

// TestNeedsAreProvidedBeforeTheBudget checks that a tool gets what it needs, and no other does; that
// what cannot be made ends the cell before anything is spent; and that a finished suite needs nothing.
func TestNeedsAreProvidedBeforeTheBudget(t *testing.T) {
	dir, lab := t.TempDir(), newLab()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"fuzzer", "plain"}, []string{"zlib"})
	var fuzzer, plain trial.Target
	tools := []Tool{
		needyTool{feedbackTool{name: "fuzzer"}, trial.Needs{FuzzTargets: true}, &fuzzer},
		needyTool{feedbackTool{name: "plain"}, trial.Needs{}, &plain},
	}
	lab.unmade = errors.New("the harness does not compile")
	s, err := session(t.Context(), dir, p, lab, 1, tools...)
	assert.Assert(t, err == nil && len(s.Incomplete) == 2 && s.Incomplete[0].Kind == KindBuild && fuzzer.Library == "",
		"without its builds: %+v, %v; the tool saw %+v", s, err, fuzzer)
	lab.unmade, lab.needs = nil, nil
	lab.evaluate = func(Evaluation) error { return errors.New("not yet") }
	s, err = session(t.Context(), dir, p, lab, 1, tools...)
	assert.Assert(t, err == nil && len(s.Incomplete) == 2 && s.Incomplete[0].Kind == KindEvaluate, "%+v, %v", s, err)
	if want := []trial.Needs{{FuzzTargets: true}, {}}; !slices.Equal(lab.needs, want) {
		t.Errorf("provided %+v, want %+v", lab.needs, want)
	}
	assert.Check(t, len(fuzzer.FuzzTargets) == 1 && len(plain.FuzzTargets) == 0 && plain.Library == "zlib",
		"the tools saw %+v and %+v", fuzzer, plain)
	lab.evaluate = nil
	s, err = session(t.Context(), dir, p, lab, 1, tools...)
	mustComplete(t, s, err)
	assert.Check(t, len(lab.needs) == 2, "finished suites were provided %+v", lab.needs[2:])
}

// TestPrepareTellsTheNeedsOfThePlan checks what a cluster's first job builds for all others.
func TestPrepareTellsTheNeedsOfThePlan(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 1, []string{"fuzzer", "plain", "unknown"}, []string{"zlib"})
	var got []trial.Needs
	o := options(opened(t), p, newLab(),
		needyTool{feedbackTool: feedbackTool{name: "fuzzer"}, needs: trial.Needs{FuzzTargets: true}},
		needyTool{feedbackTool: feedbackTool{name: "plain"}, needs: trial.Needs{Sanitizer: true}})
	failed, err := Prepare(t.Context(), o, func(_ context.Context, _ Library, n trial.Needs) error { got = append(got, n); return nil })
	if err != nil || len(failed) > 0 || !slices.Equal(got, []trial.Needs{{Sanitizer: true, FuzzTargets: true}}) {
		t.Errorf("needs %+v, failed %v, error %v", got, failed, err)
	}
}

// joined works on chosen cells of a plan, as one task of a scheduler does.
func joined(t *testing.T, dir string, p experiments.Plan, lab *fakeLab, only func(trial.Cell) bool) (Summary, error) {
	t.Helper()
	store, err := results.Join(dir, "test")
	if err != nil {
		return Summary{}, err
	}
	defer store.Close()
	o := options(store, p, lab, feedbackTool{name: "a"})
	o.Only = only
	if err := store.Start([]byte("name: fake\n"), nil); err != nil {
		return Summary{}, err
	}
	return Run(t.Context(), o)
}

func ofTrial(n int) func(trial.Cell) bool { return func(c trial.Cell) bool { return c.Trial == n } }

func TestTasksAndOneRunMakeTheSame(t *testing.T) {
	p := plan(trial.Budget{Programs: 20}, 4, []string{"a"}, []string{"zlib", "cJSON"})
	whole, parts := t.TempDir(), t.TempDir()
	s, err := session(t.Context(), whole, p, newLab(), 2, feedbackTool{name: "a"})
	mustComplete(t, s, err)
	var tasks sync.WaitGroup
	for n := 1; n <= 4; n++ {
		tasks.Go(func() {
			s, err := joined(t, parts, p, newLab(), ofTrial(n))
			assert.Check(t, err == nil && s.Planned == 2 && s.Complete == 2, "task %d: %+v, %v", n, s, err)
		})
	}
	tasks.Wait()
	assert.Check(t, maps.Equal(content(t, whole), content(t, parts)), "four tasks and one run make different runs")
	s, err = session(t.Context(), parts, p, newLab(), 2, feedbackTool{name: "a"})
	mustComplete(t, s, err)
}

// TestTasksOnOneCellMakeItOnce starts many tasks on the same cell at once, again and again
// until it is complete. Whoever does not get it says so and touches nothing.
func TestTasksOnOneCellMakeItOnce(t *testing.T) {
	p := plan(trial.Budget{Programs: 20}, 2, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	lab := newLab()
	exec := &hashExecutor{pause: time.Millisecond}
	lab.exec = exec
	var tasks sync.WaitGroup
	for range 6 {
		tasks.Go(func() {
			s, err := joined(t, dir, p, lab, ofTrial(1))
			assert.Check(t, err == nil && s.Planned == 1, "%+v, %v", s, err)
			for _, inc := range s.Incomplete {
				assert.Check(t, inc.Kind == KindClaimed, "incomplete: %+v", inc)
			}
		})
	}
	tasks.Wait()
	data, err := results.Load(dir)
	assert.Assert(t, err == nil && data.Cells[0].Record != nil && data.Cells[1].Incomplete.Kind == KindNotRun,
		"%+v, %v", data, err)
	alone, once := t.TempDir(), &hashExecutor{}
	lab.exec = once
	if _, err := joined(t, alone, p, lab, ofTrial(1)); err != nil {
		t.Fatal(err)
	}
	assert.Check(t, exec.runs.Load() == once.runs.Load(),
		"%d programs were run, one task alone runs %d", exec.runs.Load(), once.runs.Load())
}

func TestOtherToolchainIsRefused(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 2, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	if _, err := joined(t, dir, p, newLab(), ofTrial(1)); err != nil {
		t.Fatal(err)
	}
	other := newLab()
	other.keys.Generate = "another clang"
	_, err := joined(t, dir, p, other, ofTrial(2))
	var mismatch *results.Refusal
	assert.Assert(t, errors.As(err, &mismatch), "error %v", err)
}
