package report

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// success reports how many generated programs compile and run.
func (a *analysis) success() Section {
	rates := a.table("success", "Success rates of generated programs", a.groups, []figure{
		trialsFigure,
		{Column{Key: "generated", Name: "Generated", Kind: Number}, func(g *group) Cell { return g.programTotal(generated) }},
		{Column{Key: "compiled", Name: "Compiled", Kind: Number}, func(g *group) Cell { return g.programTotal(compiled) }},
		{Column{Key: "executed", Name: "Executed", Kind: Number}, func(g *group) Cell { return g.programTotal(executed) }},
		{Column{Key: "csr", Name: "CSR %", Kind: Estimate, Unit: "pct", Decimals: 2, Interval: true}, func(g *group) Cell { return g.programShare(compiled) }},
		{Column{Key: "esr", Name: "ESR %", Kind: Estimate, Unit: "pct", Decimals: 2, Interval: true}, func(g *group) Cell { return g.programShare(executed) }},
	})
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
	c := whole(total(g, programsOf, part))
	if n > 0 {
		c = c.with(g.left(len(g.records)-n, trial.PartSuccess))
	}
	return c
}

// outcomes counts programs by their outcome on the reference build.
func (a *analysis) outcomes() Table {
	var figures []figure
	for _, o := range trial.Outcomes {
		figures = append(figures, figure{Column{Key: string(o), Name: strings.ReplaceAll(string(o), "_", " "), Kind: Number}, outcomeTotal(o)})
	}
	ofPrograms := a.those(func(g *group) bool { return g.kind() == trial.KindPrograms })
	t := a.table("outcomes", "Programs by outcome on the reference build (sums over trials)", ofPrograms, figures)
	t.Spread = "outcome"
	return t
}

// outcomeTotal is how many programs had an outcome.
func outcomeTotal(o trial.Outcome) func(*group) Cell {
	return func(g *group) Cell { return g.programTotal(func(p *trial.ProgramCounts) int { return p.Outcomes[o] }) }
}
