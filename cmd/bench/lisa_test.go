package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// recorded is an experiment whose model's answers are committed: see README.md in the directory
// of testdata for who wrote them.
type recorded struct{ dir, name, cell string }

var lisaOnCJSON = recorded{"lisa", "cjson", "lisa-api.default.cJSON.debian.1"}

// file is the path of a file of the recording.
func (r recorded) file(name string) string { return filepath.Join("testdata", r.dir, r.name, name) }

// experiment writes the experiment file, and the transcript where the replay finds it.
func (r recorded) experiment(t *testing.T, dir string) string {
	t.Helper()
	file, answers := filepath.Join(dir, r.name+".yaml"), filepath.Join(dir, "answers")
	writeFile(t, file, strings.ReplaceAll(readFile(t, r.file("experiment.yaml")), "ANSWERS", answers))
	writeFile(t, filepath.Join(answers, r.cell, llm.TranscriptFile), readFile(t, r.file(llm.TranscriptFile)))
	return file
}

// TestReplayedLISA runs LISA_API on the real cJSON from recorded answers, and `bench replay` agrees.
func TestReplayedLISA(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := lab{cache: testcache.Dir(""), experiment: lisaOnCJSON.experiment(t, dir)}
	whole := filepath.Join(dir, "whole")
	l.run(t, whole, "--jobs", "1")
	_, generation, _ := strings.Cut(readFile(t, filepath.Join(whole, "report", "report.txt")), "\nGeneration with a model\n")
	generation, _, _ = strings.Cut(generation, "\nIncomplete cells and notes\n")
	golden.Assert(t, generation, filepath.Join("..", lisaOnCJSON.file("generation.txt")))

	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitOK, lisaOnCJSON.cell+": 3 programs, identical")

	// So does an evaluation of the suite. An edited answer leads to other programs.
	start(t, whole, "replay", whole, "--suites", "--cache", l.cache).expect(t, exitOK, "figures are equal")
	transcript := filepath.Join(whole, "cells", lisaOnCJSON.cell, llm.TranscriptFile)
	answers := readFile(t, transcript)
	writeFile(t, transcript, strings.Replace(answers, "North Ridge", "South Ridge", 1))
	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitFailure, "program p00001 differs")
	writeFile(t, transcript, answers)

	// A suite that was tampered with is found out.
	path := filepath.Join(whole, "cells", lisaOnCJSON.cell, "suite", "suite.json")
	text, err := os.ReadFile(path)
	assert.NilError(t, err)
	i := strings.Index(string(text), `"sha256":`) + len(`"sha256": "`)
	text[i] ^= 1
	assert.NilError(t, os.WriteFile(path, text, 0o644))
	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitUsage, "suite.json changed after its cell was complete")
}
