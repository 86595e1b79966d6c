package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
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
}

var timeAxis = growthAxis{"time", "seconds", "", func(p trial.GrowthPoint) float64 { return p.Elapsed.Seconds() }}

// growth draws how coverage grows over programs, over inputs, over what models cost and, where
// the budget was in seconds, over time. Programs and inputs never share an axis.
func (a *analysis) growth(s *Section) {
	axes := growthAxes
	if a.run.Timed {
		axes = append(axes[:len(axes):len(axes)], timeAxis)
	}
	for _, l := range a.libraries {
		for _, axis := range axes {
			for _, m := range coverageMetrics {
				s.Charts = append(s.Charts, a.curveChart(l, Chart{ID: fmt.Sprintf("growth-%s-%s-%s", slug(a.label(l)), axis.key, m.key),
					Title:  fmt.Sprintf("%s: %s covered over %s", a.label(l), strings.ToLower(m.short), axis.label),
					XLabel: axis.label, YLabel: m.name + ", %"}, func(r trial.Record) curve { return growthCurve(r, axis, m) })...)
			}
		}
	}
}

// curveChart fills a chart of one library with the mean curve of each tool whose records have any.
func (a *analysis) curveChart(l library, c Chart, of func(trial.Record) curve) []Chart {
	c.Kind, c.Library = Lines, a.label(l)
	c.Caption = "Mean over trials; the band runs from the lowest to the highest trial."
	for _, g := range a.groupsOf(l) {
		var curves []curve
		for _, r := range g.records {
			if curve := of(r); len(curve.x) > 0 {
				curves = append(curves, curve)
			}
		}
		if len(curves) > 0 {
			c.add(a.series(g.tool, meanCurve(curves)...))
		}
	}
	return withSeries(c)
}

// A curve is one trial's figure at growing x. It is a step function: between
// its points nothing is known but that coverage does not fall.
type curve struct{ x, y []float64 }

// growthCurve is a trial's coverage in percent; it has no points on an axis that its suite has not.
func growthCurve(r trial.Record, axis growthAxis, m coverageMetric) (c curve) {
	if r.Coverage == nil || m.total(r.Coverage) == 0 || len(r.Growth) == 0 || axis.kind != "" && r.Kind != axis.kind {
		return c
	}
	if axis.at(r.Growth[len(r.Growth)-1]) == 0 {
		return c // a tool that asks no model spends nothing on this axis
	}
	points := slices.Clone(r.Growth)
	slices.SortStableFunc(points, func(p, q trial.GrowthPoint) int { return cmp.Compare(axis.at(p), axis.at(q)) })
	for _, p := range points {
		c.x, c.y = append(c.x, axis.at(p)), append(c.y, 100*float64(m.reached(p))/float64(m.total(r.Coverage)))
	}
	return c
}

// at returns the value at x, from the first point on: that of the last point at or before it. After its last point a
// trial adds nothing, so its coverage stays.
func (c curve) at(x float64) float64 {
	last := slices.IndexFunc(c.x, func(at float64) bool { return at > x }) - 1
	if last < 0 {
		last = len(c.x) - 1
	}
	return c.y[last]
}

// meanCurve is the mean of curves with its range, from where all of them have begun.
func meanCurve(curves []curve) []Point {
	var grid []float64
	start := math.Inf(-1)
	for _, c := range curves {
		grid = append(grid, c.x...)
		start = max(start, c.x[0])
	}
	slices.Sort(grid)
	grid = slices.DeleteFunc(slices.Compact(grid), func(x float64) bool { return x < start })
	var points []Point
	for _, x := range thin(grid, maxCurvePoints) {
		var values []float64
		for _, c := range curves {
			values = append(values, c.at(x))
		}
		points = append(points, Point{X: x, Mean: meanOf(values), Min: slices.Min(values), Max: slices.Max(values)})
	}
	return points
}

// thin keeps at most n points of a grid, its ends among them.
func thin[T any](grid []T, n int) []T {
	if len(grid) <= n {
		return grid
	}
	kept := make([]T, n)
	for i := range kept {
		kept[i] = grid[i*(len(grid)-1)/(n-1)]
	}
	return kept
}
