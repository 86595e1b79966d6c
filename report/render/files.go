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
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A File is one file of a report, named relative to the report's directory with slashes.
type File struct {
	Name string
	Data []byte
}

// Files renders the document in every format: index.html and its further pages, report.txt, report.md,
// report.json, csv/*.csv, figures/*.svg and .pdf, and latex/*.tex. Figures that cannot be drawn are left out, and
// warn is told why.
func Files(d *doc.Document, warn func(error)) ([]File, error) {
	var files []File
	for _, f := range []struct {
		name   string
		render func(io.Writer, *doc.Document) error
	}{
		{"index.html", HTML}, {"report.txt", Text}, {"report.md", Markdown}, {"report.json", JSON},
	} {
		var buf bytes.Buffer
		if err := f.render(&buf, d); err != nil {
			return nil, fmt.Errorf("render %s: %w", f.name, err)
		}
		files = append(files, File{f.name, buf.Bytes()})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Pages)) {
		var buf bytes.Buffer
		if err := HTML(&buf, d.Pages[name]); err != nil {
			return nil, fmt.Errorf("render %s: %w", name, err)
		}
		files = append(files, File{name, buf.Bytes()})
	}
	for _, t := range d.AllTables() {
		data, err := csvTable(t)
		if err != nil {
			return nil, fmt.Errorf("table %s as CSV: %w", t.ID, err)
		}
		files = append(files, File{"csv/" + t.ID + ".csv", data})
	}
	var lost []error
	for _, c := range d.AllCharts() {
		for _, format := range []string{"svg", "pdf"} {
			data, err := static(c, format)
			if err != nil {
				lost = append(lost, err)
				continue
			}
			files = append(files, File{"figures/" + c.ID + "." + format, data})
		}
	}
	switch n := len(lost); {
	case n == 1:
		warn(fmt.Errorf("left out of the report: %w", lost[0]))
	case n > 1:
		warn(fmt.Errorf("left out of the report: %d figures, the first: %w", n, lost[0]))
	}
	for _, f := range latexFiles(d) {
		files = append(files, File{"latex/" + f.Name, f.Data})
	}
	return files, nil
}

// Write writes the document's files into a directory, each replaced whole. It removes those of an earlier
// report that this one does not have, such as the table of incomplete cells.
func Write(d *doc.Document, dir string, warn func(error)) error {
	files, err := Files(d, warn)
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		written[path] = true
		tmp := path + ".tmp"
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(tmp, f.Data, 0o644))
		if err == nil {
			err = os.Rename(tmp, path)
		}
		if err != nil {
			return fmt.Errorf("write report: %w\nthe results are kept: `bench report %s` makes it again", err, filepath.Dir(dir))
		}
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || written[path] {
			return err
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
			return csvTable(t)
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
