package results

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var cellA = trial.Cell{Tool: "randoop", Variant: "default", Library: "zlib", Edition: "debian", Trial: 1, Seed: 7}

func open(t *testing.T, dir string) *Run {
	t.Helper()
	r, err := Open(dir, "pid 1 on here")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func openCell(t *testing.T, r *Run, key string) *Cell {
	t.Helper()
	c, err := r.OpenCell(cellA, Generation{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestOpenRefusesARunInUse(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	_, err := Open(dir, "pid 2 on there")
	var held *LockedError
	if !errors.As(err, &held) || held.Holder != "pid 1 on here" {
		t.Fatalf("second Open: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(dir, "pid 2 on there")
	if err != nil {
		t.Fatalf("after the first is closed: %v", err)
	}
	second.Close()
}

func TestOpenRefusesAnUnwritableDirectory(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 { // whom no mode keeps from writing
		mount(t, dir, unix.MS_RDONLY)
	} else if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Open(filepath.Join(dir, "run"), "x")
	if !IsDisk(err) || !strings.Contains(err.Error(), "make the results directory writable") {
		t.Fatalf("error = %v", err)
	}
}

func TestOpenRefusesAFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, 0)
	_, err := Open(dir, "x")
	if !IsDisk(err) || !strings.Contains(err.Error(), "MiB free") {
		t.Fatalf("error = %v", err)
	}
}

// mount mounts a file system of one megabyte.
func mount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, "size=1m"); err != nil {
		t.Skipf("mounting needs root: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
}

func TestStartRefusesAnotherExperiment(t *testing.T) {
	r := open(t, t.TempDir())
	for range 2 {
		if err := r.Start([]byte("name: a\ntrials: 2\n")); err != nil {
			t.Fatal(err)
		}
	}
	err := r.Start([]byte("name: a\ntrials: 3\n"))
	var other *DifferentError
	if !errors.As(err, &other) {
		t.Fatalf("error = %v", err)
	}
}

func TestManifestKeepsTheTimeOfCreation(t *testing.T) {
	r := open(t, t.TempDir())
	created := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, at := range []time.Time{created, created.Add(time.Hour)} {
		if err := r.WriteManifest(Manifest{Name: "n", Created: at, Jobs: i}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := readManifest(r.Dir)
	if err != nil || !m.Created.Equal(created) || m.Jobs != 1 {
		t.Fatalf("manifest %+v, %v", m, err)
	}
}

// TestGarbledManifestIsReplaced by who has the run alone; who joined must not.
func TestGarbledManifestIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "manifest.json")
	r := open(t, dir)
	if err := errors.Join(r.WriteManifest(Manifest{Name: "n"}), os.Truncate(path, 20), r.Close()); err != nil {
		t.Fatal(err)
	}
	other := joined(t, dir, "x")
	if err := other.WriteManifest(Manifest{Name: "n"}); err == nil {
		t.Error("one of many replaced the manifest")
	}
	if err := errors.Join(other.Close(), open(t, dir).WriteManifest(Manifest{Name: "n"})); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(5 * time.Second)
	for _, src := range []string{"one", "two"} {
		if err := w.Add(p(src)); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()

	now = now.Add(time.Hour)
	c = openCell(t, r, "key")
	fresh := 0
	ledger := trial.NewLedger(trial.Budget{Programs: 3}, trial.Usage{}, clock)
	if w, err = c.NewSuite(ledger, func() { fresh++ }); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.SuiteDir(), "p00001.c")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(p("one")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("a kept program was written again (%v)", err)
	}
	var diverged *DivergedError
	if err := w.Add(p("other")); !errors.As(err, &diverged) || diverged.ID != "p00002" {
		t.Errorf("another second program: %v", err)
	}
	if err := os.Truncate(filepath.Join(c.SuiteDir(), "p00002.c"), 0); err != nil { // a power failure
		t.Fatal(err)
	}
	for _, src := range []string{"two", "three"} {
		if err := w.Add(p(src)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Add(p("four")); !errors.Is(err, trial.ErrBudget) {
		t.Errorf("a program over the budget: %v", err)
	}
	if fresh != 2 { // three and four
		t.Errorf("fresh was called %d times", fresh)
	}
	suite, err := c.FinishSuite(w, c.NewCorpus(), ledger.Stop(), ledger.Usage(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(suite.Programs) != 3 || suite.Programs[1].Elapsed != 5*time.Second || suite.Stop != trial.StopPrograms || suite.Usage.Programs != 3 {
		t.Errorf("suite = %+v", suite)
	}
	if text, err := os.ReadFile(filepath.Join(c.SuiteDir(), "p00002.c")); err != nil || string(text) != "two" {
		t.Errorf("the damaged program is now %q, %v", text, err)
	}
	c.Close()
	got, done, err := openCell(t, r, "key").Generated()
	if err != nil || !done || !reflect.DeepEqual(got, suite) {
		t.Errorf("Generated = %+v, %v, %v", got, done, err)
	}
}

func TestSuiteKeepsWhatAReplayDoesNotReach(t *testing.T) {
	r := open(t, t.TempDir())
	clock := func() time.Time { return time.Unix(1000, 0) }
	suite := func(c *Cell) *SuiteWriter {
		t.Helper()
		w, err := c.NewSuite(trial.NewLedger(trial.Budget{Programs: 9}, trial.Usage{}, clock), func() {})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	c := openCell(t, r, "key")
	for w, i := suite(c), 0; i < 3; i++ {
		if err := w.Add(trial.Program{Lang: trial.C, Source: "same"}); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	c = openCell(t, r, "key")
	if n := len(suite(c).Entries()); n != 3 {
		t.Errorf("%d programs of 3", n)
	}
	if err := os.Truncate(filepath.Join(c.SuiteDir(), "p00003.c"), 1); err != nil {
		t.Fatal(err)
	}
	if n := len(suite(c).Entries()); n != 2 {
		t.Errorf("%d programs, and 2 are on disk", n)
	}
}

// TestSuiteTakesWhatWasBegunInTime: the end of a budget in seconds loses no program that is handed in after it.
func TestSuiteTakesWhatWasBegunInTime(t *testing.T) {
	now := time.Unix(1000, 0)
	budget := trial.Budget{Wall: time.Minute, Programs: 2}
	w, err := openCell(t, open(t, t.TempDir()), "key").NewSuite(trial.NewLedger(budget, trial.Usage{}, func() time.Time { return now }), func() {})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Minute)
	for _, want := range []error{nil, nil, trial.ErrBudget} { // which is full then
		if err := w.Add(trial.Program{Lang: trial.C, Source: "late"}); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	if kept := w.Entries(); len(kept) != 2 || kept[1].Elapsed != time.Minute {
		t.Errorf("%+v", kept)
	}
}

func TestCorpusIsNamedByContent(t *testing.T) {
	r := open(t, t.TempDir())
	c := openCell(t, r, "key")
	in := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(in, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	k := c.NewCorpus()
	for _, add := range []struct {
		target string
		crash  bool
	}{{"t", false}, {"t", false}, {"t", true}, {"u", false}} {
		if err := k.AddInput(add.target, in, time.Second, add.crash); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.AddInput("../t", in, 0, false); err == nil {
		t.Error("a target named ../t was accepted")
	}
	if err := k.AddInput("t", in+"-missing", 0, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing input: %v", err)
	}
	ledger := trial.NewLedger(trial.Budget{Programs: 1}, trial.Usage{}, func() time.Time { return time.Time{} })
	w, err := c.NewSuite(ledger, func() {})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.FinishSuite(w, k, trial.StopExhausted, ledger.Usage(), nil)
	if err != nil || s.Kind != trial.KindCorpus || len(s.Inputs) != 3 {
		t.Fatalf("suite %+v, %v", s, err)
	}
	for _, i := range s.Inputs {
		if data, err := os.ReadFile(filepath.Join(c.SuiteDir(), i.File)); err != nil || string(data) != "x" {
			t.Errorf("%s: %q, %v", i.File, data, err)
		}
	}
}

func TestAnotherKeySetsTheCellAside(t *testing.T) {
	r := open(t, t.TempDir())
	for _, key := range []string{"old-old-old", "new-new-new", "old-old-old", "new-new-new"} {
		c := openCell(t, r, key)
		if len(c.Events) != 0 {
			t.Errorf("key %s: %d events of another one", key, len(c.Events))
		}
		if err := c.Journal.Append("x", "", 0, nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	aside, err := filepath.Glob(filepath.Join(r.Dir, "stale", "*", "events.jsonl"))
	if err != nil || len(aside) != 3 {
		t.Errorf("kept aside: %v, %v", aside, err)
	}
}

func TestLoad(t *testing.T) {
	r := open(t, t.TempDir())
	if _, err := Load(r.Dir); err == nil || !strings.Contains(err.Error(), "not a run directory") {
		t.Errorf("Load of an empty directory: %v", err)
	}
	cell := func(n int) trial.Cell { c := cellA; c.Trial = n; return c }
	m := Manifest{Cells: []PlannedCell{{cell(1), "k1"}, {cell(2), "k2"}, {cell(3), "k3"}, {cell(4), "k4"}}}
	if err := errors.Join(r.Start([]byte("name: x\n")), r.WriteManifest(m)); err != nil {
		t.Fatal(err)
	}
	for n, key := range map[int]string{1: "k1", 2: "before"} {
		c, err := r.OpenCell(cell(n), Generation{Key: "g"})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.WriteRecord(&trial.Record{Schema: trial.RecordSchema, Key: key, Cell: cell(n)}); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	if err := r.WriteIncomplete(trial.Incomplete{Cell: cell(3), Kind: "source", Message: "no such package"}); err != nil {
		t.Fatal(err)
	}
	d, err := Load(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "stale", "source", "not_run"}
	for i, c := range d.Cells {
		kind := ""
		if c.Incomplete != nil {
			kind = c.Incomplete.Kind
		}
		if kind != want[i] || (c.Record != nil) != (kind == "") {
			t.Errorf("cell %d: record %v, incomplete %+v, want %q", i+1, c.Record, c.Incomplete, want[i])
		}
	}
	// A record that gzip packed is read all the same.
	record := filepath.Join(cellDir(r.Dir, cell(1)), "record.json")
	if out, err := exec.Command("gzip", record).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if rec, err := readRecord(filepath.Dir(record), "k1"); err != nil || rec.Cell != cell(1) {
		t.Errorf("packed record: %v", err)
	}
	// A cell that is tried again has no reason any more.
	c, err := r.OpenCell(cell(3), Generation{Key: "g"})
	if err != nil {
		t.Fatal(err)
	}
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
	if got := Untimed(rec); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if rec.Growth[0].Elapsed != 4 || rec.Bugs[0].First[0].Elapsed != 7 || rec.Mutation.CPU != 8 {
		t.Error("the original was changed")
	}
}

func TestRecordOfAnotherSchema(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "record.json"), []byte(`{"schema": 9, "key": "k"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readRecord(dir, "k"); !errors.Is(err, errStale) || !strings.Contains(err.Error(), "schema 9, this bench reads 3") {
		t.Errorf("got %v", err)
	}
}
