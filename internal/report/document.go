package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
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
	// Data holds the observations behind the tables, one row each; only CSV renders them.
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
	for _, s := range d.Sections {
		for _, t := range s.Tables {
			names = append(names, t.ID)
		}
		for _, c := range s.Charts {
			names = append(names, c.ID)
		}
	}
	for _, t := range d.Data {
		names = append(names, t.ID)
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
	// Unequal has, in a table that spreads tools over its columns, what a tool had that others had not.
	Unequal map[string]string `json:"unequal,omitempty"`
	// Library is set when the whole table is of one library.
	Library string `json:"library,omitempty"`
}

// withRows returns the tables that have any, or a warning in their place. A section without tables, charts and notes is
// in no report.
func withRows(tables ...Table) []Table {
	return slices.DeleteFunc(tables, func(t Table) bool { return len(t.Rows)+len(t.Warnings) == 0 })
}

// A ColumnKind says what a column's cells hold.
type ColumnKind string

// The kinds of columns and the values of their cells.
const (
	Words     ColumnKind = "text"      // Cell.Text
	Number    ColumnKind = "number"    // value
	Count     ColumnKind = "count"     // k, n
	Estimate  ColumnKind = "estimate"  // mean, trials, standard deviation (absent for one trial), low and high end of the interval (absent for fewer than three)
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

func words(s string) Cell         { return Cell{Text: Clean(s)} }
func number(x float64) Cell       { return Cell{Values: []float64{x}} }
func whole(n int) Cell            { return number(float64(n)) }
func count(k, n int) Cell         { return Cell{Values: []float64{float64(k), float64(n)}} }
func span(low, high float64) Cell { return Cell{Values: []float64{low, high}} }

// notApplicable is a value that cannot exist.
func notApplicable(reason string) Cell {
	return Cell{Missing: NotApplicable, Notes: []string{Clean("n/a: " + reason)}}
}

// incomplete is a value that should be there; the reason is a footnote, for a cell has
// no room for a sentence.
func incomplete(kind, reason string) Cell {
	return Cell{Missing: Incomplete, Notes: []string{Clean("incomplete: " + kind + ": " + reason)}}
}

// lacking is a value that a record should have.
func lacking(why trial.Reason) Cell {
	return Cell{Missing: Lacking, Notes: []string{Clean("missing: " + string(why.Kind) + ": " + shortly(why.Message))}}
}

// maybe is a number that may be undefined.
func maybe(x *float64, reason string) Cell { return numberOr(x, notApplicable(reason)) }

// numberOr is a number, or another cell if there is none.
func numberOr(x *float64, none Cell) Cell {
	if x == nil {
		return none
	}
	return number(*x)
}

// pValue is a p with a caution where no outcome could have been significant: least is the smallest p that
// the test can give, and which says what makes it so.
func pValue(p, least float64, which string) Cell {
	c := number(p)
	if least >= stats.Alpha {
		c = c.with(fmt.Sprintf("no power: %s can give p < %g", which, stats.Alpha))
	}
	return c
}

// shareInterval is the Clopper–Pearson interval of a share, in percent.
func shareInterval(k, n int) Cell {
	ends := sure(stats.ClopperPearson(k, n, 1-stats.Alpha))
	return span(100*ends.Low, 100*ends.High)
}

// estimate is the mean and spread of a sample over trials.
func estimate(xs []float64) Cell {
	s := sure(stats.Summarize(xs))
	c := Cell{Values: []float64{s.Mean, float64(s.N)}, Notes: s.Warnings}
	if s.StdDev != nil {
		c.Values = append(c.Values, *s.StdDev)
	}
	if len(xs) < fewestForInterval {
		return c
	}
	interval := intervalOf("mean", [][]float64{xs}, firstMean)
	c.Values = append(c.Values, interval.Values...)
	return c
}

func (c Cell) with(notes ...string) Cell {
	c.Notes = slices.Concat(c.Notes, notes)
	return c
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

// A ChartKind is the form of a chart.
type ChartKind string

// The forms. Lines are means with a band from the lowest to the highest trial, bars are means with a dot per
// trial. There are step functions without a band, a critical-difference diagram, and changes against a
// baseline, whose intervals are the points' Min and Max.
const (
	Lines ChartKind = "lines"
	Bars  ChartKind = "bars"
	Ranks ChartKind = "ranks"
	Steps ChartKind = "steps"
	// Changes has Categories too.
	Changes ChartKind = "changes"
)

// A Chart is a figure, free of any drawing library.
type Chart struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Caption string    `json:"caption"`
	Kind    ChartKind `json:"kind"`
	XLabel  string    `json:"x_label"`
	YLabel  string    `json:"y_label"`
	Series  []Series  `json:"series"`
	// Categories are the labels of Bars and Changes from top to bottom.
	Categories []string `json:"categories,omitempty"`
	// Groups of Ranks are the spans of series that are not told apart.
	Groups []Bar `json:"groups,omitempty"`
	// Library is set when the whole chart is of one library.
	Library string `json:"library,omitempty"`
}

// A Bar joins the series of Ranks that lie between its ends.
type Bar struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Series is one contender's part of a chart.
type Series struct {
	Name   string  `json:"name"`
	Style  int     `json:"style"` // the same for one contender in all charts
	Points []Point `json:"points"`
}

// A Point is a mean over trials with its range.
type Point struct {
	Label  string    `json:"label,omitempty"` // Bars and Changes: the category
	X      float64   `json:"x"`               // Lines, Steps and Ranks
	Mean   float64   `json:"mean"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Trials []float64 `json:"trials,omitempty"` // Bars
}

// exactly is a point that does not vary.
func exactly(x, y float64) Point { return Point{X: x, Mean: y, Min: y, Max: y} }

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

// Clean makes text from programs and models harmless for terminals: control characters
// other than tab and newline become visible, invalid UTF-8 is replaced.
func Clean(s string) string {
	if !strings.ContainsFunc(s, Controls) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, string(utf8.RuneError)) {
		if Controls(r) {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Controls reports whether a character controls a terminal or a page: those of ISO 6429 but for newline and tab, and
// those that reorder text.
func Controls(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
