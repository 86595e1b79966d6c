package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// classesThat are the oracle classes that have columns in a table of what tests found: all but judgement and the
// unknown one where these found nothing, for most tools do not have them.
func (a *analysis) classesThat(found func(record, trial.OracleClass) bool) []trial.OracleClass {
	return lists.Filter(measured.OracleClasses, func(o trial.OracleClass) bool {
		return o != trial.OracleJudgement && o != "" ||
			slices.ContainsFunc(a.Run.Cells, func(r record) bool { return found(r, o) })
	})
}

// className names an oracle class in a table.
func className(o trial.OracleClass) string {
	if o == "" {
		return "unknown"
	}
	return string(o)
}

// A bugTrials sums one tool's trials on one bug.
type bugTrials struct {
	bug      measured.BugInfo
	detected int                 // trials
	checked  int                 // trials in which the bug could be checked
	oracles  []trial.OracleClass // of all detecting tests, in table order
	reason   string              // why a trial could not check it, "" if all could
	missing  *trial.Reason       // the same, where its record says so
	first    []firstTest
	nearest  []string // files of the tests that came nearest, from trials that did not detect it
}

// A firstTest is the first detecting test of one trial.
type firstTest struct {
	cell trial.Cell
	test trial.TestReference
}

// bugTrials returns one for each bug of the group's library, in the corpus's order.
func (a *analysis) bugTrials(g *group) []bugTrials {
	var all []bugTrials
	for _, bug := range a.Bugs[g.Library.Name] {
		b := bugTrials{bug: bug}
		for _, r := range g.Records {
			i := slices.IndexFunc(r.Bugs, func(x trial.BugResult) bool { return x.Bug == bug.ID })
			switch {
			case i < 0:
				b.reason = "not evaluated"
			case r.Bugs[i].Missing != nil:
				b.missing = r.Bugs[i].Missing
				b.reason = trial.Brief(b.missing.String())
			default:
				b.add(r.Cell, r.Bugs[i])
			}
		}
		b.oracles = lists.Filter(measured.OracleClasses, func(o trial.OracleClass) bool { return slices.Contains(b.oracles, o) })
		all = append(all, b)
	}
	return all
}

// add adds a trial that could check the bug.
func (b *bugTrials) add(cell trial.Cell, r trial.BugResult) {
	b.checked++
	for _, t := range r.Nearest {
		b.nearest = append(b.nearest, path.Join("cells", cell.ID(), t.File))
	}
	if !r.Detected {
		return
	}
	b.detected++
	b.oracles = append(b.oracles, r.Oracles...)
	if len(r.First) > 0 {
		b.first = append(b.first, firstTest{cell, r.First[0]})
	}
}

// trials is in how many trials the bug was detected, and by which oracles.
func (b bugTrials) trials() doc.Cell {
	var names []string
	for _, o := range b.oracles {
		names = append(names, className(o))
	}
	c := doc.Of(b.detected, b.checked)
	c.Text = strings.Join(names, ", ")
	return c
}

// detectedBugs is the number of bugs that at least one trial detected.
func (a *analysis) detectedBugs(g *group) doc.Cell {
	return a.bugCount(g, func(bugTrials) bool { return true })
}

// bugCount counts the bugs that at least one trial detected in some way, of those that at least one could check.
func (a *analysis) bugCount(g *group, with func(bugTrials) bool) doc.Cell {
	all := a.bugTrials(g)
	if len(all) == 0 {
		return doc.NA("the run includes no bugs of this library")
	}
	checked := lists.Filter(all, func(b bugTrials) bool { return b.checked > 0 })
	if len(checked) == 0 {
		return bugReason(g, all[0])
	}
	detected := lists.Filter(checked, func(b bugTrials) bool { return b.detected > 0 && with(b) })
	c := doc.Of(len(detected), len(checked))
	if n := len(all) - len(checked); n > 0 {
		c = c.With(fmt.Sprintf("%d of %d bugs could not be checked and are left out", n, len(all)))
	}
	return c
}

// bugReason is why a bug could not be checked in any trial.
func bugReason(g *group, b bugTrials) doc.Cell {
	switch {
	case len(g.Records) == 0:
		return g.Reason()
	case withoutBugs(g):
		return doc.NA("this tool's suites were not checked for bugs")
	case b.missing != nil:
		return measured.MissingCell(*b.missing)
	}
	return doc.Without(doc.Incomplete, "not_checked: "+b.reason)
}

// withoutBugs reports whether the group's suites were made, and not to be checked for bugs.
func withoutBugs(g *group) bool { return len(g.Records) > 0 && !g.Has(detected) }

// onBugs is a figure of the groups whose suites were checked for bugs, from how many of them were detected.
func (a *analysis) onBugs(of func(g *group, bugs doc.Cell) doc.Cell) func(*group) doc.Cell {
	return func(g *group) doc.Cell {
		c := a.detectedBugs(g)
		if c.Missing != "" {
			return c
		}
		return of(g, c)
	}
}

// hbdr is the share of bugs that one trial detected, of those it could check.
var hbdr = metric{Key: "hbdr", Name: "Bugs detected, %", Part: detected, Of: func(r record) (float64, bool) {
	detected, checked := 0, 0
	for _, b := range r.Bugs {
		checked, detected = checked+one(b.Missing == nil), detected+one(b.Detected)
	}
	return 100 * float64(detected) / float64(max(checked, 1)), checked > 0
}}

// detectedIn counts the bugs that a trial detects, if it could check them all.
func detectedIn(r record) (float64, bool) {
	n := 0
	for _, b := range r.Bugs {
		if b.Missing != nil {
			return 0, false
		}
		n += one(b.Detected)
	}
	return float64(n), true
}

// bugDetection reports how many bugs each tool finds, by which kind of oracle.
func (a *analysis) bugDetection(s *doc.Section) {
	if len(a.Run.Bugs) == 0 {
		return
	}
	alarms := success
	alarms.Corpus = "inputs that fail on the reference build are never counted as detections"
	s.Tables = []doc.Table{
		a.table("bugs", "Historical bugs detected", a.Groups, []column{
			trials,
			{doc.Percent("hbdr", "HBDR %", 1).WithInterval(),
				a.onBugs(func(g *group, _ doc.Cell) doc.Cell { return hbdr.Cell(g) })},
			{doc.Count("detected", "In any trial"), a.detectedBugs},
			{doc.Range("interval", "95% interval %", 1).In("pct"), a.onBugs(func(_ *group, c doc.Cell) doc.Cell {
				return doc.ShareInterval(int(c.Values[0]), int(c.Values[1]))
			})},
			{doc.Estimate("false_alarms", "False alarms", 1),
				alarms.Plain(func(r record) float64 { return float64(r.Programs.FalseAlarms) }).Cell},
		}),
		a.oracleSplit(),
	}
	s.Put(a.fresh())
	s.Put(a.testTable("false_alarms", "First false alarms of each cell", "False alarm",
		func(r record) []trial.TestReference { return r.Alarms }))
	s.Draw(a.rows(doc.Chart{ID: "bugs-detected", Title: "Bugs detected", XLabel: "Bugs detected, %",
		Caption: "Of those that could be checked. Mean over trials; a bar runs from the lowest to the highest trial."}, "detections", hbdr))
}

// oracleSplit counts the bugs detected in any trial by the class of the oracle.
func (a *analysis) oracleSplit() doc.Table {
	var columns []column
	detects := func(r record, o trial.OracleClass) bool {
		return slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool { return slices.Contains(b.Oracles, o) })
	}
	for _, o := range a.classesThat(detects) {
		columns = append(columns, column{doc.Number(className(o), "by "+className(o), 0), func(g *group) doc.Cell {
			c := a.bugCount(g, func(b bugTrials) bool { return slices.Contains(b.oracles, o) })
			if c.Missing == "" {
				c.Values = c.Values[:1]
			}
			return c
		}})
	}
	t := a.table("oracles", "Bugs detected in any trial, by oracle class", a.Groups, columns)
	t.Spread = "oracle"
	t.Warnings = []string{"A bug detected by tests of several classes counts under each, " +
		"so a row may add up to more than the bugs detected."}
	return t
}
