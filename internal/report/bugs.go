package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// oracleClasses in the order in which tables print them. The last is of tests of which no class is known: a tool need not state one.
var oracleClasses = []trial.OracleClass{trial.OracleSpecification, trial.OracleJudgement, trial.OracleRepaired, trial.OracleReference, trial.OracleCrash, trial.OracleHang, ""}

// columns are the oracle classes that have columns in a table of what tests found: all but judgement and the unknown one
// where these found nothing, for most tools do not have them.
func (a *analysis) columns(found func(trial.Record, trial.OracleClass) bool) []trial.OracleClass {
	return slices.DeleteFunc(slices.Clone(oracleClasses), func(o trial.OracleClass) bool {
		return (o == trial.OracleJudgement || o == "") && !slices.ContainsFunc(a.groups, func(g *group) bool {
			return slices.ContainsFunc(g.records, func(r trial.Record) bool { return found(r, o) })
		})
	})
}

// detects reports whether tests of a class detect a bug.
func detects(r trial.Record, o trial.OracleClass) bool {
	return slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool { return slices.Contains(b.Oracles, o) })
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

// A verdict sums one contender's trials on one bug.
type verdict struct {
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

// verdicts returns one verdict per bug of the group's library, in the corpus's order.
func (a *analysis) verdicts(g *group) []verdict {
	var all []verdict
	for _, bug := range a.bugs[g.subject.library] {
		v := verdict{bug: bug}
		seen := map[trial.OracleClass]bool{}
		for _, r := range g.records {
			i := slices.IndexFunc(r.Bugs, func(b trial.BugResult) bool { return b.Bug == bug.ID })
			switch {
			case i < 0:
				v.reason = "not evaluated"
			case r.Bugs[i].Missing != nil:
				v.missing = r.Bugs[i].Missing
				v.reason = firstLine(v.missing.String())
			default:
				v.checked++
				v.add(r.Cell, r.Bugs[i], seen)
			}
		}
		for _, o := range oracleClasses {
			if seen[o] {
				v.oracles = append(v.oracles, o)
			}
		}
		all = append(all, v)
	}
	return all
}

func (v *verdict) add(cell trial.Cell, b trial.BugResult, seen map[trial.OracleClass]bool) {
	if !b.Detected {
		return
	}
	v.detected++
	for _, o := range b.Oracles {
		seen[o] = true
	}
	if len(b.First) > 0 {
		v.first = append(v.first, firstTest{cell, b.First[0]})
	}
}

// tally counts the bugs checked in at least one trial and those detected in at least one.
func tally(vs []verdict, with func(verdict) bool) (detected, checked int) {
	for _, v := range vs {
		if v.checked > 0 {
			checked++
			if v.detected > 0 && with(v) {
				detected++
			}
		}
	}
	return detected, checked
}

func anyOracle(verdict) bool { return true }

// detectedBugs is the number of bugs that at least one trial detected.
func (a *analysis) detectedBugs(g *group) Cell {
	return a.bugCount(g, anyOracle)
}

func (a *analysis) bugCount(g *group, with func(verdict) bool) Cell {
	if len(a.bugs[g.subject.library]) == 0 {
		return notApplicable("the run includes no bugs of this library")
	}
	vs := a.verdicts(g)
	k, n := tally(vs, with)
	if n == 0 {
		return g.bugReason(vs)
	}
	c := count(k, n)
	if n < len(vs) {
		c = c.with(fmt.Sprintf("%d of %d bugs could not be checked and are left out", len(vs)-n, len(vs)))
	}
	return c
}

func (g *group) bugReason(vs []verdict) Cell {
	switch {
	case len(g.records) == 0:
		return g.reason()
	case g.withoutBugs():
		return notApplicable("this tool's suites were not checked for bugs")
	}
	if why := vs[0].missing; why != nil {
		return lacking(*why)
	}
	return incomplete("not_checked", vs[0].reason)
}

// withoutBugs reports whether the group's suites were made, and not to be checked for bugs.
func (g *group) withoutBugs() bool {
	return len(g.records) > 0 && !slices.ContainsFunc(g.records, func(r trial.Record) bool { return len(r.Bugs) > 0 })
}

// bugDetection reports how many bugs each tool finds, by which kind of oracle.
func (a *analysis) bugDetection() Section {
	if len(a.run.Bugs) == 0 {
		return Section{}
	}
	t := a.table("bugs", "Historical bugs detected", a.groups, []figure{
		trialsFigure,
		{Column{Key: "hbdr", Name: "HBDR %", Kind: Estimate, Unit: "pct", Decimals: 1, Interval: true}, a.hbdr},
		{Column{Key: "detected", Name: "In any trial", Kind: Count}, a.detectedBugs},
		{Column{Key: "interval", Name: "95% interval %", Kind: Range, Unit: "pct", Decimals: 1}, a.hbdrInterval},
		{Column{Key: "false_alarms", Name: "False alarms", Kind: Estimate, Decimals: 1}, (*group).falseAlarmCell},
	})
	s := Section{
		ID: "bugs", Title: "Bug detection",
		Definitions: []Definition{
			{"HBDR", "Historical bug detection rate: the share of re-introduced bugs that the suite detects. A test detects a bug if it passes on the reference build and fails on the buggy build, in every repeated run.", "bugs detected / bugs checked, per trial"},
			{"95% interval", "Clopper–Pearson interval for the share of bugs detected in at least one trial, over bugs as independent draws.", ""},
			{"Oracle class", "What made the detecting test fail: an invariant argued from documents (specification), an invariant written after a repair prompt had shown the reference's value (repaired_to_value), a value recorded on the reference build (reference), a crash, or a hang.", ""},
			{"False alarm", "A generated program whose assertion fails on the reference build, where the bugs are fixed; the mean per trial is given.", ""},
		},
		Tables: []Table{t, a.oracleSplit()},
	}
	s.Charts = withSeries(a.bars(Chart{
		ID: "bugs-detected", Title: "Bugs detected",
		Caption: "Of those that could be checked. Mean over trials; each dot is one trial.",
		XLabel:  "Bugs detected, %",
	}, "detections", hbdrPct))
	if fuzzing := a.fuzzing(); len(fuzzing.Rows) > 0 {
		s.Tables = append(s.Tables, fuzzing)
		s.Definitions = append(s.Definitions, Definition{"Executed for a bug", "Inputs executed on the buggy build until one detected the bug or the bug's share of the budget was used up.", ""})
	}
	alarms := a.testTable("false_alarms", "First false alarms of each cell", "False alarm", func(r trial.Record) []trial.TestReference { return r.Alarms })
	s.Tables = append(s.Tables, withRows(alarms)...)
	return s
}

// oracleSplit counts the bugs detected in any trial by the class of the oracle.
func (a *analysis) oracleSplit() Table {
	var figures []figure
	for _, o := range a.columns(detects) {
		figures = append(figures, figure{Column{Key: className(o), Name: "by " + className(o), Kind: Number}, func(g *group) Cell {
			c := a.bugCount(g, func(v verdict) bool { return slices.Contains(v.oracles, o) })
			if c.Missing == "" {
				c.Values = c.Values[:1]
			}
			return c
		}})
	}
	t := a.table("oracles", "Bugs detected in any trial, by oracle class", a.groups, figures)
	t.Spread = "oracle"
	t.Warnings = []string{"A bug detected by tests of several classes counts under each, so a row may add up to more than the bugs detected."}
	return t
}

// hbdr is the detection rate of each trial, over the bugs that the trial could check.
func (a *analysis) hbdr(g *group) Cell {
	if c := a.detectedBugs(g); c.Missing != "" {
		return c
	}
	return g.sampled(trial.PartDetections, hbdrPct)
}

// hbdrPct is the share of bugs that one trial detected, of those it could check.
func hbdrPct(r trial.Record) (float64, bool) {
	detected, checked := 0, 0
	for _, b := range r.Bugs {
		if b.Missing == nil {
			checked++
			detected += one(b.Detected)
		}
	}
	if checked == 0 {
		return 0, false
	}
	return 100 * float64(detected) / float64(checked), true
}

func (a *analysis) hbdrInterval(g *group) Cell {
	c := a.detectedBugs(g)
	if c.Missing != "" {
		return c
	}
	return shareInterval(int(c.Values[0]), int(c.Values[1]))
}

func (g *group) falseAlarmCell() Cell {
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

// testColumns are those of a table in which each row is a test of one trial.
var testColumns = []Column{
	{Key: "trial", Name: "Trial", Kind: Number},
	{Key: "test", Name: "Test", Kind: Words},
	{Key: "outcome", Name: "Outcome", Kind: Words},
	{Key: "oracle", Name: "Oracle", Kind: Words},
	{Key: "failure", Name: "What failed", Kind: Words, Wide: true},
}

// testCells are those of a test; name is the cell of its name.
func testCells(c trial.Cell, t trial.TestReference, name Cell) []Cell {
	return []Cell{whole(c.Trial), name, words(string(t.Outcome)), words(string(t.Oracle)), words(failure(t))}
}

// testTable lists the first tests of each cell that list picks, with their source. what
// names one of them.
func (a *analysis) testTable(id, title, what string, list func(trial.Record) []trial.TestReference) Table {
	t := Table{ID: id, Title: title, Columns: append(groupColumns[:2:2], testColumns...)}
	closed := 0
	for _, g := range a.groups {
		for _, r := range g.records {
			for _, ref := range list(r) {
				test := words(testName(ref))
				test.Detail = a.detail(what+" of "+g.contender.String()+" on "+a.label(g.subject), BugInfo{}, []firstTest{{r.Cell, ref}})
				t.Rows = append(t.Rows, append(a.groupCells(g), testCells(r.Cell, ref, test)...))
				if test.Detail == "" {
					closed++
				}
			}
		}
	}
	if closed > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("To keep the page small, %s cannot be opened here; see cells/ in the run directory.", trial.Count(closed, "test")))
	}
	return t
}

// testName is the test's ID, with the file it was taken from if a person wrote it.
func testName(t trial.TestReference) string {
	if t.Origin != "" {
		return t.ID + " " + t.Origin
	}
	return t.ID
}

// firstError is the line of a compiler's or linker's words that says what is wrong, or the
// first line of other words.
func firstError(detail string) string {
	for line := range strings.Lines(detail) {
		if strings.Contains(line, "error: ") || strings.Contains(line, "undefined reference") {
			return strings.TrimSpace(line)
		}
	}
	return firstLine(strings.TrimSpace(detail))
}

// failure says in one line what a test reported.
func failure(t trial.TestReference) string {
	var parts []string
	if f := t.Assertion; f != nil {
		parts = append(parts, fmt.Sprintf("assert(%s) at %s:%d", f.Expr, f.File, f.Line))
	}
	if t.Signal != 0 {
		parts = append(parts, fmt.Sprintf("signal %d", t.Signal))
	}
	if t.Detail != "" {
		parts = append(parts, firstError(t.Detail))
	}
	return strings.Join(parts, "; ")
}
