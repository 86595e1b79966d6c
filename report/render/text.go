package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// wrapWidth is where sentences in tables are wrapped on a terminal.
const wrapWidth = 72

// Text writes the document for a terminal.
func Text(w io.Writer, d *doc.Document) error {
	p := &printer{w: w}
	p.printf("%s\n", d.Title)
	for _, s := range d.Sections {
		p.printf("\n%s\n%s\n", s.Title, strings.Repeat("=", len([]rune(s.Title))))
		if s.Lead != "" {
			p.printf("\n%s\n", s.Lead)
		}
		for _, t := range s.Tables {
			p.printf("\n%s\n", t.Title)
			p.textTable(t)
		}
		for _, n := range s.Notes {
			p.printf("\n%s\n", n)
		}
	}
	return p.err
}

// Markdown writes the document as GitHub-flavoured Markdown.
func Markdown(w io.Writer, d *doc.Document) error {
	p := &printer{w: w}
	p.printf("# %s\n", escapeMarkdown(d.Title))
	for _, s := range d.Sections {
		p.printf("\n## %s\n", escapeMarkdown(s.Title))
		if s.Lead != "" {
			p.printf("\n**%s**\n", escapeMarkdown(s.Lead))
		}
		for i, def := range s.Definitions {
			if i == 0 {
				p.printf("\n")
			}
			p.printf("- **%s**: %s", escapeMarkdown(def.Name), escapeMarkdown(def.Meaning))
			if def.Formula != "" {
				p.printf(" %s.", escapeMarkdown(def.Formula))
			}
			p.printf("\n")
		}
		for _, t := range s.Tables {
			p.printf("\n### %s\n\n", escapeMarkdown(t.Title))
			p.markdownTable(t)
		}
		for _, n := range s.Notes {
			p.printf("\n%s\n", escapeMarkdown(n))
		}
	}
	return p.err
}

// A printer keeps the first error, so that callers check once.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) textTable(t doc.Table) {
	p.plainTable(t)
	notes, _ := footnotes(t)
	for i, n := range notes {
		p.printf("  [%d] %s\n", i+1, n)
	}
	for _, n := range t.Warnings {
		p.printf("  Note: %s\n", n)
	}
}

// plainTable is a table without what stands below it.
func (p *printer) plainTable(t doc.Table) {
	p.table(t, func(s string) string { return s },
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		})),
		tablewriter.WithRowAutoWrap(tw.WrapNormal), tablewriter.WithRowMaxWidth(wrapWidth))
}

func (p *printer) markdownTable(t doc.Table) {
	p.table(t, escapeMarkdown, tablewriter.WithRenderer(renderer.NewMarkdown()), tablewriter.WithRowAutoWrap(tw.WrapNone))
	notes, _ := footnotes(t)
	if len(notes)+len(t.Warnings) > 0 {
		p.printf("\n")
	}
	for i, n := range notes {
		p.printf("- \\[%d\\] %s\n", i+1, escapeMarkdown(n))
	}
	for _, n := range t.Warnings {
		p.printf("- Note: %s\n", escapeMarkdown(n))
	}
}

func (p *printer) table(t doc.Table, escape func(string) string, options ...tablewriter.Option) {
	if p.err != nil {
		return
	}
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
	options = append(options,
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))
	out := tablewriter.NewTable(p.w, options...)
	out.Header(header)
	_, marks := footnotes(t)
	for r, row := range t.Rows {
		line := make([]string, len(row))
		for c, cell := range row {
			line[c] = escape(t.Columns[c].Format(cell) + markText(marks[r][c]))
		}
		if p.err = out.Append(line); p.err != nil {
			return
		}
	}
	p.err = out.Render()
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
