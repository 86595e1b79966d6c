package doc

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	Page    string    `json:"page,omitempty"`   // where in HTML it leads to
}

// Words is a cell of text, which may come from programs and models.
func Words(s string) Cell { return Cell{Text: Clean(s)} }

// Num is a number.
func Num(x float64) Cell { return Cell{Values: []float64{x}} }

// Int is a whole number.
func Int(n int) Cell { return Num(float64(n)) }

// Of is k of n.
func Of(k, n int) Cell { return Span(float64(k), float64(n)) }

// Span is an interval.
func Span(low, high float64) Cell { return Cell{Values: []float64{low, high}} }

// NA is a value that cannot exist.
func NA(reason string) Cell { return Without(NotApplicable, reason) }

// Without is a value that is not there; the reason is a footnote, for a cell has no room for a sentence.
func Without(why Missing, reason string) Cell {
	return Cell{Missing: why, Notes: []string{Clean(string(why) + ": " + reason)}}
}

// NumOr is a number, or another cell if there is none.
func NumOr(x *float64, none Cell) Cell {
	if x == nil {
		return none
	}
	return Num(*x)
}

// With adds footnotes to a cell.
func (c Cell) With(notes ...string) Cell {
	c.Notes = slices.Clone(c.Notes)
	for _, n := range notes {
		c.Notes = append(c.Notes, Clean(n))
	}
	return c
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
