package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// steps says where bugs are lost, on a run that asked for it. It tells which bugs no test reaches, which are reached
// and change nothing that a test gets, and which change something that no test looks at.
func (a *analysis) steps() Section {
	matrix := Table{ID: "steps_by_bug", Title: "How close the tests came to each bug, in any trial", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words}, {Key: "bug", Name: "Bug", Kind: Words},
	}}
	summary := Table{ID: "steps", Title: "Bugs by the step reached, in any trial", Columns: []Column{
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "reached", Name: "Reached", Kind: Count},
		{Key: "propagated", Name: "Propagated", Kind: Count},
		{Key: "revealed", Name: "Revealed", Kind: Count},
		{Key: "lost_by_sequences", Name: "Lost by\nsequences", Kind: Number},
		{Key: "lost_by_oracles", Name: "Lost by\noracles", Kind: Number},
	}}
	var shown []contender
	for _, c := range a.contenders {
		if slices.ContainsFunc(a.subjects, func(s subject) bool { g := a.group(s, c); return g != nil && g.explained() }) {
			shown = append(shown, c)
			matrix.Columns = append(matrix.Columns, Column{Key: c.String(), Name: c.String(), Kind: Words})
		}
	}
	if len(shown) == 0 {
		return Section{}
	}
	counts := make([]stepCounts, len(shown))
	for _, s := range a.subjects {
		for _, bug := range a.bugs[s.library] {
			row, known := []Cell{words(a.label(s)), words(bug.ID)}, false
			for i, c := range shown {
				cell := words("–")
				if g := a.group(s, c); g != nil {
					if step, notes, unseen, ok := g.step(bug.ID); ok {
						counts[i].add(step, unseen)
						cell, known = words(stepNames[step]).with(notes...), true
					}
				}
				row = append(row, cell)
			}
			if known {
				matrix.Rows = append(matrix.Rows, row)
			}
		}
	}
	for i, c := range shown {
		summary.Rows = append(summary.Rows, append([]Cell{words(c.String())}, counts[i].cells()...))
	}
	return Section{ID: "steps", Title: "Where bugs are lost",
		Definitions: []Definition{
			{"Reached", "A test that passes without the bug executes a function that the bug changes.", ""},
			{"Propagated", "Such a test gets another value through the API with the bug than without it (returned, or written through an argument), in every run, or ends differently. Addresses and values that differ between runs do not count.", ""},
			{"Revealed", "A test fails: the bug is detected.", ""},
			{"Lost by sequences, by oracles", "By sequences: no test's calls turn the bug into another value. By oracles: in some test they do, but no assertion fails. Where values are not observed, as in C++, a bug counts in neither, and not as propagated.", "checked − propagated; propagated − revealed"},
		},
		Tables: []Table{summary, matrix}}
}

var stepNames = map[trial.Step]string{
	trial.NotReached: "not reached", trial.Reached: "reached", trial.Propagated: "propagated", trial.Revealed: "revealed",
}

// stepCounts counts bugs by the step to which they came at least. Whether a bug counts where values do is decided
// without a look at how far it came: bugs whose values nothing observes would else count where they are detected only.
type stepCounts struct {
	bugs, reached, revealed int

	observed, propagated, asserted int    // of the bugs whose values are observed; asserted: revealed
	why                            string // why others' values are not, of the first of these
}

// add adds a bug; unseen says why the values that it changes are not observed, "" if they are.
func (c *stepCounts) add(s trial.Step, unseen string) {
	count := func(n *int, least trial.Step) {
		if s >= least {
			*n++
		}
	}
	c.bugs++
	count(&c.reached, trial.Reached)
	count(&c.revealed, trial.Revealed)
	if unseen != "" {
		c.why = cmp.Or(c.why, unseen)
		return
	}
	c.observed++
	count(&c.propagated, trial.Propagated)
	count(&c.asserted, trial.Revealed)
}

func (c *stepCounts) cells() []Cell {
	propagated, sequences, oracles := count(c.propagated, c.observed), whole(c.observed-c.propagated), whole(c.propagated-c.asserted)
	if unseen := c.bugs - c.observed; unseen > 0 {
		note := fmt.Sprintf("without %s, whose values are unknown: %s", trial.Count(unseen, "bug"), c.why)
		propagated, sequences, oracles = propagated.with(note), sequences.with(note), oracles.with(note)
	}
	if c.observed == 0 {
		propagated, sequences, oracles = notApplicable(c.why), notApplicable(c.why), notApplicable(c.why)
	}
	return []Cell{count(c.reached, c.bugs), propagated, count(c.revealed, c.bugs), sequences, oracles}
}

// explained reports whether a trial of the group says how far any bug came.
func (g *group) explained() bool {
	return g.kind() == trial.KindPrograms && slices.ContainsFunc(g.records, func(r trial.Record) bool {
		return slices.ContainsFunc(r.Bugs, hasStep)
	})
}

func hasStep(b trial.BugResult) bool {
	return b.Missing == nil && b.Steps != nil && b.Step() != trial.UnknownStep
}

// step returns the furthest step of a bug in any trial, and what limits what is known of it. The string unseen says why
// a trial could not observe the values that it changes, "" if all did.
func (g *group) step(bug string) (furthest trial.Step, notes []string, unseen string, known bool) {
	for _, r := range g.records {
		for _, b := range r.Bugs {
			if b.Bug != bug || !hasStep(b) {
				continue
			}
			known, unseen = true, cmp.Or(unseen, b.Steps.Why)
			step := b.Step()
			if step < furthest {
				continue
			}
			furthest, notes = step, nil
			switch {
			case step == trial.Reached && b.Steps.Why != "":
				notes = append(notes, "whether it propagated is unknown: "+b.Steps.Why)
			case step == trial.Reached && b.Steps.Unobserved > 0:
				notes = append(notes, fmt.Sprintf("the values of %s that reach it cannot be observed", trial.Count(b.Steps.Unobserved, "test")))
			}
			switch {
			case step == trial.Revealed:
			case b.Steps.Anywhere != "":
				notes = append(notes, "every test counts as reaching it: "+b.Steps.Anywhere)
			}
		}
	}
	return furthest, notes, unseen, known
}
