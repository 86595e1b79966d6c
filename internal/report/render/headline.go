package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// givenUp are the columns of the headline's table that a narrow terminal goes without, the first ones first.
var givenUp = []string{"conditions", "untried", "interval", "lines", "complete", "rank"}

// Headline writes the answer of a report for a terminal: the sentence, wrapped, and the ranked tools. The
// table has only the columns for which there is width; colour sets the sentence in bold and the best tool in green.
func Headline(w io.Writer, d *report.Document, width int, colour bool) error {
	i := slices.IndexFunc(d.Sections, func(s report.Section) bool { return s.ID == "answer" })
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
	for line := range strings.Lines(wrapped(d.Sections[i].Lead, width)) {
		p.printf("%s\n", paint("1", strings.TrimRight(line, "\n")))
	}
	for _, t := range d.Sections[i].Tables {
		text, err := fitting(t, width)
		if err != nil {
			return err
		}
		p.printf("\n")
		for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			if n == 2 { // below the header and its line
				line = paint("32", line)
			}
			p.printf("%s\n", line)
		}
	}
	return p.err
}

// fitting renders a table without as many of its columns, and without footnotes, as do not fit a width.
func fitting(t report.Table, width int) (string, error) {
	for n := 0; ; n++ {
		var out bytes.Buffer
		p := &printer{w: &out}
		p.plainTable(without(unmarked(t), givenUp[:n]...))
		widest := 0
		for line := range strings.Lines(out.String()) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
		}
		if widest <= width || n == len(givenUp) {
			return out.String(), p.err
		}
	}
}

// unmarked returns a table without footnotes.
func unmarked(t report.Table) report.Table {
	out := t
	out.Rows = nil
	for _, row := range t.Rows {
		line := slices.Clone(row)
		for i := range line {
			line[i].Notes = nil
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}

// wrapped breaks text at spaces so that no line is longer than width, where words allow.
func wrapped(text string, width int) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case used > 0 && used+1+n > width:
			b.WriteString("\n")
			used = 0
		case used > 0:
			b.WriteString(" ")
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
