package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// memory splits the bugs at the cutoffs of the models, for a model may remember a fix that was public before.
// Tools that ask no model are split at the latest cutoff of the others: a difference that they have too is one
// of the bugs, not of a memory.
func (a *analysis) memory(s *Section) {
	latest := ""
	for _, cutoff := range a.run.Cutoffs {
		latest = max(latest, cutoff)
	}
	if latest == "" {
		return
	}
	t := newTable("cutoff", "Bugs fixed before and after the model's cutoff, detected in any trial", textColumn("tool", "Tool"),
		textColumn("model", "Model"), textColumn("cutoff", "Cutoff"), countColumn("before", "Fixed before"), countColumn("after", "Fixed after"),
		pColumn("fisher_p", "Fisher\np"))
	for _, c := range a.tools {
		model, cutoff := a.run.Models[c.String()], a.run.Cutoffs[c.String()]
		if cutoff == "" && model != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the cutoff of %s is not stated.", c, model))
			continue
		}
		cutoff = cmp.Or(cutoff, latest)
		before, after := a.splitAt(c, cutoff)
		if before.n+after.n == 0 {
			continue
		}
		p := notApplicable("there is only one group of bugs")
		if before.n > 0 && after.n > 0 {
			p, _ = fisher(before.k, before.n, after.k, after.n, fmt.Sprintf("with %d and %d bugs no outcome", before.n, after.n))
		}
		t.add(words(c.String()), words(cmp.Or(model, "none")), words(cutoff), before.cell(), after.cell(), p)
		if after.n == 0 && model != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: every bug was fixed before %s, so memory and reasoning cannot be told apart.", c, cutoff))
		}
	}
	s.Tables = withRows(t)
}

// A share is k of n bugs.
type share struct{ k, n int }

func (s share) cell() Cell {
	if s.n == 0 {
		return notApplicable("no such bug")
	}
	return count(s.k, s.n)
}

// splitAt counts the bugs that a tool detects in any trial among those fixed by the day of the cutoff, and
// among the later ones.
func (a *analysis) splitAt(t tool, cutoff string) (before, after share) {
	for _, g := range a.groups {
		if g.tool != t {
			continue
		}
		for _, b := range a.bugTrials(g) {
			if b.checked == 0 || b.bug.Date == "" {
				continue
			}
			side := &after
			if b.bug.Date <= cutoff {
				side = &before
			}
			side.n, side.k = side.n+1, side.k+one(b.detected > 0)
		}
	}
	return before, after
}

// invariants tells of tools that put assertions into programs.
func (a *analysis) invariants(s *Section) {
	type invariants = trial.Invariants
	made := a.those(func(g *group) bool { return len(having(g, invariantsOf)) > 0 })
	if len(made) == 0 {
		return
	}
	first := func(i *invariants) int { return i.Repaired[0] }
	repaired := func(i *invariants) (n int) {
		for _, chunks := range i.Repaired[1:] {
			n += chunks
		}
		return n
	}
	sums := a.table("invariants", "Assertions put into seeds (sums over trials)", made,
		trialsFigure,
		figure{numberColumn("seeds", "Valid seeds", 0), sum(invariantsOf, func(i *invariants) int { return i.Seeds })},
		figure{numberColumn("finished", "With assertions", 0), sum(invariantsOf, func(i *invariants) int { return i.Finished })},
		figure{numberColumn("assertions", "Assertions", 0), sum(invariantsOf, func(i *invariants) int { return i.Assertions })},
		figure{numberColumn("mended", "Of them repaired to value", 0), sum(invariantsOf, func(i *invariants) int { return i.Mended })},
		figure{numberColumn("chunks", "Chunks", 0), sum(invariantsOf, func(i *invariants) int { return i.Chunks })},
		figure{numberColumn("first", "Right at once", 0), sum(repairedOf, first)},
		figure{numberColumn("repaired", "After repair", 0), sum(repairedOf, repaired)},
		figure{numberColumn("restored", "Given up", 0), sum(invariantsOf, func(i *invariants) int { return i.Restored })},
		figure{numberColumn("suspicions", "Suspicions", 0), sum(generationOf, func(g *trial.Generation) int {
			return len(g.Suspicions) * one(g.Invariants != nil)
		})},
	)
	parts := groupTable("invariant_parts", "Assertions by kind and source, and what was wrong with answers (sums over trials)",
		textColumn("property", "Property"), textColumn("value", "Value"), numberColumn("count", "Count", 0))
	for _, g := range made {
		add := func(property string, of func(*invariants) []trial.NamedCount) {
			for _, c := range named(g, invariantsOf, of) {
				parts.add(a.groupCells(g, words(property), words(c.Name), whole(c.Count))...)
			}
		}
		add("kind", func(i *invariants) []trial.NamedCount { return i.Kinds })
		add("source", func(i *invariants) []trial.NamedCount { return i.Sources })
		add("failure", func(i *invariants) []trial.NamedCount { return i.Failures })
	}
	s.Tables = []Table{sums, parts}
}

// repairedOf are the invariants of a record with chunks that were accepted.
func repairedOf(r trial.Record) *trial.Invariants {
	if i := invariantsOf(r); i != nil && len(i.Repaired) > 0 {
		return i
	}
	return nil
}

// mostPrograms is how many suspicions, of the first, have their programs in the report.
const mostPrograms = 100

// suspicions lists what a person has to look at, the strongest first.
func (a *analysis) suspicions(s *Section) {
	t := newTable("suspicions", "Suspicions for review, most promising first", numberColumn("rank", "Rank", 0), textColumn("library", "Library"),
		textColumn("tool", "Tool"), numberColumn("trial", "Trial", 0), textColumn("id", "Id"), wideColumn("assertion", "Assertion"),
		wideColumn("values", "Reference returned"), wideColumn("argument", "Argument"), wideColumn("opinion", "Second opinion"),
		numberColumn("shown", "Programs", 0), textColumn("script", "Script"))
	for i, c := range a.run.Against {
		t.Columns = append(t.Columns, textColumn(fmt.Sprintf("against_%d", i+1), fmt.Sprintf("%s on %s", c.Library, c.Version)))
	}
	list, err := results.RankSuspicions(a.run.Cells, func(c trial.Cell, file string) (string, error) {
		text, _ := a.source(c.ID(), file)
		return text, nil
	})
	if err != nil {
		t.Warnings = append(t.Warnings, Clean(err.Error()))
	}
	for _, c := range list {
		id, tool, library := words(c.ID), toolOf(c.Cell).String(), a.label(libraryOf(c.Cell))
		if c.Rank <= mostPrograms {
			d := a.newDetail(fmt.Sprintf("%s: suspicion %d, %s of %s", library, c.Rank, c.ID, tool), c.Cell.ID(), c.Program, c.Line)
			d.Facts = []KeyValue{{"Assertion", Clean(c.Assertion)}, {"Reference returned", Clean(strings.Join(c.Values, ", "))},
				{"Based on", Clean(c.Reason())}, {"The tool says", Clean(c.Argument)}, {"Second opinion", Clean(opinion(c))},
				{"In the suite it was", string(c.Fate)}, {"Place", Clean(c.Place)}}
			id.Detail = d.ID
		}
		row := []Cell{whole(c.Rank), words(library), words(tool), whole(c.Cell.Trial), id, words("assert(" + c.Assertion + ")"),
			words(briefly(strings.Join(c.Values, ", "))), words(c.Reason()), words(opinion(c)), whole(c.Shown),
			words("sh cells/" + c.Cell.ID() + "/" + c.Script)}
		for _, against := range a.run.Against {
			cell := words("–")
			if change, ok := against.Of(c.Cell, c.ID); ok {
				cell = words(string(change.Outcome)).with(Clean(strings.Join(append([]string{change.Detail}, change.Values...), " ")))
			}
			row = append(row, cell)
		}
		t.add(row...)
	}
	s.Tables = withRows(t)
}

// briefly is the beginning of a text for a table; the whole is in the suspicion's detail.
func briefly(text string) string {
	const most = 160 // characters
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

func opinion(c results.RankedSuspicion) string {
	if c.Opinion.Why == "" {
		return string(c.Opinion.Verdict)
	}
	return fmt.Sprintf("%s: %s", c.Opinion.Verdict, c.Opinion.Why)
}
