package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
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
	key, name string // of columns: "line", "Lines"
	pct       func(trial.Record) (float64, bool)
	total     func(trial.Coverage) int
	reached   func(trial.GrowthPoint) int
}

var coverageMetrics = []coverageMetric{
	{"line", "Lines", linePct, func(c trial.Coverage) int { return c.LinesTotal }, func(p trial.GrowthPoint) int { return p.LinesCovered }},
	{"branch", "Branches", branchPct, func(c trial.Coverage) int { return c.BranchesTotal }, func(p trial.GrowthPoint) int { return p.BranchesCovered }},
}

// coverage reports line and branch coverage of the library.
func (a *analysis) coverage() Section {
	figures := []figure{trialsFigure}
	for _, m := range coverageMetrics {
		figures = append(figures,
			figure{Column{Key: m.key + "_coverage", Name: m.name + " %", Kind: Estimate, Unit: "pct", Decimals: 2, Interval: true}, m.mean},
			figure{Column{Key: m.key + "_total", Name: m.name + " in all", Kind: Number}, func(g *group) Cell {
				if mean := m.mean(g); mean.Missing != "" {
					return mean
				}
				return whole(m.total(*having(g, coverageOf)[0])) // there is one, for there is a mean
			}})
	}
	t := a.table("coverage", "Library coverage (mean ± standard deviation over trials, [95% interval])", a.groups, figures)
	t.Warnings = append(a.denominatorWarnings(), a.emptySuites()...)
	s := Section{
		ID: "coverage", Title: "Coverage",
		Definitions: []Definition{
			{"Line coverage", "The share of the library's source lines that a suite executes, as llvm-cov counts them on the reference build; test code is not counted.", "lines executed / lines of the library"},
			{"Branch coverage", "The share of the library's branch outcomes (each condition true and false) that a suite takes.", "branch outcomes taken / branch outcomes of the library"},
		},
		Tables: []Table{t},
	}
	for _, m := range coverageMetrics {
		s.Charts = append(s.Charts, withSeries(a.bars(Chart{
			ID: "coverage-" + m.key, Title: m.name + " covered",
			Caption: "Mean over trials; each dot is one trial.",
			XLabel:  m.name + " covered, %",
		}, "coverage", m.pct))...)
	}
	return s
}

func (m coverageMetric) mean(g *group) Cell { return g.sampled(trial.PartCoverage, m.pct) }

// sample collects the values of the trials that have one.
func (g *group) sample(value func(trial.Record) (float64, bool)) []float64 {
	var xs []float64
	for _, r := range g.records {
		if x, ok := value(r); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// denominatorWarnings names the subjects whose records were measured against different
// totals: their percentages cannot be compared.
func (a *analysis) denominatorWarnings() []string {
	var warnings []string
	for _, s := range a.subjects {
		for _, m := range coverageMetrics {
			low, high := 0, 0
			for _, g := range a.groupsOf(s) {
				for _, c := range having(g, coverageOf) {
					n := m.total(*c)
					if low == 0 || n < low {
						low = n
					}
					high = max(high, n)
				}
			}
			if low != high {
				warnings = append(warnings, fmt.Sprintf("%s: the %s totals differ between cells (%d to %d), so their percentages cannot be compared", a.label(s), m.key, low, high))
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
			if r.Programs != nil && r.Programs.Generated == 0 {
				empty++
			}
		}
		if empty > 0 {
			warnings = append(warnings, fmt.Sprintf("%s on %s made no program in %d of %s and covers nothing there.", g.contender, a.label(g.subject), empty, trial.Count(len(g.records), "trial")))
		}
	}
	return warnings
}

// bars fills a chart with a bar for each group whose records have the figure.
func (a *analysis) bars(c Chart, figure string, of func(trial.Record) (float64, bool)) Chart {
	c.Kind = Bars
	for _, t := range a.contenders {
		series := a.series(t)
		for _, s := range a.subjects {
			g := a.group(s, t)
			if g == nil {
				continue
			}
			xs := g.sample(of)
			if sum, err := stats.Summarize(xs); err == nil {
				series.Points = append(series.Points, Point{
					Label: a.label(s) + categoryDash + t.String(), Mean: sum.Mean, Min: sum.Min, Max: sum.Max, Trials: xs})
			}
		}
		if len(series.Points) > 0 {
			c.Series = append(c.Series, series)
		}
	}
	for _, g := range a.groups {
		if len(g.sample(of)) > 0 {
			c.Categories = append(c.Categories, a.label(g.subject)+categoryDash+g.contender.String())
		}
	}
	if len(c.Categories) < len(a.groups) {
		c.Caption += " Tools without " + figure + " are left out; the table says why."
	}
	return c
}
