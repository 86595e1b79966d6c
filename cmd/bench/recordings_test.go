package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// recordedSections are the parts of the report that a recording keeps as tables.txt.
var recordedSections = []string{"Success rates", "Coverage", "Bug detection"}

// TestRecordings makes the suites of recordings/ again from the recorded answers, on the real libraries: every
// answer is used, and the tables are the recorded ones. It takes minutes for each cell: make recordings.
func TestRecordings(t *testing.T) {
	if os.Getenv("LISA_BENCH_RECORDINGS") == "" {
		t.Skip("make recordings runs it")
	}
	dirs := matches(t, filepath.Join("..", "..", "recordings", "*", "experiment.yaml"))
	if len(dirs) == 0 {
		t.Fatal("no recording")
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			work := t.TempDir()
			answers, run, experiment := filepath.Join(work, "answers"), filepath.Join(work, "run"), filepath.Join(work, "experiment.yaml")
			var cells []string
			for _, packed := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl.gz")) {
				cell := strings.TrimSuffix(filepath.Base(packed), ".jsonl.gz")
				cells = append(cells, cell)
				writeFile(t, filepath.Join(answers, cell, llm.TranscriptFile), readFile(t, strings.TrimSuffix(packed, ".gz")))
			}
			writeFile(t, experiment, strings.ReplaceAll(readFile(t, file), "ANSWERS", answers))
			lab{cache: testcache.Dir(""), experiment: experiment}.run(t, run, "--jobs", "2")
			sameTables(t, run, recordedSections, filepath.Join(dir, "tables.txt"))
			for _, cell := range cells {
				sameLines(t, filepath.Join(answers, cell, llm.TranscriptFile), filepath.Join(run, "cells", cell, llm.TranscriptFile))
			}
		})
	}
}
