package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A group is what one tool did on one library, over its trials.
type group struct {
	library library
	tool    tool
	planned int
	records []record // by trial
	missing []trial.Incomplete
}

// A part is what some records have and others lack.
type part struct {
	id      trial.Part // "" of what is no part: then no record has a reason
	in      func(record) bool
	corpus  string // why a fuzzing corpus has none; "" where it may
	unasked string // why a suite of programs has none for which it was not measured
	empty   string // why there may be no figure although the part is there
}

var (
	always  = part{in: func(record) bool { return true }}
	success = part{id: trial.PartSuccess, in: func(r record) bool { return r.Programs != nil },
		corpus: "a fuzzing corpus holds inputs, not programs to compile", empty: "no program was generated"}
	covered = part{id: trial.PartCoverage, in: func(r record) bool { return r.Coverage != nil }}
	counted = part{id: trial.PartVerifications, in: func(r record) bool { return r.Verifications != nil },
		corpus:  "a fuzzing corpus holds inputs, which assert nothing",
		unasked: "values recorded on the reference build are not counted", empty: "no program was generated"}
	mutated = part{id: trial.PartMutation, in: func(r record) bool { return r.Mutation != nil },
		corpus: "a fuzzing corpus holds inputs, which are not run on mutants", unasked: "it was not run on mutants"}
	detected  = part{id: trial.PartDetections, in: func(r record) bool { return len(r.Bugs) > 0 }}
	generated = part{in: func(r record) bool { return r.Generation != nil }}
	asserted  = part{in: func(r record) bool { return generated.in(r) && r.Generation.Invariants != nil }}
	told      = part{in: func(r record) bool { return generated.in(r) && r.Generation.Mutants != nil }}
)

// kind returns the kind of the group's suites, "" while no trial is complete.
func (g *group) kind() trial.SuiteKind {
	if len(g.records) == 0 {
		return ""
	}
	return g.records[0].Kind
}

// reason explains why a group has no value at all, from its first missing cell, in one
// line: the table of incomplete cells has the rest.
func (g *group) reason() doc.Cell {
	if len(g.missing) == 0 {
		return doc.Without(doc.Incomplete, "not_measured: not measured in any trial")
	}
	return doc.Without(doc.Incomplete, g.missing[0].Kind+": "+shortly(g.missing[0].Message))
}

// lacking is a value that a record should have.
func lacking(why trial.Reason) doc.Cell {
	return doc.Without(doc.Lacking, string(why.Kind)+": "+shortly(why.Message))
}

// lacks counts the group's records without a part, and returns the reason of the first.
func (g *group) lacks(p part) (n int, why trial.Reason) {
	for _, r := range g.records {
		if reason, ok := r.Missing[p.id]; ok {
			if n == 0 {
				why = reason
			}
			n++
		}
	}
	return n, why
}

// has reports whether a record of the group has a part.
func (g *group) has(p part) bool { return slices.ContainsFunc(g.records, p.in) }

// none is what stands in the place of a group's figures of a part that no record of it has; it is nil if one has it.
func (g *group) none(p part) *doc.Cell {
	c := g.reason()
	lack, why := g.lacks(p)
	switch {
	case g.kind() == trial.KindCorpus && p.corpus != "":
		c = doc.NA(p.corpus)
	case len(g.records) == 0:
	case g.has(p):
		return nil
	case lack > 0:
		c = lacking(why)
	case p.unasked != "":
		c = doc.NA(p.unasked)
	}
	return &c
}

// over says of a figure over only some of a group's trials which these are.
func (g *group) over(c doc.Cell, trials int, p part) doc.Cell {
	if trials == g.planned {
		return c
	}
	rest := "the others are incomplete"
	switch n, why := g.lacks(p); {
	case n > 0:
		rest = fmt.Sprintf("%d without it: %s", n, firstLine(why.String()))
	case len(g.missing) == 0:
		rest = "the others have no value"
	}
	return c.With(fmt.Sprintf("over %d of %d trials; %s", trials, g.planned, rest))
}

// A metric is a figure of single trials by which tools are compared; of says if a record has it.
type metric struct {
	key, name, unit string
	part
	of func(record) (x float64, ok bool)
}

// sample collects the values of the trials that have one.
func (g *group) sample(m metric) []float64 {
	var xs []float64
	for _, r := range g.records {
		if !m.in(r) {
			continue
		}
		if x, ok := m.of(r); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// cell is the estimate over a group's trials. Without any, the reason stands in its place; with only some, a footnote
// says how many.
func (m metric) cell(g *group) doc.Cell {
	if why := g.none(m.part); why != nil {
		return *why
	}
	xs := g.sample(m)
	switch {
	case len(xs) > 0:
		return g.over(doc.MeanOf(xs), len(xs), m.part)
	case m.empty != "":
		return doc.NA(m.empty)
	}
	return g.reason()
}

// plain is a metric that every record with the part has.
func (p part) plain(of func(record) float64) metric {
	return metric{part: p, of: func(r record) (float64, bool) { return of(r), true }}
}

// total sums a count over the trials that have a part.
func (g *group) total(p part, of func(record) int) int {
	sum := 0
	for _, r := range g.records {
		if p.in(r) {
			sum += of(r)
		}
	}
	return sum
}

// figure is a figure of the groups that have a part; of the others it says why not.
func (p part) figure(of func(*group) doc.Cell) func(*group) doc.Cell {
	return func(g *group) doc.Cell {
		if why := g.none(p); why != nil {
			return *why
		}
		n := g.total(p, func(record) int { return 1 })
		if lack, _ := g.lacks(p); lack == 0 {
			n = g.planned // only what a record lacks is told with a sum: the column of trials has the rest
		}
		return g.over(of(g), n, p)
	}
}

// sum is a count over a group's trials.
func (p part) sum(of func(record) int) func(*group) doc.Cell {
	return p.figure(func(g *group) doc.Cell { return doc.Int(g.total(p, of)) })
}

// share is one count of another, each over a group's trials.
func (p part) share(of, all func(record) int) func(*group) doc.Cell {
	return p.figure(func(g *group) doc.Cell { return doc.Of(g.total(p, of), g.total(p, all)) })
}

// A figure is a column of a table with a row for each T, and what a T has in it.
type figure[T any] struct {
	doc.Column
	of func(T) doc.Cell
}

// A column is one of a table with a row for each group.
type column = figure[*group]

var (
	libraryColumn = doc.Text("library", "Library")
	toolColumn    = doc.Text("tool", "Tool")
	// trials is how many of a group's trials are complete.
	trials = column{doc.Count("trials", "Trials"), func(g *group) doc.Cell { return doc.Of(len(g.records), g.planned) }}
)

// tableOf has a row for each item of a list.
func tableOf[T any](id, title string, list []T, figures []figure[T]) doc.Table {
	t := doc.NewTable(id, title)
	for _, f := range figures {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, x := range list {
		var row []doc.Cell
		for _, f := range figures {
			row = append(row, f.of(x))
		}
		t.Add(row...)
	}
	return t
}

// table has a row for each of some groups.
func (a *analysis) table(id, title string, groups []*group, columns []column) doc.Table {
	return tableOf(id, title, groups, slices.Concat([]column{
		{libraryColumn, func(g *group) doc.Cell { return doc.Words(a.label(g.library)) }},
		{toolColumn, func(g *group) doc.Cell { return doc.Words(g.tool.String()) }},
	}, columns))
}

// lines is a table whose rows begin with a library and a tool, and line such a row.
func lines(id, title string, columns ...doc.Column) doc.Table {
	return doc.NewTable(id, title, slices.Concat([]doc.Column{libraryColumn, toolColumn}, columns)...)
}

func (a *analysis) line(g *group, cells ...doc.Cell) []doc.Cell {
	return append([]doc.Cell{doc.Words(a.label(g.library)), doc.Words(g.tool.String())}, cells...)
}

// shortly is a message that is short enough to stand under each table. Another is said once, in the
// table of incomplete cells or of missing parts.
func shortly(message string) string {
	const most = 90 // characters
	if line := firstLine(message); len([]rune(line)) <= most {
		return line
	}
	return `see "Incomplete cells and notes" for the reason`
}

// firstLine is a message's first line, as far as it fits a footnote.
func firstLine(message string) string {
	const most = 300 // characters
	line, _, more := strings.Cut(message, "\n")
	if short := cut(line, most); short != line || !more {
		return short
	}
	return line + " …"
}

// cut is the beginning of a text.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + " …"
	}
	return text
}
