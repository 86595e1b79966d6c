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

// ranking ranks the tools over the libraries for which all of them have a figure.
func (a *analysis) ranking(s *Section) {
	t := newTable("ranks", "Tools ranked over libraries", textColumn("metric", "Ranked by"), textColumn("tool", "Tool"),
		numberColumn("rank", "Average rank", 2), numberColumn("libraries", "Libraries", 0), pColumn("p", "Friedman p"), numberColumn("cd", "CD", 2),
		wideColumn("alike", "No significant difference from"))
	tools := slices.DeleteFunc(slices.Clone(a.tools), func(t tool) bool { return !a.stands(t) })
	if len(tools) < fewestToRank {
		return
	}
	for _, m := range rankedMetrics {
		scores := a.scores(tools, m)
		if len(scores) < 2 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: not ranked; that takes at least 2 libraries for which every tool has a value (here: %d).", m.name, len(scores)))
			continue
		}
		r, err := stats.Friedman(scores)
		if err != nil {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: not ranked: %v.", m.name, err))
			continue
		}
		s.Charts = append(s.Charts, a.rank(m, tools, r, &t))
	}
	if len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	} else {
		s.Notes = append(s.Notes, t.Warnings...)
	}
}

// scores returns each tool's mean over trials, by library.
func (a *analysis) scores(tools []tool, m metric) [][]float64 {
	var scores [][]float64
	for _, l := range a.libraries {
		var row []float64
		for _, t := range tools {
			if g := a.group(l, t); g != nil {
				if xs := g.sample(m.of); len(xs) > 0 {
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

// rank adds a row for each tool, the best first, and returns a chart of their average ranks. Two tools differ by the
// critical difference or more if intervals as wide as that do not overlap.
func (a *analysis) rank(m metric, tools []tool, r stats.FriedmanResult, t *Table) Chart {
	c := Chart{ID: "ranks-" + m.key, Title: "Average ranks by " + strings.ToLower(m.name), Kind: Changes, XLabel: "average rank",
		Caption: fmt.Sprintf("Over %d libraries; 1 is best. Tools whose intervals overlap do not differ significantly (critical difference %.2f).", r.Blocks, r.CriticalDifference)}
	order := make([]int, len(tools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.AverageRanks[i], r.AverageRanks[j]) })
	for n, i := range order {
		p := number(r.P)
		if n == 0 {
			power := pValue(r.P, r.MinP, fmt.Sprintf("with %d tools on %d libraries no outcome", r.Tools, r.Blocks))
			p = p.with(r.Warnings...).with(power.Notes...)
		}
		t.add(words(m.name), words(tools[i].String()), number(r.AverageRanks[i]), whole(r.Blocks), p, number(r.CriticalDifference),
			words(alike(i, tools, tool.String, r.Groups, "none")))
		label, rank, half := "all libraries"+categoryDash+tools[i].String(), r.AverageRanks[i], r.CriticalDifference/2
		c.Categories = append(c.Categories, label)
		c.add(a.series(tools[i], Point{Label: label, Mean: rank, Min: rank - half, Max: rank + half}))
	}
	return c
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

// ablationMetrics are what a variant is compared with its baseline by.
var ablationMetrics = []metric{csrMetric, esrMetric, lineMetric, branchMetric, auvcMetric, bugsMetric}

// ablation reports what each variant changes against its tool's default, library by library. A
// tool without a default, as in a sweep, has no baseline and no row.
func (a *analysis) ablation(s *Section) {
	t := groupTable("ablation", "Change of each variant from its tool's default", textColumn("baseline", "Baseline"), textColumn("metric", "Metric"),
		textColumn("trials", "Trials"), numberColumn("baseline_mean", "Baseline's mean", 2), numberColumn("change", "Change", 2),
		rangeColumn("interval", "95% interval", 2), textColumn("unit", "Unit"))
	t.Columns[1].Name = "Variant"
	for _, m := range ablationMetrics {
		chart := Chart{ID: "ablation-" + m.key, Title: m.name + ": change against the default", Kind: Changes, XLabel: "change, " + m.unit,
			Caption: "A point is the difference of the means, a bar its 95% interval. Left of the line the variant is lower than its default."}
		changed := false // a chart of nothing but zeros says less than the table
		for _, variant := range a.tools {
			for _, l := range a.libraries {
				base, g := a.group(l, tool{variant.name, trial.DefaultVariant}), a.group(l, variant)
				if base == nil || g == nil || a.stands(variant) {
					continue
				}
				row, point := changeRow(m, base, g)
				if row == nil {
					continue
				}
				t.add(append(a.groupCells(g, words(base.tool.String()), words(m.name)), row...)...)
				if point != nil {
					point.Label = a.label(l) + categoryDash + variant.String()
					chart.Categories = append(chart.Categories, point.Label)
					chart.add(a.series(variant, *point))
					changed = changed || point.Min != 0 || point.Max != 0
				}
			}
		}
		if changed {
			s.Charts = append(s.Charts, chart)
		}
	}
	s.Tables = withRows(t)
}

// changeRow compares two groups; it returns no row if neither has the metric, and no point if one of them lacks it.
func changeRow(m metric, base, variant *group) ([]Cell, *Point) {
	before, after := base.sample(m.of), variant.sample(m.of)
	trials := words(fmt.Sprintf("%d and %d", len(before), len(after)))
	switch {
	case len(before)+len(after) == 0:
		return nil, nil
	case len(before) == 0 || len(after) == 0:
		none := unpaired(m.part, "one of the two has no value", base, variant)
		return []Cell{trials, none, none, none, words(m.unit)}, nil
	}
	change, interval := meanOf(after)-meanOf(before), intervalOf("difference", differenceOfMeans, after, before)
	p := Point{Mean: change, Min: change, Max: change}
	if interval.Missing == "" {
		p.Min, p.Max = interval.Values[0], interval.Values[1]
	}
	return []Cell{trials, number(meanOf(before)), number(change), interval, words(m.unit)}, &p
}
