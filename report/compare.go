package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
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

// CompareRuns sets two runs side by side: the answer, how their set-ups differ, each tool's figures in both, the
// tests of the difference, and the bugs that only one run detects. If no tool is in both runs, all tools of the first
// are compared with all of the second. It is an error if the runs have no library in common.
func CompareRuns(first, second NamedRun) (*doc.Document, error) {
	a := analyse(joined(first.Run, second.Run))
	var all []pair
	for _, x := range a.Tools {
		for _, y := range a.Tools {
			meet := func(l library) bool { return a.Group(l, x) != nil && a.Group(l, y) != nil }
			inA := func(t tool) bool { return strings.HasSuffix(t.Name, sides[0]) }
			if inA(x) && !inA(y) && slices.ContainsFunc(a.Libraries, meet) {
				all = append(all, pair{x, y})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s and %s have no library in common: nothing to compare", first.Name, second.Name)
	}
	a.pairs = lists.Filter(all, func(p pair) bool { return unmarked(p.a) == unmarked(p.b) })
	if len(a.pairs) == 0 {
		a.pairs = all
	}
	overview := doc.Section{ID: "overview", Title: "Overview"}
	tests := doc.Section{ID: "comparison", Title: "Differences", Definitions: definitions["differences"]}
	open := doc.Section{ID: "incomplete", Title: "Incomplete cells and notes"}
	a.overview(&overview)
	a.tests(&tests)
	a.unfinished(&open)
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(first.Name + " and " + second.Name),
		Command: "bench compare A B"}
	d.Add(a.changed(first.Name, second.Name), changes(first, second), overview, tests, open)
	d.Data = append([]doc.Table{}, a.data...)
	return d, nil
}

// unmarked returns a tool without the mark of its run.
func unmarked(t tool) tool { return tool{Name: t.Name[:len(t.Name)-len(sides[0])], Variant: t.Variant} }

// changed returns the answer: how many bugs each tool of a pair detects of those that were checked for both, and
// whether the difference is more than chance. The pairs of which A detects most come first.
func (a *analysis) changed(first, second string) doc.Section {
	t := doc.NewTable("answer", "Bugs detected of those checked in both runs",
		append([]doc.Column{doc.Text("tool_a", "Tool in A"), doc.Text("tool_b", "Tool in B")}, foundColumns...)...)
	found := map[pair]counts{}
	for _, p := range a.pairs {
		found[p] = a.found(p, a.Libraries...)
	}
	pairs := slices.Clone(a.pairs)
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(found[y].b, found[x].b) })
	var texts, only, apart []string
	last := ""
	for _, p := range pairs {
		both, x, y := found[p], unmarked(p.a).String(), unmarked(p.b).String()
		t.Add(append([]doc.Cell{doc.Words(x), doc.Words(y)}, both.cells()...)...)
		if both.n == 0 {
			continue
		}
		begin, in, total := fmt.Sprintf("%s detects %d in A", x, both.a), fmt.Sprintf(", %s %d in B", y, both.b),
			" of "+trial.Count(both.n, "bug")
		if i := len(texts) - 1; i >= 0 && last == begin+total {
			texts[i] = strings.TrimSuffix(texts[i], total) + in + total
		} else {
			texts = append(texts, begin+in+total)
		}
		last = begin + total
		for _, b := range both.trials {
			switch inA, inB := b[0].Detected > 0, b[1].Detected > 0; {
			case inA && !inB:
				only = append(only, fmt.Sprintf("%s (%s in A)", b[0].Bug.ID, x))
			case inB && !inA:
				only = append(only, fmt.Sprintf("%s (%s in B)", b[0].Bug.ID, y))
			}
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	for _, row := range t.Rows {
		if row[len(row)-1].Significant() {
			apart = append(apart, row[0].Text+" and "+row[1].Text)
		}
	}
	s := doc.Section{ID: "answer", Title: "Answer", Tables: []doc.Table{t}}
	switch {
	case texts == nil:
		s.Lead = "No bug was checked in both runs."
	case apart == nil:
		s.Lead = doc.Clean(someOf(texts, 3) + ": any difference may be chance.")
	default:
		s.Lead = doc.Clean(someOf(texts, 3) + ": more than chance for " + strings.Join(apart, ", ") + ".")
	}
	notes := []string{fmt.Sprintf("A is %s, B is %s.", first, second)}
	if len(only) > 0 {
		notes = append(notes, "Detected by one alone: "+strings.Join(only, ", ")+".")
	}
	for _, n := range append(notes, a.failures()...) {
		s.Notes = append(s.Notes, doc.Clean(n))
	}
	return s
}

// joined is one run of both, in which a tool has the mark of its side.
func joined(runs ...measured.Run) measured.Run {
	all := measured.Run{Timed: runs[0].Timed && runs[1].Timed}
	for i, r := range runs {
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

// changes lists what is different about two runs: everything of their provenance, and the cells that
// only one of them has.
func changes(first, second NamedRun) doc.Section {
	runs := doc.NewTable("runs", "The runs", doc.Text("side", "Side"), doc.Text("run", "Run"),
		doc.Text("experiment", "Experiment"), doc.Count("cells", "Complete cells"))
	t := doc.NewTable("changes", "How the runs were set up differently", doc.Text("what", "What"),
		doc.Wide("a", "A"), doc.Wide("b", "B"))
	for i, r := range []NamedRun{first, second} {
		runs.Add(doc.Words("AB"[i:i+1]), doc.Words(r.Name), doc.Words(r.Experiment), doc.Of(len(r.Cells), len(r.Planned)))
	}
	x, y := facts(first.Run), facts(second.Run)
	names := maps.Clone(x)
	maps.Copy(names, y)
	for _, k := range slices.Sorted(maps.Keys(names)) {
		if x[k] != y[k] {
			t.Add(doc.Words(k), doc.Words(cmp.Or(x[k], "–")), doc.Words(cmp.Or(y[k], "–")))
		}
	}
	const most = 8
	onlyA, onlyB := someOf(apart(first.Run, second.Run), most), someOf(apart(second.Run, first.Run), most)
	if onlyA+onlyB != "" {
		t.Add(doc.Words("cells of one run alone"), doc.Words(cmp.Or(onlyA, "none")), doc.Words(cmp.Or(onlyB, "none")))
	}
	s := doc.Section{ID: "changes", Title: "What changed", Tables: []doc.Table{runs, t}}
	if len(t.Rows) == 0 {
		s.Notes = []string{"The runs have the same cells, programs and sources, and ran on the same machine."}
	}
	return s
}

// facts are a run's provenance and its budgets, by name.
func facts(r measured.Run) map[string]string {
	all := map[string]string{}
	for _, f := range r.Provenance {
		all[f.Of+": "+f.Name] = f.Value
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
