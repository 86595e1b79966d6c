package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// latex renders each table as a file that a paper can \input (it needs the packages
// booktabs and graphicx), and report.tex, a document of them all.
func latexFiles(d *doc.Document) []File {
	var files []File
	var body bytes.Buffer
	for _, s := range d.Sections {
		fmt.Fprintf(&body, "\\section{%s}\n", escapeLaTeX(s.Title))
		if s.Lead != "" {
			fmt.Fprintf(&body, "%s\n\n", escapeLaTeX(s.Lead))
		}
		for _, def := range s.Definitions {
			fmt.Fprintf(&body, "\\paragraph{%s.} %s", escapeLaTeX(def.Name), escapeLaTeX(def.Meaning))
			if def.Formula != "" {
				fmt.Fprintf(&body, " (%s)", escapeLaTeX(def.Formula))
			}
			body.WriteString("\n\n")
		}
		for _, c := range s.Charts { // a document that is only printed has no figures: bench paper --format latex prints the text alone
			fmt.Fprintf(&body, "\\IfFileExists{../figures/%[1]s.pdf}{\\begin{figure}[htbp]\n\\centering\\includegraphics[width=0.8\\linewidth]{../figures/%[1]s.pdf}\n"+
				"\\caption{%[2]s. %[3]s}\n\\end{figure}}{}\n", c.ID, escapeLaTeX(c.Title), escapeLaTeX(c.Caption))
		}
		for _, t := range s.Tables {
			files = append(files, File{Name: t.ID + ".tex", Data: []byte(latexTable(t))})
			fmt.Fprintf(&body, "\\input{%s.tex}\n", t.ID)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(&body, "\n%s\n", escapeLaTeX(n))
		}
		body.WriteString("\\clearpage\n")
	}
	const preamble = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{textcomp}\n" +
		"\\usepackage{booktabs}\n\\usepackage{graphicx}\n\\usepackage[margin=2cm]{geometry}\n"
	document := fmt.Sprintf("%s\\title{%s}\n\\date{}\n\\begin{document}\n\\maketitle\n%s\\end{document}\n", preamble,
		escapeLaTeX(d.Title), body.String())
	return append(files, File{Name: "report.tex", Data: []byte(document)})
}

func latexTable(t doc.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{table}[htbp]\n\\centering\\footnotesize\n\\caption{%s}\n\\label{tab:%s}\n",
		escapeLaTeX(t.Title), t.ID)
	// A table wider than the line is scaled down to it.
	b.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{")
	for _, col := range t.Columns {
		switch {
		case col.Wide:
			b.WriteString("p{7cm}")
		case col.Numeric():
			b.WriteString("r")
		default:
			b.WriteString("l")
		}
	}
	b.WriteString("}\n\\toprule\n")
	var header []string
	for _, col := range t.Columns {
		header = append(header, escapeLaTeX(col.Name))
	}
	b.WriteString(strings.Join(header, " & ") + " \\\\\n\\midrule\n")
	notes, marks := footnotes(t)
	for r, row := range t.Rows {
		var line []string
		for c, cell := range row {
			text := escapeLaTeX(t.Columns[c].Format(cell))
			if m := markText(marks[r][c]); m != "" {
				text += "\\textsuperscript{" + strings.Trim(m, " []") + "}"
			}
			line = append(line, text)
		}
		b.WriteString(strings.Join(line, " & ") + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	if len(notes)+len(t.Warnings) > 0 {
		b.WriteString("\\par\\smallskip\\begin{minipage}{\\linewidth}\\footnotesize\n")
		for i, n := range notes {
			fmt.Fprintf(&b, "\\textsuperscript{%d} %s\\par\n", i+1, escapeLaTeX(n))
		}
		for _, n := range t.Warnings {
			fmt.Fprintf(&b, "Note: %s\\par\n", escapeLaTeX(n))
		}
		b.WriteString("\\end{minipage}\n")
	}
	b.WriteString("\\end{table}\n")
	return b.String()
}

// latexRunes are the characters that mean something to LaTeX, and those beyond ASCII that
// reports use themselves.
var latexRunes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_\allowbreak{}`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': `\textquotedbl{}`, '\'': `\textquotesingle{}`, '`': `\textasciigrave{}`, '-': `-{}`, '[': `{[}`, ']': `{]}`,
	'±': `$\pm$`, '–': `--`, '−': `$-$`, '·': `$\cdot$`, '×': `$\times$`, '½': `$\frac12$`, 'š': `\v{s}`, '∫': `$\int$`, '≤': `$\leq$`, '≥': `$\geq$`, '\n': ` `, '\t': ` `,
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

// LaTeX writes one LaTeX document with every table in it.
func LaTeX(w io.Writer, d *doc.Document) error {
	files := latexFiles(d)
	last := len(files) - 1 // report.tex, which inputs the others
	text := string(files[last].Data)
	for _, f := range files[:last] {
		text = strings.Replace(text, fmt.Sprintf("\\input{%s}\n", f.Name), string(f.Data), 1)
	}
	_, err := io.WriteString(w, text)
	return err
}
