package render

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// A htmlPage is a document as the page shows it.
type htmlPage struct {
	*report.Document
	Sections  []htmlSection
	Libraries []htmlLibrary
	Choices   []choice
	Charts    map[string]any // options of the charts that a script draws, by ID
}

type htmlSection struct {
	report.Section
	Charts []htmlChart
	Tables []htmlTable
}

// Within says what a closed section holds.
func (s htmlSection) Within() string {
	var parts []string
	for _, of := range []struct {
		n    int
		what string
	}{{len(s.Charts), "figure"}, {len(s.Tables), "table"}} {
		switch {
		case of.n == 1:
			parts = append(parts, "1 "+of.what)
		case of.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", of.n, of.what))
		}
	}
	return strings.Join(parts, ", ")
}

type htmlLibrary struct {
	ID, Name string
	Address  template.URL // of the page narrowed to it
	Summary  htmlTable
	Links    []pageLink
}

// A choice is one thing that the page can be narrowed by.
type choice struct {
	Key, Name string
	Values    []string
}

// A htmlChart is a figure, drawn without a script and with its data.
type htmlChart struct {
	report.Chart
	Image    template.URL
	Scripted bool // a script draws a livelier one in the image's place
	Data     htmlTable
	Remake   string
}

// A htmlTable is a table with its cells as the page shows them.
type htmlTable struct {
	ID, Title string
	Facet     facet
	Columns   []htmlColumn
	Rows      []htmlRow
	Notes     []string
	Warnings  []string
	Remake    string
}

type htmlColumn struct {
	report.Column
	Facet facet
}

type htmlRow struct {
	Facet facet
	Cells []htmlCell
}

type htmlCell struct {
	Text, Class, Detail string
	Header              bool
	Facet               facet // of its column
	Marks               []htmlMark
	Bar                 *htmlBar
}

// A htmlBar is a part of a cell's width, in percent.
type htmlBar struct{ From, Width string }

// barOf is the bar of a cell of a column with bars; nil if it has no value.
func barOf(col report.Column, c report.Cell) *htmlBar {
	if !col.Bar || c.Missing != "" {
		return nil
	}
	low, high := 0.0, 0.0
	switch col.Kind {
	case report.Count:
		high = 100 * c.Values[0] / max(1, c.Values[1])
	case report.Range:
		low, high = c.Values[0], c.Values[1]
	case report.Estimate:
		high = c.Values[0]
	}
	return &htmlBar{fmt.Sprintf("%.1f", low), fmt.Sprintf("%.1f", high-low)}
}

// A htmlMark links a cell to its footnote. The keyboard stops at the first mark of each.
type htmlMark struct {
	Number int
	Target string
	Again  bool
}

func pageView(d *report.Document) (htmlPage, error) {
	p := htmlPage{Document: d, Charts: map[string]any{}, Choices: choices(d)}
	for _, s := range d.Sections {
		view := htmlSection{Section: s}
		for _, c := range s.Charts {
			drawn, err := chartView(d, c)
			if err != nil {
				return p, err
			}
			if drawn.Scripted {
				if p.Charts[c.ID], err = echartsOption(c); err != nil {
					return p, err
				}
			}
			view.Charts = append(view.Charts, drawn)
		}
		for _, t := range s.Tables {
			remake := remake(d, t.ID)
			if s.ID == "provenance" {
				remake = "" // facts, not figures
			}
			view.Tables = append(view.Tables, tableView(d, t, remake))
		}
		p.Sections = append(p.Sections, view)
	}
	for _, l := range libraryPages(d) {
		id := "library=" + url.QueryEscape(l.Name) // as report.js writes it
		p.Libraries = append(p.Libraries, htmlLibrary{id, l.Name, template.URL("#" + id), tableView(d, l.Summary, ""), l.Links})
	}
	return p, nil
}

// choices are what the page can be narrowed by, where there is something to choose.
func choices(d *report.Document) []choice {
	var list []choice
	for _, c := range []choice{{"library", "Library", d.Libraries}, {"tool", "Tool", scopeOf(d).toolNames()}, {"variant", "Variant", scopeOf(d).variants()}} {
		if len(c.Values) > 1 {
			list = append(list, c)
		}
	}
	return list
}

// remake is the command that prints one table or figure again.
func remake(d *report.Document, id string) string {
	if d.Remake == "" {
		return ""
	}
	return d.Remake + " " + id
}

func chartView(d *report.Document, c report.Chart) (htmlChart, error) {
	view := htmlChart{Chart: c, Scripted: c.Kind != report.Ranks, Data: tableView(d, c.Data(), ""), Remake: remake(d, c.ID)}
	c.Title = "" // it stands above
	data, err := static(c, "svg")
	view.Image = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(data))
	return view, err
}

func tableView(d *report.Document, t report.Table, remake string) htmlTable {
	notes, marks := footnotes(t)
	scope := scopeOf(d)
	view := htmlTable{ID: t.ID, Title: t.Title, Facet: facet{Library: t.Library}, Notes: notes, Warnings: t.Warnings, Remake: remake}
	for _, col := range t.Columns {
		view.Columns = append(view.Columns, htmlColumn{col, scope.column(t, col)})
	}
	seen := map[int]bool{}
	for r, row := range t.Rows {
		line := htmlRow{Facet: scope.row(t, row)}
		for c, cell := range row {
			col := view.Columns[c]
			h := htmlCell{Text: col.Format(cell), Class: cellClass(col.Column, cell), Detail: cell.Detail, Header: c == 0, Facet: col.Facet, Bar: barOf(col.Column, cell)}
			for _, n := range marks[r][c] {
				h.Marks = append(h.Marks, htmlMark{n, fmt.Sprintf("%s-note-%d", t.ID, n), seen[n]})
				seen[n] = true
			}
			line.Cells = append(line.Cells, h)
		}
		view.Rows = append(view.Rows, line)
	}
	return view
}
