package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Matrix is one row of the matrix of buggy builds and witnesses: what the witnesses of
// the library's other bugs do on one bug's buggy build. A witness is dragged in if it passes
// on the bug's fixed side and fails on its buggy side.
type Matrix struct {
	Passed    int      `json:"passed"`
	DraggedIn []Also   `json:"dragged_in,omitempty"`
	Elsewhere []string `json:"elsewhere,omitempty"` // fail on the fixed side too, which for a pair is an older commit than the reference
}

// Also is another bug's witness that fails on a buggy build.
type Also struct {
	Bug      string        `json:"bug"`
	Outcome  trial.Outcome `json:"outcome"`
	Declared bool          `json:"declared"` // the corpus says so, with a reason
}

// others fills in the row of bug. The witnesses run once, as compiled before for another
// build; one that fails is judged by v.Runs runs on the plain way.
func (v *validator) others(ctx context.Context, bug *lisabench.Bug, fixed, buggy *libbuild.Build) (*Matrix, error) {
	var bugs []*lisabench.Bug
	var programs []trial.Program
	for _, b := range v.Library.Bugs {
		if how := b.In(v.Edition); b != bug && how != nil && how.Strategy != lisabench.Absent {
			bugs = append(bugs, b)
			programs = append(programs, v.program(b))
		}
	}
	m := &Matrix{}
	if len(programs) == 0 {
		return m, nil
	}
	results, err := v.Runner.Run(ctx, buggy, programs, testrun.Options{})
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if r.Outcome == trial.OK {
			m.Passed++
			continue
		}
		o := testrun.PlainOptions{Runs: v.Runs, Timeout: witnessTimeout(bugs[i])}
		bad, err := v.Runner.Plain(ctx, buggy, programs[i], o)
		if err != nil {
			return nil, err
		}
		good, err := v.Runner.Plain(ctx, fixed, programs[i], o)
		if err != nil {
			return nil, err
		}
		failed := slices.IndexFunc(bad, notOK)
		switch {
		case failed < 0:
			m.Passed++
		case slices.ContainsFunc(good, notOK):
			m.Elsewhere = append(m.Elsewhere, bugs[i].ID)
		default:
			m.DraggedIn = append(m.DraggedIn, Also{Bug: bugs[i].ID, Outcome: bad[failed].Outcome, Declared: declares(bug.In(v.Edition), bugs[i].ID)})
		}
	}
	return m, nil
}

func notOK(r trial.Result) bool { return r.Outcome != trial.OK }

func declares(how *lisabench.Reintroduce, id string) bool {
	return slices.ContainsFunc(how.AlsoFails, func(a lisabench.AlsoFails) bool { return a.Bug == id })
}

// judgeMatrix says what is wrong with a row; "" if nothing is.
func judgeMatrix(how *lisabench.Reintroduce, m *Matrix) string {
	var undeclared, surplus []string
	for _, a := range m.DraggedIn {
		if !a.Declared {
			undeclared = append(undeclared, fmt.Sprintf("%s (%s)", a.Bug, a.Outcome))
		}
	}
	for _, d := range how.AlsoFails {
		if !slices.ContainsFunc(m.DraggedIn, func(a Also) bool { return a.Bug == d.Bug }) {
			surplus = append(surplus, d.Bug)
		}
	}
	switch {
	case len(undeclared) > 0:
		return fmt.Sprintf("on its buggy build the witness of another bug fails too: %s; re-introduce less, or declare it in also_fails with the reason", strings.Join(undeclared, ", "))
	case len(surplus) > 0:
		return fmt.Sprintf("also_fails declares %s, whose witness does not fail on its buggy build alone: remove it", strings.Join(surplus, ", "))
	}
	return ""
}

// program is a bug's witness as the engine takes it.
func (v *validator) program(b *lisabench.Bug) trial.Program {
	return trial.Program{ID: b.ID, Lang: v.Library.Language, Source: b.Witness.Source, Oracle: trial.OracleSpecification}
}

// witnessTimeout is 0 if the witness does with the engine's limit.
func witnessTimeout(b *lisabench.Bug) time.Duration {
	return time.Duration(b.Witness.TimeoutSec) * time.Second
}
