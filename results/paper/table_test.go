package paper

import (
	"slices"
	"strings"
	"testing"
)

// The parts of tables.yaml fit together: keys are told apart, and what names a cell names one that is there.
func TestTablesFitTogether(t *testing.T) {
	metrics := []Metric{"", CSR, ESR, Line, Branch, Bugs, BugsChecked, Valid, AUVC}
	seen := map[string]bool{}
	for _, table := range Published().Tables {
		bad := func(format string, args ...any) { t.Errorf("table "+table.ID+": "+format, args...) }
		if seen[table.ID] || len(table.Columns) <= table.Keys || len(table.Rows) == 0 {
			bad("its id is another's, or it has no columns or rows")
		}
		seen[table.ID] = true
		columns := map[string]bool{}
		for i, c := range table.Columns {
			switch {
			case c.Key == "" || c.Name == "" || columns[c.Key] || i < table.Keys && !c.Text:
				bad("column %d has no key or name, or another's, or must be text", i+1)
			case (c.Tool == "") != (c.Metric == "") || !slices.Contains(metrics, c.Metric) || c.From != "" && c.From != "key":
				bad("column %s: tool %q, metric %q, from %q", c.Key, c.Tool, c.Metric, c.From)
			}
			columns[c.Key] = true
		}
		rows := map[string]bool{}
		for _, r := range table.Rows {
			name := strings.Join(table.RowKey(r), ", ")
			if rows[name] {
				bad("two rows %s", name)
			}
			rows[name] = true
		}
		named := slices.Concat(slices.Concat(table.Contests...), table.Down)
		for _, d := range table.Disjoint {
			named = append(named, d.Columns[0], d.Columns[1])
			if !rows[d.Row] {
				bad("no row %s", d.Row)
			}
		}
		for _, key := range named {
			if table.Column(key) < table.Keys {
				bad("no column of numbers %s", key)
			}
		}
		for _, n := range table.Notes {
			if table.Column(n.Column) < 0 || n.Row != "" && !rows[n.Row] || n.Text == "" {
				bad("a note on row %q, column %q, which is no cell, or without text", n.Row, n.Column)
			}
		}
	}
}
