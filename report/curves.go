package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// maxCurvePoints bounds the points of a drawn curve; more cannot be seen.
const maxCurvePoints = 200

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

// growth draws how coverage grows over programs, over inputs, over what models cost and, where
// the budget was in seconds, over time. Programs and inputs never share an axis.
func (a *analysis) growth(s *doc.Section) {
	for _, l := range a.Libraries {
		for _, axis := range growthAxes {
			if axis.key == "time" && !a.Run.Timed {
				continue
			}
			for _, m := range coverageMetrics {
				s.Draw(a.growthChart(l, axis, m))
			}
		}
	}
}

// growthChart has the mean curve of each tool whose records have any.
func (a *analysis) growthChart(l library, axis growthAxis, m coverageMetric) doc.Chart {
	label := a.Label(l)
	c := doc.Chart{ID: fmt.Sprintf("growth-%s-%s-%s", slug(label), axis.key, m.Key), Kind: doc.Lines, Library: label,
		Title:  fmt.Sprintf("%s: %s covered over %s", label, strings.ToLower(m.short), axis.label),
		XLabel: axis.label, YLabel: m.Name + ", %",
		Caption: "Mean over trials; the band runs from the lowest to the highest trial."}
	for _, g := range a.GroupsOf(l) {
		var curves []curve
		for _, r := range g.Records {
			if curve := growthCurve(r, axis, m); len(curve.x) > 0 {
				curves = append(curves, curve)
			}
		}
		if len(curves) > 0 {
			c.Add(a.series(g.Tool, meanCurve(curves)...))
		}
	}
	return c
}

// A curve is one trial's figure at growing x. It is a step function: between
// its points nothing is known but that coverage does not fall.
type curve struct{ x, y []float64 }

// growthCurve is a trial's coverage in percent; it has no points on an axis that its suite has not.
func growthCurve(r record, axis growthAxis, m coverageMetric) (c curve) {
	if !covered.In(r) || m.total(r) == 0 || len(r.Growth) == 0 || axis.kind != "" && r.Kind != axis.kind {
		return c
	}
	if axis.at(r.Growth[len(r.Growth)-1]) == 0 {
		return c // a tool that asks no model spends nothing on this axis
	}
	points := slices.Clone(r.Growth)
	slices.SortStableFunc(points, func(p, q trial.GrowthPoint) int { return cmp.Compare(axis.at(p), axis.at(q)) })
	for _, p := range points {
		c.x, c.y = append(c.x, axis.at(p)), append(c.y, 100*float64(m.reached(p))/float64(m.total(r)))
	}
	return c
}

// at returns the value at x, from the first point on: that of the last point at or before it. After its last point a
// trial adds nothing, so its coverage stays.
func (c curve) at(x float64) float64 {
	last := len(c.x) - 1
	for last > 0 && c.x[last] > x {
		last--
	}
	return c.y[last]
}

// meanCurve is the mean of curves with its range, from where all of them have begun.
func meanCurve(curves []curve) []doc.Point {
	var grid []float64
	start := curves[0].x[0]
	for _, c := range curves {
		grid = append(grid, c.x...)
		start = max(start, c.x[0])
	}
	slices.Sort(grid)
	grid = lists.Filter(slices.Compact(grid), func(x float64) bool { return x >= start })
	var points []doc.Point
	for _, x := range doc.Thin(grid, maxCurvePoints) {
		var values []float64
		for _, c := range curves {
			values = append(values, c.at(x))
		}
		points = append(points, doc.Point{X: x, Mean: doc.Mean(values), Min: slices.Min(values), Max: slices.Max(values)})
	}
	return points
}
