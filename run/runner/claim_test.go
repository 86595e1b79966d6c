package runner

import (
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// joined works on chosen cells of a plan, as one task of a scheduler does.
func joined(t *testing.T, dir string, p experiments.Plan, lab *fakeLab, only func(trial.Cell) bool) (Summary, error) {
	t.Helper()
	store, err := results.Join(dir, "test")
	if err != nil {
		return Summary{}, err
	}
	defer store.Close()
	o := options(store, p, lab, feedbackTool{name: "a"})
	o.Only = only
	if err := store.Start([]byte("name: fake\n"), nil); err != nil {
		return Summary{}, err
	}
	return Run(t.Context(), o)
}

func ofTrial(n int) func(trial.Cell) bool { return func(c trial.Cell) bool { return c.Trial == n } }

func TestTasksAndOneRunMakeTheSame(t *testing.T) {
	p := plan(trial.Budget{Programs: 20}, 4, []string{"a"}, []string{"zlib", "cJSON"})
	whole, parts := t.TempDir(), t.TempDir()
	s, err := session(t.Context(), whole, p, newLab(), 2, feedbackTool{name: "a"})
	mustComplete(t, s, err)
	var tasks sync.WaitGroup
	for n := 1; n <= 4; n++ {
		tasks.Go(func() {
			s, err := joined(t, parts, p, newLab(), ofTrial(n))
			assert.Check(t, err == nil && s.Planned == 2 && s.Complete == 2, "task %d: %+v, %v", n, s, err)
		})
	}
	tasks.Wait()
	assert.Check(t, maps.Equal(content(t, whole), content(t, parts)), "four tasks and one run make different runs")
	s, err = session(t.Context(), parts, p, newLab(), 2, feedbackTool{name: "a"})
	mustComplete(t, s, err)
}

// TestTasksOnOneCellMakeItOnce starts many tasks on the same cell at once, again and again
// until it is complete. Whoever does not get it says so and touches nothing.
func TestTasksOnOneCellMakeItOnce(t *testing.T) {
	p := plan(trial.Budget{Programs: 20}, 2, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	lab := newLab()
	exec := &hashExecutor{pause: time.Millisecond}
	lab.exec = exec
	var tasks sync.WaitGroup
	for range 6 {
		tasks.Go(func() {
			s, err := joined(t, dir, p, lab, ofTrial(1))
			assert.Check(t, err == nil && s.Planned == 1, "%+v, %v", s, err)
			for _, inc := range s.Incomplete {
				assert.Check(t, inc.Kind == KindClaimed, "incomplete: %+v", inc)
			}
		})
	}
	tasks.Wait()
	data, err := results.Load(dir)
	assert.Assert(t, err == nil && data.Cells[0].Record != nil && data.Cells[1].Incomplete.Kind == KindNotRun,
		"%+v, %v", data, err)
	alone, once := t.TempDir(), &hashExecutor{}
	lab.exec = once
	if _, err := joined(t, alone, p, lab, ofTrial(1)); err != nil {
		t.Fatal(err)
	}
	assert.Check(t, exec.runs.Load() == once.runs.Load(),
		"%d programs were run, one task alone runs %d", exec.runs.Load(), once.runs.Load())
}

func TestOtherToolchainIsRefused(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 2, []string{"a"}, []string{"zlib"})
	dir := t.TempDir()
	if _, err := joined(t, dir, p, newLab(), ofTrial(1)); err != nil {
		t.Fatal(err)
	}
	other := newLab()
	other.keys.Generate = "another clang"
	_, err := joined(t, dir, p, other, ofTrial(2))
	var mismatch *results.Refusal
	assert.Assert(t, errors.As(err, &mismatch), "error %v", err)
}
