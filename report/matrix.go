package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/detail"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// matrix reports, bug by bug, in how many trials each tool detects it.
func (a *analysis) matrix(s *doc.Section) {
	first := doc.NewTable("first_tests", "First detecting test of each trial",
		slices.Concat([]doc.Column{libraryColumn, doc.Text("bug", "Bug"), toolColumn}, testColumns)...)
	for _, l := range a.Libraries {
		if len(a.Bugs[l.Name]) > 0 {
			s.Tables = append(s.Tables, a.matrixOf(l, &first))
		}
	}
	var bugs []measured.BugInfo
	for _, name := range slices.Sorted(maps.Keys(a.Bugs)) {
		bugs = append(bugs, a.Bugs[name]...)
	}
	s.Put(first, tableOf("corpus", "The bugs of this run", bugs, []figure[measured.BugInfo]{
		{doc.Text("bug", "Bug"), func(b measured.BugInfo) doc.Cell { return doc.Words(b.ID) }},
		{libraryColumn, func(b measured.BugInfo) doc.Cell { return doc.Words(b.Library) }},
		{doc.Text("defect", "Defect"), func(b measured.BugInfo) doc.Cell { return doc.Words(b.Defect) }},
		{doc.Text("selection", "Selection"), func(b measured.BugInfo) doc.Cell { return doc.Words(b.Selection) }},
		{doc.Text("fix", "Fix"), func(b measured.BugInfo) doc.Cell { return doc.Words(shortHash(b.Fix)) }},
		{doc.Wide("title", "What it breaks"), func(b measured.BugInfo) doc.Cell { return doc.Words(b.Title) }},
	}))
}

// shortHash is as much of a commit as git shows.
func shortHash(commit string) string {
	if len(commit) == 40 {
		return commit[:12]
	}
	return commit
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
		t.Columns = append(t.Columns, doc.Detection(g.Tool.String(), g.Tool.String()))
		for i, b := range a.BugTrials(g) {
			cell := a.bugCell(g, b)
			t.Rows[i] = append(t.Rows[i], cell)
			for j, f := range b.First {
				test := testCells(f)
				if j == 0 { // the one whose source is kept
					test[1].Detail = cell.Detail
				}
				first.Add(append([]doc.Cell{doc.Words(name), doc.Words(b.Bug.ID), doc.Words(g.Tool.String())}, test...)...)
			}
		}
	}
	return t
}

// bugCell is what a group's trials did on a bug.
func (a *analysis) bugCell(g *group, b measured.BugTrials) doc.Cell {
	if b.Checked == 0 {
		return bugReason(g, b)
	}
	c := trialsOf(b)
	if n := len(g.Records); b.Reason != "" {
		c = c.With(fmt.Sprintf("%d of %d trials could not check the bug: %s", n-b.Checked, n, b.Reason))
	}
	if len(b.First) == 0 {
		c.Detail = a.missed(g.Library, b.Bug)
	} else {
		c.Detail = a.opened.Test(fmt.Sprintf("%s: %s detected by %s", a.Label(g.Library), b.Bug.ID, g.Tool), b.Bug, b.First)
	}
	return c
}

// missed adds a detail about a bug that some tool missed, and returns its ID: what the bug changes, its witness, and
// how near each tool's tests came. The cells of all tools open the same detail.
func (a *analysis) missed(l library, bug measured.BugInfo) string {
	if bug.Witness == "" {
		return ""
	}
	id := "missed-" + slug(a.Label(l)+"_"+bug.ID)
	if slices.ContainsFunc(a.opened.All, func(d doc.Detail) bool { return d.ID == id }) {
		return id
	}
	d := doc.Detail{ID: id, Title: doc.Clean(fmt.Sprintf("%s: %s, %s", a.Label(l), bug.ID, bug.Title)),
		Caption: "A witness, which passes without the bug and fails with it", File: bug.ID,
		Source: doc.Clean(bug.Witness), Diff: doc.Clean(bug.Diff[l.Edition])}
	for _, g := range a.GroupsOf(l) {
		for _, b := range a.BugTrials(g) {
			if b.Bug.ID == bug.ID && b.Checked > 0 {
				d.Facts = append(d.Facts, doc.Fact(g.Tool.String(), doc.Clean(a.howNear(g, b))))
			}
		}
	}
	a.opened.All = append(a.opened.All, d)
	return id
}

// howNear says how near a group's tests came to a bug.
func (a *analysis) howNear(g *group, b measured.BugTrials) string {
	text := fmt.Sprintf("detected in %d of %s", b.Detected, trial.Count(b.Checked, "trial"))
	if far, ok := stepOf(g, b.Bug.ID); ok {
		text += "; " + stepNames[far.step]
	}
	switch {
	case len(b.Nearest) > 0:
		text += "; nearest, for they execute what the bug changes: " + strings.Join(b.Nearest, ", ")
	case b.Detected == 0:
		text += "; no test is known to execute what the bug changes"
	}
	return text
}

// testColumns are those of a table in which each row is a test of one trial, and testCells its cells.
var testColumns = []doc.Column{doc.Number("trial", "Trial", 0), doc.Text("test", "Test"),
	doc.Text("outcome", "Outcome"),
	doc.Text("oracle", "Oracle"), doc.Wide("failure", "What failed")}

func testCells(f measured.FirstTest) []doc.Cell {
	name := strings.TrimSpace(f.Test.ID + " " + f.Test.Origin) // with the file that a person wrote
	return []doc.Cell{doc.Int(f.Cell.Trial), doc.Words(name), doc.Words(string(f.Test.Outcome)),
		doc.Words(string(f.Test.Oracle)), doc.Words(detail.Failure(f.Test))}
}

// testTable lists the first tests of each cell that list picks, with their source: at most mostShown, for a record
// may have many more. what names one of them.
func (a *analysis) testTable(id, title, what string, list func(record) []trial.TestReference) doc.Table {
	t := lines(id, title, testColumns...)
	for _, g := range a.Groups {
		for _, r := range g.Records {
			refs := list(r)
			for _, ref := range refs[:min(mostShown, len(refs))] {
				f := measured.FirstTest{Cell: r.Cell, Test: ref}
				cells := testCells(f)
				cells[1].Detail = a.opened.Test(what+" of "+g.Tool.String()+" on "+a.Label(g.Library), measured.BugInfo{},
					[]measured.FirstTest{f})
				t.Add(a.line(g, cells...)...)
			}
		}
	}
	return t
}

const mostShown = 5

// slug makes a name fit for ids and file names.
func slug(s string) string {
	mapped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
			return r
		}
		return '_'
	}, s)
	return strings.Trim(mapped, "_")
}
