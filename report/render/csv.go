package render

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// long returns a table that spreads a property over its columns with one row for each of
// their cells instead.
func long(t doc.Table) doc.Table {
	if t.Spread == "" {
		return t
	}
	keys := 0
	for keys < len(t.Columns) && t.Columns[keys].Kind == doc.IsText {
		keys++
	}
	long := doc.Table{Columns: slices.Concat(t.Columns[:keys], []doc.Column{{Key: t.Spread, Kind: doc.IsText}})}
	if keys < len(t.Columns) {
		value := t.Columns[keys]
		value.Key = "count"
		if value.Kind == doc.IsDetection {
			value.Key = "trials"
		}
		long.Columns = append(long.Columns, value)
	}
	for _, row := range t.Rows {
		for c := keys; c < len(row); c++ {
			long.Rows = append(long.Rows, append(row[:keys:keys], doc.Cell{Text: t.Columns[c].Key}, row[c]))
		}
	}
	return long
}

// parts names the CSV columns of a column: a value has one each.
func parts(col doc.Column) []string {
	key := col.Key
	if col.Unit != "" {
		key += "_" + col.Unit
	}
	switch col.Kind {
	case doc.IsCount:
		return []string{key + "_k", key + "_n"}
	case doc.IsDetection:
		return []string{key + "_k", key + "_n", "oracles"}
	case doc.IsEstimate:
		return []string{key + "_mean", key + "_trials", key + "_std", key + "_low", key + "_high"}
	case doc.IsRange:
		return []string{key + "_low", key + "_high"}
	}
	return []string{key}
}

// fields returns a cell's values, one to a part of its column.
func fields(col doc.Column, c doc.Cell) []string {
	fields := make([]string, len(parts(col)))
	if c.Missing != "" {
		return fields
	}
	for i, v := range c.Values {
		fields[i] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if col.Kind == doc.IsText || col.Kind == doc.IsDetection {
		fields[len(fields)-1] = inert(c.Text)
	}
	return fields
}

// inert returns text that no spreadsheet takes for a formula: what begins like one gets an apostrophe
// in front (OWASP, CSV injection), unless it is a number.
func inert(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	return "'" + text
}

// csvTable renders a table: one header line, one row per observation, numbers unrounded and one to a column. A missing
// value is an empty field, its reason and all footnotes are in the last column.
func csvTable(t doc.Table) ([]byte, error) {
	t = long(t)
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	var header []string
	for _, col := range t.Columns {
		header = append(header, parts(col)...)
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
	err := w.WriteAll(lines)
	return buf.Bytes(), err
}
