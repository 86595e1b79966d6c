package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// generation reports how the tools that ask a model worked: what repair changed, what the
// answers were, how the feedback developed and which rules were mined.
func (a *analysis) generation() Section {
	s := Section{ID: "generation", Title: "Generation with a model", Definitions: []Definition{
		{"Before and after repair", "Success rates of the programs as the model first wrote them, and after one repair of each that failed. Elsewhere CSR and ESR are those of the finished suite.", "compiled / programs, executed / programs"},
		{"Distinct N-grams", "Different sequences of N successive API calls in the programs that ran (paper, sec:n-gram).", ""},
		{"Alpha", "Exponent applied to the energies before APIs are drawn; the more skewed they are, the smaller it is (paper, eqn:adaptive-condensation).", "alpha_min + (1 - alpha_min) exp(-s)"},
	}}
	if len(a.asking()) == 0 {
		return Section{}
	}
	s.Tables = slices.Concat([]Table{a.repairTable()}, withRows(a.passTable()), []Table{a.answerTable()}, withRows(a.ruleTable()))
	s.Charts = a.roundCharts()
	return s
}

// asking are the groups with a record of how a model was asked.
func (a *analysis) asking() []*group {
	return slices.DeleteFunc(slices.Clone(a.groups), func(g *group) bool { return len(g.generations()) == 0 })
}

// generations are the trials' records of how a model was asked.
func (g *group) generations() []*trial.Generation {
	var all []*trial.Generation
	for _, r := range g.records {
		if r.Generation != nil {
			all = append(all, r.Generation)
		}
	}
	return all
}

// attempted is a sampled percentage of the programs that the tool tried.
func (g *group) attempted(of func(*trial.Generation) trial.Attempts, part func(trial.Attempts) int) Cell {
	return g.sampled("", func(r trial.Record) (float64, bool) {
		if r.Generation == nil || of(r.Generation).Programs == 0 {
			return 0, false
		}
		return 100 * float64(part(of(r.Generation))) / float64(of(r.Generation).Programs), true
	})
}

func (a *analysis) repairTable() Table {
	t := Table{ID: "repair", Title: "Success rates before and after repair (mean ± standard deviation over trials)", Columns: append(groupColumns[:3:3],
		Column{Key: "programs", Name: "Programs", Kind: Number},
		Column{Key: "repairs", Name: "Repairs", Kind: Number},
		Column{Key: "first_csr", Name: "CSR % at first", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "final_csr", Name: "after repair", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "first_esr", Name: "ESR % at first", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "final_esr", Name: "after repair", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "first_refused", Name: "Break the policy % at first", Kind: Estimate, Unit: "pct", Decimals: 1},
		Column{Key: "final_refused", Name: "after repair", Kind: Estimate, Unit: "pct", Decimals: 1},
	)}
	first := func(g *trial.Generation) trial.Attempts { return g.First }
	final := func(g *trial.Generation) trial.Attempts { return g.Final }
	compiled := func(x trial.Attempts) int { return x.Compiled }
	executed := func(x trial.Attempts) int { return x.Executed }
	refused := func(x trial.Attempts) int { return x.Refused }
	for _, g := range a.asking() {
		programs := g.generated(func(g *trial.Generation) int { return g.First.Programs })
		if n := programs.Values[0] - g.generated(func(g *trial.Generation) int { return g.Final.Programs }).Values[0]; n > 0 {
			programs = programs.with(fmt.Sprintf("%.0f of them were waiting for their repair when the budget ended and are in no suite", n))
		}
		t.Rows = append(t.Rows, append(a.groupCells(g), programs, g.generated(func(g *trial.Generation) int { return g.Repairs }),
			g.attempted(first, compiled), g.attempted(final, compiled), g.attempted(first, executed), g.attempted(final, executed),
			g.attempted(first, refused), g.attempted(final, refused)))
	}
	return t
}

// generated is a count summed over the trials.
func (g *group) generated(of func(*trial.Generation) int) Cell {
	sum := 0
	for _, gen := range g.generations() {
		sum += of(gen)
	}
	return whole(sum)
}

func (a *analysis) answerTable() Table {
	t := Table{ID: "answers", Title: "Answers of the model by outcome (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "stage", Name: "Stage", Kind: Words},
		Column{Key: "outcome", Name: "Outcome", Kind: Words},
		Column{Key: "answers", Name: "Answers", Kind: Number},
	)}
	for _, g := range a.asking() {
		type key struct{ stage, outcome string }
		var order []key
		sums := map[key]int{}
		for _, gen := range g.generations() {
			for _, c := range gen.Answers {
				k := key{c.Stage, c.Outcome}
				if _, seen := sums[k]; !seen {
					order = append(order, k)
				}
				sums[k] += c.Count
			}
		}
		for _, k := range order {
			t.Rows = append(t.Rows, append(a.groupCells(g)[:2], words(k.stage), words(strings.ReplaceAll(k.outcome, "_", " ")), whole(sums[k])))
		}
	}
	return t
}

func (a *analysis) ruleTable() Table {
	t := Table{ID: "mined_rules", Title: "Rules mined from recurring errors", Columns: append(groupColumns[:2:2],
		Column{Key: "trial", Name: "Trial", Kind: Number},
		Column{Key: "round", Name: "From round", Kind: Number},
		Column{Key: "failures", Name: "Failures", Kind: Number},
		Column{Key: "error", Name: "Error", Kind: Words, Wide: true},
		Column{Key: "rule", Name: "Rule", Kind: Words, Wide: true},
		Column{Key: "origin", Name: "Worded by", Kind: Words},
	)}
	for _, g := range a.asking() {
		for _, r := range g.records {
			if r.Generation == nil {
				continue
			}
			for _, m := range r.Generation.Rules {
				t.Rows = append(t.Rows, append(a.groupCells(g)[:2], whole(r.Cell.Trial), whole(m.Round), whole(len(m.Programs)),
					words(m.Signature), words(m.Text), words(m.Origin)))
			}
		}
	}
	return t
}

// A roundMetric is a figure of each round.
type roundMetric struct {
	key, name string
	at        func(trial.GenerationRound) float64
}

var roundMetrics = []roundMetric{
	{"grams", "Distinct N-grams", func(r trial.GenerationRound) float64 { return float64(r.Grams) }},
	{"alpha", "Alpha", func(r trial.GenerationRound) float64 { return r.Alpha }},
	{"skew", "Skew of the energies", func(r trial.GenerationRound) float64 { return r.Skew }},
}

// roundCharts draws how the feedback developed over rounds.
func (a *analysis) roundCharts() []Chart {
	var charts []Chart
	for _, subj := range a.subjects {
		for _, m := range roundMetrics {
			name := a.label(subj)
			chart := Chart{
				ID: fmt.Sprintf("rounds-%s-%s", Slug(name), m.key), Title: fmt.Sprintf("%s: %s over rounds", name, strings.ToLower(m.name)),
				Kind: Lines, Library: name, XLabel: "rounds", YLabel: m.name, Caption: "Mean over trials; the band runs from the lowest to the highest trial.",
			}
			for i, c := range a.contenders {
				g := a.group(subj, c)
				if g == nil {
					continue
				}
				if curves := g.roundCurves(m); len(curves) > 0 {
					chart.Series = append(chart.Series, Series{Name: c.String(), Style: i, Points: meanCurve(curves, thin(commonGrid(curves), maxCurvePoints))})
				}
			}
			if len(chart.Series) > 0 {
				charts = append(charts, chart)
			}
		}
	}
	return charts
}

func (g *group) roundCurves(m roundMetric) []curve {
	var all []curve
	for _, gen := range g.generations() {
		var c curve
		for _, round := range gen.Rounds {
			c.x, c.pct = append(c.x, float64(round.Round)), append(c.pct, m.at(round))
		}
		if len(c.x) > 0 {
			all = append(all, c)
		}
	}
	return all
}
