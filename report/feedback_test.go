package report_test

import (
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Two trials of one tool were told of mutants; the other tool was not, and has no row.
func TestMutantFeedback(t *testing.T) {
	run := runOf(
		on("a", "l", 1, "d"),
		on("a", "l", 2, "-"),
		on("b", "l", 1, "-"),
	)
	for i := range 2 {
		run.Cells[i].Generation = &trial.Generation{Mutants: &trial.MutantFeedback{Mutants: 100, Reached: 60, Killed: 30, Shown: 20, KilledShown: 5}}
		run.Cells[i].Usage.Tokens = 4000
	}
	run.Cells[1].Before = &trial.Usage{Tokens: 2000}
	d := build(t, run)
	got, want := rowsOf(t, d, "mutant_feedback"), []string{"l|a|2 of 2|120 of 200|60 of 200|40 of 200|10 of 40|10000"}
	assert.Check(t, slices.Equal(got, want), "got  %q\nwant %q", got, want)
}
