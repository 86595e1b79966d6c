package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

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

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func write(t testing.TB, path string, content any) {
	t.Helper()
	data, ok := content.([]byte)
	if !ok {
		var err error
		if data, err = json.MarshalIndent(content, "", "  "); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// madeRun writes the directory of a run with a cell that has a record and one that has a
// reason of that kind.
func madeRun(t testing.TB, kind string) *results.Data {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	exp, err := parseExperiment([]byte(experimentText))
	if err != nil {
		t.Fatal(err)
	}
	m := results.Manifest{Schema: results.ManifestSchema, Name: "made", Bench: "0.1.0", Corpus: "1.0.0", Created: time.Unix(1e9, 0).UTC(),
		Seed: 1, Host: results.Host{Name: "secretive-host", OS: "linux"}}
	for _, c := range exp.Plan().Cells {
		m.Cells = append(m.Cells, results.PlannedCell{Cell: c.Cell, Key: digest([]byte(c.ID()))})
	}
	write(t, filepath.Join(dir, "experiment.yaml"), []byte(experimentText))
	write(t, filepath.Join(dir, "manifest.json"), m)

	cell := filepath.Join(dir, "cells", m.Cells[0].Cell.ID())
	suite := trial.Suite{Schema: trial.SuiteSchema, Kind: trial.KindPrograms, Stop: trial.StopPrograms, Usage: trial.Usage{Wall: time.Second, Programs: 2}}
	for _, name := range []string{"p00001", "p00002"} {
		text := []byte("int main(void) { return 0; } /* " + name + " */\n")
		write(t, filepath.Join(cell, "suite", name+".c"), text)
		suite.Programs = append(suite.Programs, trial.SuiteEntry{ID: name, File: name + ".c", Lang: trial.C, SHA256: digest(text)})
	}
	write(t, filepath.Join(cell, "suite", trial.SuiteFile), suite)
	rec := madeRecord(m.Cells[0])
	rec.Stop, rec.Usage = suite.Stop, suite.Usage
	rec.Notes = []string{"seen in " + dir + "/cells and " + dir + "2, on " + dir}
	write(t, filepath.Join(cell, "record.json"), rec)
	write(t, filepath.Join(cell, llm.TranscriptFile), []byte("{\"transcript\":1,\"config\":{}}\n"))
	write(t, filepath.Join(cell, "events.jsonl"), []byte("stays behind\n"))

	write(t, filepath.Join(dir, "cells", m.Cells[1].Cell.ID(), "incomplete.json"),
		trial.Incomplete{Cell: m.Cells[1].Cell, Kind: kind, Message: "no harness in " + dir + "/cells"})
	return load(t, dir)
}

func madeRecord(c results.PlannedCell) *trial.Record {
	return &trial.Record{
		Schema: trial.RecordSchema, Key: c.Key, Cell: c.Cell, Kind: trial.KindPrograms,
		Programs: &trial.ProgramCounts{Generated: 2, Compiled: 2, Executed: 1, FalseAlarms: 1, Outcomes: map[trial.Outcome]int{trial.OK: 1, trial.Assertion: 1}},
		Coverage: &trial.Coverage{LinesCovered: 5, LinesTotal: 10, BranchesCovered: 1, BranchesTotal: 4},
		Growth:   []trial.GrowthPoint{{}, {Programs: 2, Elapsed: time.Second, LinesCovered: 5, BranchesCovered: 1}},
		Alarms:   []trial.TestReference{{ID: "p00002", File: "suite/p00002.c", Outcome: trial.Assertion, Oracle: trial.OracleReference}},
		Bugs: []trial.BugResult{
			{Bug: "cjson-1", Detected: true, Tests: 1, Oracles: []trial.OracleClass{trial.OracleReference}, First: []trial.TestReference{{ID: "p00001", Outcome: trial.Assertion}}},
			{Bug: "cjson-2"},
		},
		Verifications: &trial.Verifications{Seeds: 2, Programs: 2, Passing: 1, Unique: 3, Assertions: 4, Repeated: 1},
		Mutation: &trial.Mutation{
			MutantCount: trial.MutantCount{Mutants: 4, Reached: 2, Killed: 1}, Score: 0.25, Low: 0.25, High: 0.25, Drawn: 5, Equivalent: 1, Set: "0123",
			ByOracle: []trial.MutantOracle{{Oracle: trial.OracleReference, Killed: 1}}, KilledIn: map[string][]int{"parse": {3}},
		},
	}
}

func load(t testing.TB, dir string) *results.Data {
	t.Helper()
	data, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func pack(t testing.TB, data *results.Data, o Options) []byte {
	t.Helper()
	if o.Name == "" {
		o.Name = "made"
	}
	var out bytes.Buffer
	if _, _, err := packTo(&out, data, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// An entry is what a forger may put into an archive.
type entry struct {
	tar.Header
	body []byte
}

// unpackedEntries returns all entries of an archive, the header first.
func unpackedEntries(t testing.TB, packed []byte) []entry {
	t.Helper()
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var list []entry
	for archive := tar.NewReader(in); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, entry{*h, body})
	}
}

func packEntries(t testing.TB, list []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, e := range list {
		e.Size = int64(len(e.body))
		if e.Typeflag != tar.TypeReg && e.Typeflag != 0 {
			e.Size = 0
		}
		if err := archive.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if e.Size > 0 {
			if _, err := archive.Write(e.body); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
