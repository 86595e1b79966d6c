package render

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"

	"github.com/lisa-bench/lisa-bench/internal/report"
)

// A facet says what a part of a page belongs to, so that the page can be narrowed to it. Both are
// empty for what belongs to the run as a whole.
type facet struct {
	Library string
	Tools   string // as tables name them, joined by facetSeparator
}

// facetSeparator is in no name of a tool.
const facetSeparator = "|"

// A scope knows the names that a page can be narrowed to.
type scope struct{ libraries, tools []string }

func scopeOf(d *report.Document) scope { return scope{d.Libraries, d.Tools} }

// row finds what a row of a table belongs to, by its columns of libraries, tools and cells.
func (s scope) row(t report.Table, row []report.Cell) facet {
	f := facet{Library: t.Library}
	var tools []string
	for i, col := range t.Columns {
		text := row[i].Text
		switch {
		case col.Key == "library" && slices.Contains(s.libraries, text):
			f.Library = text
		case (col.Key == "tool" || col.Key == "tool_a" || col.Key == "tool_b") && slices.Contains(s.tools, text):
			tools = append(tools, text)
		case col.Key == "cell":
			library, tool := s.cell(text)
			f.Library, tools = library, append(tools, tool)
		}
	}
	f.Tools = strings.Join(tools, facetSeparator)
	return f
}

// cell finds the library and the tool in a cell's ID (trial.Cell.ID).
func (s scope) cell(id string) (library, tool string) {
	for _, l := range s.libraries {
		name, edition, several := strings.Cut(strings.TrimSuffix(l, ")"), " (")
		if !several && strings.Contains(id, "."+name+".") || several && strings.Contains(id, "."+name+"."+edition+".") {
			library = l
		}
	}
	for _, t := range s.tools {
		if name, variant := splitTool(t); strings.HasPrefix(id, name+"."+variant+".") {
			tool = t
		}
	}
	return library, tool
}

// column finds the tool of a column of a table that spreads tools over its columns.
func (s scope) column(t report.Table, col report.Column) facet {
	if t.Spread == "tool" && slices.Contains(s.tools, col.Key) {
		return facet{Tools: col.Key}
	}
	return facet{}
}

// variants are those that a page can be narrowed to.
func (s scope) variants() []string {
	var names []string
	for _, t := range s.tools {
		_, variant := splitTool(t)
		names = append(names, variant)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// toolNames are the tools, which are in order, without their variants.
func (s scope) toolNames() []string {
	var names []string
	for _, t := range s.tools {
		name, _ := splitTool(t)
		names = append(names, name)
	}
	return slices.Compact(names)
}

// splitTool splits the name under which tables have a tool.
func splitTool(t string) (name, variant string) {
	name, variant, named := strings.Cut(t, "/")
	if !named {
		variant = trial.DefaultVariant
	}
	return name, variant
}
