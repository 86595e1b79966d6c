package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var cellA = trial.Cell{Tool: "randoop", Variant: "default", Library: "zlib", Edition: "debian", Trial: 1, Seed: 7}

// trialOf is cellA in another trial.
func trialOf(n int) trial.Cell {
	c := cellA
	c.Trial = n
	return c
}

func open(t *testing.T, dir string) *Run {
	t.Helper()
	r, err := Open(dir, "pid 1 on here")
	assert.NilError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func openCell(t *testing.T, r *Run, key string) *Cell {
	t.Helper()
	c, err := r.OpenCell(cellA, Generation{Key: key})
	assert.NilError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestStartRefusesAnotherExperiment(t *testing.T) {
	r := open(t, t.TempDir())
	for range 2 {
		assert.NilError(t, r.Start([]byte("name: a\ntrials: 2\n"), nil))
	}
	err := r.Start([]byte("name: a\ntrials: 3\n"), nil)
	var other *Refusal
	assert.Assert(t, errors.As(err, &other), "error = %v", err)
}

// TestGarbledManifestIsReplaced by who has the run alone; who joined must not.
func TestGarbledManifestIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "manifest.json")
	r := open(t, dir)
	assert.NilError(t, errors.Join(r.WriteManifest(Manifest{Name: "n"}), os.Truncate(path, 20), r.Close()))
	other := joined(t, dir, "x")
	err := other.WriteManifest(Manifest{Name: "n"})
	assert.Check(t, err != nil, "one of many replaced the manifest")
	assert.NilError(t, errors.Join(other.Close(), open(t, dir).WriteManifest(Manifest{Name: "n"})))
	if m, err := readManifest(dir); err != nil || m.Name != "n" {
		t.Errorf("manifest %+v, %v", m, err)
	}
}

func TestSuiteResumes(t *testing.T) {
	r := open(t, t.TempDir())
	now := time.Unix(1000, 0)
	clock := func() time.Time { return now }
	p := func(src string) trial.Program { return trial.Program{Lang: trial.C, Source: src} }

	c := openCell(t, r, "key")
	w, err := c.NewSuite(trial.NewLedger(trial.Budget{Programs: 3}, trial.Usage{}, clock), func() {})
	assert.NilError(t, err)
	now = now.Add(5 * time.Second)
	for _, src := range []string{"one", "two"} {
		assert.NilError(t, w.Add(p(src)))
	}
	c.Close()

	now = now.Add(time.Hour)
	c = openCell(t, r, "key")
	fresh := 0
	ledger := trial.NewLedger(trial.Budget{Programs: 3}, trial.Usage{}, clock)
	w, err = c.NewSuite(ledger, func() { fresh++ })
	assert.NilError(t, err)
	path := filepath.Join(c.SuiteDir(), "p00001.c")
	before, err := os.Stat(path)
	assert.NilError(t, err)
	assert.NilError(t, w.Add(p("one")))
	after, err := os.Stat(path)
	assert.Check(t, err == nil && before.ModTime().Equal(after.ModTime()), "a kept program was written again (%v)", err)
	var diverged *DivergedError
	if err := w.Add(p("other")); !errors.As(err, &diverged) || diverged.ID != "p00002" {
		t.Errorf("another second program: %v", err)
	}
	if err := os.Truncate(filepath.Join(c.SuiteDir(), "p00002.c"), 0); err != nil { // a power failure
		t.Fatal(err)
	}
	for _, src := range []string{"two", "three"} {
		assert.NilError(t, w.Add(p(src)))
	}
	if err := w.Add(p("four")); !errors.Is(err, trial.ErrBudget) {
		t.Errorf("a program over the budget: %v", err)
	}
	if fresh != 2 { // three and four
		t.Errorf("fresh was called %d times", fresh)
	}
	suite, err := w.Finish(ledger.Stop(), nil, "")
	assert.NilError(t, err)
	if len(suite.Programs) != 3 || suite.Programs[1].Elapsed != 5*time.Second || suite.Stop != trial.StopPrograms || suite.Usage.Programs != 3 {
		t.Errorf("suite = %+v", suite)
	}
	if text, err := os.ReadFile(filepath.Join(c.SuiteDir(), "p00002.c")); err != nil || string(text) != "two" {
		t.Errorf("the damaged program is now %q, %v", text, err)
	}
	c.Close()
	got, done, err := openCell(t, r, "key").Generated()
	assert.Check(t, err == nil && done && reflect.DeepEqual(got, suite), "Generated = %+v, %v, %v", got, done, err)
}

func TestSuiteKeepsWhatAReplayDoesNotReach(t *testing.T) {
	r := open(t, t.TempDir())
	clock := func() time.Time { return time.Unix(1000, 0) }
	suite := func(c *Cell) *SuiteWriter {
		t.Helper()
		w, err := c.NewSuite(trial.NewLedger(trial.Budget{Programs: 9}, trial.Usage{}, clock), func() {})
		assert.NilError(t, err)
		return w
	}
	c := openCell(t, r, "key")
	for w, i := suite(c), 0; i < 3; i++ {
		assert.NilError(t, w.Add(trial.Program{Lang: trial.C, Source: "same"}))
	}
	c.Close()
	c = openCell(t, r, "key")
	assert.Check(t, is.Equal(len(suite(c).Entries()), 3))
	assert.NilError(t, os.Truncate(filepath.Join(c.SuiteDir(), "p00003.c"), 1))
	assert.Check(t, is.Equal(len(suite(c).Entries()), 2))
}

// TestSuiteTakesWhatWasBegunInTime: the end of a budget in seconds loses no program that is handed in after it.
func TestSuiteTakesWhatWasBegunInTime(t *testing.T) {
	now := time.Unix(1000, 0)
	budget := trial.Budget{Wall: time.Minute, Programs: 2}
	w, err := openCell(t, open(t, t.TempDir()), "key").NewSuite(trial.NewLedger(budget, trial.Usage{}, func() time.Time { return now }), func() {})
	assert.NilError(t, err)
	now = now.Add(2 * time.Minute)
	for _, want := range []error{nil, nil, trial.ErrBudget} { // which is full then
		err := w.Add(trial.Program{Lang: trial.C, Source: "late"})
		assert.Check(t, errors.Is(err, want), "error %v, want %v", err, want)
	}
	kept := w.Entries()
	assert.Check(t, len(kept) == 2 && kept[1].Elapsed == time.Minute, "%+v", kept)
}

func TestCorpusIsNamedByContent(t *testing.T) {
	r := open(t, t.TempDir())
	c := openCell(t, r, "key")
	in := filepath.Join(t.TempDir(), "in")
	assert.NilError(t, os.WriteFile(in, []byte("x"), 0o644))
	ledger := trial.NewLedger(trial.Budget{Programs: 1}, trial.Usage{}, func() time.Time { return time.Time{} })
	k, err := c.NewSuite(ledger, func() {})
	assert.NilError(t, err)
	for _, add := range []struct {
		target string
		crash  bool
	}{{"t", false}, {"t", false}, {"t", true}, {"u", false}} {
		assert.NilError(t, k.AddInput(add.target, in, time.Second, add.crash))
	}
	if err := k.AddInput("../t", in, 0, false); err == nil {
		t.Error("a target named ../t was accepted")
	}
	if err := k.AddInput("t", in+"-missing", 0, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing input: %v", err)
	}
	s, err := k.Finish(trial.StopExhausted, nil, "")
	assert.Assert(t, err == nil && s.Kind == trial.KindCorpus && len(s.Inputs) == 3, "suite %+v, %v", s, err)
	for _, i := range s.Inputs {
		data, err := os.ReadFile(filepath.Join(c.SuiteDir(), i.File))
		assert.Check(t, err == nil && string(data) == "x", "%s: %q, %v", i.File, data, err)
	}
}

func TestAnotherKeySetsTheCellAside(t *testing.T) {
	r := open(t, t.TempDir())
	for _, key := range []string{"old-old-old", "new-new-new", "old-old-old", "new-new-new"} {
		c := openCell(t, r, key)
		assert.Check(t, len(c.Events) == 0, "key %s: %d events of another one", key, len(c.Events))
		assert.NilError(t, c.Journal.Append("x", "", 0, nil))
		c.Close()
	}
	aside, err := filepath.Glob(filepath.Join(r.Dir, "stale", "*", "events.jsonl"))
	assert.Check(t, err == nil && len(aside) == 3, "kept aside: %v, %v", aside, err)
}

func TestLoad(t *testing.T) {
	r := open(t, t.TempDir())
	if _, err := Load(r.Dir); err == nil || !strings.Contains(err.Error(), "not a run directory") {
		t.Errorf("Load of an empty directory: %v", err)
	}
	m := Manifest{Cells: []PlannedCell{{trialOf(1), "k1"}, {trialOf(2), "k2"}, {trialOf(3), "k3"}, {trialOf(4), "k4"}}}
	assert.NilError(t, errors.Join(r.Start([]byte("name: x\n"), nil), r.WriteManifest(m)))
	for n, key := range map[int]string{1: "k1", 2: "before"} {
		c, err := r.OpenCell(trialOf(n), Generation{Key: "g"})
		assert.NilError(t, err)
		assert.NilError(t, c.WriteRecord(&trial.Record{Schema: trial.RecordSchema, Key: key, Cell: trialOf(n)}))
		c.Close()
	}
	assert.NilError(t, r.WriteIncomplete(trial.Incomplete{Cell: trialOf(3), Kind: "source", Message: "no such package"}))
	d, err := Load(r.Dir)
	assert.NilError(t, err)
	want := []string{"", "stale", "source", "not_run"}
	for i, c := range d.Cells {
		kind := ""
		if c.Incomplete != nil {
			kind = c.Incomplete.Kind
		}
		assert.Check(t, kind == want[i] && (c.Record != nil) == (kind == ""),
			"cell %d: record %v, incomplete %+v, want %q", i+1, c.Record, c.Incomplete, want[i])
	}
	// A record that gzip packed is read all the same.
	record := filepath.Join(cellDir(r.Dir, trialOf(1)), "record.json")
	if out, err := exec.Command("gzip", record).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if rec, err := readRecord(filepath.Dir(record), "k1"); err != nil || rec.Cell != trialOf(1) {
		t.Errorf("packed record: %v", err)
	}
	// A cell that is tried again has no reason any more.
	c, err := r.OpenCell(trialOf(3), Generation{Key: "g"})
	assert.NilError(t, err)
	defer c.Close()
	if _, err := os.Stat(filepath.Join(c.Dir, "incomplete.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("incomplete.json of a retried cell: %v", err)
	}
}

func TestUntimedTouchesNothingElse(t *testing.T) {
	rec := &trial.Record{
		Usage:    trial.Usage{Wall: 1, CPU: 2, Programs: 3},
		Growth:   []trial.GrowthPoint{{Programs: 1, Elapsed: 4, LinesCovered: 5}},
		Alarms:   []trial.TestReference{{ID: "p00001", Elapsed: 6}},
		Bugs:     []trial.BugResult{{Bug: "b", First: []trial.TestReference{{ID: "p00002", Elapsed: 7}}, Nearest: []trial.TestReference{{ID: "p00003", Elapsed: 7}}}},
		Mutation: &trial.Mutation{CPU: 8, Tests: 9},
	}
	want := &trial.Record{
		Usage:    trial.Usage{Programs: 3},
		Growth:   []trial.GrowthPoint{{Programs: 1, LinesCovered: 5}},
		Alarms:   []trial.TestReference{{ID: "p00001"}},
		Bugs:     []trial.BugResult{{Bug: "b", First: []trial.TestReference{{ID: "p00002"}}, Nearest: []trial.TestReference{{ID: "p00003"}}}},
		Mutation: &trial.Mutation{Tests: 9},
	}
	assert.Check(t, is.DeepEqual(Untimed(rec), want))
	assert.Check(t, rec.Growth[0].Elapsed == 4 && rec.Bugs[0].First[0].Elapsed == 7 && rec.Mutation.CPU == 8,
		"the original was changed")
}

func TestRecordOfAnotherSchema(t *testing.T) {
	dir := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "record.json"), []byte(`{"schema": 9, "key": "k"}`), 0o644))
	if _, err := readRecord(dir, "k"); !errors.Is(err, errStale) || !strings.Contains(err.Error(), "schema 9, this bench reads 3") {
		t.Errorf("got %v", err)
	}
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func joined(t *testing.T, dir, holder string) *Run {
	t.Helper()
	r, err := Join(dir, holder)
	assert.NilError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

func claim(t *testing.T, r *Run, c trial.Cell) *Claim {
	t.Helper()
	claim, err := r.Claim(c, noon)
	assert.NilError(t, err)
	return claim
}

// refused fails unless err says that the cell ("" for the run) is held by holder.
func refused(t *testing.T, err error, cell, holder string) {
	t.Helper()
	var locked *LockedError
	assert.Assert(t, errors.As(err, &locked) && locked.Cell == cell && locked.Holder == holder,
		"error %v, not a LockedError of cell %q held by %q", err, cell, holder)
}

func TestJoinedRunsShareARunAndNoCell(t *testing.T) {
	dir := t.TempDir()
	a, b := joined(t, dir, "pid 1 on here"), joined(t, dir, "pid 2 on here")
	held := claim(t, a, cellA)
	_, err := b.Claim(cellA, noon)
	refused(t, err, cellA.ID(), "pid 1 on here")
	_, err = Open(dir, "pid 3 on here")
	refused(t, err, "", "pid 1 on here")

	otherHeld := claim(t, b, trialOf(2))
	assert.NilError(t, errors.Join(held.Release(noon), otherHeld.Release(noon)))
	assert.NilError(t, claim(t, b, cellA).Release(noon))
	assert.NilError(t, errors.Join(a.Close(), b.Close()))
	open(t, dir)
	_, err = Join(dir, "pid 4 on here")
	refused(t, err, "", "pid 1 on here")
}

func TestClaimSweepsItsCellOnly(t *testing.T) {
	dir := t.TempDir()
	r := joined(t, dir, "x")
	mine, others := filepath.Join(cellDir(dir, cellA), ".tmp-1"), filepath.Join(cellDir(dir, trialOf(2)), ".tmp-1")
	for _, f := range []string{mine, others} {
		assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(f), 0o755), os.WriteFile(f, nil, 0o644)))
	}
	claim(t, r, cellA)
	_, err := os.Stat(mine)
	assert.Check(t, errors.Is(err, fs.ErrNotExist), "%s is left: %v", mine, err)
	if _, err := os.Stat(others); err != nil {
		t.Error(err)
	}
}

func TestJoinedRunKeepsTheManifest(t *testing.T) {
	dir := t.TempDir()
	a, b := joined(t, dir, "a"), joined(t, dir, "b")
	first := Manifest{Name: "n", Bench: "1", Tools: map[string]string{"clang": "19.1"}, Cells: []PlannedCell{{Cell: cellA, Key: "k"}}, Created: noon}
	for _, err := range []error{a.WriteManifest(first), b.WriteManifest(first), a.Start([]byte("name: n\n"), nil), b.Start([]byte("name: n\n"), nil)} {
		assert.NilError(t, err)
	}
	second := first
	second.Created = noon.Add(time.Hour)
	second.Tools = map[string]string{"clang": "19.2"}
	second.Cells = []PlannedCell{{Cell: cellA, Key: "other"}}
	err := b.WriteManifest(second)
	var refused *Refusal
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), cellA.ID()) || !strings.Contains(err.Error(), `clang is "19.1" there, "19.2" here`) {
		t.Fatalf("error %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*"))
	assert.Check(t, left == nil, "left behind: %v", left)
	assert.NilError(t, errors.Join(a.Close(), b.Close()))
	assert.NilError(t, open(t, dir).WriteManifest(second)) // who has the run alone
	m, err := readManifest(dir)
	assert.Check(t, err == nil && m.Created.Equal(noon) && m.Tools["clang"] == "19.2", "manifest %+v, %v", m, err)
}

func TestStatus(t *testing.T) {
	dir := t.TempDir()
	r := joined(t, dir, "pid 1 on here")
	m := Manifest{Name: "n"}
	for n := 1; n <= 6; n++ {
		m.Cells = append(m.Cells, PlannedCell{Cell: trialOf(n), Key: fmt.Sprint(n)})
	}
	assert.NilError(t, r.WriteManifest(m))
	finish := func(n int, key string) {
		held := claim(t, r, trialOf(n))
		c, err := r.OpenCell(trialOf(n), Generation{Key: "g"})
		assert.NilError(t, err)
		rec := &trial.Record{Schema: trial.RecordSchema, Key: key, Cell: trialOf(n), Usage: trial.Usage{Programs: 5, Wall: time.Minute}}
		assert.NilError(t, errors.Join(c.WriteRecord(rec), c.Close(), held.Release(noon.Add(10*time.Minute))))
	}
	finish(1, "1")
	finish(2, "of an older bench")
	if err := claim(t, r, trialOf(3)).Beat("evaluating", trial.Usage{Programs: 2}); err != nil { // held to the end
		t.Fatal(err)
	}
	assert.NilError(t, r.WriteIncomplete(trial.Incomplete{Cell: trialOf(4), Kind: "build", Message: "no compiler"}))
	if err := claim(t, r, trialOf(5)).file.Close(); err != nil { // killed
		t.Fatal(err)
	}
	s, err := ReadStatus(dir, nil)
	assert.NilError(t, err)
	var got []string
	for _, c := range s.Cells {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s%s", c.State, c.Holder, c.Stage, c.Kind)))
	}
	want := []string{"done pid 1 on here", "waiting pid 1 on here", "running pid 1 on here evaluating",
		"incomplete  build", "incomplete pid 1 on here interrupted", "waiting"}
	assert.Check(t, slices.Equal(got, want), "cells %q, want %q", got, want)
	if s.Done != 1 || s.Running != 1 || s.Incomplete != 2 || s.Waiting != 2 || s.Planned != 6 || s.Usage.Programs != 7 {
		t.Errorf("status %+v", s)
	}
	assert.Check(t, is.Equal(s.Cells[0].Took, 10*time.Minute))
}
