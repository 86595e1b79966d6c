package render

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// long returns a table that spreads a property over its columns with one row for each of
// their cells instead.
func long(t doc.Table) doc.Table {
	keys := slices.IndexFunc(t.Columns, func(c doc.Column) bool { return c.Kind != doc.IsText })
	if t.Spread == "" || keys < 0 {
		return t
	}
	value := t.Columns[keys]
	value.Key = map[bool]string{true: "trials", false: "count"}[value.Kind == doc.IsDetection]
	long := doc.Table{Columns: append(slices.Clone(t.Columns[:keys]), doc.Text(t.Spread, ""), value)}
	for _, row := range t.Rows {
		for c, cell := range row[keys:] {
			long.Rows = append(long.Rows, append(slices.Clone(row[:keys]), doc.Cell{Text: t.Columns[keys+c].Key}, cell))
		}
	}
	return long
}

// parts are what the names of the CSV columns of a column end with: a value of its cells has one each.
var parts = map[doc.ColumnKind][]string{
	doc.IsText: {""}, doc.IsNumber: {""}, doc.IsP: {""}, doc.IsCount: {"_k", "_n"}, doc.IsDetection: {"_k", "_n"},
	doc.IsEstimate: {"_mean", "_trials", "_std", "_low", "_high"}, doc.IsRange: {"_low", "_high"},
}

// fields returns a cell's values, one to a part of its column.
func fields(col doc.Column, c doc.Cell) []string {
	all := make([]string, len(parts[col.Kind]))
	if c.Missing == "" {
		for i, v := range c.Values {
			all[i] = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	switch {
	case col.Kind == doc.IsDetection:
		all = append(all, inert(c.Text))
	case col.Kind == doc.IsText && c.Missing == "":
		all[0] = inert(c.Text)
	}
	return all
}

// inert returns text that no spreadsheet takes for a formula: what begins like one gets an apostrophe
// in front (OWASP, CSV injection), unless it is a number.
func inert(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "" || !strings.ContainsRune("=+-@\t\r",
		rune(text[0])) {
		return text
	}
	return "'" + text
}

// csvTable renders a table: one header line, one row per observation, numbers unrounded and one to a column. A missing
// value is an empty field, its reason and all footnotes are in the last column.
func csvTable(w io.Writer, t doc.Table) error {
	t = long(t)
	var header []string
	for _, col := range t.Columns {
		key := strings.TrimSuffix(col.Key+"_"+col.Unit, "_")
		for _, end := range parts[col.Kind] {
			header = append(header, key+end)
		}
		if col.Kind == doc.IsDetection {
			header = append(header, "oracles")
		}
	}
	lines := [][]string{append(header, "notes")}
	for _, row := range t.Rows {
		var line, notes []string
		for c, cell := range row {
			line = append(line, fields(t.Columns[c], cell)...)
			for _, note := range cell.Notes {
				notes = append(notes, t.Columns[c].Key+": "+note)
			}
		}
		lines = append(lines, append(line, inert(strings.Join(notes, "; "))))
	}
	return csv.NewWriter(w).WriteAll(lines)
}
