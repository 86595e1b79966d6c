package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwarp"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// wrapWidth is where sentences in tables are wrapped on a terminal.
const wrapWidth = 72

// helpers are the functions of all templates.
var helpers = template.FuncMap{
	"text": textTable, "markdown": markdownTable, "md": escapeMarkdown, "tex": escapeLaTeX, "lines": lines,
	"marks":     marksText,
	"notes":     func(t doc.Table) []string { notes, _ := footnotes(t); return notes },
	"underline": func(title string) string { return strings.Repeat("=", utf8.RuneCountInString(title)) },
	"inc":       func(i int) int { return i + 1 },
}

// texts are the formats that are text; braces mean something to LaTeX.
var (
	texts = template.Must(template.New("").Funcs(helpers).ParseFS(assets, "assets/text.tmpl", "assets/markdown.tmpl"))
	latex = template.Must(template.New("latex.tmpl").Delims("<<", ">>").Funcs(helpers).ParseFS(assets,
		"assets/latex.tmpl"))
)

// Text writes the document for a terminal.
func Text(w io.Writer, d *doc.Document) error { return texts.ExecuteTemplate(w, "text.tmpl", d) }

// Markdown writes the document as GitHub-flavoured Markdown.
func Markdown(w io.Writer, d *doc.Document) error {
	return texts.ExecuteTemplate(w, "markdown.tmpl", d)
}

// LaTeX writes the document as one file with every table in it. It needs the packages booktabs and graphicx, and shows
// the figures that are in ../figures.
func LaTeX(w io.Writer, d *doc.Document) error { return latex.Execute(w, d) }

// A cellView is a cell as readers see it.
type cellView struct {
	doc.Cell
	Text   string
	Marks  []int // numbers of its footnotes, from 1
	Column doc.Column
}

// lines are the rows of a table.
func lines(t doc.Table) [][]cellView {
	_, marks := footnotes(t)
	var all [][]cellView
	for r, row := range t.Rows {
		var line []cellView
		for c, cell := range row {
			line = append(line, cellView{cell, t.Columns[c].Format(cell), marks[r][c], t.Columns[c]})
		}
		all = append(all, line)
	}
	return all
}

// footnotes returns the distinct notes of a table's cells in reading order, and for each cell the numbers of its notes.
func footnotes(t doc.Table) (notes []string, marks [][][]int) {
	for _, row := range t.Rows {
		of := make([][]int, len(row))
		for c, cell := range row {
			for _, note := range cell.Notes {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
				of[c] = append(of[c], 1+slices.Index(notes, note))
			}
		}
		marks = append(marks, of)
	}
	return notes, marks
}

// marksText is a list of footnotes, such as "1,3".
func marksText(marks []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(marks), " ", ","), "[]")
}

func textTable(t doc.Table) (string, error) {
	return table(t, func(s string) string { return s },
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		})),
		tablewriter.WithRowAutoWrap(tw.WrapNormal), tablewriter.WithRowMaxWidth(wrapWidth))
}

func markdownTable(t doc.Table) (string, error) {
	return table(t, escapeMarkdown, tablewriter.WithRenderer(renderer.NewMarkdown()),
		tablewriter.WithRowAutoWrap(tw.WrapNone))
}

// table writes a table without what stands below it.
func table(t doc.Table, escape func(string) string, options ...tablewriter.Option) (string, error) {
	var header []string
	var align tw.Alignment
	for _, col := range t.Columns {
		header = append(header, escape(col.Name))
		align = append(align, map[bool]tw.Align{true: tw.AlignRight, false: tw.AlignLeft}[col.Numeric()])
	}
	var b strings.Builder
	out := tablewriter.NewTable(&b, append(options,
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}))...)
	out.Header(header)
	for _, row := range lines(t) {
		var line []string
		for _, cell := range row {
			text := cell.Text
			if len(cell.Marks) > 0 {
				text += " [" + marksText(cell.Marks) + "]"
			}
			line = append(line, escape(text))
		}
		if err := out.Append(line); err != nil {
			return "", err
		}
	}
	err := out.Render()
	return b.String(), err
}

var markdownEscaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "\n", "<br>", "\t", " ")

// escapeMarkdown makes text stand for itself, on one line.
func escapeMarkdown(s string) string { return markdownEscaper.Replace(s) }

// latexRunes are the characters that mean something to LaTeX, and those beyond ASCII that
// reports use themselves.
var latexRunes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_\allowbreak{}`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': `\textquotedbl{}`, '\'': `\textquotesingle{}`, '`': `\textasciigrave{}`, '-': `-{}`, '[': `{[}`, ']': `{]}`,
	'±': `$\pm$`, '–': `--`, '−': `$-$`, '·': `$\cdot$`, '×': `$\times$`, '½': `$\frac12$`, 'š': `\v{s}`, '∫': `$\int$`,
	'≤': `$\leq$`, '≥': `$\geq$`, '\n': ` `, '\t': ` `,
}

// maxUnbroken is the longest word, in characters, that surely fits a line of a table.
const maxUnbroken = 24

// escapeLaTeX makes text stand for itself. A character that pdflatex has no glyph for is
// written as its code point, so that every report compiles. Hashes and paths may be broken
// anywhere, so that they stay in their column.
func escapeLaTeX(s string) string {
	var b strings.Builder
	unbroken := 0
	for _, r := range s {
		if unbroken++; r == ' ' {
			unbroken = 0
		} else if unbroken > maxUnbroken {
			b.WriteString(`\allowbreak{}`)
		}
		switch text, special := latexRunes[r]; {
		case special:
			b.WriteString(text)
		case r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "{[}U+%04X{]}", r)
		}
	}
	return b.String()
}

// Bounds of the parts of an answer on a terminal. With the sentence and the next commands they have at most 40 lines.
const (
	briefRows  = 12
	briefNotes = 5
	noteLines  = 3
	nameWidth  = 24
)

// Headline writes the answer of a report, its first section, for a terminal of width columns: the sentence, the part of
// its table that fits, and the notes. colour sets the sentence in bold and the best row in green.
func Headline(w io.Writer, d *doc.Document, width int, colour bool) error {
	paint := func(code, text string) string {
		if !colour {
			return text
		}
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	answer := d.Sections[0]
	var out []string
	for _, line := range wrapped(answer.Lead, width) {
		out = append(out, paint("1", line))
	}
	for _, t := range answer.Tables {
		rows, err := fitting(t, width)
		if err != nil {
			return err
		}
		rows[2] = paint("32", rows[2]) // below the header and its line
		out = append(append(out, ""), rows...)
	}
	notes := answer.Notes
	if more := len(notes) - briefNotes; more > 0 {
		notes = append(slices.Clone(notes[:briefNotes]), fmt.Sprintf("%d more notes: --full", more))
	}
	if len(notes) > 0 {
		out = append(out, "")
	}
	for _, note := range notes {
		lines := wrapped(note, width)
		if len(lines) > noteLines {
			lines = append(lines[:noteLines-1], strings.TrimRight(lines[noteLines-1], ".")+" …")
		}
		out = append(out, lines...)
	}
	_, err := io.WriteString(w, strings.Join(out, "\n")+"\n")
	return err
}

// wrapped breaks text into lines of at most width characters.
func wrapped(text string, width int) []string {
	lines, _ := twwarp.WrapString(text, width-2)
	return lines
}

// fitting returns the lines of the first rows of a table, with as many of its columns as fit.
func fitting(full doc.Table, width int) ([]string, error) {
	for columns := len(full.Columns); ; columns-- {
		short := doc.Table{Columns: full.Columns[:columns]}
		for _, row := range full.Rows[:min(briefRows, len(full.Rows))] {
			var cells []doc.Cell
			for _, cell := range row[:columns] {
				cell.Notes = nil
				if name := []rune(cell.Text); len(name) > nameWidth {
					cell.Text = string(name[:nameWidth-1]) + "…"
				}
				cells = append(cells, cell)
			}
			short.Rows = append(short.Rows, cells)
		}
		text, err := textTable(short)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if fits := utf8.RuneCountInString(lines[0]) <= width+1; err != nil || fits || columns == 1 {
			if more := len(full.Rows) - len(short.Rows); more > 0 {
				lines = append(lines, fmt.Sprintf(" and %d more: --full", more))
			}
			return lines, err
		}
	}
}
