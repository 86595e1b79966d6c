package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwarp"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// givenUp are the columns of the headline's table that a narrow terminal goes without, the first ones first.
var givenUp = []string{"conditions", "untried", "interval", "lines", "complete", "rank"}

// Headline writes the answer of a report for a terminal: the sentence, wrapped, and the ranked tools. The
// table has only the columns for which there is width; colour sets the sentence in bold and the best tool in green.
func Headline(w io.Writer, d *doc.Document, width int, colour bool) error {
	i := slices.IndexFunc(d.Sections, func(s doc.Section) bool { return s.ID == "answer" })
	if i < 0 {
		return nil
	}
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	p := &printer{w: w}
	lines, _ := twwarp.WrapString(d.Sections[i].Lead, width)
	for _, line := range lines {
		p.printf("%s\n", paint("1", line))
	}
	table, err := fitting(d.Sections[i].Tables[0], width)
	p.printf("\n")
	for n, line := range strings.Split(strings.TrimRight(table, "\n"), "\n") {
		if n == 2 { // below the header and its line
			line = paint("32", line)
		}
		p.printf("%s\n", line)
	}
	if err != nil {
		return err
	}
	return p.err
}

// fitting renders a table without as many of its columns, and without footnotes, as do not fit a width.
func fitting(t doc.Table, width int) (string, error) {
	for n := 0; ; n++ {
		var out bytes.Buffer
		p := &printer{w: &out}
		p.plainTable(without(t, givenUp[:n]))
		widest := 0
		for line := range strings.Lines(out.String()) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
		}
		if widest <= width || n == len(givenUp) {
			return out.String(), p.err
		}
	}
}

// without returns a table without some columns and without footnotes.
func without(t doc.Table, keys []string) doc.Table {
	out := doc.Table{}
	kept := func(i int) bool { return !slices.Contains(keys, t.Columns[i].Key) }
	for i, c := range t.Columns {
		if kept(i) {
			out.Columns = append(out.Columns, c)
		}
	}
	for _, row := range t.Rows {
		var line []doc.Cell
		for i, c := range row {
			if kept(i) {
				c.Notes = nil
				line = append(line, c)
			}
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}
