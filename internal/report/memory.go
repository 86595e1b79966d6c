package report

import (
	"cmp"
	"fmt"

	"github.com/lisa-bench/lisa-bench/stats"
)

// memory splits the bugs at the cutoffs of the models, for a model may remember a fix that was public before.
// Tools that ask no model are split at the latest cutoff of the others: a difference that they have too is one
// of the bugs, not of a memory.
func (a *analysis) memory() Section {
	latest := ""
	for _, cutoff := range a.run.Cutoffs {
		latest = max(latest, cutoff)
	}
	if latest == "" || len(a.run.Bugs) == 0 {
		return Section{}
	}
	t := Table{ID: "cutoff", Title: "Bugs fixed before and after the model's cutoff, detected in any trial", Columns: []Column{
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "model", Name: "Model", Kind: Words},
		{Key: "cutoff", Name: "Cutoff", Kind: Words},
		{Key: "before", Name: "Fixed before", Kind: Count},
		{Key: "after", Name: "Fixed after", Kind: Count},
		{Key: "fisher_p", Name: "Fisher\np", Kind: PValue},
	}}
	for _, c := range a.contenders {
		cutoff := a.run.Cutoffs[c.String()]
		switch {
		case cutoff == "" && a.run.Models[c.String()] != "":
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the cutoff of %s is not stated.", c, a.run.Models[c.String()]))
			continue
		case cutoff == "":
			cutoff = latest
		}
		before, after := a.splitAt(c, cutoff)
		if before.n+after.n == 0 {
			continue
		}
		t.Rows = append(t.Rows, append([]Cell{words(c.String()), words(cmp.Or(a.run.Models[c.String()], "none")), words(cutoff)}, splitCells(before, after)...))
		if after.n == 0 && a.run.Models[c.String()] != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: every bug was fixed before %s, so memory and reasoning cannot be told apart.", c, cutoff))
		}
	}
	return Section{ID: "memory", Title: "What a model may remember",
		Definitions: []Definition{
			{"Cutoff", "The last day of a model's training data, as stated in the experiment (llm.cutoff). The model may have learned a fix that was public by then. A tool without a model is split at the latest cutoff of the others: it remembers nothing, so its difference is one between the bugs.", ""},
			{"Fisher's exact test", "Two-sided p for the two groups of bugs, which are independent here.", ""},
		},
		Tables: withRows(t)}
}

// A share is k of n bugs.
type share struct{ k, n int }

// splitAt counts the bugs that a contender detects in any trial among those fixed by the day of the cutoff, and
// among the later ones.
func (a *analysis) splitAt(c contender, cutoff string) (before, after share) {
	for _, s := range a.subjects {
		g := a.group(s, c)
		if g == nil || g.withoutBugs() {
			continue
		}
		for _, v := range a.verdicts(g) {
			if v.checked == 0 || v.bug.Date == "" {
				continue
			}
			side := &after
			if v.bug.Date <= cutoff {
				side = &before
			}
			side.n++
			if v.detected > 0 {
				side.k++
			}
		}
	}
	return before, after
}

// splitCells are the columns of the two groups of bugs.
func splitCells(before, after share) []Cell {
	if before.n == 0 || after.n == 0 {
		one := func(s share) Cell {
			if s.n == 0 {
				return notApplicable("no such bug")
			}
			return count(s.k, s.n)
		}
		return []Cell{one(before), one(after), notApplicable("there is only one group of bugs")}
	}
	r := sure(stats.FisherExact(before.k, before.n, after.k, after.n))
	return []Cell{count(before.k, before.n), count(after.k, after.n),
		pValue(r.P, r.MinP, fmt.Sprintf("with %d and %d bugs no outcome", before.n, after.n))}
}
