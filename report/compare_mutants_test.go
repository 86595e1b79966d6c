package report_test

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report"
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

// Eight mutants that only a kills are no more than one function on l, and are eight functions on k.
func TestMutantComparison(t *testing.T) {
	run := runOf(
		measured{tool: "a", variant: "default", library: "k", trial: 1, bugs: "d"}, measured{tool: "b", variant: "default", library: "k", trial: 1, bugs: "d"},
		measured{tool: "a", variant: "default", library: "l", trial: 1, bugs: "d"}, measured{tool: "b", variant: "default", library: "l", trial: 1, bugs: "d"},
		measured{tool: "a", variant: "default", library: "m", trial: 1, bugs: "d"}, measured{tool: "b", variant: "default", library: "m", trial: 1, bugs: "d"},
	)
	apart := map[string][]int{"both": {20, 21}}
	for i := range 8 {
		apart[string(rune('a'+i))] = []int{i + 1}
	}
	run.Cells[0].Mutation, run.Cells[1].Mutation = killing("s", apart), killing("s", map[string][]int{"both": {20, 21}})
	run.Cells[2].Mutation = killing("t", map[string][]int{"f": {1, 2, 3, 4, 5, 6, 7, 8}, "both": {20, 21}})
	run.Cells[3].Mutation = killing("t", map[string][]int{"both": {20, 22}})
	run.Cells[4].Mutation, run.Cells[5].Mutation = killing("u", nil), killing("v", nil) // of other mutants
	d := build(t, run)
	if got, want := rowsOf(t, d, "mutant_pairs_by_library"), []string{
		"k|a|b|10 of 40|2 of 40|8|0|8|0.0078|0.0078|0.0156",
		"l|a|b|10 of 40|2 of 40|9|1|1|0.0215|1.0000|1.0000",
		"m|a|b|incomplete|incomplete|incomplete|incomplete|incomplete|incomplete|incomplete|incomplete",
	}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := rowsOf(t, d, "mutant_pairs"), []string{"a|b|2 of 3|20 of 80|4 of 80|17|1|9|0.0001|0.0039|0.0039"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
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
	if d := build(t, run); slices.ContainsFunc(d.Sections, func(s Section) bool { return s.ID == "stand_in" }) {
		t.Error("a correlation of four suites")
	}
}
