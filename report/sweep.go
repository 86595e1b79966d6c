package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// swept reports figures over each parameter to which the variants of a tool give several numbers.
func (a *analysis) swept(s *doc.Section) {
	t := lines("sweeps", "Figures over a parameter (mean ± standard deviation over trials)",
		doc.Text("parameter", "Parameter"), doc.Text("value", "Value"), trials.Column)
	metrics := []metric{csrMetric, esrMetric, lineMetric, branchMetric, auvcMetric, hbdr}
	for _, m := range metrics {
		t.Columns = append(t.Columns, doc.Estimate(m.Key, m.Name, 1))
	}
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
				for _, l := range a.Libraries {
					a.sweep(s, &t, variants[0].Name, l, param, xs, metrics)
				}
			}
		}
	}
	s.Put(t)
}

// sweep adds a row for each value of a parameter, over all trials on a library in which it has that, and draws the
// metrics.
func (a *analysis) sweep(s *doc.Section, t *doc.Table, name string, l library, param string, values []float64,
	metrics []metric) {
	charts := make([]doc.Chart, len(metrics))
	for i, m := range metrics {
		charts[i] = doc.Chart{ID: fmt.Sprintf("sweep-%s-%s-%s-%s", slug(a.Label(l)), slug(name), slug(param), m.Key),
			Title: fmt.Sprintf("%s: %s over %s of %s", a.Label(l), m.Name, param, name), Kind: doc.Lines, Library: a.Label(l),
			XLabel: param, YLabel: m.Name, Caption: bandCaption}
	}
	for _, x := range values {
		g := &group{Library: l, Tool: tool{Name: name}}
		for _, of := range a.GroupsOf(l) {
			if y, ok := a.Run.Params[of.Tool.String()][param]; ok && x == y && of.Tool.Name == name {
				g.Records, g.Missing = slices.Concat(g.Records, of.Records), slices.Concat(g.Missing, of.Missing)
				g.Planned += of.Planned
			}
		}
		if g.Planned == 0 {
			continue
		}
		row := a.line(g, doc.Words(param), doc.Words(strconv.FormatFloat(x, 'g', -1, 64)), trials.of(g))
		for i, m := range metrics {
			row = append(row, m.Cell(g))
			if xs := g.Sample(m); len(xs) > 0 {
				charts[i].Add(doc.Series{Name: name, Points: []doc.Point{over(x, xs)}})
			}
		}
		t.Add(row...)
	}
	s.Draw(charts...)
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
		for _, variant := range a.Tools {
			for _, l := range a.Libraries {
				base, g := a.Group(l, tool{Name: variant.Name, Variant: trial.DefaultVariant}), a.Group(l, variant)
				if base == nil || g == nil || a.Stands(variant) {
					continue
				}
				before, after := base.Sample(m), g.Sample(m)
				row := a.line(g, doc.Words(base.Tool.String()), doc.Words(m.Name),
					doc.Words(fmt.Sprintf("%d and %d", len(before), len(after))))
				if len(before) == 0 || len(after) == 0 {
					if len(before)+len(after) > 0 {
						none := unpaired(m, "one of the two has no value", base, g)
						t.Add(append(row, none, none, none, doc.Words(m.Unit))...)
					}
					continue
				}
				change, interval := doc.Mean(after)-doc.Mean(before), doc.DifferenceInterval(after, before)
				t.Add(append(row, doc.Num(doc.Mean(before)), doc.Num(change), interval, doc.Words(m.Unit))...)
				ends := append(slices.Clone(interval.Values), change, change)
				chart.AddRow(a.Label(l), a.series(variant), doc.Point{Mean: change, Min: ends[0], Max: ends[1]})
			}
		}
		if low, high := chart.Ends(); low < high { // a chart of nothing but zeros says less than the table
			s.Draw(chart)
		}
	}
	s.Put(t)
}

// A growthAxis is what coverage grows over.
type growthAxis struct {
	key, label string
	kind       trial.SuiteKind // the only kind of suite with this axis; "" for all
	at         func(trial.GrowthPoint) float64
}

var growthAxes = []growthAxis{
	{"programs", "test programs", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return float64(p.Programs) }},
	{"inputs", "fuzzer inputs", trial.KindCorpus, func(p trial.GrowthPoint) float64 { return float64(p.Programs) }},
	{"tokens", "tokens", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return float64(p.Tokens) }},
	{"dollars", "dollars", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return p.Dollars }},
	{"time", "seconds", "", func(p trial.GrowthPoint) float64 { return p.Elapsed.Seconds() }}, // of a timed run
}

const bandCaption = "Mean over trials; the band runs from the lowest to the highest trial."

// maxCurvePoints bounds the points of a drawn curve; more cannot be seen.
const maxCurvePoints = 200

// growth draws how coverage grows over programs, over inputs, over what models cost and, where
// the budget was in seconds, over time. Programs and inputs never share an axis.
func (a *analysis) growth(s *doc.Section) {
	for _, l := range a.Libraries {
		for _, axis := range growthAxes {
			if axis.key == "time" && !a.Run.Timed {
				continue
			}
			for _, m := range coverageMetrics {
				label := a.Label(l)
				c := doc.Chart{ID: fmt.Sprintf("growth-%s-%s-%s", slug(label), axis.key, m.Key), Kind: doc.Lines, Library: label,
					Title:  fmt.Sprintf("%s: %s covered over %s", label, strings.ToLower(m.short), axis.label),
					XLabel: axis.label, YLabel: m.Name + ", %", Caption: bandCaption}
				for _, g := range a.GroupsOf(l) {
					c.Add(a.series(g.Tool, growthCurve(g, axis, m)...))
				}
				s.Draw(c)
			}
		}
	}
}

// growthCurve is the mean over trials of the coverage in percent, from where all of them have begun. A trial's is a
// step
// function: between its points nothing is known but that coverage does not fall, and after the last one it stays.
func growthCurve(g *group, axis growthAxis, m coverageMetric) (points []doc.Point) {
	var curves [][]trial.GrowthPoint
	var totals, grid []float64
	start := 0.0
	for _, r := range lists.Filter(g.Records, covered.In) {
		if m.total(r) == 0 || len(r.Growth) == 0 || axis.kind != "" && r.Kind != axis.kind ||
			axis.at(r.Growth[len(r.Growth)-1]) == 0 {
			continue // such as a tool that asks no model, on an axis of its cost
		}
		curve := slices.Clone(r.Growth)
		slices.SortStableFunc(curve, func(p, q trial.GrowthPoint) int { return cmp.Compare(axis.at(p), axis.at(q)) })
		for _, p := range curve {
			grid = append(grid, axis.at(p))
		}
		curves, totals, start = append(curves, curve), append(totals, float64(m.total(r))), max(start, axis.at(curve[0]))
	}
	slices.Sort(grid)
	grid = lists.Filter(slices.Compact(grid), func(x float64) bool { return x >= start })
	for _, x := range doc.Thin(grid, maxCurvePoints) {
		var values []float64
		for i, curve := range curves {
			last := len(curve) - 1
			for last > 0 && axis.at(curve[last]) > x {
				last--
			}
			values = append(values, 100*float64(m.reached(curve[last]))/totals[i])
		}
		points = append(points, over(x, values))
	}
	return points
}
