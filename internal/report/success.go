package report

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// success reports how many generated programs compile and run.
func (a *analysis) success() Section {
	rates := Table{ID: "success", Title: "Success rates of generated programs", Columns: append(groupColumns[:3:3],
		Column{Key: "generated", Name: "Generated", Kind: Number},
		Column{Key: "compiled", Name: "Compiled", Kind: Number},
		Column{Key: "executed", Name: "Executed", Kind: Number},
		Column{Key: "csr", Name: "CSR %", Kind: Estimate, Unit: "pct", Decimals: 2, Interval: true},
		Column{Key: "esr", Name: "ESR %", Kind: Estimate, Unit: "pct", Decimals: 2, Interval: true},
	)}
	for _, g := range a.groups {
		rates.Rows = append(rates.Rows, append(a.groupCells(g),
			g.programTotal(generated), g.programTotal(compiled), g.programTotal(executed), g.programShare(compiled), g.programShare(executed)))
	}
	failures := a.testTable("failures", "First programs of each cell that do not pass on the reference build, without false alarms", "Failing program",
		func(r trial.Record) []trial.TestReference { return r.Failures })
	return Section{
		ID: "success", Title: "Success rates",
		Definitions: []Definition{
			{"CSR", "Compilation success rate: the share of generated programs that compile and link against the reference build.", "compiled / generated"},
			{"ESR", "Execution success rate: the share of generated programs that compile and run on the reference build with outcome ok.", "executed / generated"},
		},
		Tables: slices.Concat([]Table{rates, a.outcomes()}, withRows(failures)),
		Notes:  []string{"Counts are sums over complete trials; rates are means ± sample standard deviation over trials, with a bootstrap interval [BCa, 95%] for three trials or more."},
	}
}

func (g *group) programTotal(part func(*trial.ProgramCounts) int) Cell {
	switch {
	case g.kind() == trial.KindCorpus:
		return notApplicable("a fuzzing corpus holds inputs, not programs to compile")
	case len(g.records) == 0:
		return g.reason()
	}
	n, why := g.lacks(trial.PartSuccess)
	if n == len(g.records) {
		return lacking(why)
	}
	c := whole(g.programs(part))
	if n > 0 {
		c = c.with(g.left(len(g.records)-n, trial.PartSuccess))
	}
	return c
}

// outcomes counts programs by their outcome on the reference build.
func (a *analysis) outcomes() Table {
	t := Table{ID: "outcomes", Title: "Programs by outcome on the reference build (sums over trials)", Spread: "outcome", Columns: groupColumns[:2:2]}
	for _, o := range trial.Outcomes {
		t.Columns = append(t.Columns, Column{Key: string(o), Name: strings.ReplaceAll(string(o), "_", " "), Kind: Number})
	}
	for _, g := range a.groups {
		if g.kind() != trial.KindPrograms {
			continue
		}
		row := a.groupCells(g)[:2]
		for _, o := range trial.Outcomes {
			row = append(row, g.programTotal(func(p *trial.ProgramCounts) int { return p.Outcomes[o] }))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
