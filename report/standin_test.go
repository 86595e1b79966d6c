package report_test

import (
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// killing is a record's part for a suite that kills these of 40 mutants, by function.
func killing(set string, in map[string][]int) *trial.Mutation {
	m := &trial.Mutation{MutantCount: trial.MutantCount{Mutants: 40, Reached: 40}, Set: set, KilledIn: in}
	for _, ids := range in {
		m.Killed += len(ids)
	}
	m.Score = float64(m.Killed) / float64(m.Mutants)
	return m
}

// Six suites of one library and one that detects all: the score orders them as bugs do, but for the last.
func TestStandIn(t *testing.T) {
	var suites []measured
	for i, bugs := range []string{"---", "d--", "d--", "dd-", "dd-", "ddd"} {
		suites = append(suites, measured{tool: string(rune('a' + i)), variant: "default", library: "l", trial: 1, bugs: bugs})
	}
	run := runOf(suites...)
	for i, killed := range []int{1, 2, 3, 4, 5, 0} {
		in := map[string][]int{}
		for k := range killed {
			in["f"] = append(in["f"], k+1)
		}
		run.Cells[i].Mutation = killing("s", in)
	}
	d := build(t, run)
	want := map[string]string{"l": "0.21", "each library, pairs within": "0.21", "each library, pairs within, of suites that miss some bug": "0.89"}
	tb := table(t, d, "stand_in")
	for _, row := range tb.Rows {
		if tau, ok := want[row[0].Text]; ok {
			if got := tb.Columns[3].Format(row[3]); got != tau {
				t.Errorf("%s: τ = %s, want %s", row[0].Text, got, tau)
			}
			delete(want, row[0].Text)
		}
		if got := tb.Columns[7].Format(row[7]); got != "n/a" {
			t.Errorf("nobody asked what is reached: %s", got)
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no rows %v", want)
	}
	run.Cells = run.Cells[:4]
	if d := build(t, run); hasSection(d, "stand_in") {
		t.Error("a correlation of four suites")
	}
}
