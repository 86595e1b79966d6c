package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A price is what a model costs, in one of two units.
type price struct {
	key, unit string // "dollars"; "$"
	decimals  int
	spent     func(trial.Usage) float64
	by        func(trial.TestReference) float64 // when a test was made
}

var (
	dollarPrice = price{"dollars", "dollars", 4, func(u trial.Usage) float64 { return u.Dollars }, func(t trial.TestReference) float64 { return t.Dollars }}
	tokenPrice  = price{"tokens", "tokens", 0, func(u trial.Usage) float64 { return float64(u.Tokens) }, func(t trial.TestReference) float64 { return float64(t.Tokens) }}
)

// A yield is what was paid for: so much of it in a record, if it was measured there.
type yield struct {
	key, name, none string
	of              func(trial.Record) (n int, measured bool)
}

var yields = []yield{
	{"valid", "valid program", "no program runs", func(r trial.Record) (int, bool) {
		if r.Programs == nil {
			return 0, false
		}
		return r.Programs.Executed, true
	}},
	{"killed", "killed mutant", "no mutant was killed", func(r trial.Record) (int, bool) {
		if r.Mutation == nil {
			return 0, false
		}
		return r.Mutation.Killed, true
	}},
	{"bug", "detected bug", "no bug was detected", func(r trial.Record) (found int, checked bool) {
		for _, b := range r.Bugs {
			checked = checked || b.Missing == nil
			found += one(b.Detected)
		}
		return found, checked
	}},
}

// cost reports what models cost, what was had for it, and what the tools had found by the time when each had
// spent the same.
func (a *analysis) cost() Section {
	groups := a.those(func(g *group) bool {
		return slices.ContainsFunc(g.records, func(r trial.Record) bool { return r.Total().LLMCalls > 0 })
	})
	if len(groups) == 0 {
		return Section{}
	}
	p := tokenPrice
	for _, g := range groups {
		if slices.ContainsFunc(g.records, func(r trial.Record) bool { return r.Total().Dollars > 0 }) {
			p = dollarPrice
		}
	}
	s := Section{ID: "cost", Title: "What models cost", Tables: []Table{a.costTable(groups), a.yieldTable(groups)}, Definitions: []Definition{
		{"Cost", "What the models' answers cost in the cell, including the seeds that another cell made for it. A knowledge base is made once for all cells and not included.", ""},
		{"Per valid program, killed mutant, detected bug", "Total cost over total results, all trials together, so trials without a result count too. A valid program runs on the reference build without a failure.", "Σ cost / Σ results, over the trials in which they were measured"},
	}}
	table, charts := a.atEqualCost(groups, p)
	if len(table.Rows) > 0 {
		s.Tables, s.Charts = append(s.Tables, table), charts
		s.Definitions = append(s.Definitions, Definition{"Detection at equal cost", "Bugs, over trials, whose first detecting test was in the suite at a common cost: the least that any trial of these tools spent on the library. " +
			"The curves continue to what each tool spent (1 − Kaplan–Meier; a trial that has ended is censored).", ""})
	}
	return s
}

func (a *analysis) costTable(groups []*group) Table {
	all := func(of func(trial.Usage) float64) func(*group) Cell {
		return func(g *group) Cell {
			return g.sampled("", func(r trial.Record) (float64, bool) { return of(r.Total()), true })
		}
	}
	return a.table("cost", "What the models cost (mean ± standard deviation over trials)", groups, []figure{
		trialsFigure,
		{Column{Key: "model", Name: "Model", Kind: Words}, func(g *group) Cell { return words(a.run.Models[g.contender.String()]) }},
		{Column{Key: "calls", Name: "Calls", Kind: Estimate, Decimals: 0}, all(func(u trial.Usage) float64 { return float64(u.LLMCalls) })},
		{Column{Key: "tokens", Name: "Tokens", Kind: Estimate, Decimals: 0}, all(tokenPrice.spent)},
		{Column{Key: "dollars", Name: "Dollars", Kind: Estimate, Decimals: 4}, all(dollarPrice.spent)},
	})
}

func (a *analysis) yieldTable(groups []*group) Table {
	var figures []figure
	for _, y := range yields {
		for _, p := range []price{dollarPrice, tokenPrice} {
			figures = append(figures, figure{Column{Key: p.key + "_per_" + y.key, Name: fmt.Sprintf("%s per\n%s", p.unit, y.name), Kind: Number, Decimals: p.decimals},
				func(g *group) Cell { return g.yielded(y, p) }})
		}
	}
	return a.table("cost_per_result", "Cost of one result (sums over trials)", groups, figures)
}

// yielded is what one result cost.
func (g *group) yielded(y yield, p price) Cell {
	spent, had, trials := 0.0, 0, 0
	for _, r := range g.records {
		n, measured := y.of(r)
		if !measured {
			continue
		}
		spent, had, trials = spent+p.spent(r.Total()), had+n, trials+1
	}
	switch {
	case trials == 0:
		return notApplicable("not measured")
	case had == 0:
		return notApplicable(y.none)
	}
	c := number(spent / float64(had))
	if trials < g.planned {
		c = c.with(fmt.Sprintf("over %d of %d trials", trials, g.planned))
	}
	return c
}

// atEqualCost compares on each library what tools have found by the cost that every trial of them came to.
func (a *analysis) atEqualCost(groups []*group, p price) (Table, []Chart) {
	t := Table{ID: "equal_cost", Title: "Detection at equal cost, over bugs and trials (" + p.unit + ")", Columns: append(groupColumns[:2:2],
		Column{Key: "cost", Name: "Equal cost", Kind: Number, Decimals: p.decimals},
		Column{Key: "found", Name: "Bug × trial\nfound", Kind: Count},
		Column{Key: "found_in_all", Name: "found in all", Kind: Count},
		Column{Key: "mean", Name: "Restricted mean", Kind: Number, Decimals: p.decimals},
		Column{Key: "se", Name: "std. error", Kind: Number, Decimals: p.decimals},
	)}
	var charts []Chart
	for _, subj := range a.subjects {
		equal := math.Inf(1)
		var of []*group
		for _, g := range groups {
			if g.subject != subj || len(paid(g, p, 0)) == 0 {
				continue
			}
			of = append(of, g)
			for _, r := range g.records {
				equal = min(equal, p.spent(r.Total()))
			}
		}
		if len(of) == 0 || equal <= 0 {
			continue // nothing was checked, or a trial cost nothing
		}
		chart := Chart{ID: "cost-" + Slug(a.label(subj)), Title: a.label(subj) + ": bugs found over cost", Kind: Steps, Library: a.label(subj),
			Caption: "Share of bugs × trials found by then (1 − Kaplan–Meier).", XLabel: p.unit, YLabel: "found, %"}
		for _, g := range of {
			row, curve := equalCost(g, p, equal)
			t.Rows = append(t.Rows, append(a.groupCells(g), row...))
			if len(curve) > 0 {
				chart.Series = append(chart.Series, a.series(g.contender, curve...))
			}
		}
		charts = append(charts, withSeries(chart)...)
	}
	return t, charts
}

// equalCost pools the bugs and trials of a group.
func equalCost(g *group, p price, equal float64) ([]Cell, []Point) {
	if undated(g, p) {
		c := notApplicable("measured by an older bench, which did not store the cost of a test")
		return []Cell{number(equal), c, c, c, c}, nil
	}
	by, all, end := paid(g, p, equal), paid(g, p, 0), 0.0
	for _, r := range g.records {
		end = max(end, p.spent(r.Total()))
	}
	r := sure(stats.KaplanMeier(by, equal))
	return []Cell{number(equal), found(by), found(all), maybe(r.RestrictedMean, "undefined"), maybe(r.RestrictedMeanStdErr, "undefined")},
		foundCurve(sure(stats.KaplanMeier(all, end)))
}

// undated reports whether a detection is in the suite of a model that cost something, and nobody knows what
// it had cost by then.
func undated(g *group, p price) bool {
	return slices.ContainsFunc(g.records, func(r trial.Record) bool {
		return p.spent(r.Usage) > 0 && slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool {
			return b.Detected && len(b.First) > 0 && b.First[0].Tokens == 0
		})
	})
}

// paid is what each bug that each trial could check had cost when it was found. It is watched up to the cost of the
// trial or, if that is given, up to the limit.
func paid(g *group, p price, limit float64) []stats.Detection {
	var all []stats.Detection
	for _, r := range g.records {
		total := p.spent(r.Total())
		before, end := total-p.spent(r.Usage), total
		if limit > 0 {
			end = min(end, limit)
		}
		all = append(all, watched(r, end, func(first []trial.TestReference) float64 {
			at := total // which a sum of floating-point numbers may exceed
			for _, t := range first {
				at = min(at, before+p.by(t))
			}
			return at
		})...)
	}
	return all
}
