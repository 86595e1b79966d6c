package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recorded is an experiment whose model's answers are committed: see README.md in the directory
// of testdata for who wrote them.
type recorded struct{ dir, name, cell string }

var lisaOnCJSON = recorded{"lisa", "cjson", "lisa-api.default.cJSON.debian.1"}

// file is the path of a file of the recording.
func (r recorded) file(name string) string { return filepath.Join("testdata", r.dir, r.name, name) }

// experiment writes the experiment file, with the directory in which the replay finds the
// transcript.
func (r recorded) experiment(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(r.file("experiment.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	transcript, err := os.ReadFile(r.file("transcript.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cell := filepath.Join(dir, "answers", r.cell)
	if err := os.MkdirAll(cell, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, r.name+".yaml")
	text = []byte(strings.Replace(string(text), "ANSWERS", filepath.Join(dir, "answers"), 1))
	for path, data := range map[string][]byte{file: text, filepath.Join(cell, "transcript.jsonl"): transcript} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestReplayedLISA runs LISA_API on the real cJSON from recorded answers: the same bytes with
// any number of jobs and after kill -9, and `bench replay` agrees.
func TestReplayedLISA(t *testing.T) {
	if testing.Short() {
		t.Skip("builds cJSON and runs an experiment some times over")
	}
	t.Parallel()
	dir := t.TempDir()
	l := lab{cache: sharedCache(), experiment: lisaOnCJSON.experiment(t, dir)}
	whole := filepath.Join(dir, "whole")
	began := time.Now()
	l.run(t, whole, "--jobs", "1")
	length := time.Since(began)
	sections, err := os.ReadFile(filepath.Join(whole, "report", "report.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, generation, _ := strings.Cut(string(sections), "\nGeneration with a model\n")
	generation, _, _ = strings.Cut(generation, "\nIncomplete cells and notes\n")
	golden := lisaOnCJSON.file("generation.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(generation), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != generation {
		t.Errorf("the section differs from %s (%v):\n%s", golden, err, generation)
	}

	two := filepath.Join(dir, "two-jobs")
	l.run(t, two, "--jobs", "2")
	sameReport(t, whole, two)

	killed := filepath.Join(dir, "killed")
	for n := range 3 {
		s := l.start(t, killed)
		select {
		case <-s.exited:
		case <-time.After(length * time.Duration(n+1) / 5):
			_ = s.cmd.Process.Kill()
			<-s.exited
		}
	}
	l.run(t, killed)
	sameReport(t, whole, killed)

	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitOK, lisaOnCJSON.cell+": 36 programs, the same")

	packed := filepath.Join(dir, "lisa.tar.gz")
	start(t, "", "submission", "pack", whole, "--out", packed, "--cache", l.cache).expect(t, exitOK, "1 of 1 cells complete")
	start(t, "", "submission", "verify", packed, "--json", "--cache", l.cache).expect(t, exitOK, `"found": "36 programs from its transcript"`)
	forged := filepath.Join(dir, "forged.tar.gz")
	forge(t, packed, forged, true, func(files map[string][]byte) {
		name := "cells/" + lisaOnCJSON.cell + "/transcript.jsonl"
		files[name] = []byte(strings.Replace(string(files[name]), "North Ridge", "South Ridge", 1))
	})
	start(t, "", "submission", "verify", forged, "--cache", l.cache).expect(t, exitFailure, "program p00001 differs")

	// An answer that was tampered with is found out: the prompts after it are other ones, or the program is.
	path := filepath.Join(whole, "cells", lisaOnCJSON.cell, "suite", "suite.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(text), `"sha256":`) + len(`"sha256": "`)
	text[i] ^= 1
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitFailure, "program p00001 differs")
}
