package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// oracleClasses in the order in which tables print them. The last is of tests of which no class is known: a tool need
// not state one.
var oracleClasses = []trial.OracleClass{trial.OracleSpecification, trial.OracleJudgement, trial.OracleRepaired,
	trial.OracleReference, trial.OracleCrash, trial.OracleHang, ""}

// classesThat are the oracle classes that have columns in a table of what tests found: all but judgement and the
// unknown one where these found nothing, for most tools do not have them.
func (a *analysis) classesThat(found func(trial.Record, trial.OracleClass) bool) []trial.OracleClass {
	return slices.DeleteFunc(slices.Clone(oracleClasses), func(o trial.OracleClass) bool {
		return (o == trial.OracleJudgement || o == "") && !slices.ContainsFunc(a.run.Cells, func(r trial.Record) bool { return found(r, o) })
	})
}

// className names an oracle class in a table.
func className(o trial.OracleClass) string {
	if o == "" {
		return "unknown"
	}
	return string(o)
}

// classes lists the names of oracle classes.
func classes(list []trial.OracleClass, separator string) string {
	names := make([]string, len(list))
	for i, o := range list {
		names[i] = className(o)
	}
	return strings.Join(names, separator)
}

// A bugTrials sums one tool's trials on one bug.
type bugTrials struct {
	bug      BugInfo
	detected int                 // trials
	checked  int                 // trials in which the bug could be checked
	oracles  []trial.OracleClass // of all detecting tests, in table order
	reason   string              // why a trial could not check it, "" if all could
	missing  *trial.Reason       // the same, where its record says so
	first    []firstTest
}

// A firstTest is the first detecting test of one trial.
type firstTest struct {
	cell trial.Cell
	test trial.TestReference
}

// bugTrials returns one for each bug of the group's library, in the corpus's order.
func (a *analysis) bugTrials(g *group) []bugTrials {
	var all []bugTrials
	for _, bug := range a.bugs[g.library.name] {
		b := bugTrials{bug: bug}
		for _, r := range g.records {
			i := slices.IndexFunc(r.Bugs, func(x trial.BugResult) bool { return x.Bug == bug.ID })
			switch {
			case i < 0:
				b.reason = "not evaluated"
			case r.Bugs[i].Missing != nil:
				b.missing = r.Bugs[i].Missing
				b.reason = firstLine(b.missing.String())
			default:
				b.add(r.Cell, r.Bugs[i])
			}
		}
		slices.SortFunc(b.oracles, func(x, y trial.OracleClass) int {
			return slices.Index(oracleClasses, x) - slices.Index(oracleClasses, y)
		})
		b.oracles = slices.Compact(b.oracles)
		all = append(all, b)
	}
	return all
}

// add adds a trial that could check the bug.
func (b *bugTrials) add(cell trial.Cell, r trial.BugResult) {
	b.checked++
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
func (b bugTrials) trials() Cell {
	c := count(b.detected, b.checked)
	c.Text = classes(b.oracles, ", ")
	return c
}

// detectedBugs is the number of bugs that at least one trial detected.
func (a *analysis) detectedBugs(g *group) Cell {
	return a.bugCount(g, func(bugTrials) bool { return true })
}

// bugCount counts the bugs that at least one trial detected in some way, of those that at least one could check.
func (a *analysis) bugCount(g *group, with func(bugTrials) bool) Cell {
	all := a.bugTrials(g)
	if len(all) == 0 {
		return notApplicable("the run includes no bugs of this library")
	}
	detected, checked := 0, 0
	for _, b := range all {
		checked += one(b.checked > 0)
		detected += one(b.detected > 0 && with(b))
	}
	if checked == 0 {
		return g.bugReason(all[0])
	}
	c := count(detected, checked)
	if checked < len(all) {
		c = c.with(fmt.Sprintf("%d of %d bugs could not be checked and are left out", len(all)-checked, len(all)))
	}
	return c
}

// bugReason is why a bug could not be checked in any trial.
func (g *group) bugReason(b bugTrials) Cell {
	switch {
	case len(g.records) == 0:
		return g.reason()
	case g.withoutBugs():
		return notApplicable("this tool's suites were not checked for bugs")
	case b.missing != nil:
		return lacking(*b.missing)
	}
	return incomplete("not_checked", b.reason)
}

// withoutBugs reports whether the group's suites were made, and not to be checked for bugs.
func (g *group) withoutBugs() bool {
	return len(g.records) > 0 && !slices.ContainsFunc(g.records, func(r trial.Record) bool { return len(r.Bugs) > 0 })
}

// bugDetection reports how many bugs each tool finds, by which kind of oracle.
func (a *analysis) bugDetection(s *Section) {
	if len(a.run.Bugs) == 0 {
		return
	}
	bugs := a.table("bugs", "Historical bugs detected", a.groups,
		trialsFigure,
		figure{percentColumn("hbdr", "HBDR %", 1).withInterval(), func(g *group) Cell {
			if c := a.detectedBugs(g); c.Missing != "" {
				return c
			}
			return g.sampled(trial.PartDetections, hbdrPct)
		}},
		figure{countColumn("detected", "In any trial"), a.detectedBugs},
		figure{rangeColumn("interval", "95% interval %", 1).in("pct"), func(g *group) Cell {
			c := a.detectedBugs(g)
			if c.Missing != "" {
				return c
			}
			return shareInterval(int(c.Values[0]), int(c.Values[1]))
		}},
		figure{estimateColumn("false_alarms", "False alarms", 1), falseAlarms},
	)
	alarms := a.testTable("false_alarms", "First false alarms of each cell", "False alarm",
		func(r trial.Record) []trial.TestReference { return r.Alarms })
	s.Tables = slices.Concat([]Table{bugs, a.oracleSplit()}, withRows(a.fuzzing(), alarms))
	s.Charts = withSeries(a.bars(Chart{ID: "bugs-detected", Title: "Bugs detected", XLabel: "Bugs detected, %",
		Caption: "Of those that could be checked. Mean over trials; each dot is one trial."}, "detections", hbdrPct))
}

// oracleSplit counts the bugs detected in any trial by the class of the oracle.
func (a *analysis) oracleSplit() Table {
	var figures []figure
	detects := func(r trial.Record, o trial.OracleClass) bool {
		return slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool { return slices.Contains(b.Oracles, o) })
	}
	for _, o := range a.classesThat(detects) {
		figures = append(figures, figure{numberColumn(className(o), "by "+className(o), 0), func(g *group) Cell {
			c := a.bugCount(g, func(b bugTrials) bool { return slices.Contains(b.oracles, o) })
			if c.Missing == "" {
				c.Values = c.Values[:1]
			}
			return c
		}})
	}
	t := a.table("oracles", "Bugs detected in any trial, by oracle class", a.groups, figures...)
	t.Spread = "oracle"
	t.Warnings = []string{"A bug detected by tests of several classes counts under each, so a row may add up to more than the bugs detected."}
	return t
}

// hbdrPct is the share of bugs that one trial detected, of those it could check.
func hbdrPct(r trial.Record) (float64, bool) {
	detected, checked := 0, 0
	for _, b := range r.Bugs {
		checked, detected = checked+one(b.Missing == nil), detected+one(b.Detected)
	}
	if checked == 0 {
		return 0, false
	}
	return 100 * float64(detected) / float64(checked), true
}

// detectedIn counts the bugs that a trial detects, if it could check them all.
func detectedIn(r trial.Record) (float64, bool) {
	n := 0
	for _, b := range r.Bugs {
		if b.Missing != nil {
			return 0, false
		}
		n += one(b.Detected)
	}
	return float64(n), len(r.Bugs) > 0
}

func falseAlarms(g *group) Cell {
	if g.kind() == trial.KindCorpus {
		return notApplicable("inputs that fail on the reference build are never counted as detections")
	}
	return g.sampled(trial.PartSuccess, func(r trial.Record) (float64, bool) {
		if r.Programs == nil {
			return 0, false
		}
		return float64(r.Programs.FalseAlarms), true
	})
}

// fuzzing reports what fuzzers executed, and what each bug had of their budget: no row where no suite
// is a corpus. Only a timed run has figures that depend on the clock.
func (a *analysis) fuzzing() Table {
	execs := func(r trial.Record) (float64, bool) { return float64(r.Usage.Execs), r.Usage.Execs > 0 }
	figures := []figure{
		trialsFigure,
		{estimateColumn("inputs", "Inputs kept", 0), metric{of: func(r trial.Record) (float64, bool) { return float64(r.Inputs), true }}.cell},
		{estimateColumn("execs", "Executed", 0), metric{of: execs}.cell},
		{estimateColumn("bug_execs", "Executed\nfor a bug", 0), overBugs(func(f trial.Fuzzed) float64 { return float64(f.Execs) })},
	}
	if a.run.Timed {
		rate := func(r trial.Record) (float64, bool) {
			n, ok := execs(r)
			return n / r.Usage.Wall.Seconds(), ok && r.Usage.Wall > 0
		}
		figures = append(figures,
			figure{estimateColumn("rate", "Executed\nper second", 0), metric{of: rate}.cell},
			figure{estimateColumn("bug_time", "Seconds\nfor a bug", 1).in("s"), overBugs(func(f trial.Fuzzed) float64 { return f.Wall.Seconds() })})
	}
	fuzzers := a.those(func(g *group) bool { return g.kind() == trial.KindCorpus })
	return a.table("fuzzing", "What fuzzers executed (mean ± standard deviation over trials; of bugs, over bugs and trials)", fuzzers, figures...)
}

// overBugs is an estimate over the bugs, of all trials, on whose buggy builds a group fuzzed.
func overBugs(of func(trial.Fuzzed) float64) func(*group) Cell {
	return func(g *group) Cell {
		var xs []float64
		for _, r := range g.records {
			for _, b := range r.Bugs {
				if b.Fuzzed != nil {
					xs = append(xs, of(*b.Fuzzed))
				}
			}
		}
		if len(xs) == 0 {
			return notApplicable("no buggy build was fuzzed")
		}
		return estimate(xs)
	}
}
