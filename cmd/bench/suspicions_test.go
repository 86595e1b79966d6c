package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// TestSuspicionsAgainst runs the suspicions of a run over the real cJSON against a copy of it in
// which one is fixed and one crashes.
func TestSuspicionsAgainst(t *testing.T) {
	t.Parallel()
	run, later := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "later")
	cell := trial.Cell{Tool: "lisa", Variant: trial.DefaultVariant, Library: "cJSON", Edition: "debian", Trial: 1, Seed: 1}
	dir := filepath.Join(run, "cells", cell.ID())
	generation := trial.Generation{}
	for _, s := range []struct{ id, body, assertion string }{
		{"s001", `int same = strcmp(cJSON_Version(), "1.7.99");`, "same == 0"},
		{"s002", "cJSON *no = cJSON_CreateFalse();", "cJSON_IsTrue(no)"},
		{"s003", "cJSON *nothing = cJSON_CreateNull();", "cJSON_IsTrue(nothing)"},
		{"s004", "cJSON *yes = cJSON_CreateTrue();", "cJSON_IsTrue(yes)"},
		{"s005", `int n = (int)strlen(cJSON_Version()); printf("@value n = %s\n", cJSON_Version()); fflush(stdout);`, "n == 0"},
	} {
		file := "work/suspicions/" + s.id + ".c"
		writeFile(t, filepath.Join(dir, file), "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#include <cJSON.h>\n\nvoid test_it(void)\n{\n    "+
			s.body+"\n    assert("+s.assertion+");\n}\n\nint main(void)\n{\n    test_it();\n    return 0;\n}\n")
		generation.Suspicions = append(generation.Suspicions, trial.Suspicion{ID: s.id, Program: file, Script: "work/suspicions/" + s.id + ".sh", Line: 9, Assertion: s.assertion,
			Opinion: trial.Opinion{Verdict: trial.Unasked}})
	}
	writeJSON(t, filepath.Join(dir, "record.json"), trial.Record{Schema: trial.RecordSchema, Key: "k", Cell: cell, Kind: trial.KindPrograms, Stop: trial.StopPrograms, Generation: &generation})
	writeJSON(t, filepath.Join(run, "manifest.json"), results.Manifest{Schema: 1, Name: "t", Cells: []results.PlannedCell{{Cell: cell, Key: "k"}}})
	writeFile(t, filepath.Join(run, "experiment.yaml"), "name: t\nseed: 1\ntrials: 1\nbudget: {programs: 5}\nlibraries:\n  - {name: cJSON, edition: debian, bugs: []}\ntools:\n  - name: lisa\n")

	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	lib, err := bench.Library("cJSON")
	assert.NilError(t, err)
	tree, err := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler)).Reference(t.Context(), lib, lisabench.Debian)
	assert.NilError(t, err)
	assert.NilError(t, os.CopyFS(later, os.DirFS(tree.Dir)))
	edit := func(file, from, to string) {
		file = filepath.Join(later, file)
		text := readFile(t, file)
		assert.Assert(t, strings.Contains(text, from), "%s lacks %s", file, from)
		writeFile(t, file, strings.Replace(text, from, to, 1))
	}
	edit("cJSON.h", "#define CJSON_VERSION_PATCH 15", "#define CJSON_VERSION_PATCH 99")
	edit("cJSON.c", "(CJSON_VERSION_PATCH != 15)", "(CJSON_VERSION_PATCH != 99)")
	edit("cJSON.c", "CJSON_PUBLIC(cJSON *) cJSON_CreateNull(void)\n{", "CJSON_PUBLIC(cJSON *) cJSON_CreateNull(void)\n{\n    *(volatile char *)8 = 1;")

	cache := testcache.Dir("")
	for _, c := range []struct {
		earlier bool
		want    []string
	}{
		{false, []string{"fixed", "still there", "broken: a crash, signal 11", "cannot run: on the reference itself it ends with ok", "still there, with n = 1.7.99", "1 fixed, 1 broken, 2 still there, 1 cannot run"}},
		{true, []string{"broken: holds on the earlier version", "0 fixed, 1 broken, 2 still there, 2 cannot run"}},
	} {
		args := []string{"suspicions", run, "--against", later, "--cache", cache}
		if c.earlier {
			args = append(args, "--earlier")
		}
		start(t, "", args...).expect(t, exitOK, c.want...)
	}
	start(t, "", "suspicions", run, "--against", "no-such-tag", "--library", "re2", "--cache", cache).expect(t, exitOK, "no suspicions")
	start(t, "", "report", run, "--cache", cache).expect(t, exitOK)
	if text := readFile(t, filepath.Join(run, "report", "report.txt")); !strings.Contains(text, "cJSON on later") || !strings.Contains(text, "still there") {
		t.Errorf("the report does not say what changed:\n%s", text)
	}
}
