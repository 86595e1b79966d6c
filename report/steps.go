package report

import (
	"cmp"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

var stepNames = map[trial.Step]string{
	trial.NotReached: "not reached", trial.Reached: "reached", trial.Propagated: "propagated", trial.Revealed: "revealed",
}

// steps says where bugs are lost, on a run that asked for it. It tells which bugs no test reaches, which are reached
// and change nothing that a test gets, and which change something that no test looks at.
func (a *analysis) steps(s *doc.Section) {
	all := a.stepCounts()
	byBug := doc.NewTable("steps_by_bug", "How close the tests came to each bug, in any trial", libraryColumn,
		doc.Text("bug", "Bug"))
	for _, c := range all {
		byBug.Columns = append(byBug.Columns, doc.Text(c.tool.String(), c.tool.String()))
	}
	for _, l := range a.Libraries {
		for _, bug := range a.Bugs[l.Name] {
			row, known := []doc.Cell{doc.Words(a.Label(l)), doc.Words(bug.ID)}, false
			for _, c := range all {
				cell := doc.Words("–")
				if b, ok := stepOf(a.Group(l, c.tool), bug.ID); ok {
					cell, known = doc.Words(stepNames[b.step]).With(b.notes...), true
				}
				row = append(row, cell)
			}
			if known {
				byBug.Add(row...)
			}
		}
	}
	s.Put(tableOf("steps", "Bugs by the step reached, in any trial", all, []figure[stepCounts]{
		{toolColumn, func(c stepCounts) doc.Cell { return doc.Words(c.tool.String()) }},
		{doc.Count("reached", "Reached"), func(c stepCounts) doc.Cell { return doc.Of(c.reached, c.bugs) }},
		{doc.Count("propagated", "Propagated"), func(c stepCounts) doc.Cell {
			return c.byValues(doc.Of(c.propagated,
				c.observed))
		}},
		{doc.Count("revealed", "Revealed"), func(c stepCounts) doc.Cell { return doc.Of(c.revealed, c.bugs) }},
		{doc.Number("lost_by_sequences", "Lost by\nsequences", 0),
			func(c stepCounts) doc.Cell { return c.byValues(doc.Int(c.observed - c.propagated)) }},
		{doc.Number("lost_by_oracles", "Lost by\noracles", 0),
			func(c stepCounts) doc.Cell { return c.byValues(doc.Int(c.propagated - c.asserted)) }},
	}), byBug)
}

// A bugStep is the furthest step of a bug in any trial.
type bugStep struct {
	step   trial.Step
	notes  []string // what limits what is known of it
	unseen string   // why a trial could not observe the values that it changes, "" if all did
}

// stepOf returns how far a bug came; ok is false if no trial of programs says so.
func stepOf(g *group, bug string) (far bugStep, ok bool) {
	if g == nil || g.Kind() != trial.KindPrograms {
		return far, false
	}
	for _, r := range g.Records {
		for _, b := range r.Bugs {
			if b.Bug != bug || b.Missing != nil || b.Steps == nil || b.Step() == trial.UnknownStep {
				continue
			}
			ok, far.unseen = true, cmp.Or(far.unseen, b.Steps.Why)
			if b.Step() < far.step {
				continue
			}
			far.step, far.notes = b.Step(), nil
			switch {
			case b.Step() == trial.Reached && b.Steps.Why != "":
				far.notes = append(far.notes, "whether it propagated is unknown: "+b.Steps.Why)
			case b.Step() == trial.Reached && b.Steps.Unobserved > 0:
				far.notes = append(far.notes, fmt.Sprintf("the values of %s that reach it cannot be observed",
					trial.Count(b.Steps.Unobserved, "test")))
			}
			if b.Step() != trial.Revealed && b.Steps.Anywhere != "" {
				far.notes = append(far.notes, "every test counts as reaching it: "+b.Steps.Anywhere)
			}
		}
	}
	return far, ok
}

// stepCounts counts a tool's bugs by the step to which they came at least. Whether a bug counts where values do is
// decided without a look at how far it came: bugs whose values nothing observes would else count where they are
// detected only.
type stepCounts struct {
	tool                    tool
	bugs, reached, revealed int

	observed, propagated, asserted int    // of the bugs whose values are observed; asserted: revealed
	why                            string // why others' values are not, of the first of these
}

// stepCounts returns the counts of the tools of which some step is known.
func (a *analysis) stepCounts() (all []stepCounts) {
	for _, t := range a.Tools {
		c := stepCounts{tool: t}
		for _, l := range a.Libraries {
			for _, bug := range a.Bugs[l.Name] {
				b, ok := stepOf(a.Group(l, t), bug.ID)
				if !ok {
					continue
				}
				c.bugs++
				c.reached += measured.One(b.step >= trial.Reached)
				c.revealed += measured.One(b.step >= trial.Revealed)
				if b.unseen != "" {
					c.why = cmp.Or(c.why, b.unseen)
					continue
				}
				c.observed++
				c.propagated += measured.One(b.step >= trial.Propagated)
				c.asserted += measured.One(b.step >= trial.Revealed)
			}
		}
		if c.bugs > 0 {
			all = append(all, c)
		}
	}
	return all
}

// byValues is a figure of the bugs whose values are observed.
func (c stepCounts) byValues(cell doc.Cell) doc.Cell {
	switch unseen := c.bugs - c.observed; {
	case c.observed == 0:
		return doc.NA(c.why)
	case unseen > 0:
		return cell.With(fmt.Sprintf("without %s, whose values are unknown: %s", trial.Count(unseen, "bug"), c.why))
	}
	return cell
}
