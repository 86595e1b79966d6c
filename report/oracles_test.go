package report_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
)

// oracleFixture is the fixture with the oracles of one library told apart: in cell randoop.default
// tests of invariants, in no_feedback nothing found.
func oracleFixture() Run {
	run := fixture()
	for i := range run.Cells {
		r := &run.Cells[i]
		if r.Kind == trial.KindCorpus {
			continue
		}
		if r.Cell.Library != "zlib" {
			r.Bugs = nil
			continue
		}
		for k := range r.Bugs {
			b := &r.Bugs[k]
			if b.Oracles = nil; r.Cell.Variant != "default" {
				*b = trial.BugResult{Bug: b.Bug, Missing: b.Missing}
			} else if b.Detected {
				b.Classes = []trial.ClassCount{{Oracle: trial.OracleCrash, Tests: 1}, {Oracle: trial.OracleSpecification, Tests: 5}}
				b.Failed = []trial.FailedLine{{Test: "p00001", Line: 6, Expr: "x == 1"}, {Test: "p00002", Line: 6, Expr: "x == 1"},
					{Test: "p00003", Line: 3, Expr: "y | z"}, {Test: "p00003", Line: 9, Expr: hostileName}}
			}
		}
		if r.Cell.Variant == "default" {
			r.Generation = &trial.Generation{Invariants: &trial.Invariants{Asserted: []trial.Asserted{
				{Program: 1, First: 5, Last: 6, Kind: "relational", Source: "doc", Contract: "inflate.2"},
				{Program: 1, First: 7, Last: 7, Kind: "structural", Source: "none cited"},
				{Program: 2, First: 6, Last: 6, Kind: "relational", Source: "doc", Contract: "inflate.2"},
				{Program: 3, First: 3, Last: 3, Kind: "structural", Source: "none cited"},
				{Program: 3, First: 9, Last: 9, Kind: "structural", Source: "doc"},
				{Program: 3, First: 9, Last: 9, Kind: "relational", Source: "daikon"},
			}}}
		}
	}
	return run
}

func TestOracles(t *testing.T) {
	var text bytes.Buffer
	assert.NilError(t, render.Text(&text, only(build(t, oracleFixture()), "oracle_value")))
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "|", " ").Replace(text.String())), " ")
	flat = regexp.MustCompile(` \[[0-9,]+\]`).ReplaceAllString(flat, "")
	for _, want := range []string{ // two trials detect zlib-1 and zlib-2, one zlib-3; nobody zlib-4; zlib-5 was not checked
		"zlib randoop specification structural none cited 3 of 4 5",
		"zlib randoop specification unknown unknown 3 of 4 5", // two on one line
		"zlib randoop specification no assertion – 3 of 4 5",
		"zlib randoop crash – – 3 of 4 5",
		"zlib randoop/no_feedback none of them – – 0 of 4 0",
		"zlib randoop specification relational doc 3 of 4 10",
	} {
		assert.Check(t, strings.Contains(flat, strings.NewReplacer("|", " ").Replace(want)),
			"the section lacks %q:\n%s", want, text.String())
	}
	s := only(build(t, fixture()), "oracle_value").Sections
	assert.Check(t, len(s) == 0, "a run without invariants has the section %+v", s)
}
