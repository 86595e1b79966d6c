package validate

import (
	"context"
	"errors"
	"fmt"
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

// fakeBuilds names the builds; fails says which of them cannot be made.
type fakeBuilds struct{ fails string }

func (f fakeBuilds) Bug(context.Context, *lisabench.Bug) (fixed, buggy *libbuild.Build, err error) {
	if f.fails == "buggy" {
		return nil, nil, errors.New("buggy side: it does not compile")
	}
	return &libbuild.Build{SharedLib: "fixed"}, &libbuild.Build{SharedLib: "buggy"}, nil
}

func (f fakeBuilds) Sanitized(context.Context, *lisabench.Bug) (*libbuild.Build, error) {
	if f.fails == "sanitized" {
		return nil, errors.New("no sanitizer runtime")
	}
	return &libbuild.Build{SharedLib: "sanitized"}, nil
}

// fakeRunner returns results by "BUILD PROGRAM", else by build; without any, passing ones.
type fakeRunner struct {
	results map[string][]trial.Result
	asked   []string // build, runs, timeout, and program
	err     error
}

func (f *fakeRunner) Plain(_ context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error) {
	f.asked = append(f.asked, fmt.Sprintf("%s %d %v %s %s %q", b.SharedLib, o.Runs, o.Timeout, p.ID, p.Lang, p.Source))
	if f.err != nil {
		return nil, f.err
	}
	for _, key := range []string{b.SharedLib + " " + p.ID, b.SharedLib} {
		if r, ok := f.results[key]; ok {
			return r, nil
		}
	}
	return slices.Repeat([]trial.Result{{Outcome: trial.OK}}, o.Runs), nil
}

// Run answers for all programs as Plain does for one; a result's ID may pick the program.
func (f *fakeRunner) Run(_ context.Context, b *libbuild.Build, programs []trial.Program, _ testrun.Options) ([]trial.Result, error) {
	var list []trial.Result
	for _, p := range programs {
		f.asked = append(f.asked, fmt.Sprintf("all %s %s", b.SharedLib, p.ID))
		r := trial.Result{Outcome: trial.OK}
		if given := f.results[b.SharedLib+" "+p.ID]; len(given) > 0 {
			r = given[0]
		}
		list = append(list, r)
	}
	return list, f.err
}

func results(outcomes ...trial.Outcome) []trial.Result {
	var list []trial.Result
	for _, o := range outcomes {
		list = append(list, trial.Result{Outcome: o})
	}
	return list
}

func newValidator(r Runner, b Builds) (*validator, *lisabench.Bug) {
	v := &validator{Library: &lisabench.Library{Name: "lib", Language: trial.C}, Edition: lisabench.Debian, Builds: b, Runner: r, Runs: 3}
	return v, &lisabench.Bug{ID: "lib-1", Selection: lisabench.Protocol, Debian: &lisabench.Reintroduce{Strategy: lisabench.EditTree},
		Witness: lisabench.Witness{TimeoutSec: 7, Source: "int main(void);"}}
}

func TestWitness(t *testing.T) {
	ok, crash, hang := trial.OK, trial.Crash, trial.Timeout
	asserted := trial.Result{Outcome: trial.Assertion, Assertion: &trial.AssertionFailure{File: "lib-1.c", Line: 9, Expr: "n == 2"}}
	tests := []struct {
		name    string
		results map[string][]trial.Result
		builds  fakeBuilds
		err     error
		problem string // part of it; "" means that the bug is proven
	}{
		{name: "fails in every run", results: map[string][]trial.Result{"buggy": {asserted, asserted, asserted}}},
		{name: "hangs in every run", results: map[string][]trial.Result{"buggy": results(hang, hang, hang)}},
		{name: "passes on the buggy build", problem: "does not discriminate: it passes on the buggy build in run 1 of 3"},
		{name: "passes on the buggy build at times", results: map[string][]trial.Result{"buggy": results(crash, crash, ok)},
			problem: "does not discriminate: it passes on the buggy build in run 3 of 3"},
		{name: "fails in two ways", results: map[string][]trial.Result{"buggy": results(crash, hang, crash)},
			problem: "not stable on the buggy build: run 1 is crash, run 2 is timeout"},
		{name: "fails on the reference", results: map[string][]trial.Result{"fixed": {{Outcome: ok}, asserted, {Outcome: ok}}},
			problem: "does not pass on the reference build: run 2 is assertion (lib-1.c:9: assert n == 2)"},
		{name: "does not compile", results: map[string][]trial.Result{"fixed": {{Outcome: trial.CompileError, Diagnostic: "\nlib-1.c:1: error\n"}}},
			problem: "run 1 is compile_error:\nlib-1.c:1: error"},
		{name: "does not link with the buggy build", results: map[string][]trial.Result{"buggy": {{Outcome: trial.LinkError, Diagnostic: "undefined symbol"}}},
			problem: "does not build against the buggy build: link_error:\nundefined symbol"},
		{name: "loud under sanitizers", results: map[string][]trial.Result{"buggy": results(crash, crash, crash), "sanitized": {{Outcome: crash, Diagnostic: "leak"}}},
			problem: "not quiet on the reference's sanitizer build: crash:\nleak"},
		{name: "no buggy build", builds: fakeBuilds{"buggy"}, problem: "it does not compile"},
		{name: "no sanitizer build", builds: fakeBuilds{"sanitized"}, problem: "no sanitizer runtime"},
		{name: "the harness breaks", err: errors.New("no space left"), problem: "no space left"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, bug := newValidator(&fakeRunner{results: tt.results, err: tt.err}, tt.builds)
			res, err := v.Bug(t.Context(), bug)
			assert.NilError(t, err)
			if res.OK != (tt.problem == "") || res.OK != (res.Problem == "") || !strings.Contains(res.Problem, tt.problem) {
				t.Errorf("OK %v, problem %q; want %q", res.OK, res.Problem, tt.problem)
			}
			assert.Check(t, res.Bug == "lib-1" && res.Strategy == lisabench.EditTree && !res.Absent(),
				"result %+v", res)
		})
	}
}

func TestProvenResult(t *testing.T) {
	failure := &trial.AssertionFailure{File: "lib-1.c", Line: 9, Expr: "n == 2"}
	r := &fakeRunner{results: map[string][]trial.Result{"buggy": slices.Repeat([]trial.Result{{Outcome: trial.Assertion, Assertion: failure}}, 3)}}
	v, bug := newValidator(r, fakeBuilds{})
	got, err := v.Bug(t.Context(), bug)
	assert.NilError(t, err)
	ok, failed := trial.OK, trial.Assertion
	want := Result{Library: "lib", Bug: "lib-1", Edition: lisabench.Debian, Strategy: lisabench.EditTree, Selection: lisabench.Protocol,
		Reference: []trial.Outcome{ok, ok, ok}, Buggy: []trial.Outcome{failed, failed, failed}, Sanitizer: ok, Assertion: failure, Others: &Matrix{}, OK: true}
	assert.Check(t, reflect.DeepEqual(got, want), "got %+v\nwant %+v", got, want)
	const program = ` lib-1 c "int main(void);"`
	if want := []string{"fixed 3 7s" + program, "buggy 3 7s" + program, "sanitized 1 7s" + program}; !slices.Equal(r.asked, want) {
		t.Errorf("ran %q\nwant %q", r.asked, want)
	}
}

func TestAbsentBug(t *testing.T) {
	for name, how := range map[string]*lisabench.Reintroduce{
		"there is none before 2.0":             {Strategy: lisabench.Absent, Reason: "there is none before 2.0"},
		"the bug says nothing of this edition": nil,
	} {
		t.Run(name, func(t *testing.T) {
			r := &fakeRunner{}
			v, bug := newValidator(r, fakeBuilds{"buggy"})
			bug.Debian = how
			res, err := v.Bug(t.Context(), bug)
			if err != nil || !res.OK || !res.Absent() || res.Problem != name || len(r.asked) > 0 {
				t.Errorf("%+v, %v, %d runs", res, err, len(r.asked))
			}
		})
	}
}

func TestInterruptionIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, bug := newValidator(&fakeRunner{err: context.Canceled}, fakeBuilds{})
	if res, err := v.Bug(ctx, bug); !errors.Is(err, context.Canceled) || res.OK {
		t.Errorf("%+v, %v; want the interruption, not a verdict on the bug", res, err)
	}
}
