package report

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A metric is a figure of single trials by which contenders are compared.
type metric struct {
	key, name, unit string
	part            trial.Part
	value           func(trial.Record) (float64, bool)
}

var (
	csrMetric    = metric{"csr", "CSR", "points", trial.PartSuccess, shareOf(compiled)}
	esrMetric    = metric{"esr", "ESR", "points", trial.PartSuccess, shareOf(executed)}
	lineMetric   = metric{"line", "Lines covered", "points", trial.PartCoverage, linePct}
	branchMetric = metric{"branch", "Branches covered", "points", trial.PartCoverage, branchPct}
	auvcMetric   = metric{"auvc", "AUVC", "verifications per test", trial.PartVerifications, auvc}
	bugsMetric   = metric{"bugs", "Bugs detected", "bugs", trial.PartDetections, detectedIn}
)

// ablationMetrics are what a variant is compared with its baseline by.
var ablationMetrics = []metric{csrMetric, esrMetric, lineMetric, branchMetric, auvcMetric, bugsMetric}

// ablation reports what each variant changes against its tool's default, library by library. A
// tool without a default, as in a sweep, has no baseline and no row.
func (a *analysis) ablation() Section {
	t := Table{ID: "ablation", Title: "Change of each variant from its tool's default", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "tool", Name: "Variant", Kind: Words},
		{Key: "baseline", Name: "Baseline", Kind: Words},
		{Key: "metric", Name: "Metric", Kind: Words},
		{Key: "trials", Name: "Trials", Kind: Words},
		{Key: "baseline_mean", Name: "Baseline's mean", Kind: Number, Decimals: 2},
		{Key: "change", Name: "Change", Kind: Number, Decimals: 2},
		{Key: "interval", Name: "95% interval", Kind: Range, Decimals: 2},
		{Key: "unit", Name: "Unit", Kind: Words},
	}}
	s := Section{ID: "ablation", Title: "Ablation", Definitions: []Definition{
		{"Change", "The variant's mean over trials minus the baseline's: negative if the part that was switched off helps. With three trials or more of both, the interval is a bootstrap interval (BCa, 95%).", "mean of the variant − mean of the baseline"},
	}}
	for _, m := range ablationMetrics {
		chart := Chart{ID: "ablation-" + m.key, Title: m.name + ": change against the default", Kind: Changes, XLabel: "change, " + m.unit,
			Caption: "A point is the difference of the means, a bar its 95% interval. Left of the line the variant is lower than its default."}
		for _, c := range a.contenders {
			base := contender{c.tool, trial.DefaultVariant}
			if a.stands(c) {
				continue
			}
			for _, subj := range a.subjects {
				g, b := a.group(subj, c), a.baseline(subj, base)
				if g == nil || b == nil {
					continue
				}
				row, point := changeRow(m, b.sample(m.value), g.sample(m.value), unpaired(m.part, "one of the two has no value", b, g))
				if row == nil {
					continue
				}
				name := a.label(subj)
				t.Rows = append(t.Rows, append([]Cell{words(name), words(c.String()), words(base.String()), words(m.name)}, row...))
				if point != nil {
					point.Label = name + categoryDash + c.String()
					chart.Categories = append(chart.Categories, point.Label)
					chart.add(a.series(c, *point))
				}
			}
		}
		if slices.ContainsFunc(chart.Series, changed) { // a chart of nothing but zeros says less than the table
			s.Charts = append(s.Charts, chart)
		}
	}
	s.Tables = withRows(t)
	return s
}

// changed reports whether a series has a change, or one that its interval leaves open.
func changed(s Series) bool {
	return slices.ContainsFunc(s.Points, func(p Point) bool { return p.Min != 0 || p.Max != 0 })
}

// baseline is the group of a tool's default on a library.
func (a *analysis) baseline(s subject, c contender) *group {
	if g := a.group(s, c); g != nil {
		return g
	}
	return a.group(s, contender{c.tool, ""})
}

// series is a contender's part of a chart.
func (a *analysis) series(c contender, points ...Point) Series {
	return Series{Name: c.String(), Style: slices.Index(a.contenders, c), Points: points}
}

// withSeries returns the charts that show anything.
func withSeries(charts ...Chart) []Chart {
	return slices.DeleteFunc(charts, func(c Chart) bool { return len(c.Series) == 0 })
}

// add puts a series' points to those of its name.
func (c *Chart) add(s Series) {
	for i := range c.Series {
		if c.Series[i].Name == s.Name {
			c.Series[i].Points = append(c.Series[i].Points, s.Points...)
			return
		}
	}
	c.Series = append(c.Series, s)
}

// changeRow compares two samples; it returns no row if neither has the metric, and no point if
// one of them lacks it: its values are then none.
func changeRow(m metric, base, variant []float64, none Cell) ([]Cell, *Point) {
	if len(base)+len(variant) == 0 {
		return nil, nil
	}
	trials := words(fmt.Sprintf("%d and %d", len(base), len(variant)))
	if len(base) == 0 || len(variant) == 0 {
		return []Cell{trials, none, none, none, words(m.unit)}, nil
	}
	interval := intervalOf("difference", [][]float64{variant, base}, differenceOfMeans)
	change := meanOf(variant) - meanOf(base)
	p := Point{Mean: change, Min: change, Max: change}
	if interval.Missing == "" {
		p.Min, p.Max = interval.Values[0], interval.Values[1]
	}
	return []Cell{trials, number(meanOf(base)), number(change), interval, words(m.unit)}, &p
}
