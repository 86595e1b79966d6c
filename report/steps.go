package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var stepNames = map[trial.Step]string{
	trial.NotReached: "not reached", trial.Reached: "reached", trial.Propagated: "propagated", trial.Revealed: "revealed",
}

// steps says where bugs are lost, on a run that asked for it. It tells which bugs no test reaches, which are reached
// and change nothing that a test gets, and which change something that no test looks at.
func (a *analysis) steps(s *Section) {
	summary := newTable("steps", "Bugs by the step reached, in any trial", textColumn("tool", "Tool"), countColumn("reached", "Reached"),
		countColumn("propagated", "Propagated"), countColumn("revealed", "Revealed"),
		numberColumn("lost_by_sequences", "Lost by\nsequences", 0), numberColumn("lost_by_oracles", "Lost by\noracles", 0))
	matrix := newTable("steps_by_bug", "How close the tests came to each bug, in any trial", textColumn("library", "Library"), textColumn("bug", "Bug"))
	var known []string // rows of which some tool knows the step, by library and bug
	for _, l := range a.libraries {
		for _, bug := range a.bugs[l.name] {
			matrix.add(words(a.label(l)), words(bug.ID))
		}
	}
	for _, t := range a.tools {
		var counts stepCounts
		var column []Cell
		for _, l := range a.libraries {
			g := a.group(l, t)
			for _, bug := range a.bugs[l.name] {
				cell := words("–")
				if b, ok := g.step(bug.ID); ok {
					counts.add(b)
					cell = words(stepNames[b.step]).with(b.notes...)
					known = append(known, a.label(l)+bug.ID)
				}
				column = append(column, cell)
			}
		}
		if counts.bugs == 0 {
			continue
		}
		summary.add(append([]Cell{words(t.String())}, counts.cells()...)...)
		matrix.Columns = append(matrix.Columns, textColumn(t.String(), t.String()))
		for i, c := range column {
			matrix.Rows[i] = append(matrix.Rows[i], c)
		}
	}
	if len(summary.Rows) == 0 {
		return
	}
	matrix.Rows = slices.DeleteFunc(matrix.Rows, func(row []Cell) bool { return !slices.Contains(known, row[0].Text+row[1].Text) })
	s.Tables = []Table{summary, matrix}
}

// A bugStep is the furthest step of a bug in any trial.
type bugStep struct {
	step   trial.Step
	notes  []string // what limits what is known of it
	unseen string   // why a trial could not observe the values that it changes, "" if all did
}

// hasStep reports whether a result says how far the bug came.
func hasStep(b trial.BugResult) bool {
	return b.Missing == nil && b.Steps != nil && b.Step() != trial.UnknownStep
}

// step returns how far a bug came; ok is false if no trial of programs says so.
func (g *group) step(bug string) (far bugStep, ok bool) {
	if g == nil || g.kind() != trial.KindPrograms {
		return far, false
	}
	for _, r := range g.records {
		for _, b := range r.Bugs {
			if b.Bug != bug || !hasStep(b) {
				continue
			}
			ok, far.unseen = true, cmp.Or(far.unseen, b.Steps.Why)
			if b.Step() >= far.step {
				far.step, far.notes = b.Step(), stepNotes(b)
			}
		}
	}
	return far, ok
}

// stepNotes say what limits what is known of a bug's step in one trial.
func stepNotes(b trial.BugResult) (notes []string) {
	switch {
	case b.Step() == trial.Reached && b.Steps.Why != "":
		notes = append(notes, "whether it propagated is unknown: "+b.Steps.Why)
	case b.Step() == trial.Reached && b.Steps.Unobserved > 0:
		notes = append(notes, fmt.Sprintf("the values of %s that reach it cannot be observed", trial.Count(b.Steps.Unobserved, "test")))
	}
	switch {
	case b.Step() == trial.Revealed:
	case b.Steps.Anywhere != "":
		notes = append(notes, "every test counts as reaching it: "+b.Steps.Anywhere)
	}
	return notes
}

// stepCounts counts bugs by the step to which they came at least. Whether a bug counts where values do is decided
// without a look at how far it came: bugs whose values nothing observes would else count where they are detected only.
type stepCounts struct {
	bugs, reached, revealed int

	observed, propagated, asserted int    // of the bugs whose values are observed; asserted: revealed
	why                            string // why others' values are not, of the first of these
}

func (c *stepCounts) add(b bugStep) {
	c.bugs++
	c.reached += one(b.step >= trial.Reached)
	c.revealed += one(b.step >= trial.Revealed)
	if b.unseen != "" {
		c.why = cmp.Or(c.why, b.unseen)
		return
	}
	c.observed++
	c.propagated += one(b.step >= trial.Propagated)
	c.asserted += one(b.step >= trial.Revealed)
}

func (c *stepCounts) cells() []Cell {
	byValues := []Cell{count(c.propagated, c.observed), whole(c.observed - c.propagated), whole(c.propagated - c.asserted)}
	for i := range byValues {
		switch unseen := c.bugs - c.observed; {
		case c.observed == 0:
			byValues[i] = notApplicable(c.why)
		case unseen > 0:
			byValues[i] = byValues[i].with(fmt.Sprintf("without %s, whose values are unknown: %s", trial.Count(unseen, "bug"), c.why))
		}
	}
	return []Cell{count(c.reached, c.bugs), byValues[0], count(c.revealed, c.bugs), byValues[1], byValues[2]}
}
