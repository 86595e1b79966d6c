package runner

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A needyTool says what it needs, and sees what it gets.
type needyTool struct {
	feedbackTool
	needs trial.Needs
	saw   *trial.Target
}

func (n needyTool) Needs(map[string]any) trial.Needs { return n.needs }

func (n needyTool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	*n.saw = job.Target
	return n.feedbackTool.Generate(ctx, job)
}

// TestNeedsAreProvidedBeforeTheBudget checks that a tool gets what it needs, and no other does; that
// what cannot be made ends the cell before anything is spent; and that a finished suite needs nothing.
func TestNeedsAreProvidedBeforeTheBudget(t *testing.T) {
	dir, lab := t.TempDir(), newLab()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"fuzzer", "plain"}, []string{"zlib"})
	var fuzzer, plain trial.Target
	tools := []Tool{
		needyTool{feedbackTool{name: "fuzzer"}, trial.Needs{FuzzTargets: true}, &fuzzer},
		needyTool{feedbackTool{name: "plain"}, trial.Needs{}, &plain},
	}
	lab.unmade = errors.New("the harness does not compile")
	s, err := session(t.Context(), dir, p, lab, 1, tools...)
	assert.Assert(t, err == nil && len(s.Incomplete) == 2 && s.Incomplete[0].Kind == KindBuild && fuzzer.Library == "",
		"without its builds: %+v, %v; the tool saw %+v", s, err, fuzzer)
	lab.unmade, lab.needs = nil, nil
	lab.evaluate = func(Evaluation) error { return errors.New("not yet") }
	s, err = session(t.Context(), dir, p, lab, 1, tools...)
	assert.Assert(t, err == nil && len(s.Incomplete) == 2 && s.Incomplete[0].Kind == KindEvaluate, "%+v, %v", s, err)
	if want := []trial.Needs{{FuzzTargets: true}, {}}; !slices.Equal(lab.needs, want) {
		t.Errorf("provided %+v, want %+v", lab.needs, want)
	}
	assert.Check(t, len(fuzzer.FuzzTargets) == 1 && len(plain.FuzzTargets) == 0 && plain.Library == "zlib",
		"the tools saw %+v and %+v", fuzzer, plain)
	lab.evaluate = nil
	s, err = session(t.Context(), dir, p, lab, 1, tools...)
	mustComplete(t, s, err)
	assert.Check(t, len(lab.needs) == 2, "finished suites were provided %+v", lab.needs[2:])
}

// TestPrepareTellsTheNeedsOfThePlan checks what a cluster's first job builds for all others.
func TestPrepareTellsTheNeedsOfThePlan(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 1, []string{"fuzzer", "plain", "unknown"}, []string{"zlib"})
	var got []trial.Needs
	o := options(opened(t), p, newLab(),
		needyTool{feedbackTool: feedbackTool{name: "fuzzer"}, needs: trial.Needs{FuzzTargets: true}},
		needyTool{feedbackTool: feedbackTool{name: "plain"}, needs: trial.Needs{Sanitizer: true}})
	failed, err := Prepare(t.Context(), o, func(_ context.Context, _ Library, n trial.Needs) error { got = append(got, n); return nil })
	if err != nil || len(failed) > 0 || !slices.Equal(got, []trial.Needs{{Sanitizer: true, FuzzTargets: true}}) {
		t.Errorf("needs %+v, failed %v, error %v", got, failed, err)
	}
}
