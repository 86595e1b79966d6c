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
func (a *analysis) matrix() Section {
	s := Section{ID: "matrix", Title: "Detection matrix", Definitions: []Definition{{"k of n",
		"The bug was detected in k of the n trials that could check it. Oracle classes of the detecting tests are in brackets.", ""}}}
	first := Table{ID: "first_tests", Title: "First detecting test of each trial", Columns: append([]Column{
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "bug", Name: "Bug", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
	}, testColumns...)}
	for _, subj := range a.subjects {
		if len(a.bugs[subj.library]) > 0 {
			s.Tables = append(s.Tables, a.matrixOf(subj, &first))
		}
	}
	s.Tables = append(s.Tables, withRows(first, a.corpus())...)
	return s
}

// corpus lists the run's bugs.
func (a *analysis) corpus() Table {
	t := Table{ID: "corpus", Title: "The bugs of this run", Columns: []Column{
		{Key: "bug", Name: "Bug", Kind: Words},
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "defect", Name: "Defect", Kind: Words},
		{Key: "selection", Name: "Selection", Kind: Words},
		{Key: "fix", Name: "Fix", Kind: Words},
		{Key: "title", Name: "What it breaks", Kind: Words, Wide: true},
	}}
	for _, library := range slices.Sorted(maps.Keys(a.bugs)) {
		for _, b := range a.bugs[library] {
			t.Rows = append(t.Rows, []Cell{words(b.ID), words(b.Library), words(b.Defect), words(b.Selection), words(abbreviate(b.Fix)), words(b.Title)})
		}
	}
	return t
}

func (a *analysis) matrixOf(subj subject, first *Table) Table {
	name := a.label(subj)
	t := Table{ID: "matrix_" + Slug(name), Title: "Bugs of " + name + ": trials that detect each", Spread: "tool", Library: name, Columns: []Column{
		{Key: "bug", Name: "Bug", Kind: Words},
		{Key: "title", Name: "What it breaks", Kind: Words, Wide: true},
	}}
	for _, bug := range a.bugs[subj.library] {
		t.Rows = append(t.Rows, []Cell{words(bug.ID), words(bug.Title)})
	}
	some := slices.ContainsFunc(a.groups, func(g *group) bool { return g.subject == subj && len(g.records) > 0 })
	for _, g := range a.groups {
		if g.subject != subj {
			continue
		}
		contender := g.contender
		if some && len(g.records) == 0 { // a column of it would say the same in every row
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s has no column: %s.", contender, strings.Join(g.reason().Notes, "; ")))
			continue
		}
		if n := len(g.missing); n > 0 && len(g.records) > 0 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: %d of %d trials are incomplete.", contender, n, g.planned))
		}
		t.Columns = append(t.Columns, Column{Key: contender.String(), Name: contender.String(), Kind: Detection})
		for i, v := range a.verdicts(g) {
			t.Rows[i] = append(t.Rows[i], a.verdictCell(g, v))
			for j, f := range v.first {
				test := words(testName(f.test))
				if j == 0 { // the one whose source is kept
					test.Detail = t.Rows[i][len(t.Rows[i])-1].Detail
				}
				first.Rows = append(first.Rows, append([]Cell{words(name), words(v.bug.ID), words(contender.String())}, testCells(f.cell, f.test, test)...))
			}
		}
	}
	return t
}

func (a *analysis) verdictCell(g *group, v verdict) Cell {
	if v.checked == 0 {
		return g.bugReason([]verdict{v})
	}
	c := trialsOf(v)
	if v.reason != "" {
		c = c.with(Clean(fmt.Sprintf("%d of %d trials could not check the bug: %s", len(g.records)-v.checked, len(g.records), v.reason)))
	}
	if len(v.first) > 0 {
		c.Detail = a.detail(fmt.Sprintf("%s: %s detected by %s", a.label(g.subject), v.bug.ID, g.contender), v.bug, v.first)
	}
	return c
}

// detail keeps the source of the first test and how each trial's test failed, and returns
// the id under which a cell opens it. The id is "" if the page would be too large with it.
func (a *analysis) detail(title string, bug BugInfo, tests []firstTest) string {
	shown := tests[0]
	d := Detail{ID: fmt.Sprintf("test-%d", len(a.details)+1), Title: Clean(title), File: Clean(shown.cell.ID() + "/" + shown.test.File)}
	for _, f := range tests {
		d.Facts = append(d.Facts, KeyValue{fmt.Sprintf("Trial %d", f.cell.Trial), Clean(describe(f.test, a.run.Timed))})
	}
	d.Source, d.Omitted = a.source(shown.cell.ID(), shown.test.File)
	switch {
	case bug.ID == "" && a.failing+len(d.Source) > maxFailing:
		return ""
	case bug.ID == "":
		a.failing += len(d.Source)
	case a.detecting+len(d.Source) > maxDetecting:
		d.Source, d.Omitted = "", "This source is left out to keep the page small."
	default:
		a.detecting += len(d.Source)
	}
	if f := shown.test.Assertion; f != nil && f.Line > 0 && f.Line <= strings.Count(d.Source, "\n")+1 {
		d.Line = f.Line
	}
	d.Diff, d.Command = Clean(bug.Diff[shown.cell.Edition]), Clean(a.again(shown, bug))
	a.details = append(a.details, d)
	return d.ID
}

// again is the command that runs one test against one bug, in the run directory; "" of what is no program.
func (a *analysis) again(f firstTest, bug BugInfo) string {
	if bug.ID == "" || a.run.Evaluate == "" || !slices.Contains([]string{".c", ".cpp"}, path.Ext(f.test.File)) {
		return ""
	}
	command := fmt.Sprintf("bench evaluate --library %s --edition %s --test cells/%s/%s --bugs %s", f.cell.Library, f.cell.Edition, f.cell.ID(), f.test.File, bug.ID)
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

// abbreviate shortens a commit hash to what git shows of it.
func abbreviate(commit string) string {
	if len(commit) == 40 {
		return commit[:12]
	}
	return commit
}

// Slug makes a name fit for ids and file names.
func Slug(s string) string {
	mapped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
			return r
		}
		return '_'
	}, s)
	return strings.Trim(mapped, "_")
}
