package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/compared"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// comparison tests each pair, library by library and over all, and ranks the tools.
func (a *analysis) comparison(s *doc.Section) {
	if len(a.Tools) < 2 {
		return
	}
	a.tests(s)
	ranks := a.Ranks(lineMetric, branchMetric, bugsMetric)
	if len(ranks.Rows) > 0 {
		s.Tables = append(s.Tables, ranks)
	} else {
		s.Notes = append(s.Notes, ranks.Warnings...)
	}
}

// tests are the comparisons of pairs.
func (a *analysis) tests(s *doc.Section) {
	s.Definitions = slices.Concat(s.Definitions, definitions["tests"])
	if len(a.Run.Bugs) > 0 {
		shown, data := a.BugPairs()
		s.Tables, a.data = append(s.Tables, shown...), data
	}
	for _, m := range coverageMetrics {
		s.Tables = append(s.Tables, a.CoveragePairs(m.metric))
	}
}

// A sweep is a parameter to which the variants of a tool give several numbers.
type sweep struct {
	tool, param string
	values      []float64 // sorted
}

// sweeps returns the sweeps of the run.
func (a *analysis) sweeps() (all []sweep) {
	for _, variants := range lists.Group(a.Tools, func(t tool) string { return t.Name }) {
		values := map[string][]float64{}
		for _, v := range variants {
			for param, x := range a.Run.Params[v.String()] {
				values[param] = append(values[param], x)
			}
		}
		for _, param := range slices.Sorted(maps.Keys(values)) {
			slices.Sort(values[param])
			if xs := slices.Compact(values[param]); len(xs) > 1 {
				all = append(all, sweep{variants[0].Name, param, xs})
			}
		}
	}
	return all
}

// at returns a group of all trials on a library in which the parameter has a value.
func (a *analysis) at(s sweep, l library, value float64) *group {
	all := &group{Library: l, Tool: tool{Name: s.tool}}
	for _, g := range a.GroupsOf(l) {
		if x, ok := a.Run.Params[g.Tool.String()][s.param]; ok && x == value && g.Tool.Name == s.tool {
			all.Records, all.Missing = slices.Concat(all.Records, g.Records), slices.Concat(all.Missing, g.Missing)
			all.Planned += g.Planned
		}
	}
	return all
}

// swept reports figures over each swept parameter.
func (a *analysis) swept(s *doc.Section) {
	t := lines("sweeps", "Figures over a parameter (mean ± standard deviation over trials)",
		doc.Text("parameter", "Parameter"), doc.Text("value", "Value"), trials.Column)
	metrics := []metric{csrMetric, esrMetric, lineMetric, branchMetric, auvcMetric, hbdr}
	for _, m := range metrics {
		t.Columns = append(t.Columns, doc.Estimate(m.Key, m.Name, 1))
	}
	for _, sw := range a.sweeps() {
		for _, l := range a.Libraries {
			charts := make([]doc.Chart, len(metrics))
			for _, x := range sw.values {
				g := a.at(sw, l, x)
				if g.Planned == 0 {
					continue
				}
				row := a.line(g, doc.Words(sw.param), doc.Words(strconv.FormatFloat(x, 'g', -1, 64)), trials.of(g))
				for i, m := range metrics {
					row = append(row, m.Cell(g))
					if xs := g.Sample(m); len(xs) > 0 {
						charts[i].Add(doc.Series{Name: sw.tool, Points: []doc.Point{
							{X: x, Mean: doc.Mean(xs), Min: slices.Min(xs), Max: slices.Max(xs)}}})
					}
				}
				t.Add(row...)
			}
			for i, m := range metrics {
				c := &charts[i]
				c.ID = fmt.Sprintf("sweep-%s-%s-%s-%s", slug(a.Label(l)), slug(sw.tool), slug(sw.param), m.Key)
				c.Kind, c.Library, c.XLabel, c.YLabel = doc.Lines, a.Label(l), sw.param, m.Name
				c.Title = fmt.Sprintf("%s: %s over %s of %s", a.Label(l), m.Name, sw.param, sw.tool)
				c.Caption = "Mean over trials; the band runs from the lowest to the highest trial."
				s.Draw(*c)
			}
		}
	}
	s.Put(t)
}

// ablation reports what each variant changes against its tool's default, library by library. A
// tool without a default, as in a sweep, has no baseline and no row.
func (a *analysis) ablation(s *doc.Section) {
	t := lines("ablation", "Change of each variant from its tool's default", doc.Text("baseline", "Baseline"),
		doc.Text("metric", "Metric"), doc.Text("trials", "Trials"), doc.Number("baseline_mean", "Baseline's mean", 2),
		doc.Number("change", "Change", 2), doc.Range("interval", "95% interval", 2), doc.Text("unit", "Unit"))
	t.Columns[1].Name = "Variant"
	for _, m := range []metric{csrMetric, esrMetric, lineMetric, branchMetric, auvcMetric, bugsMetric} {
		chart := doc.Chart{ID: "ablation-" + m.Key, Title: m.Name + ": change against the default", Kind: doc.Rows,
			XLabel: "change, " + m.Unit, Caption: "A point is the difference of the means, a bar its 95% interval. " +
				"Left of the line the variant is lower than its default."}
		changed := false // a chart of nothing but zeros says less than the table
		for _, variant := range a.Tools {
			for _, l := range a.Libraries {
				base, g := a.Group(l, tool{Name: variant.Name, Variant: trial.DefaultVariant}), a.Group(l, variant)
				if base == nil || g == nil || a.Stands(variant) {
					continue
				}
				before, after := base.Sample(m), g.Sample(m)
				if len(before)+len(after) == 0 {
					continue
				}
				row := a.line(g, doc.Words(base.Tool.String()), doc.Words(m.Name),
					doc.Words(fmt.Sprintf("%d and %d", len(before), len(after))))
				if len(before) == 0 || len(after) == 0 {
					none := compared.Unpaired(m, "one of the two has no value", base, g)
					t.Add(append(row, none, none, none, doc.Words(m.Unit))...)
					continue
				}
				change, interval := doc.Mean(after)-doc.Mean(before), doc.DifferenceInterval(after, before)
				t.Add(append(row, doc.Num(doc.Mean(before)), doc.Num(change), interval, doc.Words(m.Unit))...)
				p := doc.Point{Mean: change, Min: change, Max: change}
				if interval.Missing == "" {
					p.Min, p.Max = interval.Values[0], interval.Values[1]
				}
				chart.AddRow(a.Label(l), a.series(variant), p)
				changed = changed || p.Min != 0 || p.Max != 0
			}
		}
		if changed {
			s.Draw(chart)
		}
	}
	s.Put(t)
}
