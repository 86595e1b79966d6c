package report

import (
	"fmt"
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

// trialsOf is in how many trials a bug was detected, and by which oracles.
func trialsOf(b measured.BugTrials) doc.Cell {
	var names []string
	for _, o := range b.Oracles {
		names = append(names, className(o))
	}
	c := doc.Of(b.Detected, b.Checked)
	c.Text = strings.Join(names, ", ")
	return c
}

// detectedBugs is the number of bugs that at least one trial detected.
func (a *analysis) detectedBugs(g *group) doc.Cell {
	return a.bugCount(g, func(measured.BugTrials) bool { return true })
}

// bugCount counts the bugs that at least one trial detected in some way, of those that at least one could check.
func (a *analysis) bugCount(g *group, with func(measured.BugTrials) bool) doc.Cell {
	all := a.BugTrials(g)
	if len(all) == 0 {
		return doc.NA("the run includes no bugs of this library")
	}
	checked := lists.Filter(all, func(b measured.BugTrials) bool { return b.Checked > 0 })
	if len(checked) == 0 {
		return bugReason(g, all[0])
	}
	detected := lists.Filter(checked, func(b measured.BugTrials) bool { return b.Detected > 0 && with(b) })
	c := doc.Of(len(detected), len(checked))
	if n := len(all) - len(checked); n > 0 {
		c = c.With(fmt.Sprintf("%d of %d bugs could not be checked and are left out", n, len(all)))
	}
	return c
}

// bugReason is why a bug could not be checked in any trial.
func bugReason(g *group, b measured.BugTrials) doc.Cell {
	switch {
	case len(g.Records) == 0:
		return g.Reason()
	case g.WithoutBugs():
		return doc.NA("this tool's suites were not checked for bugs")
	case b.Missing != nil:
		return measured.MissingCell(*b.Missing)
	}
	return doc.Without(doc.Incomplete, "not_checked: "+b.Reason)
}

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
var hbdr = metric{Key: "hbdr", Name: "Bugs detected, %", Part: measured.Detected, Of: func(r record) (float64, bool) {
	detected, checked := 0, 0
	for _, b := range r.Bugs {
		checked, detected = checked+measured.One(b.Missing == nil), detected+measured.One(b.Detected)
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
		n += measured.One(b.Detected)
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
	s.Put(a.Fresh())
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
			c := a.bugCount(g, func(b measured.BugTrials) bool { return slices.Contains(b.Oracles, o) })
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
