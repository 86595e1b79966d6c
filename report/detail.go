package report

import (
	"encoding/hex"
	"fmt"
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

// open adds what a cell opens: a file of a run's cell, if the page has room for it.
func (a *analysis) open(title, cell, file string, room int) *doc.Detail {
	d := doc.Detail{ID: fmt.Sprintf("test-%d", len(a.details)+1), Title: doc.Clean(title),
		File: doc.Clean(cell + "/" + file)}
	d.Source, d.Omitted = a.source(cell, file)
	if a.bytes+len(d.Source) > room {
		d.Source, d.Omitted = "", "This source is left out to keep the page small."
	}
	a.bytes += len(d.Source)
	a.details = append(a.details, d)
	return &a.details[len(a.details)-1]
}

// openTest keeps the source of the first test and how each trial's test failed, and returns
// the id under which a cell opens it. The bug is nil of tests that detect none.
func (a *analysis) openTest(title string, bug *measured.BugInfo, tests ...measured.FirstTest) string {
	shown, room := tests[0], maxSources
	if bug == nil {
		room = maxFailing
	}
	d := a.open(title, shown.Cell.ID(), shown.Test.File, room)
	if f := shown.Test.Assertion; f != nil {
		d.Line = lineOf(d.Source, *f)
	}
	for _, f := range tests {
		text := fmt.Sprintf("test %s; outcome %s", f.Test.ID, f.Test.Outcome)
		if f.Test.Oracle != "" {
			text += "; oracle " + string(f.Test.Oracle)
		}
		if why := failure(f.Test); why != "" {
			text += "; " + why
		}
		if a.Run.Timed {
			text += fmt.Sprintf("; made after %.1f s", f.Test.Elapsed.Seconds())
		}
		d.Facts = append(d.Facts, doc.Fact(fmt.Sprintf("Trial %d", f.Cell.Trial), text))
	}
	if bug == nil {
		return d.ID
	}
	d.Diff = doc.Clean(bug.Diff[shown.Cell.Edition])
	if a.Run.Evaluate != "" && slices.Contains([]string{".c", ".cpp"}, path.Ext(shown.Test.File)) {
		oracle := ""
		if shown.Test.Oracle == trial.OracleReference {
			oracle = " --oracle reference"
		}
		d.Command = doc.Clean(fmt.Sprintf("bench evaluate --library %s --edition %s --test cells/%s/%s --bugs %s%s %s",
			shown.Cell.Library, shown.Cell.Edition, shown.Cell.ID(), shown.Test.File, bug.ID, oracle, a.Run.Evaluate))
	}
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

// source returns the text of a cell's file as it can be shown, and what was left out of it.
func (a *analysis) source(cell, file string) (text, omitted string) {
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

// testColumns are those of a table in which each row is a test of one trial, and testCells its cells.
var testColumns = []doc.Column{doc.Number("trial", "Trial", 0), doc.Text("test", "Test"), doc.Text("outcome",
	"Outcome"),
	doc.Text("oracle", "Oracle"), doc.Wide("failure", "What failed")}

func testCells(f measured.FirstTest, detail string) []doc.Cell {
	name := doc.Words(strings.TrimSpace(f.Test.ID + " " + f.Test.Origin)) // with the file that a person wrote
	name.Detail = detail
	return []doc.Cell{doc.Int(f.Cell.Trial), name, doc.Words(string(f.Test.Outcome)), doc.Words(string(f.Test.Oracle)),
		doc.Words(failure(f.Test))}
}

// mostTests is how many tests of a cell are listed, for a record may have many more.
const mostTests = 5

// testTable lists the first tests of each cell that list picks, with their source. what names one of them.
func (a *analysis) testTable(id, title, what string, list func(record) []trial.TestReference) doc.Table {
	t := lines(id, title, testColumns...)
	for _, g := range a.Groups {
		for _, r := range g.Records {
			refs := list(r)
			for _, ref := range refs[:min(mostTests, len(refs))] {
				f := measured.FirstTest{Cell: r.Cell, Test: ref}
				t.Add(a.line(g, testCells(f, a.openTest(what+" of "+g.Tool.String()+" on "+a.Label(g.Library), nil, f))...)...)
			}
		}
	}
	return t
}
