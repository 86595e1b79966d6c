package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

var suspicionDefinition = Definition{"Suspicion", "An assertion argued from documents that failed on the reference build. A person decides whether the assertion or the library is wrong. " +
	"It is in no test and no other figure.", ""}

// suspicions lists what a person has to look at, the strongest first.
func (a *analysis) suspicions() Section {
	t := Table{ID: "suspicions", Title: "Candidates for review, most promising first", Columns: []Column{
		{Key: "rank", Name: "Rank", Kind: Number},
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "trial", Name: "Trial", Kind: Number},
		{Key: "id", Name: "Id", Kind: Words},
		{Key: "assertion", Name: "Assertion", Kind: Words, Wide: true},
		{Key: "values", Name: "Reference returned", Kind: Words, Wide: true},
		{Key: "argument", Name: "Argument", Kind: Words, Wide: true},
		{Key: "opinion", Name: "Second opinion", Kind: Words, Wide: true},
		{Key: "shown", Name: "Programs", Kind: Number},
		{Key: "script", Name: "Script", Kind: Words},
	}}
	for i, c := range a.run.Against {
		t.Columns = append(t.Columns, Column{Key: fmt.Sprintf("against_%d", i+1), Name: fmt.Sprintf("%s on %s", c.Library, c.Version), Kind: Words})
	}
	list := sure(results.RankSuspicions(a.run.Cells, func(c trial.Cell, file string) (string, error) {
		text, _ := a.source(c.ID(), file)
		return text, nil
	}))
	for _, c := range list {
		g, id := a.group(subject{c.Cell.Library, c.Cell.Edition}, contender{c.Cell.Tool, c.Cell.Variant}), words(c.ID)
		if c.Rank <= mostPrograms {
			id.Detail = a.candidate(g, c)
		}
		row := []Cell{whole(c.Rank), words(a.label(g.subject)), words(g.contender.String()), whole(c.Cell.Trial), id,
			words("assert(" + c.Assertion + ")"), words(briefly(strings.Join(c.Values, ", "))), words(c.Reason()), words(opinion(c)), whole(c.Shown),
			words("sh cells/" + c.Cell.ID() + "/" + c.Script)}
		for _, against := range a.run.Against {
			change, ok := against.Of(c.Cell, c.ID)
			if !ok {
				row = append(row, words("–"))
				continue
			}
			row = append(row, words(string(change.Outcome)).with(Clean(strings.Join(append([]string{change.Detail}, change.Values...), " "))))
		}
		t.Rows = append(t.Rows, row)
	}
	return Section{ID: "suspicions", Title: "Suspicions", Tables: withRows(t), Definitions: []Definition{
		suspicionDefinition,
		{"On another version", "Fixed: it fails on the earlier of the two versions and holds on the later. Broken: the opposite, a regression. `bench suspicions --against` runs them.", ""},
		{"Order", "By these keys in turn: the second opinion (upheld, not asked, contested), whether a document is cited, the kind of invariant, how many programs show it, how often the model insisted, and the length of the program.", ""},
	}}
}

// briefly is the beginning of a text for a table; the whole is in the candidate's detail.
func briefly(text string) string {
	const most = 160 // characters
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// mostPrograms is how many candidates, of the first, have their programs in the report.
const mostPrograms = 100

// candidate keeps the program of a candidate and returns the id under which a cell opens it.
func (a *analysis) candidate(g *group, c results.RankedSuspicion) string {
	d := Detail{ID: fmt.Sprintf("test-%d", len(a.details)+1), Title: Clean(fmt.Sprintf("%s: candidate %d, %s of %s", a.label(g.subject), c.Rank, c.ID, g.contender)),
		File: Clean(c.Cell.ID() + "/" + c.Program), Line: c.Line, Facts: []KeyValue{
			{"Assertion", Clean(c.Assertion)}, {"Reference returned", Clean(strings.Join(c.Values, ", "))}, {"Based on", Clean(c.Reason())},
			{"The tool says", Clean(c.Argument)}, {"Second opinion", Clean(opinion(c))}, {"In the suite it was", string(c.Fate)}, {"Place", Clean(c.Place)},
		}}
	d.Source, d.Omitted = a.source(c.Cell.ID(), c.Program)
	if d.Line > strings.Count(d.Source, "\n")+1 {
		d.Line = 0
	}
	a.details = append(a.details, d)
	return d.ID
}

func opinion(c results.RankedSuspicion) string {
	if c.Opinion.Why == "" {
		return string(c.Opinion.Verdict)
	}
	return fmt.Sprintf("%s: %s", c.Opinion.Verdict, c.Opinion.Why)
}
