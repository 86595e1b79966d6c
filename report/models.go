package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/detail"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/results"
)

// invariants tells of tools that put assertions into programs.
func (a *analysis) invariants(s *doc.Section) {
	made := a.Those(func(g *group) bool { return g.Has(asserted) })
	if len(made) == 0 {
		return
	}
	sum := func(of func(*trial.Invariants) int) func(*group) doc.Cell {
		return asserted.Sum(func(r record) int { return of(r.Generation.Invariants) })
	}
	repaired := func(first, last int) func(*group) doc.Cell { // chunks accepted after so many repairs
		return sum(func(i *trial.Invariants) (n int) {
			for repairs, chunks := range i.Repaired {
				if first <= repairs && repairs <= last {
					n += chunks
				}
			}
			return n
		})
	}
	s.Tables = []doc.Table{a.table("invariants", "Assertions put into seeds (sums over trials)", made, []column{
		trials,
		{doc.Number("seeds", "Valid seeds", 0), sum(func(i *trial.Invariants) int { return i.Seeds })},
		{doc.Number("finished", "With assertions", 0), sum(func(i *trial.Invariants) int { return i.Finished })},
		{doc.Number("assertions", "Assertions", 0), sum(func(i *trial.Invariants) int { return i.Assertions })},
		{doc.Number("mended", "Of them repaired to value", 0), sum(func(i *trial.Invariants) int { return i.Mended })},
		{doc.Number("chunks", "Chunks", 0), sum(func(i *trial.Invariants) int { return i.Chunks })},
		{doc.Number("first", "Right at once", 0), repaired(0, 0)},
		{doc.Number("repaired", "After repair", 0), repaired(1, 1<<30)},
		{doc.Number("restored", "Given up", 0), sum(func(i *trial.Invariants) int { return i.Restored })},
		{doc.Number("suspicions", "Suspicions", 0), asserted.Sum(func(r record) int { return len(r.Generation.Suspicions) })},
	})}
}

// mostPrograms is how many suspicions, of the first, have their programs in the report.
const mostPrograms = 100

// suspicions lists what a person has to look at, the strongest first.
func (a *analysis) suspicions(s *doc.Section) {
	list, err := results.RankSuspicions(a.Run.Cells, func(c trial.Cell, file string) (string, error) {
		text, _ := a.opened.Source(c.ID(), file)
		return text, nil
	})
	type ranked = results.RankedSuspicion
	figures := []figure[ranked]{
		{doc.Number("rank", "Rank", 0), func(c ranked) doc.Cell { return doc.Int(c.Rank) }},
		{libraryColumn, func(c ranked) doc.Cell { return doc.Words(a.Label(measured.LibraryOf(c.Cell))) }},
		{toolColumn, func(c ranked) doc.Cell { return doc.Words(measured.ToolOf(c.Cell).String()) }},
		{doc.Number("trial", "Trial", 0), func(c ranked) doc.Cell { return doc.Int(c.Cell.Trial) }},
		{doc.Text("id", "Id"), func(c ranked) doc.Cell {
			return doc.Cell{Text: doc.Clean(c.ID), Detail: a.suspicionDetail(c)}
		}},
		{doc.Wide("assertion", "Assertion"), func(c ranked) doc.Cell { return doc.Words("assert(" + c.Assertion + ")") }},
		{doc.Text("opinion", "Opinion"), func(c ranked) doc.Cell { return doc.Words(string(c.Opinion.Verdict)) }},
		{doc.Number("shown", "Programs", 0), func(c ranked) doc.Cell { return doc.Int(c.Shown) }},
	} // a suspicion's page and bench suspicions have the rest
	for i, against := range a.Run.Against {
		column := doc.Text(fmt.Sprintf("against_%d", i+1), fmt.Sprintf("%s on %s", against.Library, against.Version))
		figures = append(figures, figure[ranked]{column, func(c ranked) doc.Cell {
			change, ok := against.Of(c.Cell, c.ID)
			if !ok {
				return doc.Words("–")
			}
			return doc.Words(string(change.Outcome)).With(strings.Join(append([]string{change.Detail}, change.Values...), " "))
		}})
	}
	t := tableOf("suspicions", "Suspicions for review, most promising first", list, figures)
	if err != nil {
		t.Warnings = append(t.Warnings, doc.Clean(err.Error()))
	}
	s.Put(t)
}

// suspicionDetail keeps the program of a suspicion, if it is one of the first.
func (a *analysis) suspicionDetail(c results.RankedSuspicion) string {
	if c.Rank > mostPrograms {
		return ""
	}
	title := fmt.Sprintf("%s: suspicion %d, %s of %s", a.Label(measured.LibraryOf(c.Cell)), c.Rank, c.ID,
		measured.ToolOf(c.Cell))
	d := a.opened.Add(title, c.Cell.ID(), c.Program, c.Line, detail.MaxSources)
	d.Caption, d.Command = "Its program", doc.Clean("sh cells/"+c.Cell.ID()+"/"+c.Script)
	for _, fact := range []doc.KeyValue{doc.Fact("Assertion", c.Assertion),
		doc.Fact("Reference returned", strings.Join(c.Values, ", ")), doc.Fact("Based on", c.Reason()),
		doc.Fact("The tool says", c.Argument), doc.Fact("Second opinion", opinion(c)),
		doc.Fact("In the suite it was", string(c.Fate)), doc.Fact("Place", c.Place)} {
		d.Facts = append(d.Facts, doc.Fact(fact.Key, doc.Clean(fact.Value)))
	}
	return d.ID
}

func opinion(c results.RankedSuspicion) string {
	if c.Opinion.Why == "" {
		return string(c.Opinion.Verdict)
	}
	return fmt.Sprintf("%s: %s", c.Opinion.Verdict, c.Opinion.Why)
}
