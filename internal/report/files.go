package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// A File is one file of a report, named relative to the report's directory with slashes.
type File struct {
	Name string
	Data []byte
}

// files renders the document in every format: index.html, report.txt, report.md,
// report.json, csv/*.csv, figures/*.svg and .pdf, and latex/*.tex.
func (d *Document) files() ([]File, error) {
	var files []File
	for _, f := range []struct {
		name   string
		render func(io.Writer) error
	}{
		{"index.html", d.HTML}, {"report.txt", d.Text}, {"report.md", d.Markdown}, {"report.json", d.JSON},
	} {
		var buf bytes.Buffer
		if err := f.render(&buf); err != nil {
			return nil, fmt.Errorf("render %s: %w", f.name, err)
		}
		files = append(files, File{f.name, buf.Bytes()})
	}
	tables, err := d.csv()
	if err != nil {
		return nil, fmt.Errorf("render CSV: %w", err)
	}
	for _, f := range tables {
		files = append(files, File{path.Join("csv", f.Name), f.Data})
	}
	figures, err := d.figures()
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		files = append(files, File{path.Join("figures", f.Name), f.Data})
	}
	for _, f := range d.latex() {
		files = append(files, File{path.Join("latex", f.Name), f.Data})
	}
	return files, nil
}

// Write writes the document's files into a directory, each replaced whole, and removes those of an earlier
// report that this one does not have, such as the table of incomplete cells.
func (d *Document) Write(dir string) error {
	files, err := d.files()
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

// Names are the IDs of the document's tables and figures.
func (d *Document) Names() []string {
	var names []string
	for _, s := range d.Sections {
		for _, t := range s.Tables {
			names = append(names, t.ID)
		}
		for _, c := range s.Charts {
			names = append(names, c.ID)
		}
	}
	for _, t := range d.Data {
		names = append(names, t.ID)
	}
	return names
}

// Only renders one table as CSV or one figure as SVG; nil if the document has none of that ID.
func (d *Document) Only(id string) (*File, error) {
	tables := d.Data
	for _, s := range d.Sections {
		tables = slices.Concat(tables, s.Tables)
		for _, c := range s.Charts {
			if c.ID == id {
				data, err := c.static("svg")
				return &File{Name: id + ".svg", Data: data}, err
			}
		}
	}
	for _, t := range tables {
		if t.ID == id {
			data, err := csvTable(t.long())
			return &File{Name: id + ".csv", Data: data}, err
		}
	}
	return nil, nil
}

// JSON writes the document with its typed, unrounded cells.
func (d *Document) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(d)
}
