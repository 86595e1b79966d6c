package render

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// A libraryPage is what a page has of one library: a summary, and where the rest is.
type libraryPage struct {
	Name    string
	Summary report.Table
	Links   []pageLink
}

// A pageLink leads to a table or figure.
type pageLink struct{ ID, Title string }

// libraryPages gathers what the document has of each library.
func libraryPages(d *report.Document) []libraryPage {
	var pages []libraryPage
	for _, library := range d.Libraries {
		p := libraryPage{Name: library}
		for _, s := range d.Sections {
			for _, t := range s.Tables {
				part := of(t, library, scopeOf(d))
				if len(part.Rows) == 0 {
					continue
				}
				if t.ID == "overview" {
					p.Summary = part
					p.Summary.ID, p.Summary.Title = "library_"+report.Slug(library), library+": results at a glance (mean ± standard deviation over trials)"
					continue
				}
				p.Links = append(p.Links, pageLink{"table-" + t.ID, t.Title})
			}
			for _, c := range s.Charts {
				if c.Library == library {
					p.Links = append(p.Links, pageLink{"figure-" + c.ID, c.Title})
				}
			}
		}
		pages = append(pages, p)
	}
	return pages
}

// of returns the table's rows of one library, without the column that names it.
func of(t report.Table, library string, s scope) report.Table {
	part := t
	part.Library = library
	part.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(row []report.Cell) bool { return s.row(t, row).Library != library })
	return without(part, "library")
}

// without returns a table without some columns.
func without(t report.Table, keys ...string) report.Table {
	out := t
	out.Columns, out.Rows = nil, nil
	kept := func(i int) bool { return !slices.Contains(keys, t.Columns[i].Key) }
	for i, c := range t.Columns {
		if kept(i) {
			out.Columns = append(out.Columns, c)
		}
	}
	for _, row := range t.Rows {
		var line []report.Cell
		for i, c := range row {
			if kept(i) {
				line = append(line, c)
			}
		}
		out.Rows = append(out.Rows, line)
	}
	return out
}
