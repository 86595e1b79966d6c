package report

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
)

// assets holds the page's parts. echarts.min.js.gz is dist/echarts.min.js of echarts 5.6.0
// as published, under the licence beside it.
//
//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
	"tableView": tableView, "drawn": drawn, "sourceLines": sourceLines, "inc": func(i int) int { return i + 1 },
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

// HTML writes the document as one page that opens offline: styles, scripts and data are
// in it, and its content security policy forbids loading anything and running any script
// but its own two.
func (d *Document) HTML(w io.Writer) error {
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
	for _, s := range d.Sections {
		for _, c := range s.Charts {
			if c.Kind == Ranks {
				continue // drawn in advance
			}
			if options[c.ID], err = echartsOption(c); err != nil {
				return err
			}
		}
	}
	var buf bytes.Buffer
	err = page.Execute(&buf, map[string]any{
		"Doc": d, "Charts": options, "Style": template.CSS(styles),
		"Echarts": template.JS(library), "Script": template.JS(script),
		"Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src " +
			scriptHash(library) + " " + scriptHash(string(script)),
	})
	if err != nil {
		return err
	}
	_, err = w.Write(buf.Bytes())
	return err
}

// drawn is a chart that needs no script, as the address of an image; "" for the others.
func drawn(c Chart) (template.URL, error) {
	if c.Kind != Ranks {
		return "", nil
	}
	c.Title = "" // it stands above
	data, err := c.static("svg")
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(data)), err
}

// scriptHash is the source expression of a policy that lets this very script run.
func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A htmlTable is a table with its cells as the page shows them.
type htmlTable struct {
	ID    string
	Notes []string
	Rows  [][]htmlCell
}

type htmlCell struct {
	Text, Class, Detail string
	Header              bool
	Marks               []htmlMark
}

// A htmlMark links a cell to its footnote.
type htmlMark struct {
	Number int
	Target string
}

func tableView(t Table) htmlTable {
	notes, marks := t.Footnotes()
	view := htmlTable{ID: t.ID, Notes: notes}
	for r, row := range t.Rows {
		var cells []htmlCell
		for c, cell := range row {
			col := t.Columns[c]
			h := htmlCell{Text: col.Format(cell), Class: cellClass(col, cell), Detail: cell.Detail, Header: c == 0}
			for _, n := range marks[r][c] {
				h.Marks = append(h.Marks, htmlMark{n, fmt.Sprintf("%s-note-%d", t.ID, n)})
			}
			cells = append(cells, h)
		}
		view.Rows = append(view.Rows, cells)
	}
	return view
}

func cellClass(col Column, c Cell) string {
	switch {
	case c.Missing != "" && col.Numeric():
		return "missing num"
	case c.Missing != "":
		return "missing"
	case col.Kind == Detection && c.Values[0] > 0:
		return "hit"
	case col.Kind == Detection:
		return "none"
	case col.Numeric():
		return "num"
	case col.Wide:
		return "wide"
	}
	return "mono"
}

// A sourceLine is one line of a test's source.
type sourceLine struct {
	Number int
	Text   string
	Failed bool
}

func sourceLines(d Detail) []sourceLine {
	if d.Source == "" {
		return nil
	}
	var lines []sourceLine
	for i, text := range strings.Split(strings.TrimRight(d.Source, "\n"), "\n") {
		lines = append(lines, sourceLine{i + 1, text, i+1 == d.Line})
	}
	return lines
}
