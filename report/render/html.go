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
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// assets holds the templates and the page's parts. echarts.min.js.gz is dist/echarts.min.js of echarts 5.6.0
// as published, under the licence beside it.
//
//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.tmpl").Funcs(helpers).Funcs(template.FuncMap{
	"choices": choices, "class": class, "count": trial.Count[int], "data": doc.Chart.Data,
	"diff": diffLines, "source": sourceLines,
}).ParseFS(assets, "assets/page.tmpl"))

// asset reads a part of the page.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(data)
}

// echartsScript is unpacked once, when the first page is made.
var echartsScript = sync.OnceValues(func() (string, error) {
	unpacked, err := gzip.NewReader(strings.NewReader(asset("echarts.min.js.gz")))
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
	type look struct {
		doc.Chart
		Looks []style `json:"looks"` // of its series
	}
	charts := map[string]look{}
	for _, c := range d.AllCharts() {
		of := look{Chart: c}
		for _, s := range c.Series {
			of.Looks = append(of.Looks, styleOf(s))
		}
		charts[c.ID] = of
	}
	script := asset("report.js")
	var buf bytes.Buffer
	err = page.Execute(&buf, map[string]any{
		"Page": d, "Charts": charts, "Style": template.CSS(asset("style.css")), "Echarts": template.JS(library),
		"Script": template.JS(script),
		"Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
			"script-src " +
			scriptHash(library) + " " + scriptHash(script),
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

// choices are what the page can be narrowed by, where there is something to choose.
func choices(d *doc.Document) map[string][]string {
	tools, variants := map[string]bool{}, map[string]bool{}
	for _, t := range d.Tools {
		name, variant, named := strings.Cut(t, "/")
		if !named {
			variant = trial.DefaultVariant
		}
		tools[name], variants[variant] = true, true
	}
	all := map[string][]string{"library": d.Libraries, "tool": slices.Sorted(maps.Keys(tools)),
		"variant": slices.Sorted(maps.Keys(variants))}
	maps.DeleteFunc(all, func(_ string, values []string) bool { return len(values) < 2 })
	return all
}

// class is that of a cell's element.
func class(c cellView) string {
	switch {
	case c.Missing != "" && c.Column.Numeric():
		return "missing num"
	case c.Missing != "":
		return "missing"
	case c.Column.Kind == doc.IsDetection && c.Values[0] > 0:
		return "hit"
	case c.Column.Kind == doc.IsDetection:
		return "none"
	case c.Column.Numeric():
		return "num"
	case c.Column.Wide:
		return "wide"
	}
	return "mono"
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
	classes := map[byte]string{'+': "in", '-': "out"}
	for text := range strings.Lines(diff) {
		line := textLine{text, classes[text[0]]}
		if strings.HasPrefix(text, "---") || strings.HasPrefix(text, "+++") {
			line.Class = ""
		}
		lines = append(lines, line)
	}
	return lines
}
