package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/compared"
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
	a, err := analyse(joined(first.Run, second.Run))
	if err != nil {
		return nil, err
	}
	var all []compared.Pair
	for _, x := range a.Tools {
		for _, y := range a.Tools {
			meet := func(l library) bool { return a.Group(l, x) != nil && a.Group(l, y) != nil }
			if inFirst(x) && !inFirst(y) && slices.ContainsFunc(a.Libraries, meet) {
				all = append(all, compared.Pair{A: x, B: y})
			}
		}
	}
	a.Pairs = lists.Filter(all, func(p compared.Pair) bool { return unmarked(p.A) == unmarked(p.B) })
	if len(a.Pairs) == 0 {
		a.Pairs = all
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s and %s have no library in common: nothing to compare", first.Name, second.Name)
	}
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(first.Name + " and " + second.Name),
		Command: "bench compare A B"}
	overview := doc.Section{ID: "overview", Title: "Overview"}
	tests := doc.Section{ID: "comparison", Title: "Differences", Definitions: definitions["differences"]}
	open := doc.Section{ID: "incomplete", Title: "Incomplete cells and notes"}
	different := changes([2]NamedRun{first, second})
	a.overview(&overview)
	a.tests(&tests)
	a.unfinished(&open)
	slices.SortStableFunc(a.Pairs, func(x, y compared.Pair) int { return cmp.Compare(a.Pooled(y).B, a.Pooled(x).B) })
	d.Add(a.changed(first.Name, second.Name), different, overview, tests, open)
	d.Data = append([]doc.Table{}, a.data...)
	return d, nil
}

func inFirst(t tool) bool { return strings.HasSuffix(t.Name, sides[0]) }

// unmarked returns a tool without the mark of its run.
func unmarked(t tool) tool { return tool{Name: t.Name[:len(t.Name)-len(sides[0])], Variant: t.Variant} }

// changed returns the answer: how many bugs each tool of a pair detects of those that were checked for both, and
// whether the difference is more than chance.
func (a *analysis) changed(first, second string) doc.Section {
	t := doc.NewTable("answer", "Bugs detected of those checked in both runs", slices.Concat(
		[]doc.Column{doc.Text("tool_a", "Tool in A"), doc.Text("tool_b", "Tool in B")},
		compared.FoundColumns, compared.McNemarColumns)...)
	var found []finding
	var only []string
	for _, p := range a.Pairs {
		sum := a.Pooled(p)
		x, y := unmarked(p.A).String(), unmarked(p.B).String()
		row := []doc.Cell{doc.Words(x), doc.Words(y)}
		if sum.N == 0 {
			t.Add(append(row, slices.Repeat([]doc.Cell{compared.NoPair(sum.Reason)}, len(t.Columns)-len(row))...)...)
			continue
		}
		t.Add(append(row, sum.Cells()...)...)
		of := finding{fmt.Sprintf("%s detects %d in A", x, sum.A), fmt.Sprintf(", %s %d in B", y, sum.B),
			" of " + trial.Count(sum.N, "bug")}
		if last := len(found) - 1; last >= 0 && found[last].a == of.a && found[last].total == of.total {
			found[last].b += of.b
		} else {
			found = append(found, of)
		}
		for _, b := range sum.Trials {
			switch inA, inB := b[0].Detected > 0, b[1].Detected > 0; {
			case inA && !inB:
				only = append(only, fmt.Sprintf("%s (%s in A)", b[0].Bug.ID, x))
			case inB && !inA:
				only = append(only, fmt.Sprintf("%s (%s in B)", b[0].Bug.ID, y))
			}
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	s := doc.Section{ID: "answer", Title: "Answer", Tables: []doc.Table{t}, Notes: []string{
		doc.Clean(fmt.Sprintf("A is %s, B is %s.", first, second))}}
	s.Lead = doc.Clean(verdict(found, t))
	if len(only) > 0 {
		s.Notes = append(s.Notes, doc.Clean("Detected by one alone: "+strings.Join(only, ", ")+"."))
	}
	s.Notes = append(s.Notes, a.failures()...)
	return s
}

// A finding says in words what a tool of A detects, what tools of B detect, and of how many bugs.
type finding struct{ a, b, total string }

// verdict puts the pairs and their corrected tests into a sentence.
func verdict(found []finding, t doc.Table) string {
	var apart, texts []string
	for _, f := range found {
		texts = append(texts, f.a+f.b+f.total)
	}
	for _, row := range t.Rows {
		if p := row[len(row)-1]; p.Significant() {
			apart = append(apart, row[0].Text+" and "+row[1].Text)
		}
	}
	switch text := someOf(texts, 3); {
	case found == nil:
		return "No bug was checked in both runs."
	case apart == nil:
		return text + ": any difference may be chance."
	default:
		return text + ": more than chance for " + strings.Join(apart, ", ") + "."
	}
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
