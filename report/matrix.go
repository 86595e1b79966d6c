package report

import (
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// Bounds of what a page shows of tests. A program is shown in full, and a binary fuzzing input as a hex dump of its
// beginning. All sources together have at most maxSources bytes; tests that detect nothing come first, and get at most
// maxFailing of them.
const (
	maxDumpBytes = 1 << 10
	maxFailing   = 512 << 10
	maxSources   = 5 << 19
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
		for i, b := range a.bugTrials(g) {
			cell := a.bugCell(g, b)
			t.Rows[i] = append(t.Rows[i], cell)
			for j, f := range b.first {
				test := testCells(f)
				if j == 0 { // the one whose source is kept
					test[1].Detail = cell.Detail
				}
				first.Add(append([]doc.Cell{doc.Words(name), doc.Words(b.bug.ID), doc.Words(g.Tool.String())}, test...)...)
			}
		}
	}
	return t
}

// bugCell is what a group's trials did on a bug.
func (a *analysis) bugCell(g *group, b bugTrials) doc.Cell {
	if b.checked == 0 {
		return bugReason(g, b)
	}
	c := b.trials()
	if n := len(g.Records); b.reason != "" {
		c = c.With(fmt.Sprintf("%d of %d trials could not check the bug: %s", n-b.checked, n, b.reason))
	}
	if len(b.first) == 0 {
		c.Detail = a.missed(g.Library, b.bug)
	} else {
		c.Detail = a.detail(fmt.Sprintf("%s: %s detected by %s", a.Label(g.Library), b.bug.ID, g.Tool), b.bug, b.first)
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
	if slices.ContainsFunc(a.details, func(d doc.Detail) bool { return d.ID == id }) {
		return id
	}
	d := doc.Detail{ID: id, Title: doc.Clean(fmt.Sprintf("%s: %s, %s", a.Label(l), bug.ID, bug.Title)),
		Caption: "A witness, which passes without the bug and fails with it", File: bug.ID,
		Source: doc.Clean(bug.Witness), Diff: doc.Clean(bug.Diff[l.Edition])}
	for _, g := range a.GroupsOf(l) {
		for _, b := range a.bugTrials(g) {
			if b.bug.ID == bug.ID && b.checked > 0 {
				d.Facts = append(d.Facts, doc.Fact(g.Tool.String(), doc.Clean(a.howNear(g, b))))
			}
		}
	}
	a.details = append(a.details, d)
	return id
}

// howNear says how near a group's tests came to a bug.
func (a *analysis) howNear(g *group, b bugTrials) string {
	text := fmt.Sprintf("detected in %d of %s", b.detected, trial.Count(b.checked, "trial"))
	if far, ok := stepOf(g, b.bug.ID); ok {
		text += "; " + stepNames[far.step]
	}
	switch {
	case len(b.nearest) > 0:
		text += "; nearest, for they execute what the bug changes: " + strings.Join(b.nearest, ", ")
	case b.detected == 0:
		text += "; no test is known to execute what the bug changes"
	}
	return text
}

// testColumns are those of a table in which each row is a test of one trial, and testCells its cells.
var testColumns = []doc.Column{doc.Number("trial", "Trial", 0), doc.Text("test", "Test"),
	doc.Text("outcome", "Outcome"),
	doc.Text("oracle", "Oracle"), doc.Wide("failure", "What failed")}

func testCells(f firstTest) []doc.Cell {
	name := strings.TrimSpace(f.test.ID + " " + f.test.Origin) // with the file that a person wrote
	return []doc.Cell{doc.Int(f.cell.Trial), doc.Words(name), doc.Words(string(f.test.Outcome)),
		doc.Words(string(f.test.Oracle)), doc.Words(failure(f.test))}
}

// testTable lists the first tests of each cell that list picks, with their source: at most mostShown, for a record
// may have many more. what names one of them.
func (a *analysis) testTable(id, title, what string, list func(record) []trial.TestReference) doc.Table {
	t := lines(id, title, testColumns...)
	for _, g := range a.Groups {
		for _, r := range g.Records {
			refs := list(r)
			for _, ref := range refs[:min(mostShown, len(refs))] {
				f := firstTest{r.Cell, ref}
				cells := testCells(f)
				cells[1].Detail = a.detail(what+" of "+g.Tool.String()+" on "+a.Label(g.Library), measured.BugInfo{},
					[]firstTest{f})
				t.Add(a.line(g, cells...)...)
			}
		}
	}
	return t
}

const mostShown = 5

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
		parts = append(parts, trial.Brief(t.Detail))
	}
	return strings.Join(parts, "; ")
}

// newDetail adds what a cell opens: a test of a cell with its source, if the page has room for it.
func (a *analysis) newDetail(title, cell, file string, line, room int) *doc.Detail {
	d := doc.Detail{ID: fmt.Sprintf("test-%d", len(a.details)+1), Title: doc.Clean(title),
		File: doc.Clean(cell + "/" + file)}
	d.Source, d.Omitted = a.source(cell, file)
	if a.sources+len(d.Source) > room {
		d.Source, d.Omitted = "", "This source is left out to keep the page small."
	}
	a.sources += len(d.Source)
	if line <= strings.Count(d.Source, "\n")+1 {
		d.Line = line
	}
	a.details = append(a.details, d)
	return &a.details[len(a.details)-1]
}

// detail keeps the source of the first test and how each trial's test failed, and returns
// the id under which a cell opens it.
func (a *analysis) detail(title string, bug measured.BugInfo, tests []firstTest) string {
	shown, room := tests[0], maxSources
	if bug.ID == "" {
		room = maxFailing
	}
	d := a.newDetail(title, shown.cell.ID(), shown.test.File, 0, room)
	if f := shown.test.Assertion; f != nil {
		d.Line = lineOf(d.Source, *f)
	}
	for _, f := range tests {
		d.Facts = append(d.Facts, doc.Fact(fmt.Sprintf("Trial %d", f.cell.Trial), doc.Clean(a.describe(f.test))))
	}
	d.Diff, d.Command = doc.Clean(bug.Diff[shown.cell.Edition]), doc.Clean(a.again(shown, bug))
	return d.ID
}

var lineDirective = regexp.MustCompile(`^\s*#\s*(?:line\s+)?(\d+)`)

// lineOf returns the line of a source, from 1, that has a failed assertion; 0 if there is none. "#line" can give
// several lines the number that the failure names. Of these, lineOf takes the first that has the beginning of the
// assertion, or else the last.
func lineOf(source string, f trial.AssertionFailure) int {
	number, found := 1, 0
	begin := strings.TrimSpace(f.Expr[:min(len(f.Expr), 12)])
	for i, text := range strings.Split(source, "\n") {
		if m := lineDirective.FindStringSubmatch(text); m != nil {
			number, _ = strconv.Atoi(m[1])
			continue
		}
		if number == f.Line {
			if found = i + 1; strings.Contains(text, begin) {
				return found
			}
		}
		number++
	}
	return found
}

// again is the command that runs one test against one bug, in the run directory; "" of what is no program.
func (a *analysis) again(f firstTest, bug measured.BugInfo) string {
	if bug.ID == "" || a.Run.Evaluate == "" || !slices.Contains([]string{".c", ".cpp"}, path.Ext(f.test.File)) {
		return ""
	}
	command := fmt.Sprintf("bench evaluate --library %s --edition %s --test cells/%s/%s --bugs %s",
		f.cell.Library, f.cell.Edition, f.cell.ID(), f.test.File, bug.ID)
	if f.test.Oracle == trial.OracleReference {
		command += " --oracle reference"
	}
	return command + " " + a.Run.Evaluate
}

func (a *analysis) describe(t trial.TestReference) string {
	text := "test " + t.ID + "; outcome " + string(t.Outcome)
	if t.Oracle != "" {
		text += "; oracle " + string(t.Oracle)
	}
	if f := failure(t); f != "" {
		text += "; " + f
	}
	if a.Run.Timed {
		text += fmt.Sprintf("; made after %.1f s", t.Elapsed.Seconds())
	}
	return text
}

// source returns the text of a cell's file as it can be shown, and what was left out of it.
func (a *analysis) source(cell, file string) (text, omitted string) {
	if a.Run.Sources == nil {
		return "", "the run's sources were not given"
	}
	text, err := a.Run.Sources(cell, file)
	if err != nil {
		return "", doc.Clean("source not available: " + err.Error())
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		if len(text) > maxDumpBytes {
			omitted = fmt.Sprintf("binary input of %d bytes; the first %d are shown", len(text), maxDumpBytes)
			text = text[:maxDumpBytes]
		}
		return hex.Dump([]byte(text)), omitted
	}
	return doc.Clean(text), omitted
}

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
