package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Every tool has a row of what it lost to the rules of what a test is, also one that was told none.
func TestEveryToolHasARowOfWhatItLost(t *testing.T) {
	run := costly()
	run.Cells[0].Programs.Outcomes = map[trial.Outcome]int{trial.Policy: 3, trial.OK: 7}
	run.Cells[0].Generation = &trial.Generation{Lost: []trial.NamedCount{{Name: "alone", Count: 1}, {Name: "straight", Count: 3}}}
	run.Cells[2].Programs.Outcomes = map[trial.Outcome]int{trial.Flaky: 1, trial.Timeout: 2, trial.OK: 7}
	d := build(t, run)
	want := []string{"zlib|lisa/model=large|10|0|0|0|", "zlib|lisa/model=small|10|0|0|3|alone 1, straight 3", "zlib|randoop|10|1|2|0|"}
	if got := rowsOf(t, d, "lost"); !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}
