package report

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// fresh shows apart what each tool detects of the bugs that were fixed in the year of the newest fix, and of those that were
// not in the corpus while tools were tuned on it. It is empty for a run without fresh bugs.
func (a *analysis) fresh() doc.Table {
	t := doc.NewTable("fresh", "Newer bugs apart, detected in any trial", toolColumn, doc.Text("bugs", "Bugs"),
		doc.Count("others", "Others"), doc.Range("others_interval", "95% interval %", 1).In("pct"),
		doc.Count("these", "These"), doc.Range("these_interval", "95% interval %", 1).In("pct"), doc.P("fisher_p", "Fisher\np"))
	isFresh := func(b measured.BugInfo) bool { return b.Selection == string(lisabench.FreshlyAdded) }
	if !slices.ContainsFunc(a.Run.Bugs, isFresh) {
		return t
	}
	newest := ""
	for _, b := range a.Run.Bugs {
		newest = max(newest, b.Date)
	}
	year := newest[:min(4, len(newest))] + "-01-01"
	for _, of := range []struct {
		name string
		is   func(measured.BugInfo) bool
	}{
		{"fixed since " + year, func(b measured.BugInfo) bool { return b.Date >= year }},
		{"added when results were published", isFresh},
	} {
		for _, tool := range a.Tools {
			others, these := a.split(tool, of.is)
			t.Add(doc.Words(tool.String()), doc.Words(of.name), others.cell(), others.interval(), these.cell(),
				these.interval(), fisher(others, these))
		}
	}
	return t
}

func (s share) interval() doc.Cell {
	if s.n == 0 {
		return doc.NA("no such bug")
	}
	return doc.ShareInterval(s.k, s.n)
}
