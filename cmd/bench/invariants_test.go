package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// invSections are the parts of the report that tables.txt keeps.
var invSections = []string{"Success rates", "Verifications", "Bug detection", "What each oracle finds", "Invariants"}

// invAPIs are the functions whose documents are read again.
var invAPIs = []string{"cJSON_Duplicate", "cJSON_Minify", "cJSON_GetObjectItem"}

// TestReplayedInvariants makes contracts of cJSON again from the answers that `bench knowledge build` got, and the
// tests of three variants from the answers that LISA_inv got (testdata/lisa/README.md), on the real library. The
// tables are the recorded ones, no question is asked that was not recorded, and `bench replay`, which makes the same
// tests once more, agrees on the variant without chunks, the fastest. recordings/ablation-inv-* have all variants.
func TestReplayedInvariants(t *testing.T) {
	if testing.Short() {
		t.Skip("makes three suites twice")
	}
	t.Parallel()
	dir, err := filepath.Abs(filepath.Join("testdata", "lisa", "inv-cjson"))
	assert.NilError(t, err)
	work, cache := t.TempDir(), testcache.Dir("")
	answers, file := filepath.Join(work, "answers"), filepath.Join(work, "experiment.yaml")
	contracts := filepath.Join("..", "..", "recordings", "knowledge")
	give := func(cell, file string) {
		writeFile(t, filepath.Join(answers, cell, llm.TranscriptFile), readFile(t, file))
	}
	asked := filepath.Join(dir, "knowledge", "cJSON.transcript.jsonl")
	give("knowledge.cJSON", asked)
	var cells []string
	for _, packed := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl.gz")) {
		cell := strings.TrimSuffix(filepath.Base(packed), ".jsonl.gz")
		cells = append(cells, cell)
		give(cell, packed[:len(packed)-len(".gz")])
	}
	absolute, err := filepath.Abs(contracts)
	assert.NilError(t, err)
	writeFile(t, file, strings.NewReplacer("SEEDS", filepath.Join(dir, "seeds"), "KNOWLEDGE", absolute, "ANSWERS", answers).
		Replace(readFile(t, filepath.Join(dir, "experiment.yaml"))))

	built := filepath.Join(work, "knowledge")
	args := []string{"knowledge", "build", file, "--cache", cache, "--dir", built, "--library", "cJSON"}
	for _, api := range invAPIs {
		args = append(args, "--api", api)
	}
	start(t, "", args...).expect(t, exitOK, " accepted, ")
	someLines(t, filepath.Join(contracts, "cJSON.yaml"), filepath.Join(built, "cJSON.yaml"))
	someLines(t, asked, filepath.Join(built, "cJSON.transcript.jsonl"))

	run := filepath.Join(work, "run")
	lab{cache: cache, experiment: file}.run(t, run, "--jobs", "2")
	sameTables(t, run, invSections, filepath.Join(dir, "tables.txt"))
	for _, cell := range cells {
		someLines(t, filepath.Join(answers, cell, llm.TranscriptFile), filepath.Join(run, "cells", cell, llm.TranscriptFile))
	}
	const again = "lisa.no_chunk.cJSON.debian.1"
	start(t, run, "replay", run, again, "--cache", cache).expect(t, exitOK, again+": ", "identical")
}

// sameTables compares sections of a run's report with the recorded ones.
func sameTables(t *testing.T, run string, sections []string, recorded string) {
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
		assert.Check(t, strings.Contains(got.String(), title+"\n="), "the report has no section %s", title)
	}
	if golden.FlagUpdate() {
		writeFile(t, recorded, got.String())
	}
	want := readFile(t, recorded)
	assert.Check(t, figures(got.String()) == figures(want), "the tables differ from %s:\n%s", recorded, got.String())
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
	assert.Check(t, got != "", "%s is empty", gotFile)
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
	assert.NilError(t, err)
	return list
}

// readFile reads a file, or the one of that name and .gz.
func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		assert.NilError(t, err)
		return string(data)
	}
	packed, err := os.Open(path + ".gz")
	assert.NilError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	assert.NilError(t, err)
	data, err = io.ReadAll(unpacked)
	assert.NilError(t, err)
	return string(data)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
}
