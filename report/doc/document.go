// Package doc is what a report is made of: a Document of sections with typed tables and charts, and the cells that
// estimates and tests become. It consumes numbers, samples and words. Package render writes a Document in every format.
//
// A value that does not exist is shown with its reason, never as 0. Cells hold unrounded numbers; Column.Format rounds
// them.
package doc

import "slices"

// Schema is the version of the JSON form of a Document.
const Schema = 1

// A Document is a report before it is rendered.
type Document struct {
	Schema  int    `json:"schema"`
	Title   string `json:"title"`
	Command string `json:"command,omitempty"`
	// Remake is the command that prints one table or figure again, without its ID at the end.
	Remake string `json:"remake,omitempty"`
	// Libraries and Tools are what a page can be narrowed to, as tables name them.
	Libraries []string  `json:"libraries,omitempty"`
	Tools     []string  `json:"tools,omitempty"`
	Sections  []Section `json:"sections"`
	Details   []Detail  `json:"details,omitempty"`
	// Data has tables that are too long to be read; only CSV and JSON have them.
	Data []Table `json:"data"`
	// Pages are further pages beside the HTML page, by the names under which cells lead to them.
	Pages map[string]*Document `json:"-"`
}

// Add adds the sections that have anything, with the tables and charts that show anything.
func (d *Document) Add(sections ...Section) {
	for _, s := range sections {
		s.Tables = slices.DeleteFunc(s.Tables, func(t Table) bool { return len(t.Rows)+len(t.Warnings) == 0 })
		s.Charts = slices.DeleteFunc(s.Charts, func(c Chart) bool { return len(c.Series) == 0 })
		if len(s.Tables)+len(s.Charts)+len(s.Notes)+len(s.Texts) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
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
	Texts       []Passage    `json:"-"` // only HTML has them
	// Narrowed has the sections that replace this one when a library is chosen. The title of each is the library.
	Narrowed []Section `json:"-"`
}

// Put adds tables; Document.Add leaves out those that are empty.
func (s *Section) Put(tables ...Table) { s.Tables = append(s.Tables, tables...) }

// Draw adds charts.
func (s *Section) Draw(charts ...Chart) { s.Charts = append(s.Charts, charts...) }

// A Passage is what a program or a model said.
type Passage struct{ Title, Text string }

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

// NewTable is a table without rows.
func NewTable(id, title string, columns ...Column) Table {
	return Table{ID: id, Title: title, Columns: columns}
}

// Add adds a row.
func (t *Table) Add(cells ...Cell) { t.Rows = append(t.Rows, cells) }

// A Detail is a test and what became of it, or a bug that was missed, one click from a cell.
type Detail struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Facts   []KeyValue `json:"facts"`
	Caption string     `json:"caption,omitempty"` // what the source is; "" if it is that of the first test
	File    string     `json:"file"`
	Source  string     `json:"source"`
	Line    int        `json:"line,omitempty"` // 1-based line of Source that failed, 0 if unknown
	Omitted string     `json:"omitted,omitempty"`
	Diff    string     `json:"diff,omitempty"`    // what the buggy build has otherwise
	Command string     `json:"command,omitempty"` // runs this test against this bug, in the run directory
}

// A KeyValue is one fact.
type KeyValue struct{ Key, Value string }

// Fact is a named value; the value may come from programs and models.
func Fact(key, value string) KeyValue { return KeyValue{key, Clean(value)} }
