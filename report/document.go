package report

import (
	"fmt"
	"slices"
)

// documentSchema is the version of the JSON form of a Document.
const documentSchema = 1

// A Document is a report before it is rendered.
type Document struct {
	Schema  int    `json:"schema"`
	Title   string `json:"title"`
	Command string `json:"command,omitempty"`
	// Remake is the command that prints one table or figure again, without its ID at the end.
	Remake string `json:"remake,omitempty"`
	// Live says how far the run is while somebody works on it, and Every after how many seconds the page
	// looks for a newer one.
	Live  string `json:"-"`
	Every int    `json:"-"`
	// Libraries and Tools are what a page can be narrowed to, as tables name them.
	Libraries []string  `json:"libraries,omitempty"`
	Tools     []string  `json:"tools,omitempty"`
	Sections  []Section `json:"sections"`
	Details   []Detail  `json:"details,omitempty"`
	// Data has tables that are too long to be read; only CSV and JSON have them.
	Data []Table `json:"data"`
}

// Select returns a document with only the named sections, in the document's order.
func (d *Document) Select(ids ...string) *Document {
	part := *d
	part.Sections = nil
	for _, s := range d.Sections {
		if slices.Contains(ids, s.ID) {
			part.Sections = append(part.Sections, s)
		}
	}
	return &part
}

// AllTables are the tables of all sections and the data, in the document's order.
func (d *Document) AllTables() []Table {
	var all []Table
	for _, s := range d.Sections {
		all = append(all, s.Tables...)
	}
	return append(all, d.Data...)
}

// AllCharts are the figures of all sections.
func (d *Document) AllCharts() []Chart {
	var all []Chart
	for _, s := range d.Sections {
		all = append(all, s.Charts...)
	}
	return all
}

// Names are the IDs of the document's tables and figures.
func (d *Document) Names() []string {
	var names []string
	for _, t := range d.AllTables() {
		names = append(names, t.ID)
	}
	for _, c := range d.AllCharts() {
		names = append(names, c.ID)
	}
	return names
}

// A Section is one chapter of a report.
type Section struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Lead        string       `json:"lead,omitempty"` // a sentence before all else
	Definitions []Definition `json:"definitions,omitempty"`
	Charts      []Chart      `json:"charts,omitempty"`
	Tables      []Table      `json:"tables,omitempty"`
	Notes       []string     `json:"notes,omitempty"`
}

// A Definition says what a metric is.
type Definition struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"` // one sentence
	Formula string `json:"formula,omitempty"`
}

// A Table has one row per thing and one column per property; every row has a cell for
// each column.
type Table struct {
	ID       string   `json:"id"` // also its file name as CSV
	Title    string   `json:"title"`
	Columns  []Column `json:"columns"`
	Rows     [][]Cell `json:"rows"`
	Warnings []string `json:"warnings,omitempty"`
	// Spread is set when the columns after the leading text columns are values of one
	// property, e.g. "tool"; CSV then writes one row for each of their cells.
	Spread string `json:"spread,omitempty"`
	// Library is set when the whole table is of one library.
	Library string `json:"library,omitempty"`
}

// add adds a row.
func (t *Table) add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// withRows returns the tables that have any, or a warning in their place. A section without tables, charts and notes is
// in no report.
func withRows(tables ...Table) []Table {
	return slices.DeleteFunc(tables, func(t Table) bool { return len(t.Rows)+len(t.Warnings) == 0 })
}

// A ColumnKind says what a column's cells hold.
type ColumnKind string

// The kinds of columns and the values of their cells.
const (
	Words  ColumnKind = "text"   // Cell.Text
	Number ColumnKind = "number" // value
	Count  ColumnKind = "count"  // k, n
	// mean, trials, standard deviation (not of one trial), low and high end of the interval (of three trials or more)
	Estimate  ColumnKind = "estimate"
	Range     ColumnKind = "range"     // low, high
	PValue    ColumnKind = "p"         // value
	Detection ColumnKind = "detection" // k, n and, as Cell.Text, the oracle classes
)

// A Column describes one property.
type Column struct {
	Key      string     `json:"key"`  // in CSV, e.g. "line_coverage"
	Name     string     `json:"name"` // above the column, with the unit
	Kind     ColumnKind `json:"kind"`
	Unit     string     `json:"unit,omitempty"` // e.g. "pct", "points"; part of the CSV column's name
	Decimals int        `json:"decimals,omitempty"`
	Wide     bool       `json:"wide,omitempty"` // holds sentences that may be wrapped
	// Interval shows, in a column of estimates, the bootstrap interval of those that have one.
	Interval bool `json:"interval,omitempty"`
	// Bar draws, on a page, the share of a count, the percentage of an estimate or a range as a bar.
	Bar bool `json:"bar,omitempty"`
}

// A Missing says why a cell has no value.
type Missing string

// The ways to have no value: its cell has no record, the record lacks it, or it cannot exist.
const (
	Incomplete    Missing = "incomplete"
	Lacking       Missing = "missing"
	NotApplicable Missing = "n/a"
)

// A Cell is one value of a table.
type Cell struct {
	Text    string    `json:"text,omitempty"`
	Values  []float64 `json:"values,omitempty"`
	Missing Missing   `json:"missing,omitempty"`
	Notes   []string  `json:"notes,omitempty"`  // footnotes: cautions and reasons
	Detail  string    `json:"detail,omitempty"` // id of the Detail that it opens
}

// Format returns a cell as readers see it, without its footnotes.
func (col Column) Format(c Cell) string {
	switch {
	case c.Missing != "":
		return string(c.Missing)
	case col.Kind == Words || len(c.Values) == 0:
		return c.Text
	}
	num := func(i int) string { return fmt.Sprintf("%.*f", col.Decimals, c.Values[i]) }
	switch col.Kind {
	case Count:
		return fmt.Sprintf("%.0f of %.0f", c.Values[0], c.Values[1])
	case Detection:
		s := fmt.Sprintf("%.0f of %.0f", c.Values[0], c.Values[1])
		if c.Text != "" {
			s += " (" + c.Text + ")"
		}
		return s
	case Estimate:
		if len(c.Values) < 3 {
			return num(0)
		}
		text := num(0) + " ± " + num(2)
		if col.Interval && len(c.Values) == 5 {
			text += " [" + num(3) + ", " + num(4) + "]"
		}
		return text
	case Range:
		if c.Values[0] < 0 { // a dash between would look like a sign
			return num(0) + " to " + num(1)
		}
		return num(0) + "–" + num(1)
	case PValue:
		if c.Values[0] < 0.0001 {
			return "< 0.0001"
		}
		return fmt.Sprintf("%.4f", c.Values[0])
	}
	return num(0)
}

// Numeric reports whether the column is set flush right.
func (col Column) Numeric() bool { return col.Kind != Words && col.Kind != Detection }

// A Detail is a test and what became of it, one click from a cell.
type Detail struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Facts   []KeyValue `json:"facts"`
	File    string     `json:"file"`
	Source  string     `json:"source"`
	Line    int        `json:"line,omitempty"` // 1-based line of Source that failed, 0 if unknown
	Omitted string     `json:"omitted,omitempty"`
	Diff    string     `json:"diff,omitempty"`    // what the buggy build has otherwise
	Command string     `json:"command,omitempty"` // runs this test against this bug, in the run directory
}
