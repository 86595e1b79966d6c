package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A condition is something that two tools must have had alike for their figures to be compared: what a group had, "" if
// it is not known, or does not concern the tool.
type condition func(a *analysis, g *group) string

// conditions are those that a table marks where its tools differ in them. A table of pairs compares
// only the trials that both tools have, and leaves the first out.
var conditions = []condition{
	func(_ *analysis, g *group) string { return trial.Count(len(g.records), "complete trial") },
	(*analysis).budget,
	func(a *analysis, g *group) string {
		if m := a.run.Models[g.contender.String()]; m != "" {
			return "model " + m
		}
		return ""
	},
}

// budget describes what each cell of a group could spend; "" if it is not known.
func (a *analysis) budget(g *group) string {
	var all []string
	for _, c := range g.cells() {
		if b, ok := a.run.Budgets[c.ID()]; ok && !slices.Contains(all, b.String()) {
			all = append(all, b.String())
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return ""
	}
	return "budget " + strings.Join(all, " or ")
}

// cells are the planned cells of a group.
func (g *group) cells() []trial.Cell {
	var list []trial.Cell
	for _, r := range g.records {
		list = append(list, r.Cell)
	}
	for _, m := range g.missing {
		list = append(list, m.Cell)
	}
	return list
}

// unequal returns what the contenders had on a library, each by its name, of the conditions in which
// they differ; nil if they had all alike. A tool that asks no model differs from none that does.
func (a *analysis) unequal(library string, names []string, of []condition) map[string]string {
	var groups []*group
	for _, g := range a.groups {
		if slices.Contains(names, g.contender.String()) && (library == "" || a.label(g.subject) == library) && len(g.records) > 0 {
			groups = append(groups, g)
		}
	}
	had := map[string][]string{}
	for _, c := range of {
		var distinct []string
		for _, g := range groups {
			if text := c(a, g); text != "" && !slices.Contains(distinct, text) {
				distinct = append(distinct, text)
			}
		}
		if len(distinct) < 2 {
			continue
		}
		for _, g := range groups {
			name := g.contender.String()
			if text := c(a, g); text != "" && !slices.Contains(had[name], text) {
				had[name] = append(had[name], text)
			}
		}
	}
	if len(had) == 0 {
		return nil
	}
	notes := map[string]string{}
	for name, texts := range had {
		notes[name] = Clean("unequal: " + strings.Join(texts, ", "))
	}
	return notes
}

// mark marks the tables of a document in which tools are compared.
func (a *analysis) mark(d *Document) {
	for _, s := range d.Sections {
		if s.ID == "incomplete" || s.ID == "provenance" {
			continue
		}
		for i := range s.Tables {
			a.markUnequal(&s.Tables[i])
		}
	}
	for i := range a.data {
		a.markUnequal(&a.data[i])
	}
}

// markUnequal adds to each tool's name in a table what it had that others of the table had not.
func (a *analysis) markUnequal(t *Table) {
	index := func(key string) int { return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key }) }
	if index("trial") >= 0 { // a list of tests or cells
		return
	}
	library, tool, first, second := index("library"), index("tool"), index("tool_a"), index("tool_b")
	of := func(row []Cell) string {
		if library < 0 {
			return t.Library
		}
		return row[library].Text
	}
	switch {
	case t.Spread == "tool":
		var names []string
		for _, c := range t.Columns {
			names = append(names, c.Key)
		}
		t.Unequal = a.unequal(t.Library, names, conditions)
		for _, c := range t.Columns {
			if note := t.Unequal[c.Key]; note != "" {
				t.Warnings = append(t.Warnings, fmt.Sprintf("%s: %s.", c.Name, note))
			}
		}
	case first >= 0 && second >= 0:
		for _, row := range t.Rows {
			notes := a.unequal(of(row), []string{row[first].Text, row[second].Text}, conditions[1:])
			for _, c := range []int{first, second} {
				if note := notes[row[c].Text]; note != "" {
					row[c] = row[c].with(note)
				}
			}
		}
	case tool >= 0:
		names := map[string][]string{}
		for _, row := range t.Rows {
			names[of(row)] = append(names[of(row)], row[tool].Text)
		}
		notes := map[string]map[string]string{}
		for library, tools := range names {
			notes[library] = a.unequal(library, tools, conditions)
		}
		for _, row := range t.Rows {
			if note := notes[of(row)][row[tool].Text]; note != "" {
				row[tool] = row[tool].with(note)
			}
		}
	}
}
