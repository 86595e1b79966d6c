package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// maxCurvePoints bounds the points of a drawn curve; more cannot be seen.
const maxCurvePoints = 200

// A growthAxis is what coverage grows over.
type growthAxis struct {
	key, label string
	kind       trial.SuiteKind // the only kind of suite with this axis; "" for all
	at         func(trial.GrowthPoint) float64
}

var (
	programsAxis = growthAxis{"programs", "test programs", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return float64(p.Programs) }}
	inputsAxis   = growthAxis{"inputs", "fuzzer inputs", trial.KindCorpus, func(p trial.GrowthPoint) float64 { return float64(p.Programs) }}
	tokensAxis   = growthAxis{"tokens", "tokens", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return float64(p.Tokens) }}
	dollarsAxis  = growthAxis{"dollars", "dollars", trial.KindPrograms, func(p trial.GrowthPoint) float64 { return p.Dollars }}
	timeAxis     = growthAxis{"time", "seconds", "", func(p trial.GrowthPoint) float64 { return p.Elapsed.Seconds() }}
)

func (a *analysis) growthAxes() []growthAxis {
	axes := []growthAxis{programsAxis, inputsAxis, tokensAxis, dollarsAxis}
	if a.run.Timed {
		axes = append(axes, timeAxis)
	}
	return axes
}

// growth reports how coverage grows over programs, over inputs, over what models cost and, where
// the budget was in seconds, over time. Programs and inputs never share an axis.
func (a *analysis) growth() Section {
	s := Section{ID: "growth", Title: "Coverage growth", Definitions: []Definition{{"Growth curve",
		"Cumulative coverage of the library as tests are added in the order in which they were made. The line is the mean over trials, the band runs from the lowest to the highest trial. A trial that has ended keeps its last value.", ""}}}
	table := Table{ID: "growth_quarters", Title: "Coverage at the quarters of each curve (mean ± standard deviation over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "axis", Name: "Over", Kind: Words}, Column{Key: "metric", Name: "Metric", Kind: Words}, Column{Key: "end", Name: "Ends at", Kind: Number})}
	for _, q := range []int{25, 50, 75, 100} {
		table.Columns = append(table.Columns, Column{Key: fmt.Sprintf("at_%d", q), Name: fmt.Sprintf("at %d%%", q), Kind: Estimate, Unit: "pct", Decimals: 1})
	}
	for _, subj := range a.subjects {
		for _, axis := range a.growthAxes() {
			for _, m := range coverageMetrics {
				chart, rows := a.growthOf(subj, axis, m)
				s.Charts = append(s.Charts, withSeries(chart)...)
				table.Rows = append(table.Rows, rows...)
			}
		}
	}
	s.Tables = withRows(table)
	return s
}

func (a *analysis) growthOf(subj subject, axis growthAxis, m coverageMetric) (Chart, [][]Cell) {
	name := a.label(subj)
	chart := Chart{
		ID:    fmt.Sprintf("growth-%s-%s-%s", Slug(name), axis.key, m.key),
		Title: fmt.Sprintf("%s: %s covered over %s", name, strings.ToLower(m.name), axis.label),
		Kind:  Lines, Library: name, XLabel: axis.label, YLabel: m.name + " covered, %",
		Caption: "Mean over trials; the band runs from the lowest to the highest trial.",
	}
	var rows [][]Cell
	for _, g := range a.groupsOf(subj) {
		if axis.kind != "" && g.kind() != axis.kind {
			continue
		}
		curves := g.curves(axis, m)
		lack, why := g.lacks(trial.PartGrowth)
		if len(curves) == 0 {
			if lack > 0 && (axis.key == programsAxis.key || axis.key == inputsAxis.key) { // the others it may not have
				rows = append(rows, append(append(a.groupCells(g), words(axis.label), words(m.key)), slices.Repeat([]Cell{lacking(why)}, 5)...))
			}
			continue
		}
		grid := commonGrid(curves)
		chart.Series = append(chart.Series, a.series(g.contender, meanCurve(curves, thin(grid, maxCurvePoints))...))
		end := grid[len(grid)-1]
		row := append(a.groupCells(g), words(axis.label), words(m.key), number(end))
		if lack > 0 {
			row[4] = row[4].with(g.left(len(curves), trial.PartGrowth))
		}
		for _, share := range []float64{0.25, 0.5, 0.75, 1} {
			row = append(row, quarter(curves, end*share))
		}
		rows = append(rows, row)
	}
	return chart, rows
}

// A curve is one trial's coverage in percent at growing x. It is a step function: between
// its points nothing is known but that coverage does not fall.
type curve struct{ x, pct []float64 }

// curves returns the group's trials that recorded growth.
func (g *group) curves(axis growthAxis, m coverageMetric) []curve {
	var all []curve
	for _, r := range g.records {
		if r.Coverage == nil || m.total(*r.Coverage) == 0 || len(r.Growth) == 0 {
			continue
		}
		if axis.at(r.Growth[len(r.Growth)-1]) == 0 {
			continue // a tool that asks no model spends nothing on this axis
		}
		points := slices.Clone(r.Growth)
		slices.SortStableFunc(points, func(p, q trial.GrowthPoint) int { return cmp.Compare(axis.at(p), axis.at(q)) })
		var c curve
		for _, p := range points {
			c.x = append(c.x, axis.at(p))
			c.pct = append(c.pct, 100*float64(m.reached(p))/float64(m.total(*r.Coverage)))
		}
		all = append(all, c)
	}
	return all
}

// at returns the coverage at x: that of the last point at or before it. ok is false
// before the first point. After its last point a trial adds nothing, so its coverage stays.
func (c curve) at(x float64) (pct float64, ok bool) {
	i, found := slices.BinarySearch(c.x, x)
	if found {
		for i+1 < len(c.x) && c.x[i+1] == x {
			i++
		}
		return c.pct[i], true
	}
	if i == 0 {
		return 0, false
	}
	return c.pct[i-1], true
}

// commonGrid merges the x of all curves, from where all of them have begun.
func commonGrid(curves []curve) []float64 {
	var grid []float64
	start := math.Inf(-1)
	for _, c := range curves {
		grid = append(grid, c.x...)
		start = max(start, c.x[0])
	}
	slices.Sort(grid)
	grid = slices.Compact(grid)
	return slices.DeleteFunc(grid, func(x float64) bool { return x < start })
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

func meanCurve(curves []curve, grid []float64) []Point {
	points := make([]Point, 0, len(grid))
	for _, x := range grid {
		s := sure(stats.Summarize(valuesAt(curves, x)))
		points = append(points, Point{X: x, Mean: s.Mean, Min: s.Min, Max: s.Max})
	}
	return points
}

func valuesAt(curves []curve, x float64) []float64 {
	var values []float64
	for _, c := range curves {
		if v, ok := c.at(x); ok {
			values = append(values, v)
		}
	}
	return values
}

func quarter(curves []curve, x float64) Cell {
	values := valuesAt(curves, x)
	if len(values) < len(curves) {
		return notApplicable("no coverage was measured this early in one trial")
	}
	return estimate(values)
}
