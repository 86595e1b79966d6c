package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// A madeUp is a run of which only the figures are there.
type madeUp struct {
	name, edition string
	trials        int
	libraries     []string
	budget        string                               // as YAML; "" for {programs: 100}
	variants      string                               // of randoop, as YAML; "" for the default
	detects       func(variant string, n, bug int) int // tests that detect a bug of the set (from 0) in trial n
	change        func(*results.Manifest, []*trial.Record)
}

// write writes the directory of a made-up run.
func (m madeUp) write(t *testing.T, bench *lisabench.Bench, dir string) {
	t.Helper()
	text := fmt.Sprintf("name: made-up\ntrials: %d\nbudget: %s\ntools: [{name: randoop, variants: [%s]}]\nlibraries:\n", m.trials, cmp.Or(m.budget, "{programs: 100}"), m.variants)
	for _, l := range m.libraries {
		text += fmt.Sprintf("  - {name: %s, edition: %s}\n", l, m.edition)
	}
	exp, err := experiments.Load(experiments.Source{Name: m.name, Data: []byte(text)}, nil, harness.Known(bench))
	assert.NilError(t, err)
	resolved, err := exp.YAML()
	assert.NilError(t, err)
	manifest := results.Manifest{Schema: results.ManifestSchema, Name: exp.Name, Bench: harness.Version(), Corpus: bench.Version, Created: time.Unix(0, 0), Sources: map[string]string{}}
	for _, l := range exp.Libraries {
		lib, err := bench.Library(l.Name)
		assert.NilError(t, err)
		manifest.Sources[l.Name+" "+string(l.Edition)] = lib.Pin(l.Edition)
	}
	var records []*trial.Record
	for _, c := range exp.Plan().Cells {
		p := results.PlannedCell{Cell: c.Cell, Key: "key of " + c.ID()}
		manifest.Cells = append(manifest.Cells, p)
		records = append(records, m.record(c, p.Key, offset(exp, c.Library)))
	}
	if m.change != nil {
		m.change(&manifest, records)
	}
	writeJSON(t, filepath.Join(dir, "manifest.json"), manifest)
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "experiment.yaml"), resolved, 0o644))
	for i, r := range records {
		cell := filepath.Join(dir, "cells", manifest.Cells[i].Cell.ID())
		if r == nil {
			writeJSON(t, filepath.Join(cell, "incomplete.json"), trial.Incomplete{Cell: manifest.Cells[i].Cell, Kind: "tool", Message: "it fell over"})
			continue
		}
		writeJSON(t, filepath.Join(cell, "record.json"), r)
		writeJSON(t, filepath.Join(cell, "suite", trial.SuiteFile), trial.Suite{Schema: trial.SuiteSchema, Kind: r.Kind})
	}
}

// offset is the number of the library's first bug among those of all libraries.
func offset(exp *experiments.Experiment, library string) int {
	n := 0
	for _, l := range exp.Libraries {
		if l.Name == library {
			break
		}
		n += len(l.Bugs)
	}
	return n
}

func (m madeUp) record(c experiments.Cell, key string, first int) *trial.Record {
	ok := 80 + 3*c.Trial
	r := &trial.Record{
		Schema: trial.RecordSchema, Key: key, Cell: c.Cell, Kind: trial.KindPrograms, Stop: trial.StopPrograms,
		Programs: &trial.ProgramCounts{Generated: 100, Compiled: 98, Executed: ok, FalseAlarms: 98 - ok,
			Outcomes: map[trial.Outcome]int{trial.OK: ok, trial.Assertion: 98 - ok, trial.CompileError: 2}},
		Coverage:      &trial.Coverage{LinesCovered: 400 + 10*c.Trial, LinesTotal: 1000, BranchesCovered: 200 + 5*c.Trial, BranchesTotal: 800},
		Verifications: &trial.Verifications{Seeds: 100, Programs: 100, Passing: ok, Unique: 2 * ok, Assertions: 3 * ok, Repeated: ok},
	}
	for i, id := range c.Bugs {
		b := trial.BugResult{Bug: id, Tests: m.detects(c.Variant, c.Trial, first+i)}
		if b.Detected = b.Tests > 0; b.Detected {
			b.Oracles = []trial.OracleClass{trial.OracleSpecification}
		}
		r.Bugs = append(r.Bugs, b)
	}
	return r
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	assert.NilError(t, err)
	writeFile(t, path, string(text))
}

// below detects the first n bugs, in every trial but for the last of them, which is found in
// the first trial only.
func below(n int) func(string, int, int) int {
	return func(_ string, trial, bug int) int {
		if bug < n-1 || bug == n-1 && trial == 1 {
			return 1
		}
		return 0
	}
}

// TestLeaderboard ranks made-up runs on the real set of two libraries, among files that no leaderboard may rank. The goldens are in testdata/leaderboard.
func TestLeaderboard(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	both := []string{"cJSON", "zlib"}
	whole := func(name string, found int) madeUp {
		return madeUp{name: name, edition: "debian", trials: 3, libraries: both, detects: below(found)}
	}
	for name, m := range map[string]madeUp{
		"best": whole("best", 22), "second": whole("second", 18), "tied-b": whole("tied-b", 6), "tied-a": whole("tied-a", 6),
		"two-variants": {name: "two-variants", edition: "debian", trials: 4, libraries: both, variants: "{name: default}, {name: lucky}",
			detects: func(v string, n, bug int) int {
				return map[string]int{"default": 0, "lucky": 1}[v] * below(12)(v, n, bug)
			}},
		"rich":         {name: "rich", edition: "debian", trials: 3, libraries: both, budget: "{programs: 100000}", detects: below(20)}, // not compared with the others
		"few-trials":   {name: "few-trials", edition: "debian", trials: 2, libraries: both, detects: below(3)},
		"one-library":  {name: "one-library", edition: "debian", trials: 3, libraries: both[:1], detects: below(3)},
		"upstream":     {name: "upstream", edition: "upstream", trials: 3, libraries: both, detects: below(3)},
		"lost-a-cell":  {name: "lost-a-cell", edition: "debian", trials: 3, libraries: both, detects: below(3), change: func(_ *results.Manifest, r []*trial.Record) { r[1] = nil }},
		"skipped-bugs": {name: "skipped-bugs", edition: "debian", trials: 3, libraries: both, detects: below(3), change: func(_ *results.Manifest, r []*trial.Record) { r[0].Bugs = r[0].Bugs[2:] }},
		"unbuilt-bug": {name: "unbuilt-bug", edition: "debian", trials: 3, libraries: both, detects: below(3), change: func(_ *results.Manifest, r []*trial.Record) {
			r[2].Bugs[3] = trial.BugResult{Bug: r[2].Bugs[3].Bug, Missing: &trial.Reason{Kind: trial.ReasonBuild, Message: "does not compile"}}
		}},
		"no-coverage": {name: "no-coverage", edition: "debian", trials: 3, libraries: both, detects: below(10), change: func(_ *results.Manifest, r []*trial.Record) {
			r[4].Coverage, r[4].Growth = nil, nil
			r[4].Lack(trial.PartCoverage, trial.Reason{Kind: trial.ReasonBuild, Message: "no profile runtime"})
		}},
		"other-corpus": {name: "other-corpus", edition: "debian", trials: 3, libraries: both, detects: below(3), change: func(m *results.Manifest, _ []*trial.Record) { m.Corpus = "0.9.0" }},
		"other-source": {name: "other-source", edition: "debian", trials: 3, libraries: both, detects: below(3), change: func(m *results.Manifest, _ []*trial.Record) { m.Sources["zlib debian"] = "zlib 1:1.3" }},
	} {
		m.write(t, bench, file(name))
	}
	writeFile(t, file("notes"), "no run\n")
	assert.NilError(t, os.Mkdir(file("linked"), 0o755))
	assert.NilError(t, os.Symlink("/etc/passwd", filepath.Join(file("linked"), "manifest.json")))
	runs, err := filepath.Glob(filepath.Join(dir, "*"))
	assert.NilError(t, err)
	for i, run := range runs {
		runs[i] = filepath.Base(run)
	}
	whole("best", 1).write(t, bench, filepath.Join(dir, "again", "best"))
	runs = append(runs, filepath.Join("again", "best")) // a name that is taken

	for _, f := range []struct{ format, golden string }{{"text", "board.txt"}, {"markdown", "board.md"}, {"csv", "board.csv"}} {
		t.Run(f.format, func(t *testing.T) {
			cmd := exec.Command("bench", append([]string{"leaderboard", "--library", "cJSON,zlib", "--format", f.format}, runs...)...)
			cmd.Dir = dir
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			got, _ := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); code != exitIncomplete || stderr.String() != "bench: 11 runs or tools are not ranked; the table says why\n" {
				t.Errorf("exit code %d: %s", code, stderr.String())
			}
			golden.Assert(t, string(got), filepath.Join("leaderboard", f.golden))
		})
	}
}
