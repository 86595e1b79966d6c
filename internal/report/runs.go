package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A NamedRun is one side of a comparison of runs.
type NamedRun struct {
	Name string // as its user calls it
	Run
}

// CompareRuns sets two runs side by side: what was different about them, what each contender
// measured in each, the tests of its difference, and the bugs whose verdict changed. It refuses
// runs that have no contender and library in common.
func CompareRuns(first, second NamedRun) (d *Document, err error) {
	defer end("comparison", &err)
	a, err := analyse(joined(first.Run, second.Run))
	if err != nil {
		return nil, err
	}
	for _, c := range a.contenders {
		other := contender{strings.TrimSuffix(c.tool, sideA) + sideB, c.variant}
		if strings.HasSuffix(c.tool, sideA) && slices.Contains(a.contenders, other) && a.meet(c, other) {
			a.chosen = append(a.chosen, pair{c, other})
		}
	}
	if len(a.chosen) == 0 {
		return nil, fmt.Errorf("%s and %s have no tool and library in common: nothing to compare", first.Name, second.Name)
	}
	d = &Document{Schema: documentSchema, Title: Clean(fmt.Sprintf("%s and %s", first.Name, second.Name)), Command: "bench compare A B", Data: []Table{},
		Sections: []Section{changes(first, second), a.overview(), a.runTests(), a.unfinished()}}
	a.mark(d)
	d.Data = append(d.Data, a.data...)
	return d, nil
}

// The marks of the two sides behind a tool's name.
const (
	sideA = "@A"
	sideB = "@B"
)

// joined is one run of both, in which a tool of the first has the mark of its side, and so of the second.
func joined(first, second Run) Run {
	all := Run{Experiment: "comparison", Timed: first.Timed && second.Timed, Budgets: map[string]trial.Budget{}, Models: map[string]string{},
		Sources: func(string, string) (string, error) { return "", nil }}
	for i, r := range []Run{first, second} {
		mark := func(c trial.Cell) trial.Cell {
			old, tool := c.ID(), contender{c.Tool, c.Variant}.String()
			c.Tool += []string{sideA, sideB}[i]
			all.Budgets[c.ID()], all.Models[contender{c.Tool, c.Variant}.String()] = r.Budgets[old], r.Models[tool]
			return c
		}
		for _, c := range r.Planned {
			all.Planned = append(all.Planned, mark(c))
		}
		for _, c := range r.Cells {
			c.Cell = mark(c.Cell)
			all.Cells = append(all.Cells, c)
		}
		for _, c := range r.Incomplete {
			c.Cell = mark(c.Cell)
			all.Incomplete = append(all.Incomplete, c)
		}
		for _, b := range r.Bugs {
			if !slices.ContainsFunc(all.Bugs, func(o BugInfo) bool { return o.Library == b.Library && o.ID == b.ID }) {
				all.Bugs = append(all.Bugs, b)
			}
		}
	}
	return all
}

// meet reports whether both contenders were planned for one library.
func (a *analysis) meet(x, y contender) bool {
	return slices.ContainsFunc(a.subjects, func(s subject) bool { return a.group(s, x) != nil && a.group(s, y) != nil })
}

// runTests tests the difference between the runs and lists the bugs whose verdict changed.
func (a *analysis) runTests() Section {
	s := a.comparison()
	s.Title = "Differences"
	s.Definitions[0] = Definition{"Pairs", "Each tool in the first run (A) is compared with the same tool in the second (B).", ""}
	s.Definitions = slices.DeleteFunc(s.Definitions, func(d Definition) bool { return strings.HasPrefix(d.Name, "Friedman") })
	t := Table{ID: "changed_bugs", Title: "Bugs whose verdict changed", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words}, {Key: "bug", Name: "Bug", Kind: Words},
		{Key: "a", Name: "A: trials that detect it", Kind: Detection}, {Key: "b", Name: "B: trials that detect it", Kind: Detection},
	}}
	same := 0
	for _, p := range a.chosen {
		for _, subj := range a.subjects {
			gx, gy := a.group(subj, p.a), a.group(subj, p.b)
			if gx == nil || gy == nil {
				continue
			}
			gx, gy = inBoth(gx, gy)
			vx, vy := a.verdicts(gx), a.verdicts(gy)
			for i := range vx {
				switch {
				case vx[i].checked == 0 || vy[i].checked == 0:
				case (vx[i].detected > 0) == (vy[i].detected > 0):
					same++
				default:
					name := contender{strings.TrimSuffix(p.a.tool, sideA), p.a.variant}
					t.Rows = append(t.Rows, []Cell{words(a.label(subj)), words(name.String()), words(vx[i].bug.ID), trialsOf(vx[i]), trialsOf(vy[i])})
				}
			}
		}
	}
	s.Tables = append(s.Tables, withRows(t)...)
	s.Notes = append(s.Notes, fmt.Sprintf("Verdicts in both runs: %d changed, %d did not.", len(t.Rows), same))
	return s
}

// trialsOf is in how many trials a bug was detected, and by which oracles.
func trialsOf(v verdict) Cell {
	c := count(v.detected, v.checked)
	c.Text = classes(v.oracles, ", ")
	return c
}

// changes lists what is different about two runs: everything of their provenance, and the cells that
// only one of them has.
func changes(first, second NamedRun) Section {
	runs := Table{ID: "runs", Title: "The runs", Columns: []Column{
		{Key: "side", Name: "Side", Kind: Words}, {Key: "run", Name: "Run", Kind: Words}, {Key: "experiment", Name: "Experiment", Kind: Words}, {Key: "cells", Name: "Complete cells", Kind: Count}}}
	for i, r := range []NamedRun{first, second} {
		runs.Rows = append(runs.Rows, []Cell{words("AB"[i : i+1]), words(r.Name), words(r.Experiment), count(len(r.Cells), len(r.Planned))})
	}
	t := Table{ID: "changes", Title: "How the runs were set up differently", Columns: []Column{
		{Key: "what", Name: "What", Kind: Words}, {Key: "a", Name: "A", Kind: Words, Wide: true}, {Key: "b", Name: "B", Kind: Words, Wide: true}}}
	x, y := facts(first.Run), facts(second.Run)
	names := maps.Clone(x)
	maps.Copy(names, y)
	for _, k := range slices.Sorted(maps.Keys(names)) {
		if x[k] != y[k] {
			t.Rows = append(t.Rows, []Cell{words(k), words(cmp.Or(x[k], "–")), words(cmp.Or(y[k], "–"))})
		}
	}
	onlyA, onlyB := apart(first.Run, second.Run), apart(second.Run, first.Run)
	if len(onlyA)+len(onlyB) > 0 {
		t.Rows = append(t.Rows, []Cell{words("cells of one run alone"), words(listSome(onlyA)), words(listSome(onlyB))})
	}
	s := Section{ID: "changes", Title: "What changed", Tables: []Table{runs}}
	if len(t.Rows) == 0 {
		s.Notes = []string{"The runs have the same cells, programs and sources, and ran on the same machine."}
		return s
	}
	s.Tables = append(s.Tables, t)
	return s
}

// facts are a run's provenance and its budgets, by name.
func facts(r Run) map[string]string {
	all := map[string]string{}
	for _, f := range r.Provenance {
		for _, e := range f.Entries {
			all[f.Title+": "+e.Key] = e.Value
		}
	}
	var budgets []string
	for _, c := range r.Planned {
		budgets = append(budgets, r.Budgets[c.ID()].String())
	}
	slices.Sort(budgets)
	all["budget of a cell"] = strings.Join(slices.Compact(budgets), "; ")
	return all
}

// apart returns the IDs of the cells that only the first run plans.
func apart(r, other Run) []string {
	var ids []string
	for _, c := range r.Planned {
		if !slices.ContainsFunc(other.Planned, func(o trial.Cell) bool { return o.ID() == c.ID() }) {
			ids = append(ids, c.ID())
		}
	}
	slices.Sort(ids)
	return ids
}

// listSome names the first few of a list.
func listSome(ids []string) string {
	const most = 8
	switch {
	case len(ids) == 0:
		return "none"
	case len(ids) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
