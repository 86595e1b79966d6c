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
	if got, want := rowsOf(t, d, "steps"), []string{"a|3 of 4|2 of 4|1 of 4|2|1"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	want := []string{"l|l-1|revealed", "l|l-2|propagated", "l|l-3|reached", "l|l-4|not reached"}
	if got := rowsOf(t, d, "steps_by_bug"); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if notes := table(t, d, "steps_by_bug").Rows[2][2].Notes; !slices.Equal(notes, []string{"whether it propagated is not known: it is in C++"}) {
		t.Errorf("notes: %q", notes)
	}
}
