// Package detail makes what a cell of a report opens: a test with its source, how it failed and the command that runs it
// again.
package detail

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
// beginning. All sources together have at most MaxSources bytes; tests that detect nothing come first, and get at most
// maxFailing of them.
const (
	maxDumpBytes = 1 << 10
	maxFailing   = 512 << 10
	MaxSources   = 5 << 19
)

// A List is what the cells of one report open.
type List struct {
	Run   measured.Run
	All   []doc.Detail
	bytes int // of the sources so far
}

// Add adds what a cell opens: a test of a cell with its source, if the page has room for it.
func (l *List) Add(title, cell, file string, line, room int) *doc.Detail {
	d := doc.Detail{ID: fmt.Sprintf("test-%d", len(l.All)+1), Title: doc.Clean(title),
		File: doc.Clean(cell + "/" + file)}
	d.Source, d.Omitted = l.Source(cell, file)
	if l.bytes+len(d.Source) > room {
		d.Source, d.Omitted = "", "This source is left out to keep the page small."
	}
	l.bytes += len(d.Source)
	if line <= strings.Count(d.Source, "\n")+1 {
		d.Line = line
	}
	l.All = append(l.All, d)
	return &l.All[len(l.All)-1]
}

// Test keeps the source of the first test and how each trial's test failed, and returns
// the id under which a cell opens it.
func (l *List) Test(title string, bug measured.BugInfo, tests []measured.FirstTest) string {
	shown, room := tests[0], MaxSources
	if bug.ID == "" {
		room = maxFailing
	}
	d := l.Add(title, shown.Cell.ID(), shown.Test.File, 0, room)
	if f := shown.Test.Assertion; f != nil {
		d.Line = lineOf(d.Source, *f)
	}
	for _, f := range tests {
		d.Facts = append(d.Facts, doc.Fact(fmt.Sprintf("Trial %d", f.Cell.Trial), doc.Clean(l.describe(f.Test))))
	}
	d.Diff, d.Command = doc.Clean(bug.Diff[shown.Cell.Edition]), doc.Clean(l.again(shown, bug))
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
func (l *List) again(f measured.FirstTest, bug measured.BugInfo) string {
	if bug.ID == "" || l.Run.Evaluate == "" || !slices.Contains([]string{".c", ".cpp"}, path.Ext(f.Test.File)) {
		return ""
	}
	command := fmt.Sprintf("bench evaluate --library %s --edition %s --test cells/%s/%s --bugs %s",
		f.Cell.Library, f.Cell.Edition, f.Cell.ID(), f.Test.File, bug.ID)
	if f.Test.Oracle == trial.OracleReference {
		command += " --oracle reference"
	}
	return command + " " + l.Run.Evaluate
}

func (l *List) describe(t trial.TestReference) string {
	text := "test " + t.ID + "; outcome " + string(t.Outcome)
	if t.Oracle != "" {
		text += "; oracle " + string(t.Oracle)
	}
	if f := Failure(t); f != "" {
		text += "; " + f
	}
	if l.Run.Timed {
		text += fmt.Sprintf("; made after %.1f s", t.Elapsed.Seconds())
	}
	return text
}

// Source returns the text of a cell's file as it can be shown, and what was left out of it.
func (l *List) Source(cell, file string) (text, omitted string) {
	if l.Run.Sources == nil {
		return "", "the run's sources were not given"
	}
	text, err := l.Run.Sources(cell, file)
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

// Failure says in one line what a test reported.
func Failure(t trial.TestReference) string {
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
