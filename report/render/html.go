package render

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// assets holds the page's parts. echarts.min.js.gz is dist/echarts.min.js of echarts 5.6.0
// as published, under the licence beside it.
//
//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
	"remade": func(s doc.Section, remake string) any { return remade{s, remake} },
	"table":  tableView, "data": func(c doc.Chart) htmlTable { return tableView(c.Data()) }, "choices": choices, "within": within,
	"sourceLines": sourceLines, "diffLines": diffLines, "inc": func(i int) int { return i + 1 },
}).ParseFS(assets, "assets/page.tmpl"))

// echartsScript is unpacked once, when the first page is made.
var echartsScript = sync.OnceValues(func() (string, error) {
	f, err := assets.Open("assets/echarts.min.js.gz")
	if err != nil {
		return "", err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	script, err := io.ReadAll(unpacked)
	return string(script), err
})

// HTML writes the document as one page that opens offline. Styles, scripts and data are
// in it. Its content security policy forbids loading anything and running any script
// but its own two.
func HTML(w io.Writer, d *doc.Document) error {
	library, err := echartsScript()
	if err != nil {
		return fmt.Errorf("unpack echarts: %w", err)
	}
	script, err := assets.ReadFile("assets/report.js")
	if err != nil {
		return err
	}
	styles, err := assets.ReadFile("assets/style.css")
	if err != nil {
		return err
	}
	options := map[string]any{}
	for _, c := range d.AllCharts() {
		options[c.ID] = echartsOption(c)
	}
	var buf bytes.Buffer
	err = page.Execute(&buf, map[string]any{
		"Page": d, "Charts": options, "Style": template.CSS(styles), "Echarts": template.JS(library), "Script": template.JS(script),
		"Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src " +
			scriptHash(library) + " " + scriptHash(string(script)),
	})
	if err != nil {
		return err
	}
	_, err = w.Write(buf.Bytes())
	return err
}

// scriptHash is the source expression of a policy that lets this very script run.
func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A remade section has the command that prints its tables and figures, without their names; "" if there is none.
type remade struct {
	Section doc.Section
	Remake  string
}

// within says what a closed section holds.
func within(s doc.Section) string {
	var parts []string
	if n := len(s.Charts); n > 0 {
		parts = append(parts, trial.Count(n, "figure"))
	}
	if n := len(s.Tables); n > 0 {
		parts = append(parts, trial.Count(n, "table"))
	}
	if len(s.Texts) > 0 {
		return s.Lead
	}
	return strings.Join(parts, ", ")
}

// A choice is one thing that the page can be narrowed by.
type choice struct {
	Key, Name string
	Values    []string
}

// choices are what the page can be narrowed by, where there is something to choose.
func choices(d *doc.Document) []choice {
	var tools, variants []string
	for _, t := range d.Tools {
		name, variant, named := strings.Cut(t, "/")
		if !named {
			variant = trial.DefaultVariant
		}
		tools, variants = append(tools, name), append(variants, variant)
	}
	slices.Sort(variants)
	all := []choice{{"library", "Library", d.Libraries}, {"tool", "Tool", slices.Compact(tools)},
		{"variant", "Variant", slices.Compact(variants)}}
	return slices.DeleteFunc(all, func(c choice) bool { return len(c.Values) < 2 })
}

// A htmlTable is a table with its cells as the page shows them.
type htmlTable struct {
	doc.Table
	Lines [][]htmlCell
	Notes []string
}

type htmlCell struct {
	Text, Class, Detail, Page string
	Marks                     []htmlMark
	Bar                       *htmlBar
}

// A htmlMark links a cell to its footnote. The keyboard stops at the first mark of each.
type htmlMark struct {
	Number int
	Target string
	Again  bool
}

func tableView(t doc.Table) htmlTable {
	notes, marks := footnotes(t)
	view := htmlTable{Table: t, Notes: notes}
	seen := map[int]bool{}
	for r, row := range t.Rows {
		var line []htmlCell
		for c, cell := range row {
			col := t.Columns[c]
			h := htmlCell{Text: col.Format(cell), Class: cellClass(col, cell), Detail: cell.Detail, Page: cell.Page, Bar: barOf(col, cell)}
			for _, n := range marks[r][c] {
				h.Marks = append(h.Marks, htmlMark{n, fmt.Sprintf("%s-note-%d", t.ID, n), seen[n]})
				seen[n] = true
			}
			line = append(line, h)
		}
		view.Lines = append(view.Lines, line)
	}
	return view
}

func cellClass(col doc.Column, c doc.Cell) string {
	switch {
	case c.Missing != "" && col.Numeric():
		return "missing num"
	case c.Missing != "":
		return "missing"
	case col.Kind == doc.IsDetection && c.Values[0] > 0:
		return "hit"
	case col.Kind == doc.IsDetection:
		return "none"
	case col.Numeric():
		return "num"
	case col.Wide:
		return "wide"
	}
	return "mono"
}

// A htmlBar is a part of a cell's width, in percent.
type htmlBar struct{ From, Width string }

// barOf is the bar of a cell of a column with bars; nil if it has no value.
func barOf(col doc.Column, c doc.Cell) *htmlBar {
	if !col.Bar || c.Missing != "" {
		return nil
	}
	low, high := 0.0, c.Values[0]
	switch col.Kind {
	case doc.IsCount:
		high = 100 * c.Values[0] / max(1, c.Values[1])
	case doc.IsRange:
		low, high = c.Values[0], c.Values[1]
	}
	return &htmlBar{fmt.Sprintf("%.1f", low), fmt.Sprintf("%.1f", high-low)}
}

// A textLine is one line of a source or of a difference, with its class: failed, in, out, or "".
type textLine struct{ Text, Class string }

func sourceLines(d doc.Detail) (lines []textLine) {
	for i, text := range strings.Split(strings.TrimRight(d.Source, "\n"), "\n") {
		lines = append(lines, textLine{text + "\n", map[bool]string{true: "failed"}[i+1 == d.Line]})
	}
	return lines
}

func diffLines(diff string) (lines []textLine) {
	for text := range strings.Lines(diff) {
		line := textLine{Text: text}
		switch {
		case strings.HasPrefix(text, "---"), strings.HasPrefix(text, "+++"):
		case strings.HasPrefix(text, "+"):
			line.Class = "in"
		case strings.HasPrefix(text, "-"):
			line.Class = "out"
		}
		lines = append(lines, line)
	}
	return lines
}
