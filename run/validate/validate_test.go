package validate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

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

// unreachable is a choice of libraries that cannot be opened, and a proof of them.
func unreachable(out io.Writer, names ...string) (*Proof, []Choice) {
	var chosen []Choice
	for _, name := range names {
		lib := &lisabench.Library{Name: name}
		for _, id := range []string{name + "-1", name + "-2"} {
			lib.Bugs = append(lib.Bugs, &lisabench.Bug{ID: id, Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}})
		}
		lib.Bugs[1].Upstream = &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "too old"}
		chosen = append(chosen, Choice{lib, lib.Bugs})
	}
	open := func(ctx context.Context, l *lisabench.Library) (Builds, Runner, error) {
		return nil, nil, cmp.Or(ctx.Err(), fmt.Errorf("%s cannot be reached", l.Name))
	}
	return &Proof{Edition: lisabench.Upstream, Runs: 1, Open: open, Out: out}, chosen
}

// A library that cannot be had fails with its bugs, and the others go on.
func TestProvingGoesOnWithoutALibrary(t *testing.T) {
	var out bytes.Buffer
	proof, chosen := unreachable(&out, "one", "two")
	results, err := proof.All(t.Context(), chosen)
	assert.NilError(t, err)
	var got []string
	for _, r := range results {
		got = append(got, r.Bug+" "+r.Verdict())
		if reason := "cannot be reached"; !r.Absent() && !strings.Contains(r.Problem, reason) {
			t.Errorf("%s: %q, want %q", r.Bug, r.Problem, reason)
		}
	}
	if got, want := strings.Join(got, ", "), "one-1 FAILED, one-2 absent, two-1 FAILED, two-2 absent"; got != want {
		t.Errorf("results %s\nwant %s", got, want)
	}
	const progress = `one (upstream): fetching and building
[1/4] one-1: FAILED
[2/4] one-2: absent
two (upstream): fetching and building
[3/4] two-1: FAILED
[4/4] two-2: absent
`
	assert.Check(t, out.String() == progress, "progress:\n%swant:\n%s", out.String(), progress)
}

// The results are those of bugs that are still being validated when the last library is open.
func TestProvingWaitsForItsBugs(t *testing.T) {
	r := &fakeRunner{results: map[string][]trial.Result{"buggy": results(trial.Crash)}}
	v, bug := newValidator(r, fakeBuilds{})
	proof := &Proof{Edition: lisabench.Debian, Runs: 1, Out: io.Discard, Open: func(context.Context, *lisabench.Library) (Builds, Runner, error) {
		return slowBuilds{v.Builds}, r, nil
	}}
	all, err := proof.All(t.Context(), []Choice{{v.Library, []*lisabench.Bug{bug}}})
	assert.Check(t, err == nil && len(all) == 1 && all[0].OK, "%+v, %v", all, err)
}

type slowBuilds struct{ Builds }

func (s slowBuilds) Bug(ctx context.Context, bug *lisabench.Bug) (fixed, buggy *libbuild.Build, err error) {
	time.Sleep(20 * time.Millisecond)
	return s.Builds.Bug(ctx, bug)
}

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
