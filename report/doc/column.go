package doc

import "fmt"

// A ColumnKind says what a column's cells hold.
type ColumnKind string

// The kinds of columns and the values of their cells.
const (
	IsText   ColumnKind = "text"   // Cell.Text
	IsNumber ColumnKind = "number" // value
	IsCount  ColumnKind = "count"  // k, n
	// mean, trials, standard deviation (not of one trial), low and high end of the interval (of three trials or more)
	IsEstimate  ColumnKind = "estimate"
	IsRange     ColumnKind = "range"     // low, high
	IsP         ColumnKind = "p"         // value
	IsDetection ColumnKind = "detection" // k, n and, as Cell.Text, the oracle classes
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
}

// Text is a column of names.
func Text(key, name string) Column { return Column{Key: key, Name: name, Kind: IsText} }

// Wide is a column of sentences.
func Wide(key, name string) Column { return Column{Key: key, Name: name, Kind: IsText, Wide: true} }

// Number is a column of numbers with so many decimals.
func Number(key, name string, decimals int) Column { return decimal(IsNumber, key, name, decimals) }

// Count is a column of counts of a total.
func Count(key, name string) Column { return Column{Key: key, Name: name, Kind: IsCount} }

// Estimate is a column of means over trials.
func Estimate(key, name string, decimals int) Column { return decimal(IsEstimate, key, name, decimals) }

// Percent is a column of means over trials, in percent.
func Percent(key, name string, decimals int) Column { return Estimate(key, name, decimals).In("pct") }

// Range is a column of intervals.
func Range(key, name string, decimals int) Column { return decimal(IsRange, key, name, decimals) }

// P is a column of p-values.
func P(key, name string) Column { return Column{Key: key, Name: name, Kind: IsP} }

// Detection is a column of trials that detect a bug, named by the tool.
func Detection(tool string) Column { return Column{Key: tool, Name: tool, Kind: IsDetection} }

func decimal(kind ColumnKind, key, name string, decimals int) Column {
	return Column{Key: key, Name: name, Kind: kind, Decimals: decimals}
}

// In is the column with a unit.
func (col Column) In(unit string) Column {
	col.Unit = unit
	return col
}

// WithInterval is the column with bootstrap intervals.
func (col Column) WithInterval() Column {
	col.Interval = true
	return col
}

// Numeric reports whether the column is set flush right.
func (col Column) Numeric() bool { return col.Kind != IsText && col.Kind != IsDetection }

// Format returns a cell as readers see it, without its footnotes.
func (col Column) Format(c Cell) string {
	switch {
	case c.Missing != "":
		return string(c.Missing)
	case col.Kind == IsText || len(c.Values) == 0:
		return c.Text
	}
	num := func(i int) string { return fmt.Sprintf("%.*f", col.Decimals, c.Values[i]) }
	switch col.Kind {
	case IsCount, IsDetection:
		text := fmt.Sprintf("%.0f of %.0f", c.Values[0], c.Values[1])
		if c.Text != "" {
			text += " (" + c.Text + ")"
		}
		return text
	case IsEstimate:
		text := num(0)
		if len(c.Values) > 2 {
			text += " ± " + num(2)
		}
		if col.Interval && len(c.Values) == 5 {
			text += " [" + num(3) + ", " + num(4) + "]"
		}
		return text
	case IsRange:
		if c.Values[0] < 0 { // a dash between would look like a sign
			return num(0) + " to " + num(1)
		}
		return num(0) + "–" + num(1)
	case IsP:
		if c.Values[0] < 0.0001 {
			return "< 0.0001"
		}
		return fmt.Sprintf("%.4f", c.Values[0])
	}
	return num(0)
}
