package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// recordedSections are the parts of the report that a recording keeps as tables.txt.
var recordedSections = []string{"Success rates", "Coverage", "Bug detection"}

// TestRecordings makes the suites of recordings/ again from the recorded answers, on the real libraries: every answer
// is used, and the tables are the recorded ones. It replays the quickstart's cells and one other recording, which
// changes with each commit; all of them with LISA_BENCH_RECORDINGS=all (make recordings). Each cell detects what the
// record of it that comes with the project says.
func TestRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes for each cell")
	}
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", "..")) // experiments name the directory recordings there
	assert.NilError(t, err)
	run := func(t *testing.T, dir string, args ...string) {
		cmd := exec.Command("bench", append([]string{"run", "--cache", testcache.Dir(""), "--dir", dir}, args...)...)
		cmd.Dir = root
		startCommand(t, dir, cmd).expect(t, exitOK)
	}
	files := matches(t, filepath.Join(root, "recordings", "*", "experiment.yaml"))
	assert.Assert(t, len(files) != 0, "no recording")
	shipped := records(t, filepath.Join(root, recordedDir))
	runs := t.TempDir() // a run copies the cells that another one has made
	quickstart := filepath.Join(runs, "quickstart")
	t.Run("quickstart", func(t *testing.T) {
		run(t, quickstart, "quickstart", "--fresh")
		sameTableAsREADME(t, filepath.Join(root, "README.md"), quickstart)
	})
	for i, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var cells []string
			made := true // by the quickstart
			for _, packed := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl.gz")) {
				cell := strings.TrimSuffix(filepath.Base(packed), ".jsonl.gz")
				cells = append(cells, cell)
				_, err := os.Stat(filepath.Join(quickstart, "cells", cell))
				made = made && err == nil
			}
			replayed := filepath.Join(runs, filepath.Base(dir))
			args := []string{file, "--jobs", "2"}
			if !made {
				if turn(t, i, len(files)); len(cells) > 5 && os.Getenv("LISA_BENCH_RECORDINGS") != "all" {
					t.Skipf("%d cells take too long for one commit", len(cells))
				}
				args = append(args, "--fresh")
			}
			run(t, replayed, args...)
			sameTables(t, replayed, recordedSections, filepath.Join(dir, "tables.txt"))
			for cell, rec := range records(t, replayed) {
				if want := shipped[cell]; want != nil { // else it is not among them: a further trial, another budget
					assert.DeepEqual(t, detected(rec), detected(want))
				}
			}
			for _, cell := range cells {
				sameLines(t, filepath.Join(dir, "transcripts", cell+".jsonl"), filepath.Join(replayed, "cells", cell, llm.TranscriptFile))
			}
		})
	}
}

// records has the record of each planned cell of the run in dir, nil if it has none.
func records(t *testing.T, dir string) map[string]*trial.Record {
	t.Helper()
	run, err := results.Load(dir)
	assert.NilError(t, err)
	of := map[string]*trial.Record{}
	for _, c := range run.Cells {
		of[c.Cell.ID()] = c.Record
	}
	return of
}

// detected says of each bug of a record whether it is detected.
func detected(rec *trial.Record) map[string]bool {
	of := map[string]bool{}
	for _, b := range rec.Bugs {
		of[b.Bug] = b.Detected
	}
	return of
}

// TestAgainstRecorded scores one test and compares it with what comes with the project, of which nothing is run.
func TestAgainstRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds cJSON with its bugs")
	}
	t.Parallel()
	suite := t.TempDir()
	writeFile(t, filepath.Join(suite, "t.c"), `#include <assert.h>
#include <cjson/cJSON.h>
int main(void) { assert(cJSON_Parse("[1") == 0); return 0; }
`)
	cmd := exec.Command("bench", "evaluate", "--cache", testcache.Dir(""), "--library", "cJSON", "--suite", suite, "--against", recordedName)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	assert.NilError(t, err)
	answer, _, _ := strings.Cut(string(out), "\n\n")
	answer = strings.Join(strings.Fields(answer), " ")
	for _, tool := range []string{"agent", "citywalk", "lisa", "lisa-prop", "randoop", "vanilla"} {
		assert.Check(t, regexp.MustCompile(`, `+tool+` \d+ in B`).MatchString(answer),
			"the answer does not name %s: %s", tool, answer)
	}
	assert.Check(t, strings.Contains(answer, "of 11 bugs") && !strings.Contains(string(out), "lisa-prop/"),
		"does not compare each tool as it is by default, on all bugs:\n%s", out)
	lines := strings.Count(string(out), "\n")
	assert.Check(t, lines <= 40, "%d lines:\n%s", lines, out)
}

// turn skips the ith of several tests that show the same of other libraries unless it is its turn: each is run at
// one of n commits in a row, all of them with LISA_BENCH_RECORDINGS=all.
func turn(t *testing.T, i, n int) {
	t.Helper()
	out, err := exec.Command("git", "rev-list", "--count", "HEAD").Output()
	if err != nil {
		t.Logf("no history: %v", err)
	}
	if commits, _ := strconv.Atoi(strings.TrimSpace(string(out))); os.Getenv("LISA_BENCH_RECORDINGS") != "all" && i%n != commits%n {
		t.Skipf("run at another commit, the %dth of %d", i%n, n)
	}
}

// sameTableAsREADME compares the table of the quickstart's run in dir with the README's.
func sameTableAsREADME(t *testing.T, readme, dir string) {
	t.Helper()
	_, text, _ := strings.Cut(readFile(t, readme), "## Two commands")
	text, _, _ = strings.Cut(text, "\n## ")
	_, overview, _ := strings.Cut(readFile(t, filepath.Join(dir, "report", "report.txt")), "Results at a glance")
	overview, _, _ = strings.Cut(overview, "\n\n")
	row := regexp.MustCompile(`(?m)^(cJSON|libpng) .*$`)
	rows := func(text string) string { return strings.Join(row.FindAllString(figures(text), -1), "\n") }
	want, got := rows(text), rows(overview)
	assert.Check(t, want == got && got != "", "the README's table has\n%s\nand the run\n%s", want, got)
}
