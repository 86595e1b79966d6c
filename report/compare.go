package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// A NamedRun is one side of a comparison of runs.
type NamedRun struct {
	Name string // as its user calls it
	measured.Run
}

// sides are the marks of the two runs behind a tool's name.
var sides = [2]string{"@A", "@B"}

// CompareRuns sets two runs side by side: what was different about them, what each tool
// measured in each, the tests of its difference, and the bugs that only one of them detects. It refuses
// runs that have no tool and library in common.
func CompareRuns(first, second NamedRun) (*doc.Document, error) {
	a, err := analyse(joined(first.Run, second.Run))
	if err != nil {
		return nil, err
	}
	for _, t := range a.Tools {
		name, isFirst := strings.CutSuffix(t.Name, sides[0])
		other := tool{Name: name + sides[1], Variant: t.Variant}
		meet := func(l library) bool { return a.Group(l, t) != nil && a.Group(l, other) != nil }
		if isFirst && slices.ContainsFunc(a.Libraries, meet) {
			a.chosen = append(a.chosen, pair{t, other})
		}
	}
	if len(a.chosen) == 0 {
		return nil, fmt.Errorf("%s and %s have no tool and library in common: nothing to compare", first.Name, second.Name)
	}
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(first.Name + " and " + second.Name),
		Command: "bench compare A B"}
	overview := doc.Section{ID: "overview", Title: "Overview"}
	tests := doc.Section{ID: "comparison", Title: "Differences", Definitions: definitions["differences"]}
	open := doc.Section{ID: "incomplete", Title: "Incomplete cells and notes"}
	a.overview(&overview)
	a.tests(&tests)
	a.changedBugs(&tests)
	a.unfinished(&open)
	d.Add(changes([2]NamedRun{first, second}), overview, tests, open)
	d.Data = append([]doc.Table{}, a.data...)
	return d, nil
}

// joined is one run of both, in which a tool has the mark of its side.
func joined(first, second measured.Run) measured.Run {
	all := measured.Run{Timed: first.Timed && second.Timed,
		Sources: func(string, string) (string, error) { return "", nil }}
	for i, r := range []measured.Run{first, second} {
		for _, c := range r.Planned {
			c.Tool += sides[i]
			all.Planned = append(all.Planned, c)
		}
		for _, c := range r.Cells {
			c.Cell.Tool += sides[i]
			all.Cells = append(all.Cells, c)
		}
		for _, c := range r.Incomplete {
			c.Cell.Tool += sides[i]
			all.Incomplete = append(all.Incomplete, c)
		}
		for _, b := range r.Bugs {
			if !slices.ContainsFunc(all.Bugs, func(o measured.BugInfo) bool { return o.Library == b.Library && o.ID == b.ID }) {
				all.Bugs = append(all.Bugs, b)
			}
		}
	}
	return all
}

// changedBugs lists the bugs that the trials of one run detect and those of the other do not.
func (a *analysis) changedBugs(s *doc.Section) {
	t := lines("changed_bugs", "Bugs that only one of the runs detects", doc.Text("bug", "Bug"),
		doc.Detection("a", "A: trials that detect it"), doc.Detection("b", "B: trials that detect it"))
	same := 0
	for _, p := range a.chosen {
		name := tool{Name: strings.TrimSuffix(p.a.Name, sides[0]), Variant: p.a.Variant}
		for _, l := range a.Libraries {
			for _, b := range a.sharedBugs(l, p).rates {
				if (b.a.detected > 0) == (b.b.detected > 0) {
					same++
					continue
				}
				t.Add(doc.Words(a.Label(l)), doc.Words(name.String()), doc.Words(b.a.bug.ID), b.a.trials(), b.b.trials())
			}
		}
	}
	s.Put(t)
	s.Notes = append(s.Notes, fmt.Sprintf("Bugs checked in both runs: %d changed, %d did not.", len(t.Rows), same))
}

// changes lists what is different about two runs: everything of their provenance, and the cells that
// only one of them has.
func changes(of [2]NamedRun) doc.Section {
	runs := doc.NewTable("runs", "The runs", doc.Text("side", "Side"), doc.Text("run", "Run"),
		doc.Text("experiment", "Experiment"), doc.Count("cells", "Complete cells"))
	t := doc.NewTable("changes", "How the runs were set up differently", doc.Text("what", "What"),
		doc.Wide("a", "A"), doc.Wide("b", "B"))
	for i, r := range of {
		runs.Add(doc.Words("AB"[i:i+1]), doc.Words(r.Name), doc.Words(r.Experiment), doc.Of(len(r.Cells), len(r.Planned)))
	}
	x, y := facts(of[0].Run), facts(of[1].Run)
	names := maps.Clone(x)
	maps.Copy(names, y)
	for _, k := range slices.Sorted(maps.Keys(names)) {
		if x[k] != y[k] {
			t.Add(doc.Words(k), doc.Words(cmp.Or(x[k], "–")), doc.Words(cmp.Or(y[k], "–")))
		}
	}
	onlyA, onlyB := apart(of[0].Run, of[1].Run), apart(of[1].Run, of[0].Run)
	if len(onlyA)+len(onlyB) > 0 {
		const most = 8
		t.Add(doc.Words("cells of one run alone"), doc.Words(cmp.Or(someOf(onlyA, most), "none")),
			doc.Words(cmp.Or(someOf(onlyB, most), "none")))
	}
	s := doc.Section{ID: "changes", Title: "What changed", Tables: []doc.Table{runs}}
	s.Put(t)
	if len(t.Rows) == 0 {
		s.Notes = []string{"The runs have the same cells, programs and sources, and ran on the same machine."}
	}
	return s
}

// facts are a run's provenance and its budgets, by name.
func facts(r measured.Run) map[string]string {
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
func apart(r, other measured.Run) []string {
	var ids []string
	for _, c := range r.Planned {
		if !slices.ContainsFunc(other.Planned, func(o trial.Cell) bool { return o.ID() == c.ID() }) {
			ids = append(ids, c.ID())
		}
	}
	slices.Sort(ids)
	return ids
}
