package main

import (
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// recordedSections are the parts of the report that a recording keeps as tables.txt.
var recordedSections = []string{"Success rates", "Coverage", "Bug detection"}

// recordingShares is in how many commits in a row the recordings of all libraries are replayed.
const recordingShares = 3

// TestRecordings makes the suites of recordings/ again from the recorded answers, on the real libraries: every
// answer is used, and the tables are the recorded ones. It replays the tools as they are by default on cJSON and zlib,
// and a share of the others that changes with each commit; all of them with LISA_BENCH_RECORDINGS=all (make recordings).
func TestRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes for each cell")
	}
	t.Chdir(filepath.Join("..", "..")) // experiments name the directory recordings
	files := matches(t, filepath.Join("recordings", "*", "experiment.yaml"))
	if len(files) == 0 {
		t.Fatal("no recording")
	}
	share := commits(t) % recordingShares
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if own := int(crc32.ChecksumIEEE([]byte(dir))) % recordingShares; !alwaysReplayed(t, file) && own != share && os.Getenv("LISA_BENCH_RECORDINGS") != "all" {
				t.Skipf("replayed at another commit, in %d of %d", own, recordingShares)
			}
			run := filepath.Join(t.TempDir(), "run")
			lab{cache: testcache.Dir(""), experiment: file}.run(t, run, "--jobs", "2")
			sameTables(t, run, recordedSections, filepath.Join(dir, "tables.txt"))
			for _, packed := range matches(t, filepath.Join(dir, "transcripts", "*.jsonl.gz")) {
				cell := strings.TrimSuffix(filepath.Base(packed), ".jsonl.gz")
				sameLines(t, strings.TrimSuffix(packed, ".gz"), filepath.Join(run, "cells", cell, llm.TranscriptFile))
			}
		})
	}
}

// alwaysReplayed reports whether a recording is of a tool as it is by default on cJSON or zlib.
func alwaysReplayed(t *testing.T, file string) bool {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	e, err := harness.Load(bench, file, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(e.Plan().Cells, func(c experiments.Cell) bool {
		return c.Variant == "default" && (c.Library == "cJSON" || c.Library == "zlib")
	})
}

// commits is how many the history has; 0 where Git knows none.
func commits(t *testing.T) int {
	t.Helper()
	out, err := exec.Command("git", "rev-list", "--count", "HEAD").Output()
	if err != nil {
		t.Logf("no history: %v", err)
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
