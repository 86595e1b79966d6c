package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The columns of tables, by what is in their cells.
func textColumn(key, name string) Column { return Column{Key: key, Name: name, Kind: Words} }
func wideColumn(key, name string) Column {
	return Column{Key: key, Name: name, Kind: Words, Wide: true}
}
func countColumn(key, name string) Column { return Column{Key: key, Name: name, Kind: Count} }
func pColumn(key, name string) Column     { return Column{Key: key, Name: name, Kind: PValue} }

func numberColumn(key, name string, decimals int) Column {
	return Column{Key: key, Name: name, Kind: Number, Decimals: decimals}
}

func estimateColumn(key, name string, decimals int) Column {
	return Column{Key: key, Name: name, Kind: Estimate, Decimals: decimals}
}

func rangeColumn(key, name string, decimals int) Column {
	return Column{Key: key, Name: name, Kind: Range, Decimals: decimals}
}

// in is the column with a unit.
func (col Column) in(unit string) Column {
	col.Unit = unit
	return col
}

// withBar is the column with a bar in its cells on a page.
func (col Column) withBar() Column {
	col.Bar = true
	return col
}

// withInterval is the column with bootstrap intervals.
func (col Column) withInterval() Column {
	col.Interval = true
	return col
}

// The columns of a table with a row for each tool on a library.
var groupColumns = []Column{textColumn("library", "Library"), textColumn("tool", "Tool")}

// newTable is a table without rows.
func newTable(id, title string, columns ...Column) Table {
	return Table{ID: id, Title: title, Columns: columns}
}

// groupTable is a table whose rows begin with a library and a tool.
func groupTable(id, title string, columns ...Column) Table {
	return newTable(id, title, slices.Concat(groupColumns, columns)...)
}

// The cells of tables.
func words(s string) Cell         { return Cell{Text: Clean(s)} }
func number(x float64) Cell       { return Cell{Values: []float64{x}} }
func whole(n int) Cell            { return number(float64(n)) }
func count(k, n int) Cell         { return Cell{Values: []float64{float64(k), float64(n)}} }
func span(low, high float64) Cell { return Cell{Values: []float64{low, high}} }

// notApplicable is a value that cannot exist.
func notApplicable(reason string) Cell {
	return Cell{Missing: NotApplicable, Notes: []string{Clean("n/a: " + reason)}}
}

// incomplete is a value that should be there; the reason is a footnote, for a cell has no room for a sentence.
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

// with adds footnotes to a cell.
func (c Cell) with(notes ...string) Cell {
	c.Notes = slices.Concat(c.Notes, notes)
	return c
}

// shortly is a message that is short enough to stand under each table. Another is said once, in the
// table of incomplete cells or of missing parts.
func shortly(message string) string {
	const most = 90 // characters
	if line := firstLine(message); len([]rune(line)) <= most {
		return line
	}
	return `see "Incomplete cells and notes" for the reason`
}

// firstLine cuts a message at its first line's end, or where it is too long for a footnote.
func firstLine(message string) string {
	const most = 300 // characters
	line, _, more := strings.Cut(message, "\n")
	if r := []rune(line); len(r) > most {
		line, more = string(r[:most]), true
	}
	if more {
		line += " …"
	}
	return line
}

// one counts a condition.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// slug makes a name fit for ids and file names.
func slug(s string) string {
	mapped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
			return r
		}
		return '_'
	}, s)
	return strings.Trim(mapped, "_")
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
