package report

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func linePct(r trial.Record) (float64, bool) {
	if r.Coverage == nil {
		return 0, false
	}
	return r.Coverage.LineCovPct()
}

func branchPct(r trial.Record) (float64, bool) {
	if r.Coverage == nil {
		return 0, false
	}
	return r.Coverage.BranchCovPct()
}

// A coverageMetric is one of the two kinds of coverage that are reported.
type coverageMetric struct {
	metric
	short   string // of columns: "Lines"
	total   func(*trial.Coverage) int
	reached func(trial.GrowthPoint) int
}

var coverageMetrics = []coverageMetric{
	{lineMetric, "Lines", func(c *trial.Coverage) int { return c.LinesTotal }, func(p trial.GrowthPoint) int { return p.LinesCovered }},
	{branchMetric, "Branches", func(c *trial.Coverage) int { return c.BranchesTotal }, func(p trial.GrowthPoint) int { return p.BranchesCovered }},
}

// coverage reports line and branch coverage of the library.
func (a *analysis) coverage(s *Section) {
	figures := []figure{trialsFigure}
	for _, m := range coverageMetrics {
		figures = append(figures,
			figure{percentColumn(m.key+"_coverage", m.short+" %", 2).withInterval(), m.cell},
			figure{numberColumn(m.key+"_total", m.short+" in all", 0), func(g *group) Cell {
				if mean := m.cell(g); mean.Missing != "" {
					return mean
				}
				return whole(m.total(having(g, coverageOf)[0])) // there is one, for there is a mean
			}})
		s.Charts = append(s.Charts, withSeries(a.bars(Chart{ID: "coverage-" + m.key, Title: m.name,
			Caption: "Mean over trials; each dot is one trial.", XLabel: m.name + ", %"}, "coverage", m.of))...)
	}
	t := a.table("coverage", "Library coverage (mean ± standard deviation over trials, [95% interval])", a.groups, figures...)
	t.Warnings = slices.Concat(a.unequalTotals(), a.emptySuites())
	s.Tables = []Table{t}
}

// unequalTotals names the libraries whose records were measured against different
// totals: their percentages cannot be compared.
func (a *analysis) unequalTotals() []string {
	var warnings []string
	for _, l := range a.libraries {
		for _, m := range coverageMetrics {
			var totals []int
			for _, g := range a.groupsOf(l) {
				for _, c := range having(g, coverageOf) {
					totals = append(totals, m.total(c))
				}
			}
			if len(totals) > 0 && slices.Min(totals) != slices.Max(totals) {
				warnings = append(warnings, fmt.Sprintf("%s: the %s totals differ between cells (%d to %d), so their percentages cannot be compared",
					a.label(l), m.key, slices.Min(totals), slices.Max(totals)))
			}
		}
	}
	return warnings
}

// emptySuites names the groups with trials that made no program, whose coverage of 0 says nothing
// about what a program of the tool would cover.
func (a *analysis) emptySuites() []string {
	var warnings []string
	for _, g := range a.groups {
		empty := 0
		for _, r := range g.records {
			empty += one(r.Programs != nil && r.Programs.Generated == 0)
		}
		if empty > 0 {
			warnings = append(warnings, fmt.Sprintf("%s on %s made no program in %d of %s and covers nothing there.",
				g.tool, a.label(g.library), empty, trial.Count(len(g.records), "trial")))
		}
	}
	return warnings
}

// bars fills a chart with a bar for each group whose records have the figure.
func (a *analysis) bars(c Chart, figure string, of value) Chart {
	c.Kind = Bars
	for _, g := range a.groups {
		xs := g.sample(of)
		if len(xs) == 0 {
			continue
		}
		label := a.label(g.library) + categoryDash + g.tool.String()
		c.Categories = append(c.Categories, label)
		c.add(a.series(g.tool, Point{Label: label, Mean: meanOf(xs), Min: slices.Min(xs), Max: slices.Max(xs), Trials: xs}))
	}
	if len(c.Categories) < len(a.groups) {
		c.Caption += " Tools without " + figure + " are left out; the table says why."
	}
	return c
}

var mutants = optional[trial.Mutation]{
	part: trial.PartMutation, in: mutationOf,
	corpus:  "a fuzzing corpus holds inputs, which are not run on mutants",
	unasked: "it was not run on mutants",
}

func mutationScore(r trial.Record) (float64, bool) {
	if r.Mutation == nil {
		return 0, false
	}
	return r.Mutation.Score, true
}

// mutation reports which mutants the suites kill. A run that asked for none has no such section.
func (a *analysis) mutation(s *Section) {
	if mutants.asked(a) {
		s.Tables = []Table{a.scoreTable(), a.operatorTable()}
		s.Notes = []string{"Counts are sums over trials; the score is the mean ± sample standard deviation over trials. " +
			"The interval is about the drawing of mutants, for one trial's suite; with several trials it is the widest one. " +
			"By: the oracle class of the first test that killed a mutant."}
	}
	if feedback := a.mutantFeedback(); len(feedback.Rows) > 0 {
		s.Tables = append(s.Tables, feedback)
		s.Notes = append(s.Notes, "Mutants as feedback: sums over trials of mutants that the tool was told about. "+
			"The score by default draws none of them. Shown: in a prompt, as reached but not killed so far. "+
			"Tokens: all of the cells, including those of their seeds.")
	}
}

func (a *analysis) scoreTable() Table {
	type mutation = trial.Mutation
	all := func(m *mutation) int { return m.Mutants }
	reached := func(m *mutation) int { return m.Reached }
	killed := func(m *mutation) int { return m.Killed }
	figures := []figure{
		trialsFigure,
		{estimateColumn("mutation_score", "Score", 3), mutants.cell(func(g *group) Cell { return g.sampled(trial.PartMutation, mutationScore) })},
		{rangeColumn("interval", "95 % interval", 3), mutants.cell(widestInterval)},
		{countColumn("killed", "Killed"), mutants.share(killed, all)},
		{countColumn("reached", "Reached"), mutants.share(reached, all)},
		{countColumn("killed_of_reached", "Killed of reached"), mutants.share(killed, reached)},
	}
	kills := func(r trial.Record, o trial.OracleClass) bool { return r.Mutation != nil && r.Mutation.KilledBy(o) > 0 }
	for _, o := range a.classesThat(kills) {
		figures = append(figures, figure{numberColumn("killed_"+className(o), "By "+className(o), 0),
			mutants.sum(func(m *mutation) int { return m.KilledBy(o) })})
	}
	return a.table("mutation", "Mutation score", a.groups, append(figures,
		figure{countColumn("usable", "Usable tests"),
			mutants.share(func(m *mutation) int { return m.Usable }, func(m *mutation) int { return m.Tests })})...)
}

func widestInterval(g *group) Cell {
	low, high := 1.0, 0.0
	for _, m := range having(g, mutationOf) {
		low, high = min(low, m.Low), max(high, m.High)
	}
	return span(low, high)
}

// operatorTable sums the mutants of each operator over a group's trials.
func (a *analysis) operatorTable() Table {
	t := groupTable("mutation_operators", "Mutants by operator",
		textColumn("operator", "Operator"), countColumn("killed", "Killed"), countColumn("reached", "Reached"))
	for _, g := range a.groups {
		var all []trial.MutantGroup
		for _, m := range having(g, mutationOf) {
			all = append(all, m.ByOperator...)
		}
		for _, of := range grouped(all, func(o trial.MutantGroup) string { return o.Name }) {
			var sum trial.MutantCount
			for _, o := range of {
				sum.Mutants, sum.Reached, sum.Killed = sum.Mutants+o.Mutants, sum.Reached+o.Reached, sum.Killed+o.Killed
			}
			t.add(a.groupCells(g, words(of[0].Name), count(sum.Killed, sum.Mutants), count(sum.Reached, sum.Mutants))...)
		}
	}
	return t
}

// mutantFeedback reports what came of telling tools which mutants their tests reach and do not kill; it
// has no rows if none was told of any.
func (a *analysis) mutantFeedback() Table {
	type feedback = trial.MutantFeedback
	drawn := func(f *feedback) int { return f.Mutants }
	shown := func(f *feedback) int { return f.Shown }
	killedShown := func(f *feedback) int { return f.KilledShown }
	tokens := func(g *group) (sum float64) {
		for _, r := range g.records {
			if feedbackOf(r) != nil {
				sum += float64(r.Total().Tokens)
			}
		}
		return sum
	}
	told := a.those(func(g *group) bool { return total(g, feedbackOf, drawn) > 0 })
	return a.table("mutant_feedback", "Mutants as feedback", told,
		trialsFigure,
		figure{countColumn("feedback_reached", "Reached"), sumOf(feedbackOf, func(f *feedback) int { return f.Reached }, drawn)},
		figure{countColumn("feedback_killed", "Killed"), sumOf(feedbackOf, func(f *feedback) int { return f.Killed }, drawn)},
		figure{countColumn("shown", "Shown"), sumOf(feedbackOf, shown, drawn)},
		figure{countColumn("killed_shown", "Killed after\nit was shown"), sumOf(feedbackOf, killedShown, shown)},
		figure{numberColumn("tokens", "Tokens", 0), func(g *group) Cell { return number(tokens(g)) }},
		figure{numberColumn("kills_per_1000_tokens", "These per\n1,000 tokens", 3), func(g *group) Cell {
			if tokens(g) == 0 {
				return notApplicable("no tokens were counted")
			}
			return number(1000 * float64(total(g, feedbackOf, killedShown)) / tokens(g))
		}})
}
