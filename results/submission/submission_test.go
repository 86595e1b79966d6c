package submission

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

const experimentText = `name: made
seed: 1
trials: 2
budget: {programs: 2}
test: {timeout: 5s, repeats: 3}
sandbox: bwrap
jobs: 0
libraries:
    - name: cJSON
      edition: debian
      bugs: [cjson-1, cjson-2]
tools:
    - name: randoop
`

// The cells of the made run.
const (
	firstCell  = "cells/randoop.default.cJSON.debian.1/"
	secondCell = "cells/randoop.default.cJSON.debian.2/"
)

func write(t testing.TB, path string, content any) {
	t.Helper()
	data, ok := content.([]byte)
	if !ok {
		var err error
		data, err = json.MarshalIndent(content, "", "  ")
		assert.NilError(t, err)
	}
	assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)))
}

// madeRun writes the directory of a run with a cell that has a record and one that has none.
func madeRun(t testing.TB) (*results.Data, *lisabench.Bench) {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	cjson, err := bench.Library("cJSON")
	assert.NilError(t, err)
	dir := filepath.Join(t.TempDir(), "run")
	exp, err := parseExperiment([]byte(experimentText))
	assert.NilError(t, err)
	m := results.Manifest{Schema: results.ManifestSchema, Name: "made", Corpus: bench.Version, Created: time.Unix(1e9, 0).UTC(),
		Sources: map[string]string{"cJSON debian": cjson.Pin(lisabench.Debian)}}
	for _, c := range exp.Plan().Cells {
		m.Cells = append(m.Cells, results.PlannedCell{Cell: c.Cell, Key: "key of " + c.ID()})
	}
	write(t, filepath.Join(dir, "experiment.yaml"), []byte(experimentText))
	write(t, filepath.Join(dir, "manifest.json"), m)
	write(t, filepath.Join(dir, "lock"), []byte("stays behind\n"))
	write(t, filepath.Join(dir, firstCell, "events.jsonl"), []byte("stays behind\n"))
	write(t, filepath.Join(dir, firstCell, "suite", "p00001.c"), []byte("int main(void) { return 0; }\n"))
	write(t, filepath.Join(dir, firstCell, "suite", trial.SuiteFile), trial.Suite{Schema: trial.SuiteSchema, Kind: trial.KindPrograms})
	write(t, filepath.Join(dir, firstCell, llm.TranscriptFile), []byte("{\"transcript\":1,\"config\":{}}\n"))
	write(t, filepath.Join(dir, firstCell, "record.json"), trial.Record{
		Schema: trial.RecordSchema, Key: m.Cells[0].Key, Cell: m.Cells[0].Cell, Kind: trial.KindPrograms,
		Bugs: []trial.BugResult{{Bug: "cjson-1", Detected: true, Tests: 1}, {Bug: "cjson-2"}},
	})
	write(t, filepath.Join(dir, secondCell, "incomplete.json"), trial.Incomplete{Cell: m.Cells[1].Cell, Kind: "tool", Message: "it fell over"})
	data, err := results.Load(dir)
	assert.NilError(t, err)
	return data, bench
}

func TestOpen(t *testing.T) {
	data, bench := madeRun(t)
	run, err := Open(data.Dir, bench)
	assert.NilError(t, err)
	if run.Name != "run" || run.Cells[0].Record.Bugs[0].Tests != 1 || run.Cells[1].Incomplete.Kind != "tool" || len(run.Plan.Cells) != 2 {
		t.Errorf("got %+v", run)
	}
}

// TestOpenRefuses changes one thing of a run, as a forger might.
func TestOpenRefuses(t *testing.T) {
	experiment := func(old, new string) func(t *testing.T, data *results.Data) {
		return func(t *testing.T, data *results.Data) {
			write(t, filepath.Join(data.Dir, "experiment.yaml"), []byte(strings.Replace(experimentText, old, new, 1)))
		}
	}
	manifest := func(change func(*results.Manifest)) func(t *testing.T, data *results.Data) {
		return func(t *testing.T, data *results.Data) {
			m := data.Manifest
			m.Cells = slices.Clone(m.Cells)
			change(&m)
			write(t, filepath.Join(data.Dir, "manifest.json"), m)
		}
	}
	values := "[" + strings.Repeat("1, ", 999) + "1]"
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, data *results.Data)
		want  string
	}{
		{"cell left out", manifest(func(m *results.Manifest) { m.Cells = m.Cells[:1] }), "lacks 1 cell of experiment.yaml"},
		{"cell twice", manifest(func(m *results.Manifest) { m.Cells[1] = m.Cells[0] }), "debian.1 twice"},
		{"another seed", manifest(func(m *results.Manifest) { m.Cells[0].Seed++ }), "does not plan it like that"},
		{"other schema", manifest(func(m *results.Manifest) { m.Schema = 9 }), "schema 9, this bench reads 1"},
		{"includes", experiment("seed: 1\n", "seed: 1\ninclude: [/etc/passwd]\n"), "field include not found"},
		{"no timeout", experiment("timeout: 5s, ", ""), "each up to 0s"},
		{"endless", experiment("trials: 2", "trials: 2000000000"), "plans 2000000000 cells"},
		{"endless sweep", experiment("- name: randoop", "- {name: randoop, sweep: {a: "+values+", b: "+values+"}}"), "plans 2000000 cells"},
		{"cell that leads out", experiment("- name: randoop", "- name: ../../../randoop"), "no name of a directory"},
		{"no experiment", experiment(experimentText, ""), "is empty"},
		{"record of another cell", func(t *testing.T, data *results.Data) {
			r := *data.Cells[0].Record
			r.Cell.Trial = 2
			write(t, filepath.Join(data.Dir, firstCell, "record.json"), r)
		}, "of another cell"},
		{"link", func(t *testing.T, data *results.Data) {
			assert.NilError(t, os.Symlink("/etc/passwd", filepath.Join(data.Dir, firstCell, "suite", "p00002.c")))
		}, "p00002.c is a link or special file"},
		{"FIFO", func(t *testing.T, data *results.Data) {
			manifest := filepath.Join(data.Dir, "manifest.json")
			assert.NilError(t, errors.Join(os.Remove(manifest), syscall.Mkfifo(manifest, 0o644)))
		}, "manifest.json is a link or special file"},
		{"large", func(t *testing.T, data *results.Data) {
			assert.NilError(t, os.Truncate(filepath.Join(data.Dir, firstCell, "record.json"), maxFile+1))
		}, "the limit is"},
		{"edited suite", func(t *testing.T, data *results.Data) {
			seal := map[string]any{"files": map[string]string{"suite/p00001.c": strings.Repeat("0", 64)}}
			write(t, filepath.Join(data.Dir, firstCell, "seal.json"), seal)
		}, "p00001.c changed after its cell was complete"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data, bench := madeRun(t)
			tc.spoil(t, data)
			_, err := Open(data.Dir, bench)
			assert.Check(t, err != nil && strings.Contains(err.Error(), tc.want), "got %v, want %q", err, tc.want)
		})
	}
}

func TestReadSuite(t *testing.T) {
	sum := "7c725f30854a46033dd94f728ac6b08caf10845993cd3ed48e40079cdb0a76a6"
	program := func(id, file string) trial.SuiteEntry { return trial.SuiteEntry{ID: id, File: file, SHA256: sum} }
	for want, programs := range map[string][]trial.SuiteEntry{
		"":                               {program("p1", "p1.c")},
		"p2.c is not what its tool made": {program("p1", "p1.c"), program("p2", "p2.c")},
		"no name or there twice":         {program("p1", "p1.c"), program("p1", "p2.c")},
		"\"../p1\", which is no":         {program("../p1", "p1.c")},
		"outside of the suite":           {program("p1", "../p1.c")},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "p1.c"), []byte("int x;\n"))
		write(t, filepath.Join(dir, trial.SuiteFile), trial.Suite{Schema: trial.SuiteSchema, Programs: programs})
		if _, err := ReadSuite(dir); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
