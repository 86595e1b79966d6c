package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// fewestToRank is how many tools a ranking needs; two are compared as a pair.
const fewestToRank = 3

// rankedMetrics are what tools are ranked by within each library.
var rankedMetrics = []metric{lineMetric, branchMetric, bugsMetric}

// detectedIn counts the bugs that a trial detects, if it could check them all.
func detectedIn(r trial.Record) (float64, bool) {
	n := 0
	for _, b := range r.Bugs {
		if b.Missing != nil {
			return 0, false
		}
		n += one(b.Detected)
	}
	return float64(n), len(r.Bugs) > 0
}

// ranking ranks the tools over the libraries for which all of them have a figure.
func (a *analysis) ranking() (Table, []Chart) {
	t := Table{ID: "ranks", Title: "Tools ranked over libraries", Columns: []Column{
		{Key: "metric", Name: "Ranked by", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "rank", Name: "Average rank", Kind: Number, Decimals: 2},
		{Key: "libraries", Name: "Libraries", Kind: Number},
		{Key: "p", Name: "Friedman p", Kind: PValue},
		{Key: "cd", Name: "CD", Kind: Number, Decimals: 2},
		{Key: "alike", Name: "No significant difference from", Kind: Words, Wide: true},
	}}
	tools := a.standing()
	if len(tools) < fewestToRank {
		return t, nil
	}
	var charts []Chart
	for _, m := range rankedMetrics {
		scores := a.scores(tools, m)
		if len(scores) < 2 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: not ranked; that takes at least 2 libraries for which every tool has a value (here: %d).", m.name, len(scores)))
			continue
		}
		r := sure(stats.Friedman(scores))
		t.Rows = append(t.Rows, rankRows(m, tools, r)...)
		charts = append(charts, a.rankChart(m, tools, r))
	}
	return t, charts
}

// scores returns each tool's mean over trials, by library.
func (a *analysis) scores(tools []contender, m metric) [][]float64 {
	var scores [][]float64
	for _, s := range a.subjects {
		var row []float64
		for _, c := range tools {
			if g := a.group(s, c); g != nil {
				if xs := g.sample(m.value); len(xs) > 0 {
					row = append(row, meanOf(xs))
				}
			}
		}
		if len(row) == len(tools) {
			scores = append(scores, row)
		}
	}
	return scores
}

// rankRows lists the tools from best to worst.
func rankRows(m metric, tools []contender, r stats.FriedmanResult) [][]Cell {
	order := make([]int, len(tools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.AverageRanks[i], r.AverageRanks[j]) })
	var rows [][]Cell
	for n, i := range order {
		p, cd := number(r.P), number(r.CriticalDifference)
		if n == 0 {
			power := pValue(r.P, r.MinP, fmt.Sprintf("with %d tools on %d libraries no outcome", r.Tools, r.Blocks))
			p = p.with(r.Warnings...).with(power.Notes...)
		}
		rows = append(rows, []Cell{words(m.name), words(tools[i].String()), number(r.AverageRanks[i]), whole(r.Blocks), p, cd, words(alike(i, tools, contender.String, r.Groups, "none"))})
	}
	return rows
}

// alike names the tools in a group with tool i, or says that there is none.
func alike[T any](i int, tools []T, name func(T) string, groups [][]int, none string) string {
	var names []string
	for j, tool := range tools {
		together := func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) }
		if j != i && slices.ContainsFunc(groups, together) {
			names = append(names, name(tool))
		}
	}
	return cmp.Or(strings.Join(names, ", "), none)
}

// rankChart is a critical-difference diagram (Demšar 2006, figure 1).
func (a *analysis) rankChart(m metric, tools []contender, r stats.FriedmanResult) Chart {
	c := Chart{
		ID: "ranks-" + m.key, Title: "Average ranks by " + strings.ToLower(m.name), Kind: Ranks,
		Caption: fmt.Sprintf("Over %d libraries; 1 is best. Tools joined by a bar do not differ significantly (critical difference %.2f).", r.Blocks, r.CriticalDifference),
	}
	for i, t := range tools {
		c.Series = append(c.Series, a.series(t, exactly(r.AverageRanks[i], r.AverageRanks[i])))
	}
	for _, g := range r.Groups {
		bar := Bar{Low: r.AverageRanks[g[0]], High: r.AverageRanks[g[0]]}
		for _, i := range g {
			bar.Low, bar.High = min(bar.Low, r.AverageRanks[i]), max(bar.High, r.AverageRanks[i])
		}
		c.Groups = append(c.Groups, bar)
	}
	return c
}
