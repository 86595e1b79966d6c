package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// ablation reports what each variant changes against its tool's default, library by library. A
// tool without a default, as in a sweep, has no baseline and no row.
func (a *analysis) ablation(s *doc.Section) {
	t := lines("ablation", "Change of each variant from its tool's default", doc.Text("baseline", "Baseline"),
		doc.Text("metric", "Metric"), doc.Text("trials", "Trials"), doc.Number("baseline_mean", "Baseline's mean", 2),
		doc.Number("change", "Change", 2), doc.Range("interval", "95% interval", 2), doc.Text("unit", "Unit"))
	t.Columns[1].Name = "Variant"
	for _, m := range []metric{measured.CSR, measured.ESR, measured.LineCoverage, measured.BranchCoverage, measured.AUVC, measured.Bugs} {
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
					none := unpaired(m, "one of the two has no value", base, g)
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
