package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwarp"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// wrapWidth is where sentences in tables are wrapped on a terminal.
const wrapWidth = 72

// Text writes the document for a terminal.
func Text(w io.Writer, d *doc.Document) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Title)
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n%s\n%s\n", s.Title, strings.Repeat("=", len([]rune(s.Title))))
		if s.Lead != "" {
			fmt.Fprintf(&b, "\n%s\n", s.Lead)
		}
		for _, t := range s.Tables {
			text, err := textTable(t)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "\n%s\n%s", t.Title, text)
			notes, _ := footnotes(t)
			for i, n := range notes {
				fmt.Fprintf(&b, "  [%d] %s\n", i+1, n)
			}
			for _, n := range t.Warnings {
				fmt.Fprintf(&b, "  Note: %s\n", n)
			}
		}
		for _, n := range s.Notes {
			fmt.Fprintf(&b, "\n%s\n", n)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown writes the document as GitHub-flavoured Markdown.
func Markdown(w io.Writer, d *doc.Document) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", escapeMarkdown(d.Title))
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "\n## %s\n", escapeMarkdown(s.Title))
		if s.Lead != "" {
			fmt.Fprintf(&b, "\n**%s**\n", escapeMarkdown(s.Lead))
		}
		var definitions []string
		for _, def := range s.Definitions {
			formula := ""
			if def.Formula != "" {
				formula = " " + escapeMarkdown(def.Formula) + "."
			}
			definitions = append(definitions, "**"+escapeMarkdown(def.Name)+"**: "+escapeMarkdown(def.Meaning)+formula)
		}
		list(&b, definitions)
		for _, t := range s.Tables {
			text, err := table(t, escapeMarkdown, tablewriter.WithRenderer(renderer.NewMarkdown()),
				tablewriter.WithRowAutoWrap(tw.WrapNone))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "\n### %s\n\n%s", escapeMarkdown(t.Title), text)
			var below []string
			notes, _ := footnotes(t)
			for i, n := range notes {
				below = append(below, fmt.Sprintf("\\[%d\\] %s", i+1, escapeMarkdown(n)))
			}
			for _, n := range t.Warnings {
				below = append(below, "Note: "+escapeMarkdown(n))
			}
			list(&b, below)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(&b, "\n%s\n", escapeMarkdown(n))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// list is one of Markdown, behind an empty line.
func list(b *strings.Builder, items []string) {
	for i, item := range items {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- " + item + "\n")
	}
}

// textTable is a table without what stands below it.
func textTable(t doc.Table) (string, error) {
	return table(t, func(s string) string { return s },
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		})),
		tablewriter.WithRowAutoWrap(tw.WrapNormal), tablewriter.WithRowMaxWidth(wrapWidth))
}

func table(t doc.Table, escape func(string) string, options ...tablewriter.Option) (string, error) {
	var header []string
	var align tw.Alignment
	for _, col := range t.Columns {
		header = append(header, escape(col.Name))
		if col.Numeric() {
			align = append(align, tw.AlignRight)
		} else {
			align = append(align, tw.AlignLeft)
		}
	}
	var b strings.Builder
	out := tablewriter.NewTable(&b, append(options,
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))...)
	out.Header(header)
	_, marks := footnotes(t)
	for r, row := range t.Rows {
		line := make([]string, len(row))
		for c, cell := range row {
			line[c] = escape(t.Columns[c].Format(cell) + markText(marks[r][c]))
		}
		if err := out.Append(line); err != nil {
			return "", err
		}
	}
	err := out.Render()
	return b.String(), err
}

// markText is the mark of a cell's footnotes, e.g. " [1,3]".
func markText(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return " [" + strings.Trim(strings.ReplaceAll(fmt.Sprint(marks), " ", ","), "[]") + "]"
}

var markdownEscaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "\n", "<br>", "\t", " ")

// escapeMarkdown makes text stand for itself, on one line.
func escapeMarkdown(s string) string { return markdownEscaper.Replace(s) }

// footnotes returns the distinct notes of a table's cells in reading order, and for each
// cell the numbers (from 1) of its notes.
func footnotes(t doc.Table) (notes []string, marks [][][]int) {
	marks = make([][][]int, len(t.Rows))
	for r, row := range t.Rows {
		marks[r] = make([][]int, len(row))
		for c, cell := range row {
			for _, note := range cell.Notes {
				i := slices.Index(notes, note)
				if i < 0 {
					i = len(notes)
					notes = append(notes, note)
				}
				marks[r][c] = append(marks[r][c], i+1)
			}
		}
	}
	return notes, marks
}

// Bounds of the parts of an answer on a terminal. With the sentence and the next commands they have at most 40 lines.
const (
	briefRows  = 12
	briefNotes = 5
	noteLines  = 3
	nameWidth  = 24
)

// Headline writes the answer of a report for a terminal of width columns: the sentence, the part of its table that
// fits, and the notes. colour sets the sentence in bold and the best row in green.
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
	answer := d.Sections[i]
	var b strings.Builder
	for _, line := range wrapped(answer.Lead, width) {
		b.WriteString(paint("1", line) + "\n")
	}
	if len(answer.Tables) > 0 {
		lines, err := fitting(answer.Tables[0], width)
		if err != nil {
			return err
		}
		b.WriteString("\n")
		for n, line := range lines {
			if n == 2 { // below the header and its line
				line = paint("32", line)
			}
			b.WriteString(line + "\n")
		}
	}
	notes := answer.Notes
	if more := len(notes) - briefNotes; more > 0 {
		notes = append(slices.Clone(notes[:briefNotes]), fmt.Sprintf("%d more notes: --full", more))
	}
	for n, note := range notes {
		if n == 0 {
			b.WriteString("\n")
		}
		lines := wrapped(note, width)
		if len(lines) > noteLines {
			lines = append(lines[:noteLines-1], strings.TrimRight(lines[noteLines-1], ".")+" …")
		}
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrapped breaks text into lines of at most width characters.
func wrapped(text string, width int) []string {
	lines, _ := twwarp.WrapString(text, width-2)
	return lines
}

// fitting returns the lines of the first rows of a table, with as many of its columns as fit.
func fitting(full doc.Table, width int) ([]string, error) {
	short := doc.Table{Columns: full.Columns, Rows: make([][]doc.Cell, min(briefRows, len(full.Rows)))}
	for r := range short.Rows {
		for _, cell := range full.Rows[r] {
			cell.Notes = nil
			if name := []rune(cell.Text); len(name) > nameWidth {
				cell.Text = string(name[:nameWidth-1]) + "…"
			}
			short.Rows[r] = append(short.Rows[r], cell)
		}
	}
	for {
		text, err := textTable(short)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if fits := utf8.RuneCountInString(lines[0]) <= width+1; err != nil || fits || len(short.Columns) == 1 {
			if more := len(full.Rows) - len(short.Rows); more > 0 {
				lines = append(lines, fmt.Sprintf(" and %d more: --full", more))
			}
			return lines, err
		}
		short.Columns = short.Columns[:len(short.Columns)-1]
		for r := range short.Rows {
			short.Rows[r] = short.Rows[r][:len(short.Columns)]
		}
	}
}
