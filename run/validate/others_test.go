package validate

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestMatrix validates lib-1 beside lib-2, lib-3 and lib-4, which is absent.
func TestMatrix(t *testing.T) {
	ok, crash, failed := trial.OK, trial.Crash, trial.Assertion
	declared := []lisabench.AlsoFails{{Bug: "lib-2", Reason: "one line holds both"}}
	for _, tt := range []struct {
		name    string
		results map[string][]trial.Result
		also    []lisabench.AlsoFails
		want    Matrix
		problem string
	}{
		{name: "all pass", want: Matrix{Passed: 2}},
		{name: "one is dragged in", results: map[string][]trial.Result{"buggy lib-2": results(failed, failed, failed)},
			want:    Matrix{Passed: 1, DraggedIn: []Also{{Bug: "lib-2", Outcome: failed}}},
			problem: "the witness of another bug fails too: lib-2 (assertion)"},
		{name: "one fails at times", results: map[string][]trial.Result{"buggy lib-3": results(crash, ok, ok)},
			want:    Matrix{Passed: 1, DraggedIn: []Also{{Bug: "lib-3", Outcome: crash}}},
			problem: "lib-3 (crash)"},
		{name: "declared", results: map[string][]trial.Result{"buggy lib-2": results(failed, failed, failed)}, also: declared,
			want: Matrix{Passed: 1, DraggedIn: []Also{{Bug: "lib-2", Outcome: failed, Declared: true}}}},
		{name: "declared for nothing", also: declared, want: Matrix{Passed: 2},
			problem: "also_fails declares lib-2, whose witness does not fail"},
		{name: "fails on the older commit too", results: map[string][]trial.Result{
			"buggy lib-2": results(failed, failed, failed), "fixed lib-2": results(failed, failed, failed)},
			want: Matrix{Passed: 1, Elsewhere: []string{"lib-2"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.results == nil {
				tt.results = map[string][]trial.Result{}
			}
			tt.results["buggy lib-1"] = results(failed, failed, failed)
			r := &fakeRunner{results: tt.results}
			v, bug := newValidator(r, fakeBuilds{})
			bug.Debian.AlsoFails = tt.also
			edit := &lisabench.Reintroduce{Strategy: lisabench.EditTree}
			v.Library.Bugs = []*lisabench.Bug{bug, {ID: "lib-2", Debian: edit}, {ID: "lib-3", Debian: edit},
				{ID: "lib-4", Debian: &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "older"}}}
			res, err := v.Bug(t.Context(), bug)
			assert.NilError(t, err)
			assert.Check(t, reflect.DeepEqual(*res.Others, tt.want), "matrix %+v, want %+v", *res.Others, tt.want)
			assert.Check(t, res.OK == (tt.problem == "") && strings.Contains(res.Problem, tt.problem),
				"OK %v, problem %q; want %q", res.OK, res.Problem, tt.problem)
			if slices.Contains(r.asked, "all buggy lib-1") || slices.Contains(r.asked, "all buggy lib-4") {
				t.Errorf("ran %q; want neither the bug's own witness nor that of an absent bug", r.asked)
			}
		})
	}
}

// onlyFast fails every program that is not run stand-alone.
type onlyFast struct{ *fakeRunner }

func (f onlyFast) Run(_ context.Context, _ *libbuild.Build, programs []trial.Program, _ testrun.Options) ([]trial.Result, error) {
	return slices.Repeat(results(trial.Crash), len(programs)), nil
}

// A failure of the fast way that the plain way does not confirm is none.
func TestMatrixIsJudgedOnThePlainWay(t *testing.T) {
	failed := trial.Assertion
	r := &fakeRunner{results: map[string][]trial.Result{"buggy lib-1": results(failed, failed, failed)}}
	v, bug := newValidator(onlyFast{r}, fakeBuilds{})
	v.Library.Bugs = []*lisabench.Bug{bug, {ID: "lib-2", Debian: bug.Debian}}
	res, err := v.Bug(t.Context(), bug)
	assert.Check(t, err == nil && res.OK && res.Others.Passed == 1, "%+v, %v", res, err)
	if want := `buggy 3 0s lib-2 c ""`; !slices.Contains(r.asked, want) {
		t.Errorf("ran %q, want %q among them", r.asked, want)
	}
}
