package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// TestReplayedSeeds makes the seeds of the fixtures of LISA_inv again from the answers that
// LISA_API got, where a fixture has them: the suite is the directory of seeds, byte for byte.
func TestReplayedSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds zlib and runs an experiment")
	}
	t.Parallel()
	experiments, err := filepath.Glob(filepath.Join("testdata", "lisa", "inv-*", "seeds", "experiment.yaml"))
	if err != nil || len(experiments) == 0 {
		t.Fatalf("no seeds with an experiment: %v", err)
	}
	for _, experiment := range experiments {
		seeds := filepath.Dir(experiment)
		t.Run(filepath.Base(filepath.Dir(seeds)), func(t *testing.T) {
			run, cell := replaySeeds(t, seeds)
			programs, err := filepath.Glob(filepath.Join(seeds, "*.c"))
			if err != nil || len(programs) == 0 {
				t.Fatalf("no seeds: %v", err)
			}
			for _, file := range programs {
				sameBytes(t, file, filepath.Join(run, "cells", cell, "suite", filepath.Base(file)))
			}
			sameBytes(t, filepath.Join(seeds, "transcript.jsonl"), filepath.Join(run, "cells", cell, "transcript.jsonl"))
		})
	}
}

// replaySeeds runs the one cell of the experiment of a directory of seeds from its transcript.
func replaySeeds(t *testing.T, seeds string) (run, cell string) {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(seeds, "experiment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	transcript, err := os.ReadFile(filepath.Join(seeds, "transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cell = "lisa-api.default." + strings.TrimPrefix(filepath.Base(filepath.Dir(seeds)), "inv-") + ".debian.1"
	answers := filepath.Join(dir, "answers")
	if err := os.MkdirAll(filepath.Join(answers, cell), 0o755); err != nil {
		t.Fatal(err)
	}
	l := lab{cache: testcache.Dir(""), experiment: filepath.Join(dir, "seeds.yaml")}
	for path, data := range map[string][]byte{
		l.experiment: bytes.Replace(text, []byte("ANSWERS"), []byte(answers), 1),
		filepath.Join(answers, cell, "transcript.jsonl"): transcript,
	} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run = filepath.Join(dir, "run")
	l.run(t, run)
	return run, cell
}

func sameBytes(t *testing.T, wantFile, gotFile string) {
	t.Helper()
	want, err := os.ReadFile(wantFile)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(gotFile); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not %s (%v)", gotFile, wantFile, err)
	}
}
