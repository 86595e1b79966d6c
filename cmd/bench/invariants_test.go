package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// An inv is a fixture of LISA_inv: a directory testdata/lisa/inv-*, whose parts
// testdata/lisa/README.md lists.
type inv struct {
	dir        string // the fixture
	cache      string
	experiment string   // a copy of its experiment, with the directories of this test
	library    string   // whose contracts it has
	cells      []string // that it has transcripts of
}

// invSections are the parts of the report that tables.txt keeps.
var invSections = []string{"Success rates", "Verifications", "Bug detection", "Invariants"}

// TestReplayedInvariants makes, for each fixture, the contracts again from the answers that
// `bench knowledge build` got, and the tests of all variants from the answers that LISA_inv got, on
// the real library. The tables are the recorded ones, every answer is used, and `bench replay` agrees.
func TestReplayedInvariants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds libraries and runs experiments")
	}
	dirs, err := filepath.Glob(filepath.Join("testdata", "lisa", "inv-*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixture: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			work := t.TempDir()
			f := newInv(t, dir, work)
			f.knowledge(t, filepath.Join(work, "knowledge"))
			run := filepath.Join(work, "run")
			lab{cache: f.cache, experiment: f.experiment}.run(t, run, "--jobs", "2")
			f.tables(t, run)
			var same []string
			for _, cell := range f.cells {
				sameFile(t, filepath.Join(f.dir, "transcripts", cell+".jsonl"), filepath.Join(run, "cells", cell, llm.TranscriptFile))
				same = append(same, cell+": ")
			}
			start(t, run, "replay", run, "--cache", f.cache, "--jobs", "2").expect(t, exitOK, same...)
		})
	}
}

// newInv lays a fixture out below work as its experiment wants it.
func newInv(t *testing.T, dir, work string) inv {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := inv{dir: dir, cache: filepath.Join(work, "cache"), experiment: filepath.Join(work, "experiment.yaml")}
	answers := filepath.Join(work, "answers")
	give := func(cell, file string) {
		writeFile(t, filepath.Join(answers, cell, llm.TranscriptFile), readFile(t, file))
	}
	for _, file := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl")) {
		cell := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		f.cells = append(f.cells, cell)
		give(cell, file)
	}
	for _, file := range matches(t, filepath.Join(dir, "knowledge", "*.yaml")) {
		f.library = strings.TrimSuffix(filepath.Base(file), ".yaml")
	}
	give("knowledge."+f.library, filepath.Join(dir, "knowledge", f.library+".transcript.jsonl"))
	text := strings.NewReplacer("SEEDS", filepath.Join(dir, "seeds"), "KNOWLEDGE", filepath.Join(dir, "knowledge"), "ANSWERS", answers).
		Replace(readFile(t, filepath.Join(dir, "experiment.yaml")))
	writeFile(t, f.experiment, text)
	return f
}

// knowledge builds the contracts again. knowledge/apis.txt has the functions whose documents
// were read, one a line; without it, all were.
func (f inv) knowledge(t *testing.T, out string) {
	t.Helper()
	args := []string{"knowledge", "build", f.experiment, "--cache", f.cache, "--dir", out, "--library", f.library,
		"--sequences", filepath.Join(f.dir, "seeds")}
	for _, file := range matches(t, filepath.Join(f.dir, "knowledge", "apis.txt")) {
		for _, api := range strings.Fields(readFile(t, file)) {
			args = append(args, "--api", api)
		}
	}
	start(t, "", args...).expect(t, exitOK, " accepted, ")
	for _, name := range []string{f.library + ".yaml", f.library + ".transcript.jsonl"} {
		sameFile(t, filepath.Join(f.dir, "knowledge", name), filepath.Join(out, name))
	}
}

// tables compares the sections of a run's report with the recorded ones.
func (f inv) tables(t *testing.T, run string) {
	t.Helper()
	all := "\n" + readFile(t, filepath.Join(run, "report", "report.txt"))
	var got strings.Builder
	for _, title := range invSections {
		_, section, ok := strings.Cut(all, "\n"+title+"\n=")
		if !ok {
			t.Errorf("the report has no section %s", title)
		}
		section, _, _ = strings.Cut(section, "\n\n\n")
		got.WriteString(title + "\n=" + section + "\n\n")
	}
	golden := filepath.Join(f.dir, "tables.txt")
	if *update {
		writeFile(t, golden, got.String())
	}
	if want := readFile(t, golden); got.String() != want {
		t.Errorf("the tables differ from %s:\n%s", golden, got.String())
	}
}

// sameFile fails if two files differ, and names the first line.
func sameFile(t *testing.T, wantFile, gotFile string) {
	t.Helper()
	want, got := strings.Split(readFile(t, wantFile), "\n"), strings.Split(readFile(t, gotFile), "\n")
	if slices.Equal(want, got) {
		return
	}
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	want, got = append(want, "(the end)"), append(got, "(the end)")
	t.Errorf("%s differs from line %d on:\n%.300s\nrecorded:\n%.300s", gotFile, i+1, got[i], want[i])
}

func matches(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
