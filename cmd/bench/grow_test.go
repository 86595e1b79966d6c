package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// grown is an experiment in one of its sizes.
func grown(trials, programs int, bugs, tools string) string {
	return fmt.Sprintf("name: grown\ntrials: %d\nbudget: {programs: %d}\nlibraries:\n  - {name: cJSON, edition: debian, bugs: %s}\ntools:\n  - {name: randoop, params: {batch: 5}%s}\n",
		trials, programs, bugs, tools)
}

// TestRunGrows grows a run by a trial, a variant, a bug and budget. Each time, what is there is
// gone on with, and in the end the report is that of one run with everything.
func TestRunGrows(t *testing.T) {
	if testing.Short() {
		t.Skip("evaluates nine cells")
	}
	cache, root := testcache.Dir(""), t.TempDir()
	file := filepath.Join(root, "grown.yaml")
	dir := func(name string) string { return filepath.Join(root, name, "run") } // apart, so that none is reused
	bench := func(t *testing.T, dir string, code int, args ...string) string {
		t.Helper()
		s := start(t, dir, append([]string{"run", file, "--cache", cache, "--dir", dir}, args...)...)
		s.expect(t, code)
		return s.out.String()
	}
	const variant = ", variants: [{name: default}, {name: blind, params: {assertions: false}}]"
	generated := regexp.MustCompile(`(?m)^\[\d+/\d+\] (\S+): \d+ programs`)
	for _, step := range []struct{ what, text, grows, works string }{
		{"begin", grown(1, 5, "[cjson-1]", ""), "", "randoop.default.cJSON.debian.1"},
		{"nothing", grown(1, 5, "[cjson-1]", ""), "", ""},
		{"trial", grown(2, 5, "[cjson-1]", ""), "more cells", "randoop.default.cJSON.debian.2"},
		{"variant", grown(2, 5, "[cjson-1]", variant), "more cells", "randoop.blind.cJSON.debian.1 randoop.blind.cJSON.debian.2"},
		{"bug", grown(2, 5, "[cjson-1, cjson-2]", variant), "cells with more bugs",
			"randoop.default.cJSON.debian.1 randoop.blind.cJSON.debian.1 randoop.default.cJSON.debian.2 randoop.blind.cJSON.debian.2"},
		{"budget", grown(2, 10, "[cjson-1, cjson-2]", variant), "cells with a larger budget",
			"randoop.default.cJSON.debian.1 randoop.blind.cJSON.debian.1 randoop.default.cJSON.debian.2 randoop.blind.cJSON.debian.2"},
	} {
		want := strings.Fields(step.works)
		writeFile(t, file, step.text)
		out := bench(t, dir("grown"), exitOK, "--jobs", "1")
		if says := fmt.Sprintf("grows: %d %s;", len(want), step.grows); step.grows != "" && !strings.Contains(out, says) || step.grows == "" && strings.Contains(out, "grows") {
			t.Errorf("%s: does not say %q:\n%s", step.what, says, out)
		}
		var worked []string
		for _, m := range generated.FindAllStringSubmatch(out, -1) {
			worked = append(worked, m[1])
		}
		assert.Check(t, slices.Equal(worked, want), "%s: worked on %q, want %q", step.what, worked, want)
	}
	if _, err := os.Stat(filepath.Join(dir("grown"), "stale")); err == nil {
		t.Error("something was thrown away")
	}
	first := readFile(t, filepath.Join(dir("grown"), "cells", "randoop.default.cJSON.debian.1", "events.jsonl"))
	assert.Check(t, strings.Count(first, `"kind":"grown"`) == 1, "the first cell did not grow once")

	bench(t, dir("whole"), exitOK)
	report := func(run string) string { return readFile(t, filepath.Join(run, "report", "report.json")) }
	assert.Check(t, report(dir("grown")) == report(dir("whole")),
		"the grown run's report is not that of one run with everything")

	const cells = 4
	// Cells of a run beside this one are copied, and named, unless that is refused.
	beside := filepath.Join(root, "whole", "other")
	if out := bench(t, beside, exitOK); strings.Count(out, "reused from "+dir("whole")) != cells {
		t.Errorf("not all cells were reused:\n%s", out)
	}
	named := regexp.MustCompile(`(?s),?\s*\[[^][]*"Reused cells"[^][]*\]`)
	text := report(beside)
	if n := len(named.FindAllString(text, -1)); n != cells || named.ReplaceAllString(text, "") != report(dir("whole")) {
		t.Errorf("the report names %d reused cells of %d, or is not otherwise that of the run that made them", n, cells)
	}
	writeFile(t, file, grown(1, 10, "[cjson-1, cjson-2]", ""))
	one := filepath.Join(root, "whole", "one")
	if out := bench(t, one, exitOK); strings.Count(out, "reused from ") != 1 {
		t.Errorf("the one cell was not reused:\n%s", out)
	}
	if out := bench(t, filepath.Join(root, "whole", "fresh"), exitOK, "--fresh"); strings.Contains(out, "reused") {
		t.Errorf("--fresh reused:\n%s", out)
	}

	// What is no more but something else is refused, and changes nothing.
	before := readFile(t, filepath.Join(dir("grown"), "experiment.yaml"))
	for text, why := range map[string]string{
		grown(1, 10, "[cjson-1, cjson-2]", variant):                                             "cell randoop.default.cJSON.debian.2 is not in it",
		grown(2, 5, "[cjson-1, cjson-2]", variant):                                              "has a budget of 5 programs, and had 10 programs",
		grown(2, 10, "[cjson-2]", variant):                                                      "is no longer checked for all its bugs",
		grown(2, 10, "[cjson-1, cjson-2]", variant) + "seed: 2\n":                               "seed, sandbox, test, and what llm says of models and stages cannot change",
		strings.ReplaceAll(grown(2, 10, "[cjson-1, cjson-2]", variant), "batch: 5", "batch: 4"): "has other parameters",
	} {
		writeFile(t, file, text)
		out := bench(t, dir("grown"), exitUsage)
		assert.Check(t, strings.Contains(out, why), "does not say %q:\n%s", why, out)
	}
	after := readFile(t, filepath.Join(dir("grown"), "experiment.yaml"))
	assert.Check(t, after == before, "a refused growth changed the experiment")
}
