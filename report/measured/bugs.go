package measured

import (
	"path"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Detected is the part of a record that says which bugs its suite detects.
var Detected = Part{ID: trial.PartDetections, In: func(r record) bool { return len(r.Bugs) > 0 }}

// WithoutBugs reports whether the group's suites were made, and not to be checked for bugs.
func (g *Group) WithoutBugs() bool { return len(g.Records) > 0 && !g.Has(Detected) }

// A BugTrials sums one tool's trials on one bug.
type BugTrials struct {
	Bug      BugInfo
	Detected int                 // trials
	Checked  int                 // trials in which the bug could be checked
	Oracles  []trial.OracleClass // of all detecting tests, in table order
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
		var oracles []trial.OracleClass
		for _, r := range g.Records {
			i := slices.IndexFunc(r.Bugs, func(x trial.BugResult) bool { return x.Bug == bug.ID })
			if i < 0 {
				b.Reason = "not evaluated"
				continue
			}
			found := r.Bugs[i]
			if found.Missing != nil {
				b.Missing, b.Reason = found.Missing, trial.Brief(found.Missing.String())
				continue
			}
			b.Checked++
			for _, t := range found.Nearest {
				b.Nearest = append(b.Nearest, path.Join("cells", r.Cell.ID(), t.File))
			}
			if found.Detected {
				b.Detected++
				oracles = append(oracles, found.Oracles...)
				if len(found.First) > 0 {
					b.First = append(b.First, FirstTest{r.Cell, found.First[0]})
				}
			}
		}
		b.Oracles = lists.Filter(OracleClasses, func(o trial.OracleClass) bool { return slices.Contains(oracles, o) })
		all = append(all, b)
	}
	return all
}
