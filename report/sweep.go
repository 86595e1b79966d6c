package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

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
