package report_test

import (
	"fmt"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	. "github.com/lisa-bench/lisa-bench/report"
	. "github.com/lisa-bench/lisa-bench/report/measured"
)

func side(name string, ms ...measured) NamedRun {
	r := NamedRun{Name: name, Run: runOf(ms...)}
	for _, c := range r.Cells {
		r.Planned = append(r.Planned, c.Cell)
	}
	r.Provenance = []Origin{{Of: "Run", Name: "bench", Value: name}, {Of: "Run", Name: "seed", Value: "1"}}
	return r
}

func TestCompareRuns(t *testing.T) {
	first := side("one", measured{tool: "a", variant: "default", library: "l", trial: 1, lines: 10, bugs: "dd-?"},
		measured{tool: "a", variant: "default", library: "l", trial: 2, lines: 20, bugs: "----"},
		on("gone", "l", 1, "d---"))
	second := side("two", measured{tool: "a", variant: "default", library: "l", trial: 1, lines: 30, bugs: "-dddd"},
		measured{tool: "a", variant: "default", library: "l", trial: 2, lines: 40, bugs: "-----"})
	d, err := CompareRuns(first, second)
	assert.NilError(t, err)
	for id, want := range map[string][]string{
		"runs":                 {"A|one|t|3 of 3", "B|two|t|2 of 2"},
		"changes":              {"Run: bench|one|two", "cells of one run alone|gone.default.l.debian.1|none"},
		"bug_pairs_by_library": {"l|a@A|a@B|2 of 4|3 of 4|1|2|1.0000|1.0000|1.0000|1.0000|n/a|0.33|1.0000|1.0000"},
		"coverage_pairs_line":  {"l|a@A|a@B|2 and 2|-20.00|n/a|0.00|0.3333|0.3333"},
	} {
		got := rowsOf(t, d, id)
		assert.Check(t, slices.Equal(got, want), "%s: got  %q\nwant %q", id, got, want)
	}
	if s := d.Sections[0]; s.Lead != "a detects 2 in A, a 3 in B of 4 bugs: any difference may be chance." ||
		!slices.Contains(s.Notes, "Detected by one alone: l-1 (a in A), l-3 (a in B), l-4 (a in B).") {
		t.Errorf("answer %q, notes %q", s.Lead, s.Notes)
	}
	same, err := CompareRuns(first, NamedRun{Name: "copy", Run: first.Run})
	assert.Check(t, err == nil && len(same.Sections[1].Notes) == 1, "a copy: %v, %+v", err, same)
	// Without a tool in common, each tool of A is compared with each of B.
	suite := side("suite", on("suite", "l", 1, "d---------"))
	d, err = CompareRuns(suite, side("other", on("b", "l", 1, "----------"), on("c", "l", 1, "-ddddddddd")))
	want := "suite detects 1 in A, c 9 in B, b 0 in B of 10 bugs: more than chance for suite and c."
	assert.Check(t, err == nil && d.Sections[0].Lead == want, "%v: %q, want %q", err, d.Sections[0].Lead, want)
	if _, err := CompareRuns(suite, side("other", on("b", "m", 1, ""))); err == nil {
		t.Error("runs with nothing in common are compared")
	}
}

// Variants that give a parameter several numbers are drawn over it. One with another parameter has the same value.
func TestSweep(t *testing.T) {
	run := runOf(measured{tool: "a", variant: "n=2", library: "l", trial: 1, lines: 10, bugs: "d-"},
		measured{tool: "a", variant: "n=4", library: "l", trial: 1, lines: 30, bugs: "--"},
		measured{tool: "a", variant: "n=4,m=1", library: "l", trial: 1, lines: 50, bugs: "dd"})
	run.Params = map[string]map[string]float64{"a/n=2": {"n": 2}, "a/n=4": {"n": 4}, "a/n=4,m=1": {"n": 4, "m": 1}}
	d := build(t, run)
	want := []string{"l|a|n|2|1 of 1|100.0|100.0|10.0|5.0|n/a|50.0", "l|a|n|4|2 of 2|100.0 ± 0.0|100.0 ± 0.0|40.0 ± 14.1|20.0 ± 7.1|n/a|50.0 ± 70.7"}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "sweeps"), want))
	for _, c := range d.AllCharts() {
		if c.ID == "sweep-l-a-n-line" && fmt.Sprint(c.Series[0].Points) == "[{ 2 10 10 10} { 4 40 30 50}]" {
			return
		}
	}
	t.Errorf("not drawn: %q", d.Names())
}
