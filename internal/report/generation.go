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
	return a.those(func(g *group) bool { return len(having(g, generationOf)) > 0 })
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
	first := func(g *trial.Generation) trial.Attempts { return g.First }
	final := func(g *trial.Generation) trial.Attempts { return g.Final }
	rate := func(key, name string, of func(*trial.Generation) trial.Attempts, part func(trial.Attempts) int) figure {
		return figure{Column{Key: key, Name: name, Kind: Estimate, Unit: "pct", Decimals: 1}, func(g *group) Cell { return g.attempted(of, part) }}
	}
	compiled := func(x trial.Attempts) int { return x.Compiled }
	executed := func(x trial.Attempts) int { return x.Executed }
	refused := func(x trial.Attempts) int { return x.Refused }
	return a.table("repair", "Success rates before and after repair (mean ± standard deviation over trials)", a.asking(), []figure{
		trialsFigure,
		{Column{Key: "programs", Name: "Programs", Kind: Number}, func(g *group) Cell {
			n := total(g, generationOf, func(g *trial.Generation) int { return g.First.Programs })
			waiting := n - total(g, generationOf, func(g *trial.Generation) int { return g.Final.Programs })
			if waiting > 0 {
				return whole(n).with(fmt.Sprintf("%d of them were waiting for their repair when the budget ended and are in no suite", waiting))
			}
			return whole(n)
		}},
		{Column{Key: "repairs", Name: "Repairs", Kind: Number}, sum(generationOf, func(g *trial.Generation) int { return g.Repairs })},
		rate("first_csr", "CSR % at first", first, compiled), rate("final_csr", "after repair", final, compiled),
		rate("first_esr", "ESR % at first", first, executed), rate("final_esr", "after repair", final, executed),
		rate("first_refused", "Break the policy % at first", first, refused), rate("final_refused", "after repair", final, refused),
	})
}

func (a *analysis) answerTable() Table {
	t := Table{ID: "answers", Title: "Answers of the model by outcome (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "stage", Name: "Stage", Kind: Words},
		Column{Key: "outcome", Name: "Outcome", Kind: Words},
		Column{Key: "answers", Name: "Answers", Kind: Number},
	)}
	for _, g := range a.asking() {
		var all []trial.AnswerCount
		for _, gen := range having(g, generationOf) {
			all = append(all, gen.Answers...)
		}
		for _, of := range grouped(all, func(c trial.AnswerCount) [2]string { return [2]string{c.Stage, c.Outcome} }) {
			n := 0
			for _, c := range of {
				n += c.Count
			}
			t.Rows = append(t.Rows, append(a.groupCells(g), words(of[0].Stage), words(strings.ReplaceAll(of[0].Outcome, "_", " ")), whole(n)))
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
				t.Rows = append(t.Rows, append(a.groupCells(g), whole(r.Cell.Trial), whole(m.Round), whole(len(m.Programs)),
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
			for _, g := range a.groupsOf(subj) {
				if curves := g.roundCurves(m); len(curves) > 0 {
					chart.Series = append(chart.Series, a.series(g.contender, meanCurve(curves, thin(commonGrid(curves), maxCurvePoints))...))
				}
			}
			charts = append(charts, withSeries(chart)...)
		}
	}
	return charts
}

func (g *group) roundCurves(m roundMetric) []curve {
	var all []curve
	for _, gen := range having(g, generationOf) {
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
