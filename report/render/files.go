// Package render writes a doc.Document as text, Markdown, LaTeX, CSV, JSON, one HTML page that
// opens offline, and figures as SVG and PDF. Equal documents give equal bytes. It knows nothing of
// metrics: what a cell means is decided in package report.
package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// Files renders the document in every format, by names relative to the report's directory: index.html and its further
// pages, report.txt, report.md, report.json, csv/*.csv, figures/*.svg and .pdf, and latex/*.tex. Figures that cannot be
// drawn are left out, and warn is told why.
func Files(d *doc.Document, warn func(error)) (map[string][]byte, error) {
	files := map[string][]byte{}
	var failed []error
	add := func(name string, render func(io.Writer, *doc.Document) error, d *doc.Document) {
		var buf bytes.Buffer
		if err := render(&buf, d); err != nil {
			failed = append(failed, fmt.Errorf("render %s: %w", name, err))
		}
		files[name] = buf.Bytes()
	}
	add("index.html", HTML, d)
	add("report.txt", Text, d)
	add("report.md", Markdown, d)
	add("report.json", JSON, d)
	add("latex/report.tex", LaTeX, d)
	for name, page := range d.Pages {
		add(name, HTML, page)
	}
	for _, t := range d.AllTables() {
		add("csv/"+t.ID+".csv", func(w io.Writer, _ *doc.Document) error { return csvTable(w, t) }, d)
		add("latex/"+t.ID+".tex", func(w io.Writer, _ *doc.Document) error { return latex.ExecuteTemplate(w, "table", t) }, d)
	}
	var lost []error
	for _, c := range d.AllCharts() {
		for _, format := range []string{"svg", "pdf"} {
			if data, err := static(c, format); err != nil {
				lost = append(lost, err)
			} else {
				files["figures/"+c.ID+"."+format] = data
			}
		}
	}
	if n := len(lost); n > 0 {
		warn(fmt.Errorf("left out of the report: %s, the first: %w", trial.Count(n, "figure"), lost[0]))
	}
	return files, errors.Join(failed...)
}

// Write writes the document's files into a directory, each replaced whole. It removes those of an earlier
// report that this one does not have, such as the table of incomplete cells.
func Write(d *doc.Document, dir string, warn func(error)) error {
	files, err := Files(d, warn)
	if err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		tmp := path + ".tmp"
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(tmp, data, 0o644))
		if err == nil {
			err = os.Rename(tmp, path)
		}
		if err != nil {
			return fmt.Errorf("write report: %w\nthe results are kept: `bench report %s` makes it again", err, filepath.Dir(dir))
		}
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if name, _ := filepath.Rel(dir, path); files[name] != nil {
			return nil
		}
		return os.Remove(path)
	})
}

// Only renders one table as CSV or one figure as SVG; nil if the document has none of that ID.
func Only(d *doc.Document, id string) ([]byte, error) {
	for _, c := range d.AllCharts() {
		if c.ID == id {
			return static(c, "svg")
		}
	}
	for _, t := range d.AllTables() {
		if t.ID == id {
			var buf bytes.Buffer
			err := csvTable(&buf, t)
			return buf.Bytes(), err
		}
	}
	return nil, nil
}

// JSON writes the document with its typed, unrounded cells.
func JSON(w io.Writer, d *doc.Document) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(d)
}
