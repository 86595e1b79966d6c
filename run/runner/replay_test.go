package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func FuzzAsJournalledIsWhatTheJournalGivesBack(f *testing.F) {
	f.Add("plain", "\xff\xfe\x00bytes", "half \xe2\x82")
	f.Fuzz(func(t *testing.T, diagnostic, stdout, stderr string) {
		first := asJournalled(trial.Result{Outcome: trial.OK, Diagnostic: diagnostic, Stdout: stdout, Stderr: stderr})
		data, err := json.Marshal(first)
		assert.NilError(t, err)
		var again trial.Result
		assert.NilError(t, json.Unmarshal(data, &again))
		if again.Diagnostic != first.Diagnostic || again.Stdout != first.Stdout || again.Stderr != first.Stderr {
			t.Errorf("first session sees %+v, a resumed one %+v", first, again)
		}
	})
}

// fakeMutants counts what it is asked.
type fakeMutants struct{ runs int }

func (m *fakeMutants) Mutants(context.Context) ([]trial.Mutant, error) {
	return []trial.Mutant{{ID: 3}, {ID: 4}}, nil
}

func (m *fakeMutants) RunMutants(_ context.Context, programs []trial.Program, ids []int) (trial.MutantRuns, error) {
	m.runs++
	return trial.MutantRuns{Reached: []trial.MutantReach{{ID: ids[0], Programs: []int{len(programs) - 1}, Killed: true}}, CPU: time.Second}, nil
}

func (m *fakeMutants) Cover(_ context.Context, programs []trial.Program, _ bool) (trial.Covered, error) {
	m.runs++
	return trial.Covered{Coverage: trial.Coverage{LinesCovered: len(programs)}, CPU: time.Minute}, nil
}

// A mutantTool runs programs on mutants and for coverage, and breaks off where it is told.
type mutantTool struct {
	feedbackTool
	broken *error
	saw    *[]trial.MutantRuns
	cpu    *time.Duration
}

func (mutantTool) Needs(map[string]any) trial.Needs {
	return trial.Needs{Mutants: true, Coverage: true}
}

func (m mutantTool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	*m.saw = nil
	for _, ids := range [][]int{{3, 4}, {4}} {
		runs, err := job.Mutants.RunMutants(ctx, []trial.Program{{Source: "a"}, {Source: "b"}}, ids)
		if err != nil {
			return "", err
		}
		*m.saw = append(*m.saw, runs)
		covered, err := job.Coverage.Cover(ctx, make([]trial.Program, len(ids)), true)
		if err != nil || covered.Coverage.LinesCovered != len(ids) {
			return "", fmt.Errorf("%+v, %w", covered, err)
		}
		if *m.broken != nil {
			return "", *m.broken
		}
	}
	*m.cpu = job.Ledger.Usage().CPU
	return trial.StopExhausted, nil
}

// TestMutantsAreJournalled checks that a session goes on with what the one before did for feedback, and that both
// are charged.
func TestMutantsAreJournalled(t *testing.T) {
	lab, mutants := newLab(), &fakeMutants{}
	lab.mutants, lab.coverage = mutants, mutants
	dir, p := t.TempDir(), plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"zlib"})
	var saw []trial.MutantRuns
	var cpu time.Duration
	broken := errors.New("broken")
	tool := mutantTool{feedbackTool{name: "a"}, &broken, &saw, &cpu}
	if s, err := session(t.Context(), dir, p, lab, 1, tool); err != nil || len(s.Incomplete) != 1 || mutants.runs != 2 {
		t.Fatalf("%+v, %v, %d runs", s, err, mutants.runs)
	}
	first := saw
	broken = nil
	s, err := session(t.Context(), dir, p, lab, 1, tool)
	mustComplete(t, s, err)
	if mutants.runs != 4 || !reflect.DeepEqual(saw[:1], first) || saw[1].Reached[0].ID != 4 || cpu != 2*time.Second+2*time.Minute {
		t.Errorf("%d runs, the second session saw %+v after %+v; charged %s", mutants.runs, saw, first, cpu)
	}
}
