package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/paper"
)

// tablesOverview has a row for each table of the paper: how much of it the run can be held against, and why
// the rest cannot.
func (b *beside) tablesOverview() Table {
	t := Table{ID: "paper_tables", Title: "The paper's tables", Columns: []Column{
		{Key: "table", Name: "Table", Kind: Words}, {Key: "printed", Name: "Printed", Kind: Number}, {Key: "measured", Name: "Measured", Kind: Number},
		{Key: "agree", Name: "Within\ninterval", Kind: Number}, {Key: "differ", Name: "Differ", Kind: Number}, {Key: "undecided", Name: "Un-\ndecided", Kind: Number},
		{Key: "not_tested", Name: "Not\ntested", Kind: Number}, {Key: "reason", Name: "Why the rest is not comparable", Kind: Words}}}
	for _, table := range b.p.Tables {
		counts, measured, reason := map[paper.Agreement]int{}, 0, ""
		for _, c := range b.cells {
			if c.Table != table {
				continue
			}
			counts[c.Verdict]++
			measured += one(len(c.Sample.Values) > 0)
			if reason == "" && (c.Verdict == paper.NotMeasured || c.Verdict == paper.NotTested) {
				reason = c.Reason
			}
		}
		if !slices.ContainsFunc(table.Columns, func(c paper.Column) bool { return c.Metric != "" && c.Metric != paper.BugsChecked }) {
			reason = "no run measures it"
		}
		t.Rows = append(t.Rows, []Cell{words(cmp.Or(table.Place.Label, table.ID)), whole(printed(table)), whole(measured), whole(counts[paper.WithinInterval]),
			whole(counts[paper.DiffersFrom]), whole(counts[paper.Undecided]), whole(counts[paper.NotTested]), words(Clean(reason))})
	}
	return t
}

// printed counts a table's numbers.
func printed(t *paper.Table) int {
	n := 0
	for _, row := range t.Rows {
		for i, c := range t.Columns {
			n += one(!c.Text && row[i].Text != "")
		}
	}
	return n
}

// unplaced are the variants of the run that no table of the paper has a place for, as a note; nil if there
// are none.
func (b *beside) unplaced() []string {
	var names []string
	add := func(c trial.Cell) {
		if c.Tool == experiments.KnowledgeTool {
			return
		}
		name := contender{c.Tool, c.Variant}.String()
		if !b.p.Places(c.Tool, c.Variant) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, r := range b.run.Cells {
		add(r.Cell)
	}
	for _, i := range b.run.Incomplete {
		add(i.Cell)
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return []string{fmt.Sprintf("The run also has %s, which the paper's tables do not have.", strings.Join(names, ", "))}
}
