package submission

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// TestOpenRefuses changes one thing of a run that a forger has packed with fitting hashes.
func TestOpenRefuses(t *testing.T) {
	const first, second = "cells/randoop.default.cJSON.debian.1/record.json", "cells/randoop.default.cJSON.debian.2/incomplete.json"
	record := func(change func(*trial.Record)) func(t *testing.T, data *results.Data) {
		return func(t *testing.T, data *results.Data) {
			write(t, filepath.Join(data.Dir, first), copied(t, data.Cells[0].Record, change))
		}
	}
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
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, data *results.Data)
		want  string
	}{
		{"cell left out", manifest(func(m *results.Manifest) { m.Cells = m.Cells[:1] }), "plans the cell randoop.default.cJSON.debian.2, which manifest.json does not have"},
		{"cell twice", manifest(func(m *results.Manifest) { m.Cells[1] = m.Cells[0] }), "debian.1 twice"},
		{"another seed", manifest(func(m *results.Manifest) { m.Cells[0].Seed++ }), "does not plan like that"},
		{"other schema", manifest(func(m *results.Manifest) { m.Schema = 9 }), "schema 9, this bench reads 1"},
		{"manifest of something", func(t *testing.T, data *results.Data) {
			write(t, filepath.Join(data.Dir, "manifest.json"), []byte("[]"))
		}, "manifest.json: json"},
		{"includes", experiment("seed: 1\n", "seed: 1\ninclude: [/etc/passwd]\n"), "field include not found"},
		{"endless", experiment("trials: 2", "trials: 2000000000"), "plans 2000000000 cells"},
		{"endless sweep", experiment("- name: randoop", "- {name: randoop, sweep: {a: "+list(1000)+", b: "+list(1000)+"}}"), "plans 2000000 cells"},
		{"cell that leads out", experiment("- name: randoop", "- name: ../../../randoop"), "no name of a directory"},
		{"no experiment", experiment(experimentText, ""), "it is empty"},
		{"record of another cell", record(func(r *trial.Record) { r.Cell.Trial = 2 }), "record.json is of cell randoop.default.cJSON.debian.2"},
		{"reason of another cell", func(t *testing.T, data *results.Data) {
			write(t, filepath.Join(data.Dir, second), trial.Incomplete{Cell: data.Cells[0].Cell, Kind: "tool"})
		}, "incomplete.json is of cell randoop.default.cJSON.debian.1"},
		{"counts", record(func(r *trial.Record) { r.Programs.Executed = 2 }), "do not add up"},
		{"outcome", record(func(r *trial.Record) { r.Programs.Outcomes["splendid"] = 1 }), `the outcome "splendid"`},
		{"coverage", record(func(r *trial.Record) { r.Coverage.LinesCovered = 11 }), "11 of 10 covered"},
		{"verifications", record(func(r *trial.Record) { r.Verifications.Unique = 5 }), "5 of 4 assertions"},
		{"mutants", record(func(r *trial.Record) { r.Mutation.Killed, r.Mutation.Score = 2, 0.5 }), "1 of them listed"},
		{"mutation score", record(func(r *trial.Record) { r.Mutation.Score = 0.5 }), "1 of 4 mutants killed, with a score of 0.5"},
		{"detected by nothing", record(func(r *trial.Record) { r.Bugs[1].Detected = true }), "bug cjson-2: detected is true, by 0 tests"},
		{"missing and there", record(func(r *trial.Record) { r.Lack(trial.PartCoverage, trial.Reason{Kind: trial.ReasonBuild}) }), `the part "coverage" is said to be missing, and is there`},
		{"no part", record(func(r *trial.Record) { r.Lack("luck", trial.Reason{Kind: trial.ReasonBuild}) }), `the part "luck" is said to be missing`},
		{"no kind of reason", record(func(r *trial.Record) {
			r.Verifications = nil
			r.Lack(trial.PartVerifications, trial.Reason{Kind: "mood"})
		}), `verifications is missing for a reason of no known kind: "mood"`},
		{"detected and not checked", record(func(r *trial.Record) { r.Bugs[0].Missing = &trial.Reason{Kind: trial.ReasonBuild} }), "bug cjson-1: detected is true"},
		{"bug twice", record(func(r *trial.Record) { r.Bugs[1] = r.Bugs[0] }), "bug cjson-1 is listed twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := madeRun(t, "tool")
			tc.spoil(t, data)
			_, err := Open(data.Dir)
			var invalid *InvalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func list(n int) string { return "[" + strings.Repeat("1, ", n-1) + "1]" }

// A record with another key than the manifest's is none, as it is in a run.
func TestOpenRecordOfAnotherKey(t *testing.T) {
	data := madeRun(t, "tool")
	write(t, filepath.Join(data.Dir, "cells/randoop.default.cJSON.debian.1/record.json"),
		copied(t, data.Cells[0].Record, func(r *trial.Record) { r.Key = "other" }))
	c, err := Open(data.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if c.Cells[0].Record != nil || c.Cells[0].Incomplete.Kind != "stale" {
		t.Errorf("got %+v", c.Cells[0])
	}
}

func TestRecordsOfASet(t *testing.T) {
	open := func(kind string) *Contents {
		c, err := Open(madeRun(t, kind).Dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole := open("tool")
	k := Contender{"randoop", "default"}
	if got := whole.contenders(); !slices.Equal(got, []Contender{k}) {
		t.Fatalf("contenders: %v", got)
	}
	lib := func(name string, bugs ...string) experiments.LibrarySpec {
		return experiments.LibrarySpec{Name: name, Edition: "debian", Bugs: bugs}
	}
	records, missing := whole.records(k, Set{Trials: 1, Libraries: []experiments.LibrarySpec{lib("cJSON", "cjson-2")}})
	if len(missing) > 0 || len(records) != 1 || len(records[0]) != 1 || len(records[0][0].Bugs) != 1 || records[0][0].Bugs[0].Bug != "cjson-2" {
		t.Errorf("got %v, missing %q", records, missing)
	}
	for _, tc := range []struct {
		set  Set
		want []string
	}{
		{Set{Trials: 2, Libraries: []experiments.LibrarySpec{lib("cJSON")}}, []string{"cJSON (debian), trial 2 is incomplete: tool: no harness in "}},
		{Set{Trials: 3, Libraries: []experiments.LibrarySpec{lib("cJSON")}}, []string{"trial 2 is incomplete", "cJSON (debian), trial 3 is missing"}},
		{Set{Trials: 1, Libraries: []experiments.LibrarySpec{lib("cJSON", "cjson-1", "cjson-3")}}, []string{"cJSON (debian), trial 1: bug cjson-3 was not looked for"}},
		{Set{Trials: 3, Libraries: []experiments.LibrarySpec{lib("zlib")}}, []string{"zlib (debian) is missing"}},
	} {
		records, missing := whole.records(k, tc.set)
		if len(records) > 0 || !slices.EqualFunc(missing, tc.want, strings.Contains) {
			t.Errorf("%+v: got %q, want %q", tc.set, missing, tc.want)
		}
	}
}
