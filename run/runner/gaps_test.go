package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// TestMissingPartsAreTriedAgain checks that a record without a part is a complete cell, that the next
// session measures it again without generating or repeating anything, and that what goes wrong then
// takes nothing from the record.
func TestMissingPartsAreTriedAgain(t *testing.T) {
	dir := t.TempDir()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"zlib"})
	exec := &hashExecutor{}
	lab := &fakeLab{exec: exec, keys: Keys{Generate: "g", Evaluate: "e"}}
	why := trial.Reason{Kind: trial.ReasonMissingTool, Message: "clang-19 is not installed"}
	lab.lacks = map[trial.Part]trial.Reason{trial.PartVerifications: why}
	with := func(what string, ctx context.Context, gaps int) error {
		t.Helper()
		s, err := session(ctx, dir, p, lab, 1, feedbackTool{name: "a"})
		if s.Complete != 1 || len(s.Incomplete) > 0 || len(s.Gaps) != gaps {
			t.Fatalf("%s: summary %+v", what, s)
		}
		if gaps > 0 && (len(s.Gaps[0].Gaps) != 1 || s.Gaps[0].Gaps[0] != trial.Gap{Part: trial.PartVerifications, Reason: why}) {
			t.Errorf("%s: gaps %+v", what, s.Gaps)
		}
		data, loadErr := results.Load(dir)
		if loadErr != nil || data.Cells[0].Record == nil || data.Cells[0].Record.Programs.Generated != 5 {
			t.Fatalf("%s: stored %+v, %v", what, data.Cells, loadErr)
		}
		if _, statErr := os.Stat(filepath.Join(data.Cells[0].Dir, "incomplete.json")); statErr == nil {
			t.Errorf("%s: the cell is said to be incomplete as well", what)
		}
		return err
	}
	if err := with("first", t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	runs := exec.runs.Load()

	lab.broken = map[string]error{"zlib": errors.New("clang went away")}
	if err := with("with a library that cannot be prepared", t.Context(), 1); err != nil {
		t.Error(err)
	}
	lab.broken = nil
	ctx, cancel := context.WithCancel(t.Context())
	lab.evaluate = func(Evaluation) error { cancel(); return ctx.Err() }
	if err := with("interrupted", ctx, 1); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	lab.evaluate, lab.lacks = nil, nil
	for range 2 {
		if err := with("with a solver", t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	if exec.runs.Load() != runs {
		t.Errorf("%d programs generated again", exec.runs.Load()-runs)
	}
	if n := lab.prepared.Load(); n != 4 {
		t.Errorf("prepared %d times, want 4: not when nothing was missing", n)
	}
}
