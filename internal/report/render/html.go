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
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// assets holds the page's parts. echarts.min.js.gz is dist/echarts.min.js of echarts 5.6.0
// as published, under the licence beside it.
//
//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
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
func HTML(w io.Writer, d *report.Document) error {
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
	view, err := pageView(d)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	err = page.Execute(&buf, map[string]any{
		"Page": view, "Style": template.CSS(styles),
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

// scriptHash is the source expression of a policy that lets this very script run.
func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func cellClass(col report.Column, c report.Cell) string {
	switch {
	case c.Missing != "" && col.Numeric():
		return "missing num"
	case c.Missing != "":
		return "missing"
	case col.Kind == report.Detection && c.Values[0] > 0:
		return "hit"
	case col.Kind == report.Detection:
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
	Text   string
	Failed bool
}

func sourceLines(d report.Detail) []sourceLine {
	if d.Source == "" {
		return nil
	}
	var lines []sourceLine
	for i, text := range strings.Split(strings.TrimRight(d.Source, "\n"), "\n") {
		lines = append(lines, sourceLine{text, i+1 == d.Line})
	}
	return lines
}

// A diffLine is one line of a difference, and what it says: "in", "out", or "" for what stays.
type diffLine struct{ Text, Class string }

func diffLines(diff string) (lines []diffLine) {
	for text := range strings.Lines(diff) {
		line := diffLine{Text: text}
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
