package trial_test

import (
	"reflect"
	"testing"

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
	const want = "coverage, growth, bug b3 (build: no profile runtime …), bug b2 (sandbox: gone), " +
		"bug b4 (build: compile a.c: a.c:3:7: error: expected ';')"
	if got := trial.DescribeGaps(r.Gaps()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
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
