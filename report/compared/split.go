package compared

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// Memory splits the bugs at the cutoffs of the models, for a model may remember a fix that was public before.
// Tools that ask no model are split at the latest cutoff of the others: a difference that they have too is one
// of the bugs, not of a memory.
func (a *Comparison) Memory() doc.Table {
	latest := ""
	for _, cutoff := range a.Run.Cutoffs {
		latest = max(latest, cutoff)
	}
	t := doc.NewTable("cutoff", "Bugs fixed before and after the model's cutoff, detected in any trial", ToolColumn,
		doc.Text("model", "Model"), doc.Text("cutoff", "Cutoff"), doc.Count("before", "Fixed before"),
		doc.Count("after", "Fixed after"), doc.P("fisher_p", "Fisher\np"))
	if latest == "" {
		return t
	}
	for _, c := range a.Tools {
		model, cutoff := a.Run.Models[c.String()], a.Run.Cutoffs[c.String()]
		if cutoff == "" && model != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the cutoff of %s is not stated.", c, model))
			continue
		}
		cutoff = cmp.Or(cutoff, latest)
		before, after := a.split(c, func(b measured.BugInfo) bool { return b.Date > cutoff })
		if before.n+after.n == 0 {
			continue
		}
		t.Add(doc.Words(c.String()), doc.Words(cmp.Or(model, "none")), doc.Words(cutoff), before.cell(), after.cell(),
			fisher(before, after))
		if after.n == 0 && model != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf(
				"%s: every bug was fixed before %s, so memory and reasoning cannot be told apart.", c, cutoff))
		}
	}
	return t
}

// Fresh shows apart what each tool detects of the bugs that were fixed in the year of the newest fix, and of those that were
// not in the corpus while tools were tuned on it. It is empty for a run without fresh bugs.
func (a *Comparison) Fresh() doc.Table {
	t := doc.NewTable("fresh", "Newer bugs apart, detected in any trial", ToolColumn, doc.Text("bugs", "Bugs"),
		doc.Count("others", "Others"), doc.Range("others_interval", "95% interval %", 1).In("pct"),
		doc.Count("these", "These"), doc.Range("these_interval", "95% interval %", 1).In("pct"), doc.P("fisher_p", "Fisher\np"))
	isFresh := func(b measured.BugInfo) bool { return b.Selection == string(lisabench.FreshlyAdded) }
	if !slices.ContainsFunc(a.Run.Bugs, isFresh) {
		return t
	}
	newest := ""
	for _, b := range a.Run.Bugs {
		newest = max(newest, b.Date)
	}
	year := newest[:min(4, len(newest))] + "-01-01"
	for _, of := range []struct {
		name string
		is   func(measured.BugInfo) bool
	}{
		{"fixed since " + year, func(b measured.BugInfo) bool { return b.Date >= year }},
		{"added when results were published", isFresh},
	} {
		for _, tool := range a.Tools {
			others, these := a.split(tool, of.is)
			t.Add(doc.Words(tool.String()), doc.Words(of.name), others.cell(), others.interval(), these.cell(),
				these.interval(), fisher(others, these))
		}
	}
	return t
}

// A share is k of n bugs.
type share struct{ k, n int }

func (s share) cell() doc.Cell {
	if s.n == 0 {
		return doc.NA("no such bug")
	}
	return doc.Of(s.k, s.n)
}

// fisher is the p of Fisher's test of two groups of bugs.
func fisher(x, y share) doc.Cell {
	if x.n == 0 || y.n == 0 {
		return doc.NA("there is only one group of bugs")
	}
	p, _ := doc.Fisher(x.k, x.n, y.k, y.n)
	return p
}

// split counts the bugs that a tool detects in any trial among those that belong to a group, and among the others.
func (a *Comparison) split(t tool, isOne func(measured.BugInfo) bool) (others, these share) {
	for _, g := range a.Those(func(g *group) bool { return g.Tool == t }) {
		for _, b := range a.BugTrials(g) {
			if b.Checked == 0 || b.Bug.Date == "" {
				continue
			}
			side := &others
			if isOne(b.Bug) {
				side = &these
			}
			side.n, side.k = side.n+1, side.k+measured.One(b.Detected > 0)
		}
	}
	return others, these
}

func (s share) interval() doc.Cell {
	if s.n == 0 {
		return doc.NA("no such bug")
	}
	return doc.ShareInterval(s.k, s.n)
}
