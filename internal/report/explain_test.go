package report_test

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Four bugs: one is detected, one propagates, one is reached in the second trial only, one never.
func TestSteps(t *testing.T) {
	run := runOf(
		measured{tool: "a", variant: "default", library: "l", trial: 1, bugs: "d---"},
		measured{tool: "a", variant: "default", library: "l", trial: 2, bugs: "----"},
		measured{tool: "b", variant: "default", library: "l", trial: 1, bugs: "----"},
	)
	for i, steps := range [][]trial.BugSteps{
		{{Reached: 2, Propagated: 2}, {Reached: 2, Propagated: 1}, {}, {}},
		{{Reached: 1}, {Reached: 1}, {Reached: 1, Unobserved: 1, Why: "it is in C++"}, {}},
	} {
		for k := range steps {
			run.Cells[i].Bugs[k].Steps = &steps[k]
		}
	}
	d := build(t, run)
	if got, want := rowsOf(t, d, "steps"), []string{"a|3 of 4|2 of 3|1 of 4|1|1"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, cell := range table(t, d, "steps").Rows[0][2:] {
		if want := "without 1 bug, reached and not revealed: it is in C++"; len(cell.Notes) > 0 && !slices.Equal(cell.Notes, []string{want}) {
			t.Errorf("notes of the summary: %q", cell.Notes)
		}
	}
	want := []string{"l|l-1|revealed", "l|l-2|propagated", "l|l-3|reached", "l|l-4|not reached"}
	if got := rowsOf(t, d, "steps_by_bug"); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if notes := table(t, d, "steps_by_bug").Rows[2][2].Notes; !slices.Equal(notes, []string{"whether it propagated is not known: it is in C++"}) {
		t.Errorf("notes: %q", notes)
	}
}

// Of no bug it is known whether it propagates: that is not 0.
func TestStepsThatAreNotKnown(t *testing.T) {
	run := runOf(measured{tool: "a", variant: "default", library: "l", trial: 1, bugs: "--"})
	for k := range run.Cells[0].Bugs {
		run.Cells[0].Bugs[k].Steps = &trial.BugSteps{Reached: 1, Unobserved: 1, Why: "it is in C++", ByFunction: "a header changes"}
	}
	d := build(t, run)
	if got, want := rowsOf(t, d, "steps"), []string{"a|2 of 2|n/a|0 of 2|n/a|n/a"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	want := []string{"whether it propagated is not known: it is in C++",
		"a test that executes a function which the bug changes counts as one that reaches it: a header changes"}
	if notes := table(t, d, "steps_by_bug").Rows[0][2].Notes; !slices.Equal(notes, want) {
		t.Errorf("notes: %q", notes)
	}
}
