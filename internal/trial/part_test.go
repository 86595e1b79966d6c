package trial_test

import (
	"reflect"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestDropKnowsEveryPart checks that a part can be taken out of a record, and that nothing else goes
// with it.
func TestDropKnowsEveryPart(t *testing.T) {
	whole := trial.Record{
		Programs: &trial.ProgramCounts{}, Coverage: &trial.Coverage{}, Growth: []trial.GrowthPoint{{}}, Verifications: &trial.Verifications{},
		Mutation: &trial.Mutation{}, Bugs: []trial.BugResult{{Bug: "b1"}, {Bug: "b2"}},
	}
	filled := func(r trial.Record) (n int) {
		for i := range reflect.TypeFor[trial.Record]().NumField() {
			if !reflect.ValueOf(r).Field(i).IsZero() {
				n++
			}
		}
		return n
	}
	for _, p := range trial.Parts {
		r := whole
		r.Drop(trial.Gap{Part: p, Bug: "b1"})
		if p == trial.PartDetections {
			if len(r.Bugs) != 1 || r.Bugs[0].Bug != "b2" || len(whole.Bugs) != 2 || filled(r) != filled(whole) {
				t.Errorf("a bug less: %+v", r)
			}
		} else if filled(r) != filled(whole)-1 {
			t.Errorf("%s: %d values are left of %d", p, filled(r), filled(whole))
		}
	}
}

func TestGapsOfOneReasonAreToldTogether(t *testing.T) {
	var r trial.Record
	build, box := trial.Reason{Kind: trial.ReasonBuild, Message: "no profile runtime\nat all"}, trial.Reason{Kind: trial.ReasonSandbox, Message: "gone"}
	r.Lack(trial.PartGrowth, build)
	r.Lack(trial.PartCoverage, build)
	broken := trial.Reason{Kind: trial.ReasonBuild, Message: "compile a.c\na.c:3:7: error: expected ';'\n   3 | int x"}
	r.Bugs = []trial.BugResult{{Bug: "b1"}, {Bug: "b2", Missing: &box}, {Bug: "b3", Missing: &build}, {Bug: "b4", Missing: &broken}}
	const want = "coverage, growth, bug b3 (build: no profile runtime … at all), bug b2 (sandbox: gone), " +
		"bug b4 (build: compile a.c: a.c:3:7: error: expected ';')"
	assert.Check(t, is.Equal(trial.DescribeGaps(r.Gaps()), want))
}

// TestAbsentBugIsNoGap: no later evaluation brings a bug back to a commit that cannot have it.
func TestAbsentBugIsNoGap(t *testing.T) {
	r := trial.Record{Bugs: []trial.BugResult{
		{Bug: "a-1", Missing: &trial.Reason{Kind: trial.ReasonAbsent}}, {Bug: "a-2", Missing: &trial.Reason{Kind: trial.ReasonBuild}},
	}}
	if gaps := r.Gaps(); len(gaps) != 1 || gaps[0].Bug != "a-2" {
		t.Errorf("%+v", gaps)
	}
}

func TestBrief(t *testing.T) {
	for message, want := range map[string]string{
		"tool: exit status 1\n": "tool: exit status 1",
		"build failed\nIn file included from a.c:1:\nb.h:3:9: error: unknown type name 'x'\n  3 | x y;\n": "build failed: b.h:3:9: error: unknown type name 'x'",
		"a.c:1:2: warning: old\na.c:3:9: error: no y\n":                                                   "a.c:3:9: error: no y",
		"a.c:3:9: error: no y\n  3 | y\n    | ^":                                                          "a.c:3:9: error: no y",
		"Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'x'\n":                            "Traceback (most recent call last): … KeyError: 'x'",
		strings.Repeat("é", 301):                                                                          strings.Repeat("é", 300) + " …",
	} {
		if got := trial.Brief(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
