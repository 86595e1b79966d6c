package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// Verification makes a document of what was found of a submission: each figure with how many
// cells it holds in, then what does not hold.
func Verification(v *submission.Verification) *Document {
	return &Document{Schema: documentSchema, Title: Clean("Verification of " + v.Name), Sections: []Section{verificationSection(v)}}
}

func verificationSection(v *submission.Verification) Section {
	s := Section{ID: "verification", Title: "What is confirmed", Tables: []Table{figureTotals(v)}}
	incomplete := Table{ID: "incomplete", Title: "Cells without a record", Columns: incompleteColumns}
	for _, i := range v.Incomplete {
		incomplete.Rows = append(incomplete.Rows, []Cell{words(i.Cell.ID()), words(i.Kind), words(firstLine(i.Message))})
	}
	open := Table{}
	if v.Executed {
		open = unchecked(v)
	}
	s.Tables = append(s.Tables, withRows(figureDetails(v, submission.Differs, "differences", "What is wrong"),
		figureDetails(v, submission.Undecided, "undecided", "What could not be checked"), open, incomplete)...)
	s.Notes = append(s.Notes, fmt.Sprintf("The SHA-256 hashes of all %d files are right.", v.Files))
	if !v.Executed {
		s.Notes = append(s.Notes, "Nothing was executed (--no-exec): this does not detect a record that was changed together with its hash.")
	}
	for _, n := range v.Notes {
		s.Notes = append(s.Notes, Clean(n))
	}
	return s
}

var verdicts = []submission.Confirmation{submission.Holds, submission.Differs, submission.Undecided, submission.Unchecked}

// figuresOf are those of all cells.
func figuresOf(v *submission.Verification) []submission.Figure {
	var all []submission.Figure
	for _, c := range v.Cells {
		all = append(all, c.Figures...)
	}
	return all
}

// figureTotals counts, figure by figure, the cells with each verdict. Bugs that do not hold by
// themselves are in the details only.
func figureTotals(v *submission.Verification) Table {
	t := Table{ID: "figures", Title: fmt.Sprintf("Figures of %s", trial.Count(len(v.Cells), "cell")), Columns: []Column{{Key: "figure", Name: "Figure", Kind: Words}}}
	for _, verdict := range verdicts {
		t.Columns = append(t.Columns, Column{Key: string(verdict), Name: string(verdict), Kind: Number})
	}
	for _, of := range grouped(figuresOf(v), func(f submission.Figure) string { return f.Name }) {
		row := []Cell{words(of[0].Name)}
		for _, verdict := range verdicts {
			n := 0
			for _, f := range of {
				n += one(f.Verdict == verdict)
			}
			row = append(row, whole(n))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figureDetails lists the figures with a verdict.
func figureDetails(v *submission.Verification, verdict submission.Confirmation, id, title string) Table {
	t := Table{ID: id, Title: title, Columns: []Column{
		{Key: "cell", Name: "Cell", Kind: Words}, {Key: "figure", Name: "Figure", Kind: Words},
		{Key: "recorded", Name: "Recorded", Kind: Words, Wide: true}, {Key: "found", Name: "Found", Kind: Words, Wide: true},
		{Key: "why", Name: "Why", Kind: Words, Wide: true},
	}}
	for _, c := range v.Cells {
		for _, f := range c.Figures {
			if f.Verdict == verdict {
				recorded, found := difference(f.Recorded, f.Found)
				t.Rows = append(t.Rows, []Cell{words(c.Cell), words(f.Name), words(recorded), words(found), words(firstLine(f.Why))})
			}
		}
	}
	return t
}

// difference shortens two long values to where they begin to differ.
func difference(a, b string) (string, string) {
	const most, before = 120, 30
	x, y := []rune(a), []rune(b)
	if len(x) <= most && len(y) <= most {
		return cmp.Or(a, "–"), cmp.Or(b, "–")
	}
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	from = max(0, from-before)
	part := func(r []rune) string {
		text := string(r[min(from, len(r)):min(from+most, len(r))])
		if from > 0 {
			text = "… " + text
		}
		if from+most < len(r) {
			text += " …"
		}
		return cmp.Or(text, "–")
	}
	return part(x), part(y)
}

// unchecked lists, by reason, what nothing could tell.
func unchecked(v *submission.Verification) Table {
	t := Table{ID: "unchecked", Title: "What could not be checked", Columns: []Column{
		{Key: "figure", Name: "Figure", Kind: Words}, {Key: "why", Name: "Why", Kind: Words, Wide: true}, {Key: "cells", Name: "Cells", Kind: Number}}}
	none := slices.DeleteFunc(figuresOf(v), func(f submission.Figure) bool { return f.Verdict != submission.Unchecked })
	for _, of := range grouped(none, func(f submission.Figure) [2]string { return [2]string{f.Name, f.Why} }) {
		t.Rows = append(t.Rows, []Cell{words(of[0].Name), words(of[0].Why), whole(len(of))})
	}
	return t
}
