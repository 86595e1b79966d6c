package measured

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A BugTrials sums one tool's trials on one bug.
type BugTrials struct {
	Bug      BugInfo
	Detected int                 // trials
	Checked  int                 // trials in which the bug could be checked
	Oracles  []trial.OracleClass // of all detecting tests, in the order of OracleClasses
	Reason   string              // why a trial could not check it, "" if all could
	Missing  *trial.Reason       // the same, where its record says so
	First    []FirstTest
	Nearest  []string // files of the tests that came nearest, from trials that did not detect it
}

// A FirstTest is the first detecting test of one trial.
type FirstTest struct {
	Cell trial.Cell
	Test trial.TestReference
}

// BugTrials returns one for each bug of the group's library, in the corpus's order.
func (a *Sorted) BugTrials(g *Group) []BugTrials {
	var all []BugTrials
	for _, bug := range a.Bugs[g.Library.Name] {
		b := BugTrials{Bug: bug}
		for _, r := range g.Records {
			i := slices.IndexFunc(r.Bugs, func(x trial.BugResult) bool { return x.Bug == bug.ID })
			switch {
			case i < 0:
				b.Reason = "not evaluated"
			case r.Bugs[i].Missing != nil:
				b.Missing = r.Bugs[i].Missing
				b.Reason = trial.Brief(b.Missing.String())
			default:
				b.add(r.Cell, r.Bugs[i])
			}
		}
		b.Oracles = filter(OracleClasses, func(o trial.OracleClass) bool { return slices.Contains(b.Oracles, o) })
		all = append(all, b)
	}
	return all
}

// add adds a trial that could check the bug.
func (b *BugTrials) add(cell trial.Cell, r trial.BugResult) {
	b.Checked++
	for _, t := range r.Nearest {
		b.Nearest = append(b.Nearest, path.Join("cells", cell.ID(), t.File))
	}
	if !r.Detected {
		return
	}
	b.Detected++
	b.Oracles = append(b.Oracles, r.Oracles...)
	if len(r.First) > 0 {
		b.First = append(b.First, FirstTest{cell, r.First[0]})
	}
}

// WithoutBugs reports whether the group's suites were made, and not to be checked for bugs.
func (g *Group) WithoutBugs() bool {
	return len(g.Records) > 0 && !g.Has(detections)
}

// Unchecked is why a bug could not be checked in any trial of the group.
func (g *Group) Unchecked(b BugTrials) doc.Cell {
	switch {
	case len(g.Records) == 0:
		return g.Reason()
	case g.WithoutBugs():
		return doc.NA("this tool's suites were not checked for bugs")
	case b.Missing != nil:
		return MissingCell(*b.Missing)
	}
	return doc.Without(doc.Incomplete, "not_checked: "+b.Reason)
}

// A BugStep is the furthest step of a bug in any trial.
type BugStep struct {
	Step   trial.Step
	Notes  []string // what limits what is known of it
	Unseen string   // why a trial could not observe the values that it changes, "" if all did
}

// Step returns how far a bug came; ok is false if no trial of programs says so.
func (g *Group) Step(bug string) (far BugStep, ok bool) {
	if g == nil || g.Kind() != trial.KindPrograms {
		return far, false
	}
	for _, r := range g.Records {
		for _, b := range r.Bugs {
			if b.Bug != bug || b.Missing != nil || b.Steps == nil || b.Step() == trial.UnknownStep {
				continue
			}
			ok, far.Unseen = true, cmp.Or(far.Unseen, b.Steps.Why)
			if b.Step() >= far.Step {
				far.Step, far.Notes = b.Step(), stepNotes(b)
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
		notes = append(notes, fmt.Sprintf("the values of %s that reach it cannot be observed",
			trial.Count(b.Steps.Unobserved, "test")))
	}
	if b.Step() != trial.Revealed && b.Steps.Anywhere != "" {
		notes = append(notes, "every test counts as reaching it: "+b.Steps.Anywhere)
	}
	return notes
}
