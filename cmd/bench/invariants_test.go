package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// An inv is a fixture of LISA_inv: a directory testdata/lisa/inv-*, whose parts
// testdata/lisa/README.md lists.
type inv struct {
	dir        string // the fixture
	answers    string // a copy of its transcripts, by cell
	cache      string
	experiment string                                       // a copy of its experiment, with the directories of this test
	library    string                                       // whose contracts it has
	cells      []string                                     // that it has transcripts of
	sequences  bool                                         // the contracts have what was observed when the seeds ran
	apis       []string                                     // whose documents were read; none for all
	golden     string                                       // the recorded tables
	asked      func(t *testing.T, wantFile, gotFile string) // compares them, and what was answered for them
	programs   int                                          // of the seeds, the first ones
	variants   []string                                     // of the experiment; none for all
}

// invSections are the parts of the report that tables.txt keeps.
var invSections = []string{"Success rates", "Verifications", "Bug detection", "What each oracle finds", "Invariants"}

// TestReplayedInvariants makes, for each fixture, the contracts again from the answers that
// `bench knowledge build` got, and the tests of all variants from the answers that LISA_inv got, on
// the real library, with the first five seeds: they have every kind of answer. The tables are the recorded ones, no
// question is asked that was not recorded, and `bench replay`, which makes the same tests once more, agrees on the
// variant without chunks, the fastest. In short mode it takes two seeds and three variants of cJSON, and
// reads the documents of three functions.
func TestReplayedInvariants(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join("testdata", "lisa", "inv-*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixture: %v", err)
	}
	for i, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if !testing.Short() {
				turn(t, i, len(dirs))
			} else if filepath.Base(dir) != "inv-cjson" {
				t.Skip("the same with another library")
			}
			work := t.TempDir()
			f := newInv(t, dir, work)
			if why, err := os.ReadFile(filepath.Join(dir, "knowledge", "stale.txt")); err == nil {
				t.Logf("contracts are not made again: %s", why)
			} else {
				f.knowledge(t, filepath.Join(work, "knowledge"))
			}
			run := filepath.Join(work, "run")
			lab{cache: f.cache, experiment: f.experiment}.run(t, run, "--jobs", "2")
			sameTables(t, run, invSections, f.golden)
			again := f.cells[0]
			for _, cell := range f.cells {
				someLines(t, filepath.Join(f.answers, cell, llm.TranscriptFile), filepath.Join(run, "cells", cell, llm.TranscriptFile))
				if strings.Contains(cell, ".no_chunk.") {
					again = cell
				}
			}
			start(t, run, "replay", run, again, "--cache", f.cache).expect(t, exitOK, again+": ", "identical")
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
	f := inv{dir: dir, cache: testcache.Dir(""), answers: filepath.Join(work, "answers"), experiment: filepath.Join(work, "experiment.yaml"),
		sequences: true, golden: filepath.Join(dir, "tables.txt"), asked: sameLines, programs: 5}
	if testing.Short() {
		f.programs, f.variants, f.golden = 2, []string{"default", "no_chunk", "exact_values"}, filepath.Join(dir, "tables.short.txt")
		f.sequences, f.asked = false, someLines
	}
	for _, file := range matches(t, filepath.Join(dir, "knowledge", "apis.txt")) {
		f.apis = strings.Fields(readFile(t, file))
	}
	give := func(cell, file string) {
		header, entries, _ := strings.Cut(readFile(t, file), "\n")
		header = strings.Replace(header, `"seed":`, fmt.Sprintf(`"param wave":"%d","seed":`, f.programs), 1) // see shorten
		writeFile(t, filepath.Join(f.answers, cell, llm.TranscriptFile), header+"\n"+entries)
	}
	for _, file := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl*")) {
		file = strings.TrimSuffix(file, ".gz")
		cell := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		f.cells = append(f.cells, cell)
		give(cell, file)
	}
	for _, file := range matches(t, filepath.Join(dir, "knowledge", "*.transcript.jsonl.gz")) {
		f.library = strings.TrimSuffix(filepath.Base(file), ".transcript.jsonl.gz")
	}
	give("knowledge."+f.library, filepath.Join(dir, "knowledge", f.library+".transcript.jsonl"))
	experiment := f.shorten(readFile(t, filepath.Join(dir, "experiment.yaml")))
	text := strings.NewReplacer("SEEDS", filepath.Join(dir, "seeds"), "KNOWLEDGE", contracts(t), "ANSWERS", f.answers).
		Replace(experiment)
	writeFile(t, f.experiment, text)
	return f
}

// shorten leaves the first seeds and some variants.
func (f *inv) shorten(experiment string) string {
	budget := regexp.MustCompile(`programs: \d+`)
	experiment = budget.ReplaceAllString(experiment, fmt.Sprint("programs: ", f.programs))
	experiment = strings.Replace(experiment, "seeds: SEEDS", fmt.Sprint("seeds: SEEDS, wave: ", f.programs), 1)
	if len(f.variants) == 0 {
		return experiment
	}
	f.apis = []string{"cJSON_Duplicate", "cJSON_Minify", "cJSON_GetObjectItem"}
	f.cells = slices.DeleteFunc(f.cells, func(cell string) bool { return !slices.Contains(f.variants, strings.Split(cell, ".")[1]) })
	var kept []string
	for line := range strings.Lines(experiment) {
		_, variant, _ := strings.Cut(line, "- {name: ")
		variant = strings.TrimRight(strings.Split(variant, ",")[0], "}\n")
		if variant == "" || slices.ContainsFunc(f.cells, func(cell string) bool { return strings.Contains(cell, "."+variant+".") }) {
			kept = append(kept, line)
		}
	}
	return strings.Replace(strings.Join(kept, ""), "name: cJSON\n", "{name: cJSON, bugs: [cjson-5, cjson-6]}\n", 1)
}

// knowledge builds the contracts again. knowledge/apis.txt has the functions whose documents
// were read, one a line; without it, all were.
func (f inv) knowledge(t *testing.T, out string) {
	t.Helper()
	args := []string{"knowledge", "build", f.experiment, "--cache", f.cache, "--dir", out, "--library", f.library}
	if f.sequences {
		args = append(args, "--sequences", filepath.Join(f.dir, "seeds"))
	}
	for _, api := range f.apis {
		args = append(args, "--api", api)
	}
	start(t, "", args...).expect(t, exitOK, " accepted, ")
	for name, dir := range map[string]string{f.library + ".yaml": contracts(t), f.library + ".transcript.jsonl": filepath.Join(f.dir, "knowledge")} {
		f.asked(t, filepath.Join(dir, name), filepath.Join(out, name))
	}
}

// contracts is the directory of the contracts that the recordings come with.
func contracts(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "recordings", "knowledge"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// sameTables compares sections of a run's report with the recorded ones.
func sameTables(t *testing.T, run string, sections []string, golden string) {
	t.Helper()
	var got strings.Builder
	lines, wanted := strings.SplitAfter(readFile(t, filepath.Join(run, "report", "report.txt")), "\n"), false
	for i, line := range lines[:len(lines)-1] {
		if title, under := strings.TrimSpace(line), strings.TrimSpace(lines[i+1]); under != "" && strings.Trim(under, "=") == "" {
			wanted = slices.Contains(sections, title)
		}
		if wanted {
			got.WriteString(line)
		}
	}
	for _, title := range sections {
		if !strings.Contains(got.String(), title+"\n=") {
			t.Errorf("the report has no section %s", title)
		}
	}
	if *update {
		writeFile(t, golden, got.String())
	}
	if want := readFile(t, golden); figures(got.String()) != figures(want) {
		t.Errorf("the tables differ from %s:\n%s", golden, got.String())
	}
}

// notFigures are the marks of footnotes, footnotes, notes and rules of a table.
var notFigures = regexp.MustCompile(`(?m) \[\d+\]|^ *(\[\d+\]|Note:|─).*\n`)

// figures reduces tables to their titles, headings and rows, with one space between words.
func figures(tables string) string {
	lines := strings.Split(notFigures.ReplaceAllString(tables, ""), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "\n")
}

// someLines fails if a file has no lines, or one that the other has not. The numbers of questions
// and answers do not count.
func someLines(t *testing.T, wantFile, gotFile string) {
	t.Helper()
	numberless := func(line string) string { return line[max(0, strings.Index(line, `"key":`)):] }
	want := map[string]bool{}
	for line := range strings.Lines(readFile(t, wantFile)) {
		want[numberless(line)] = true
	}
	got := readFile(t, gotFile)
	if got == "" {
		t.Errorf("%s is empty", gotFile)
	}
	for line := range strings.Lines(got) {
		if !want[numberless(line)] {
			t.Errorf("%s has the line\n%.300s\nthat %s has not", gotFile, line, wantFile)
			return
		}
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
