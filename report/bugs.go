package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
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
func className(o trial.OracleClass) string { return cmp.Or(string(o), "unknown") }

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

// detectedBugs is the number of bugs that at least one trial detected.
func (a *analysis) detectedBugs(g *group) doc.Cell {
	return a.bugCount(g, func(measured.BugTrials) bool { return true })
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

// hbdr is the share of bugs that one trial detected, of those it could check.
var hbdr = metric{Key: "hbdr", Name: "Bugs detected, %", Part: measured.Detected, Of: func(r record) (float64, bool) {
	detected, checked := 0, 0
	for _, b := range r.Bugs {
		checked, detected = checked+measured.One(b.Missing == nil), detected+measured.One(b.Detected)
	}
	return 100 * float64(detected) / float64(max(checked, 1)), checked > 0
}}

// bugsMetric counts the bugs that a trial detects, if it could check them all.
var bugsMetric = metric{Key: "bugs", Name: "Bugs detected", Unit: "bugs", Part: measured.Detected,
	Of: func(r record) (n float64, ok bool) {
		for _, b := range r.Bugs {
			if b.Missing != nil {
				return 0, false
			}
			n += float64(measured.One(b.Detected))
		}
		return n, true
	}}

// bugDetection reports how many bugs each tool finds, by which kind of oracle, and which programs fail on the
// reference.
func (a *analysis) bugDetection(s *doc.Section) {
	if len(a.Run.Bugs) == 0 {
		return
	}
	ofBugs := func(of func(g *group, bugs doc.Cell) doc.Cell) func(*group) doc.Cell {
		return func(g *group) doc.Cell {
			bugs := a.detectedBugs(g)
			if bugs.Missing != "" {
				return bugs
			}
			return of(g, bugs)
		}
	}
	alarms := success
	alarms.Corpus = "inputs that fail on the reference build are never counted as detections"
	s.Put(a.table("bugs", "Historical bugs detected", a.Groups,
		trials,
		column{doc.Percent("hbdr", "HBDR %", 1).WithInterval(), ofBugs(func(g *group,
			_ doc.Cell) doc.Cell {
			return hbdr.Cell(g)
		})},
		column{doc.Count("detected", "In any trial"), a.detectedBugs},
		column{doc.Range("interval", "95% interval %", 1).In("pct"), ofBugs(func(_ *group, c doc.Cell) doc.Cell {
			return doc.ShareInterval(int(c.Values[0]), int(c.Values[1]))
		})},
		column{doc.Estimate("false_alarms", "False alarms", 1),
			alarms.Mean(func(r record) float64 { return float64(r.Programs.FalseAlarms) })},
	))
	var classes []column
	detects := func(r record, o trial.OracleClass) bool {
		return slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool { return slices.Contains(b.Oracles, o) })
	}
	for _, o := range a.classesThat(detects) {
		classes = append(classes, column{doc.Number(className(o), "by "+className(o), 0), func(g *group) doc.Cell {
			c := a.bugCount(g, func(b measured.BugTrials) bool { return slices.Contains(b.Oracles, o) })
			c.Values = c.Values[:min(1, len(c.Values))]
			return c
		}})
	}
	oracles := a.table("oracles", "Bugs detected in any trial, by oracle class", a.Groups, classes...)
	oracles.Spread = "oracle"
	oracles.Warnings = []string{"A bug detected by tests of several classes counts under each, " +
		"so a row may add up to more than the bugs detected."}
	s.Put(oracles, a.fresh(), a.testTable("false_alarms", "First false alarms of each cell", "False alarm",
		func(r record) []trial.TestReference { return r.Alarms }))
	s.Draw(a.rows("bugs-detected", "Bugs detected", "Of those that could be checked. ", hbdr))
}

// A split counts the bugs that a tool detects in any trial in two groups, by the day of their fix.
type split struct{ others, n, these, m int }

// splitOf counts the bugs of a tool: these are those that is takes.
func (a *analysis) splitOf(t tool, is func(measured.BugInfo) bool) (s split) {
	for _, g := range a.Those(func(g *group) bool { return g.Tool == t }) {
		for _, b := range a.BugTrials(g) {
			switch hit := measured.One(b.Detected > 0); {
			case b.Checked == 0 || b.Bug.Date == "":
			case is(b.Bug):
				s.these, s.m = s.these+hit, s.m+1
			default:
				s.others, s.n = s.others+hit, s.n+1
			}
		}
	}
	return s
}

// cells are the two counts, each with its interval if that is asked, and the p of Fisher's test.
func (s split) cells(intervals bool) (cells []doc.Cell) {
	for _, of := range [][2]int{{s.others, s.n}, {s.these, s.m}} {
		count, interval := doc.NA("no such bug"), doc.NA("no such bug")
		if of[1] > 0 {
			count, interval = doc.Of(of[0], of[1]), doc.ShareInterval(of[0], of[1])
		}
		if cells = append(cells, count); intervals {
			cells = append(cells, interval)
		}
	}
	if s.n == 0 || s.m == 0 {
		return append(cells, doc.NA("there is only one group of bugs"))
	}
	return append(cells, fisherP(s.others, s.n, s.these, s.m))
}

// memory splits the bugs at the cutoffs of the models, for a model may remember a fix that was public before.
// Tools that ask no model are split at the latest cutoff of the others: a difference that they have too is one
// of the bugs, not of a memory.
func (a *analysis) memory(s *doc.Section) {
	latest := ""
	for _, cutoff := range a.Run.Cutoffs {
		latest = max(latest, cutoff)
	}
	if latest == "" {
		return
	}
	t := doc.NewTable("cutoff", "Bugs fixed before and after the model's cutoff, detected in any trial", toolColumn,
		doc.Text("model", "Model"), doc.Text("cutoff", "Cutoff"), doc.Count("before", "Fixed before"),
		doc.Count("after", "Fixed after"), doc.P("fisher_p", "Fisher\np"))
	for _, c := range a.Tools {
		model, cutoff := a.Run.Models[c.String()], cmp.Or(a.Run.Cutoffs[c.String()], latest)
		if model != "" && a.Run.Cutoffs[c.String()] == "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the cutoff of %s is not stated.", c, model))
			continue
		}
		of := a.splitOf(c, func(b measured.BugInfo) bool { return b.Date > cutoff })
		if of.n+of.m > 0 {
			t.Add(slices.Concat([]doc.Cell{doc.Words(c.String()), doc.Words(cmp.Or(model, "none")), doc.Words(cutoff)},
				of.cells(false))...)
		}
		if of.n > 0 && of.m == 0 && model != "" {
			t.Warnings = append(t.Warnings, fmt.Sprintf(
				"%s: every bug was fixed before %s, so memory and reasoning cannot be told apart.", c, cutoff))
		}
	}
	s.Put(t)
}

// fresh shows apart what each tool detects of the bugs that were fixed in the year of the newest fix, and of those
// that were
// not in the corpus while tools were tuned on it. It is empty for a run without fresh bugs.
func (a *analysis) fresh() doc.Table {
	t := doc.NewTable("fresh", "Newer bugs apart, detected in any trial", toolColumn, doc.Text("bugs", "Bugs"),
		doc.Count("others", "Others"), doc.Range("others_interval", "95% interval %", 1).In("pct"),
		doc.Count("these", "These"), doc.Range("these_interval", "95% interval %", 1).In("pct"), doc.P("fisher_p",
			"Fisher\np"))
	isFresh := func(b measured.BugInfo) bool { return b.Selection == string(lisabench.FreshlyAdded) }
	if !slices.ContainsFunc(a.Run.Bugs, isFresh) {
		return t
	}
	newest := ""
	for _, b := range a.Run.Bugs {
		newest = max(newest, b.Date)
	}
	year := newest[:min(4, len(newest))] + "-01-01"
	for _, tool := range a.Tools {
		since := a.splitOf(tool, func(b measured.BugInfo) bool { return b.Date >= year })
		t.Add(slices.Concat([]doc.Cell{doc.Words(tool.String()), doc.Words("fixed since " + year)}, since.cells(true))...)
	}
	for _, tool := range a.Tools {
		t.Add(slices.Concat([]doc.Cell{doc.Words(tool.String()), doc.Words("added when results were published")},
			a.splitOf(tool, isFresh).cells(true))...)
	}
	return t
}

// matrix reports, bug by bug, in how many trials each tool detects it.
func (a *analysis) matrix(s *doc.Section) {
	first := doc.NewTable("first_tests", "First detecting test of each trial",
		slices.Concat([]doc.Column{libraryColumn, doc.Text("bug", "Bug"), toolColumn}, testColumns)...)
	for _, l := range a.Libraries {
		if len(a.Bugs[l.Name]) > 0 {
			s.Put(a.matrixOf(l, &first))
		}
	}
	s.Put(first)
}

// matrixOf is the table of one library; it adds to the first tests.
func (a *analysis) matrixOf(l library, first *doc.Table) doc.Table {
	name := a.Label(l)
	t := doc.NewTable("matrix_"+slug(name), "Bugs of "+name+": trials that detect each", doc.Text("bug", "Bug"),
		doc.Wide("title", "What it breaks"))
	t.Spread, t.Library = "tool", name
	for _, bug := range a.Bugs[l.Name] {
		t.Add(doc.Words(bug.ID), doc.Words(bug.Title))
	}
	of := a.Those(func(g *group) bool { return g.Library == l })
	some := slices.ContainsFunc(of, func(g *group) bool { return len(g.Records) > 0 })
	for _, g := range of {
		switch {
		case some && len(g.Records) == 0: // a column of it would say the same in every row
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s has no column: %s.", g.Tool, g.Reason().Notes[0]))
			continue
		case some && len(g.Missing) > 0:
			t.Warnings = append(t.Warnings,
				fmt.Sprintf("%s: %d of %d trials are incomplete.", g.Tool, len(g.Missing), g.Planned))
		}
		t.Columns = append(t.Columns, doc.Detection(g.Tool.String()))
		for i, b := range a.BugTrials(g) {
			cell := a.bugCell(g, b)
			t.Rows[i] = append(t.Rows[i], cell)
			for j, f := range b.First {
				detail := cell.Detail
				if j > 0 { // the source of the first alone is kept
					detail = ""
				}
				first.Add(append([]doc.Cell{doc.Words(name), doc.Words(b.Bug.ID), doc.Words(g.Tool.String())}, testCells(f,
					detail)...)...)
			}
		}
	}
	return t
}

// bugCell is in how many of a group's trials a bug was detected, and by which oracles.
func (a *analysis) bugCell(g *group, b measured.BugTrials) doc.Cell {
	if b.Checked == 0 {
		return bugReason(g, b)
	}
	var names []string
	for _, o := range b.Oracles {
		names = append(names, className(o))
	}
	c := doc.Of(b.Detected, b.Checked)
	c.Text = strings.Join(names, ", ")
	if n := len(g.Records); b.Reason != "" {
		c = c.With(fmt.Sprintf("%d of %d trials could not check the bug: %s", n-b.Checked, n, b.Reason))
	}
	if len(b.First) == 0 {
		c.Detail = a.missed(g.Library, b.Bug)
	} else {
		c.Detail = a.openTest(fmt.Sprintf("%s: %s detected by %s", a.Label(g.Library), b.Bug.ID, g.Tool), &b.Bug, b.First...)
	}
	return c
}

// missed adds a detail about a bug that some tool missed, and returns its ID: what the bug changes, its witness, and
// how near each tool's tests came. The cells of all tools open the same detail.
func (a *analysis) missed(l library, bug measured.BugInfo) string {
	id := "missed-" + slug(a.Label(l)+"_"+bug.ID)
	switch {
	case bug.Witness == "":
		return ""
	case slices.ContainsFunc(a.details, func(d doc.Detail) bool { return d.ID == id }):
		return id
	}
	d := doc.Detail{ID: id, Title: doc.Clean(fmt.Sprintf("%s: %s, %s", a.Label(l), bug.ID, bug.Title)),
		Caption: "A witness, which passes without the bug and fails with it", File: bug.ID,
		Source: doc.Clean(bug.Witness), Diff: doc.Clean(bug.Diff[l.Edition])}
	for _, g := range a.GroupsOf(l) {
		for _, b := range a.BugTrials(g) {
			if b.Bug.ID != bug.ID || b.Checked == 0 {
				continue
			}
			near := fmt.Sprintf("detected in %d of %s", b.Detected, trial.Count(b.Checked, "trial"))
			if far, ok := stepOf(g, b.Bug.ID); ok {
				near += "; " + stepNames[far.step]
			}
			switch {
			case len(b.Nearest) > 0:
				near += "; nearest, for they execute what the bug changes: " + strings.Join(b.Nearest, ", ")
			case b.Detected == 0:
				near += "; no test is known to execute what the bug changes"
			}
			d.Facts = append(d.Facts, doc.Fact(g.Tool.String(), near))
		}
	}
	a.details = append(a.details, d)
	return id
}
