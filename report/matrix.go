package report

import (
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxSourceBytes and maxDumpBytes bound what a page shows of one test: a program in full
// for all but freaks, a binary fuzzing input as a hex dump of its beginning.
const (
	maxSourceBytes = 64 << 10
	maxDumpBytes   = 1 << 10
)

// Of a large run, a page has the sources of so many bytes of tests that detect bugs, and of those that fail on
// the reference. Of others that detect, the file is named; others that fail cannot be opened.
const (
	maxDetecting = 2 << 20
	maxFailing   = 512 << 10
)

// matrix reports, bug by bug, in how many trials each tool detects it.
func (a *analysis) matrix(s *Section) {
	first := newTable("first_tests", "First detecting test of each trial", slices.Concat(
		[]Column{textColumn("library", "Library"), textColumn("bug", "Bug"), textColumn("tool", "Tool")}, testColumns)...)
	bugs := newTable("corpus", "The bugs of this run", textColumn("bug", "Bug"), textColumn("library", "Library"), textColumn("defect", "Defect"),
		textColumn("selection", "Selection"), textColumn("fix", "Fix"), wideColumn("title", "What it breaks"))
	for _, l := range a.libraries {
		if len(a.bugs[l.name]) > 0 {
			s.Tables = append(s.Tables, a.matrixOf(l, &first))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.bugs)) {
		for _, b := range a.bugs[name] {
			fix := b.Fix
			if len(fix) == 40 { // a hash, of which git shows as much
				fix = fix[:12]
			}
			bugs.add(words(b.ID), words(b.Library), words(b.Defect), words(b.Selection), words(fix), words(b.Title))
		}
	}
	s.Tables = append(s.Tables, withRows(first, bugs)...)
}

// matrixOf is the table of one library; it adds to the first tests.
func (a *analysis) matrixOf(l library, first *Table) Table {
	name := a.label(l)
	t := newTable("matrix_"+slug(name), "Bugs of "+name+": trials that detect each", textColumn("bug", "Bug"), wideColumn("title", "What it breaks"))
	t.Spread, t.Library = "tool", name
	for _, bug := range a.bugs[l.name] {
		t.add(words(bug.ID), words(bug.Title))
	}
	of := a.those(func(g *group) bool { return g.library == l })
	some := slices.ContainsFunc(of, func(g *group) bool { return len(g.records) > 0 })
	for _, g := range of {
		switch {
		case some && len(g.records) == 0: // a column of it would say the same in every row
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s has no column: %s.", g.tool, strings.Join(g.reason().Notes, "; ")))
			continue
		case some && len(g.missing) > 0:
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: %d of %d trials are incomplete.", g.tool, len(g.missing), g.planned))
		}
		t.Columns = append(t.Columns, Column{Key: g.tool.String(), Name: g.tool.String(), Kind: Detection})
		for i, b := range a.bugTrials(g) {
			cell := a.bugCell(g, b)
			t.Rows[i] = append(t.Rows[i], cell)
			for j, f := range b.first {
				test := words(testName(f.test))
				if j == 0 { // the one whose source is kept
					test.Detail = cell.Detail
				}
				first.add(append([]Cell{words(name), words(b.bug.ID), words(g.tool.String())}, testCells(f.cell, f.test, test)...)...)
			}
		}
	}
	return t
}

// bugCell is what a group's trials did on a bug.
func (a *analysis) bugCell(g *group, b bugTrials) Cell {
	if b.checked == 0 {
		return g.bugReason(b)
	}
	c := b.trials()
	if b.reason != "" {
		c = c.with(Clean(fmt.Sprintf("%d of %d trials could not check the bug: %s", len(g.records)-b.checked, len(g.records), b.reason)))
	}
	if len(b.first) > 0 {
		c.Detail = a.detail(fmt.Sprintf("%s: %s detected by %s", a.label(g.library), b.bug.ID, g.tool), b.bug, b.first)
	}
	return c
}

// testColumns are those of a table in which each row is a test of one trial.
var testColumns = []Column{numberColumn("trial", "Trial", 0), textColumn("test", "Test"), textColumn("outcome", "Outcome"),
	textColumn("oracle", "Oracle"), wideColumn("failure", "What failed")}

// testCells are those of a test; name is the cell of its name.
func testCells(c trial.Cell, t trial.TestReference, name Cell) []Cell {
	return []Cell{whole(c.Trial), name, words(string(t.Outcome)), words(string(t.Oracle)), words(failure(t))}
}

// testTable lists the first tests of each cell that list picks, with their source. what
// names one of them.
func (a *analysis) testTable(id, title, what string, list func(trial.Record) []trial.TestReference) Table {
	t := groupTable(id, title, testColumns...)
	closed := 0
	for _, g := range a.groups {
		for _, r := range g.records {
			for _, ref := range list(r) {
				test := words(testName(ref))
				test.Detail = a.detail(what+" of "+g.tool.String()+" on "+a.label(g.library), BugInfo{}, []firstTest{{r.Cell, ref}})
				t.add(a.groupCells(g, testCells(r.Cell, ref, test)...)...)
				closed += one(test.Detail == "")
			}
		}
	}
	if closed > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("To keep the page small, %s cannot be opened here; see cells/ in the run directory.", trial.Count(closed, "test")))
	}
	return t
}

// testName is the test's ID, with the file it was taken from if a person wrote it.
func testName(t trial.TestReference) string { return strings.TrimSpace(t.ID + " " + t.Origin) }

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

// newDetail adds what a cell opens: a test of a cell with its source.
func (a *analysis) newDetail(title, cell, file string, line int) *Detail {
	d := Detail{ID: fmt.Sprintf("test-%d", len(a.details)+1), Title: Clean(title), File: Clean(cell + "/" + file)}
	if d.Source, d.Omitted = a.source(cell, file); line > 0 && line <= strings.Count(d.Source, "\n")+1 {
		d.Line = line
	}
	a.details = append(a.details, d)
	return &a.details[len(a.details)-1]
}

// detail keeps the source of the first test and how each trial's test failed, and returns
// the id under which a cell opens it. The id is "" if the page would be too large with it.
func (a *analysis) detail(title string, bug BugInfo, tests []firstTest) string {
	shown, line := tests[0], 0
	if f := shown.test.Assertion; f != nil {
		line = f.Line
	}
	d := a.newDetail(title, shown.cell.ID(), shown.test.File, line)
	switch {
	case bug.ID == "" && a.failing+len(d.Source) > maxFailing:
		a.details = a.details[:len(a.details)-1]
		return ""
	case bug.ID == "":
		a.failing += len(d.Source)
	case a.detecting+len(d.Source) > maxDetecting:
		d.Source, d.Line, d.Omitted = "", 0, "This source is left out to keep the page small."
	default:
		a.detecting += len(d.Source)
	}
	for _, f := range tests {
		d.Facts = append(d.Facts, KeyValue{fmt.Sprintf("Trial %d", f.cell.Trial), Clean(describe(f.test, a.run.Timed))})
	}
	d.Diff, d.Command = Clean(bug.Diff[shown.cell.Edition]), Clean(a.again(shown, bug))
	return d.ID
}

// again is the command that runs one test against one bug, in the run directory; "" of what is no program.
func (a *analysis) again(f firstTest, bug BugInfo) string {
	if bug.ID == "" || a.run.Evaluate == "" || !slices.Contains([]string{".c", ".cpp"}, path.Ext(f.test.File)) {
		return ""
	}
	command := fmt.Sprintf("bench evaluate --library %s --edition %s --test cells/%s/%s --bugs %s",
		f.cell.Library, f.cell.Edition, f.cell.ID(), f.test.File, bug.ID)
	if f.test.Oracle == trial.OracleReference {
		command += " --oracle reference"
	}
	return command + " " + a.run.Evaluate
}

func describe(t trial.TestReference, timed bool) string {
	parts := []string{"test " + t.ID, "outcome " + string(t.Outcome)}
	if t.Oracle != "" {
		parts = append(parts, "oracle "+string(t.Oracle))
	}
	if f := failure(t); f != "" {
		parts = append(parts, f)
	}
	if timed {
		parts = append(parts, fmt.Sprintf("made after %.1f s", t.Elapsed.Seconds()))
	}
	return strings.Join(parts, "; ")
}

// source returns the text of a cell's file as it can be shown, and what was left out of it.
func (a *analysis) source(cell, file string) (text, omitted string) {
	if a.run.Sources == nil {
		return "", "the run's sources were not given"
	}
	text, err := a.run.Sources(cell, file)
	if err != nil {
		return "", Clean("source not available: " + err.Error())
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		if len(text) > maxDumpBytes {
			omitted = fmt.Sprintf("binary input of %d bytes; the first %d are shown", len(text), maxDumpBytes)
			text = text[:maxDumpBytes]
		}
		return hex.Dump([]byte(text)), omitted
	}
	if len(text) > maxSourceBytes {
		omitted = fmt.Sprintf("file of %d bytes; the first %d are shown", len(text), maxSourceBytes)
		text = strings.ToValidUTF8(text[:maxSourceBytes], "")
	}
	return Clean(text), omitted
}
