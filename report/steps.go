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
	s.Put(tableOf("steps", "Bugs by the step reached, in any trial", all, []figure[stepCounts]{
		{toolColumn, func(c stepCounts) doc.Cell { return doc.Words(c.tool.String()) }},
		{doc.Count("reached", "Reached"), func(c stepCounts) doc.Cell { return doc.Of(c.reached, c.bugs) }},
		{doc.Count("propagated", "Propagated"),
			func(c stepCounts) doc.Cell { return c.byValues(doc.Of(c.propagated, c.observed)) }},
		{doc.Count("revealed", "Revealed"), func(c stepCounts) doc.Cell { return doc.Of(c.revealed, c.bugs) }},
		{doc.Number("lost_by_sequences", "Lost by\nsequences", 0),
			func(c stepCounts) doc.Cell { return c.byValues(doc.Int(c.observed - c.propagated)) }},
		{doc.Number("lost_by_oracles", "Lost by\noracles", 0),
			func(c stepCounts) doc.Cell { return c.byValues(doc.Int(c.propagated - c.asserted)) }},
	}), a.stepMatrix(all))
}

// stepCounts returns the counts of the tools of which some step is known.
func (a *analysis) stepCounts() (all []stepCounts) {
	for _, t := range a.Tools {
		counts := stepCounts{tool: t}
		for _, l := range a.Libraries {
			for _, bug := range a.Bugs[l.Name] {
				if b, ok := a.Group(l, t).Step(bug.ID); ok {
					counts.add(b)
				}
			}
		}
		if counts.bugs > 0 {
			all = append(all, counts)
		}
	}
	return all
}

// stepMatrix has the bugs of which some tool knows the step.
func (a *analysis) stepMatrix(of []stepCounts) doc.Table {
	t := doc.NewTable("steps_by_bug", "How close the tests came to each bug, in any trial", libraryColumn,
		doc.Text("bug", "Bug"))
	for _, c := range of {
		t.Columns = append(t.Columns, doc.Text(c.tool.String(), c.tool.String()))
	}
	for _, l := range a.Libraries {
		for _, bug := range a.Bugs[l.Name] {
			row, known := []doc.Cell{doc.Words(a.Label(l)), doc.Words(bug.ID)}, false
			for _, c := range of {
				cell := doc.Words("–")
				if b, ok := a.Group(l, c.tool).Step(bug.ID); ok {
					cell, known = doc.Words(stepNames[b.Step]).With(b.Notes...), true
				}
				row = append(row, cell)
			}
			if known {
				t.Add(row...)
			}
		}
	}
	return t
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

func (c *stepCounts) add(b measured.BugStep) {
	c.bugs++
	c.reached += one(b.Step >= trial.Reached)
	c.revealed += one(b.Step >= trial.Revealed)
	if b.Unseen != "" {
		c.why = cmp.Or(c.why, b.Unseen)
		return
	}
	c.observed++
	c.propagated += one(b.Step >= trial.Propagated)
	c.asserted += one(b.Step >= trial.Revealed)
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
