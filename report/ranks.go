package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/stats"
)

// fewestToRank is how many tools a ranking needs; two are compared as a pair.
const fewestToRank = 3

// ranking ranks the tools over the libraries for which all of them have a figure.
func (a *analysis) ranking(s *doc.Section) {
	tools := lists.Filter(a.Tools, a.Stands)
	if len(tools) < fewestToRank {
		return
	}
	t := doc.NewTable("ranks", "Tools ranked over libraries", doc.Text("metric", "Ranked by"), toolColumn,
		doc.Number("rank", "Average rank", 2), doc.Number("libraries", "Libraries", 0), doc.P("p", "Friedman p"),
		doc.Number("cd", "CD", 2), doc.Wide("alike", "No significant difference from"))
	for _, m := range []metric{lineMetric, branchMetric, bugsMetric} {
		scores := a.scores(tools, m)
		if len(scores) < 2 {
			t.Warnings = append(t.Warnings, fmt.Sprintf(
				"%s: not ranked; that takes at least 2 libraries for which every tool has a value (here: %d).", m.Name, len(scores)))
			continue
		}
		a.rank(m, tools, stats.Friedman(scores), &t)
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
	for _, l := range a.Libraries {
		var row []float64
		for _, t := range tools {
			if g := a.Group(l, t); g != nil {
				if xs := g.Sample(m); len(xs) > 0 {
					row = append(row, doc.Mean(xs))
				}
			}
		}
		if len(row) == len(tools) {
			scores = append(scores, row)
		}
	}
	return scores
}

// rank adds a row for each tool, the best first. A row names the tools that are alike: their ranks differ by less than
// the critical difference.
func (a *analysis) rank(m metric, tools []tool, r stats.FriedmanResult, t *doc.Table) {
	p := doc.PValue(r.P, r.MinP, fmt.Sprintf("with %d tools on %d libraries no outcome", r.Tools, r.Blocks))
	for _, i := range r.Order() {
		alike := "none"
		if others := r.Alike(i); len(others) > 0 {
			var names []string
			for _, j := range others {
				names = append(names, tools[j].String())
			}
			alike = strings.Join(names, ", ")
		}
		t.Add(doc.Words(m.Name), doc.Words(tools[i].String()), doc.Num(r.AverageRanks[i]), doc.Int(r.Blocks), p,
			doc.Num(r.CriticalDifference), doc.Words(alike))
		p.Notes = nil // those of the first row are of all
	}
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
