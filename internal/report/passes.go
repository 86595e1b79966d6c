package report

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// passTable reports how many of a tool's programs compile after each of its post-processing
// passes, one row for a pass; no row where no tool has passes.
func (a *analysis) passTable() Table {
	t := Table{ID: "passes", Title: "Programs that compile after each post-processing pass (mean ± standard deviation over trials)", Columns: append(groupColumns[:2:2], trialsFigure.Column,
		Column{Key: "after", Name: "After", Kind: Words},
		Column{Key: "compiled", Name: "Compiled", Kind: Number},
		Column{Key: "programs", Name: "of", Kind: Number},
		Column{Key: "csr", Name: "CSR %", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "gain", Name: "Gain, points", Kind: Estimate, Unit: "points", Decimals: 1},
	)}
	for _, g := range a.asking() {
		before := ""
		for _, name := range g.passes() {
			after, gain := g.pass(name), notApplicable("it is the first pass")
			if before != "" {
				earlier := g.pass(before)
				gain = g.sampled("", func(r trial.Record) (float64, bool) {
					x, ok := after(r)
					y, both := earlier(r)
					return x - y, ok && both
				})
			}
			t.Rows = append(t.Rows, append(a.groupCells(g), trialsFigure.of(g), words(name),
				whole(total(g, generationOf, func(g *trial.Generation) int { return passOf(g, name).Compiled })),
				whole(total(g, generationOf, func(g *trial.Generation) int { return passOf(g, name).Programs })),
				g.sampled("", after), gain))
			before = name
		}
	}
	return t
}

// passes are the names of the passes of a group, in their order.
func (g *group) passes() []string {
	var names []string
	for _, gen := range having(g, generationOf) {
		for _, p := range gen.Passes {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// pass is the percentage that compiles after a pass; a record without programs has none.
func (g *group) pass(name string) func(trial.Record) (float64, bool) {
	return func(r trial.Record) (float64, bool) {
		if r.Generation == nil {
			return 0, false
		}
		p := passOf(r.Generation, name)
		if p.Programs == 0 {
			return 0, false
		}
		return 100 * float64(p.Compiled) / float64(p.Programs), true
	}
}

func passOf(g *trial.Generation, name string) trial.Pass {
	for _, p := range g.Passes {
		if p.Name == name {
			return p
		}
	}
	return trial.Pass{}
}
