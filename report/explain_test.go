package report_test

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Four bugs: one is detected, one propagates, one is reached in the second trial only, one never. Of a library in C++ no
// bug counts where values do, not even the one that is detected.
func TestSteps(t *testing.T) {
	run := runOf(
		on("a", "l", 1, "d---"),
		on("a", "l", 2, "----"),
		on("b", "l", 1, "----"),
		on("a", "m", 1, "d--"),
	)
	const cxx = "it is in C++"
	for i, steps := range [][]trial.BugSteps{
		{{Reached: 2, Propagated: 2}, {Reached: 2, Propagated: 1}, {}, {}},
		{{Reached: 1}, {Reached: 1}, {Reached: 1, Unobserved: 1, Why: cxx}, {}},
		nil,
		{{Reached: 2, Propagated: 1, Unobserved: 2, Why: cxx}, {Reached: 1, Unobserved: 1, Why: cxx}, {Why: cxx}},
	} {
		for k := range steps {
			run.Cells[i].Bugs[k].Steps = &steps[k]
		}
	}
	d := build(t, run)
	if got, want := rowsOf(t, d, "steps"), []string{"a|5 of 7|2 of 3|2 of 7|1|1"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for i, cell := range table(t, d, "steps").Rows[0][1:] {
		var want []string
		if i == 1 || i > 2 { // propagated, and what is lost
			want = []string{"without 4 bugs, whose values are unknown: it is in C++"}
		}
		assert.Check(t, slices.Equal(cell.Notes, want), "notes of column %d of the summary: %q", i, cell.Notes)
	}
	want := []string{"l|l-1|revealed", "l|l-2|propagated", "l|l-3|reached", "l|l-4|not reached",
		"m|m-1|revealed", "m|m-2|reached", "m|m-3|not reached"}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "steps_by_bug"), want))
	notes := table(t, d, "steps_by_bug").Rows[2][2].Notes
	assert.Check(t, slices.Equal(notes, []string{"whether it propagated is unknown: it is in C++"}), "notes: %q", notes)
}
