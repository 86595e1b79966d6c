package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const submittedExperiment = `name: submitted
trials: 1
budget: {programs: 8}
test: {timeout: 1m}
libraries:
  - {name: cJSON, edition: debian, bugs: [cjson-1, cjson-11]}
tools:
  - name: randoop
    params: {batch: 10}
`

const submittedCell = "cells/randoop.default.cJSON.debian.1/"

// TestSubmission evaluates the suites of a run of the real cJSON again, and does so for what forgers make of it.
func TestSubmission(t *testing.T) {
	t.Parallel()
	l := newLab(t, submittedExperiment)
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	l.run(t, run)
	bench := func(code int, args []string, words ...string) {
		t.Helper()
		start(t, "", append(args, "--cache", l.cache)...).expect(t, code, words...)
	}
	bench(exitOK, []string{"replay", run, "--suites"}, "randoop.default.cJSON.debian.1: 6 of 6 figures are equal")
	bench(exitIncomplete, []string{"leaderboard", run, "--library", "cJSON", "--trials", "1"},
		"cJSON (debian), trial 1: bug cjson-2 was not looked for (and 8 more)")

	for _, f := range []struct {
		name  string
		edit  func(t *testing.T, run string)
		code  int
		words []string
	}{
		{"sealed record", func(t *testing.T, run string) { inventBug(t, run) }, exitUsage, []string{"record.json changed after its cell was complete"}},
		{"forged record", func(t *testing.T, run string) {
			inventBug(t, run)
			unseal(t, run)
		}, exitFailure, []string{"bug cjson-1: WRONG", "1 of 6 figures are wrong"}},
		{"forged program", func(t *testing.T, run string) {
			writeFile(t, filepath.Join(run, submittedCell, "suite", "p00007.c"), "int main(void) { return 1; }\n")
			unseal(t, run)
		}, exitUsage, []string{"p00007.c is not what its tool made"}},
		{"of another corpus", func(t *testing.T, run string) {
			manifest := filepath.Join(run, "manifest.json")
			writeFile(t, manifest, strings.Replace(readFile(t, manifest), `"corpus": "1.`, `"corpus": "9.`, 1))
		}, exitUsage, []string{"made with version 9.", "use the same version"}},
	} {
		t.Run(f.name, func(t *testing.T) {
			forged := filepath.Join(t.TempDir(), "forged")
			assert.NilError(t, os.CopyFS(forged, os.DirFS(run)))
			f.edit(t, forged)
			start(t, "", "replay", forged, "--suites", "--cache", l.cache).expect(t, f.code, f.words...)
		})
	}
	t.Run("no library", func(t *testing.T) {
		// A file where the fetched sources would go: nothing can be fetched.
		cache := t.TempDir()
		writeFile(t, filepath.Join(cache, "sources", "downloads"), "")
		start(t, "", "replay", run, "--suites", "--cache", cache).expect(t, exitIncomplete, "could not be measured here")
	})
}

// inventBug makes the record claim a bug that nothing detects.
func inventBug(t *testing.T, run string) {
	t.Helper()
	path := filepath.Join(run, submittedCell, "record.json")
	var r trial.Record
	assert.NilError(t, json.Unmarshal([]byte(readFile(t, path)), &r))
	if r.Bugs[0].Bug != "cjson-1" || r.Bugs[0].Detected {
		t.Fatalf("there is nothing to invent: %+v", r.Bugs[0])
	}
	r.Bugs[0].Detected, r.Bugs[0].Tests = true, 1
	writeJSON(t, path, r)
}

// unseal lets a forger's cell be as those that were complete before there were seals.
func unseal(t *testing.T, run string) {
	t.Helper()
	assert.NilError(t, os.Remove(filepath.Join(run, submittedCell, "seal.json")))
}
