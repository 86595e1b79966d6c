package main

import (
	"compress/gzip"
	"io"
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
var invSections = []string{"Success rates", "Verifications", "Bug detection", "What each oracle finds", "Invariants"}

// TestReplayedInvariants makes, for each fixture, the contracts again from the answers that
// `bench knowledge build` got, and the tests of all variants from the answers that LISA_inv got, on
// the real library. The tables are the recorded ones, every answer is used, and `bench replay`, which
// makes the same tests once more, agrees on the variant without repairs, the fastest.
func TestReplayedInvariants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds libraries and runs experiments")
	}
	t.Parallel()
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
			again := f.cells[0]
			for _, cell := range f.cells {
				sameLines(t, filepath.Join(f.dir, "transcripts", cell+".jsonl"), filepath.Join(run, "cells", cell, llm.TranscriptFile))
				if strings.Contains(cell, ".no_repair.") {
					again = cell
				}
			}
			start(t, run, "replay", run, again, "--cache", f.cache).expect(t, exitOK, again+": ", "the same")
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
	f := inv{dir: dir, cache: sharedCache(), experiment: filepath.Join(work, "experiment.yaml")}
	answers := filepath.Join(work, "answers")
	give := func(cell, file string) {
		writeFile(t, filepath.Join(answers, cell, llm.TranscriptFile), readFile(t, file))
	}
	for _, file := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl*")) {
		file = strings.TrimSuffix(file, ".gz")
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
		sameLines(t, filepath.Join(f.dir, "knowledge", name), filepath.Join(out, name))
	}
}

// tables compares the sections of a run's report with the recorded ones.
func (f inv) tables(t *testing.T, run string) {
	t.Helper()
	var got strings.Builder
	lines, wanted := strings.SplitAfter(readFile(t, filepath.Join(run, "report", "report.txt")), "\n"), false
	for i, line := range lines[:len(lines)-1] {
		if title, under := strings.TrimSpace(line), strings.TrimSpace(lines[i+1]); under != "" && strings.Trim(under, "=") == "" {
			wanted = slices.Contains(invSections, title)
		}
		if wanted {
			got.WriteString(line)
		}
	}
	for _, title := range invSections {
		if !strings.Contains(got.String(), title+"\n=") {
			t.Errorf("the report has no section %s", title)
		}
	}
	golden := filepath.Join(f.dir, "tables.txt")
	if *update {
		writeFile(t, golden, got.String())
	}
	if want := readFile(t, golden); got.String() != want {
		t.Errorf("the tables differ from %s:\n%s", golden, got.String())
	}
}

// sameLines fails if two files have other lines, and names the first. Their order does not
// count: a transcript that is still open has that in which answers came.
func sameLines(t *testing.T, wantFile, gotFile string) {
	t.Helper()
	want, got := strings.Split(readFile(t, wantFile), "\n"), strings.Split(readFile(t, gotFile), "\n")
	slices.Sort(want)
	slices.Sort(got)
	for i := range max(len(want), len(got)) {
		switch {
		case i == len(want) || i < len(got) && got[i] < want[i]:
			t.Errorf("%s has the line\n%.300s\nthat %s has not", gotFile, got[i], wantFile)
		case i == len(got) || got[i] > want[i]:
			t.Errorf("%s lacks the line\n%.300s\nof %s", gotFile, want[i], wantFile)
		default:
			continue
		}
		return
	}
}

func matches(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// readFile reads a file, or the one of that name and .gz.
func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	packed, err := os.Open(path + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(unpacked); err != nil {
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
