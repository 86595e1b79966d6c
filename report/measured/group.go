package measured

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// A Group is what one tool did on one library, over its trials.
type Group struct {
	Library Library
	Tool    Tool
	Planned int
	Records []trial.Record // by trial
	Missing []trial.Incomplete
}

// A Part is what some records have and others lack.
type Part struct {
	ID      trial.Part // "" of what is no part: then no record has a reason
	In      func(record) bool
	Corpus  string // why a fuzzing corpus has none; "" where it may
	Unasked string // why a suite of programs has none for which it was not measured
	Empty   string // why there may be no figure although the part is there
}

// Kind returns the kind of the group's suites, "" while no trial is complete.
func (g *Group) Kind() trial.SuiteKind {
	if len(g.Records) == 0 {
		return ""
	}
	return g.Records[0].Kind
}

// Reason explains why a group has no value at all, from its first missing cell, in one
// line: the table of incomplete cells has the rest.
func (g *Group) Reason() doc.Cell {
	if len(g.Missing) == 0 {
		return doc.Without(doc.Incomplete, "not_measured: not measured in any trial")
	}
	return doc.Without(doc.Incomplete, g.Missing[0].Kind+": "+shortly(g.Missing[0].Message))
}

// MissingCell is a value that a record should have.
func MissingCell(why trial.Reason) doc.Cell {
	return doc.Without(doc.Lacking, string(why.Kind)+": "+shortly(why.Message))
}

// shortly is a message that is short enough to stand under each table. Another is said once, in the
// table of incomplete cells or of missing parts.
func shortly(message string) string {
	const most = 90 // characters
	if line := trial.Brief(message); len([]rune(line)) <= most {
		return line
	}
	return `see "Incomplete cells and notes" for the reason`
}

// Lacks returns why records of the group lack a part, of each that has a reason.
func (g *Group) Lacks(p Part) (reasons []trial.Reason) {
	for _, r := range g.Records {
		if why, missing := r.Missing[p.ID]; missing {
			reasons = append(reasons, why)
		}
	}
	return reasons
}

// Has reports whether a record of the group has a part.
func (g *Group) Has(p Part) bool { return slices.ContainsFunc(g.Records, p.In) }

// Figure is a figure of the records that have a part. If none has it, the reason stands in its place; what only some of
// them lack is told in a footnote.
func (p Part) Figure(of func([]trial.Record) doc.Cell) func(*Group) doc.Cell {
	return func(g *Group) doc.Cell {
		with, lacks := lists.Filter(g.Records, p.In), g.Lacks(p)
		switch {
		case g.Kind() == trial.KindCorpus && p.Corpus != "":
			return doc.NA(p.Corpus)
		case len(with) > 0 && len(lacks) > 0:
			return of(with).With(fmt.Sprintf("over %d of %d trials; %d without it: %s", len(with), g.Planned, len(lacks),
				trial.Brief(lacks[0].String())))
		case len(with) > 0:
			return of(with)
		case len(lacks) > 0:
			return MissingCell(lacks[0])
		case len(g.Records) > 0 && p.Unasked != "":
			return doc.NA(p.Unasked)
		}
		return g.Reason()
	}
}

// A Metric is a figure of single trials by which tools are compared; Of says if a record with the part has it.
type Metric struct {
	Key, Name, Unit string
	Part
	Of func(trial.Record) (x float64, ok bool)
}

// Sample collects the values of the trials that have one.
func (g *Group) Sample(m Metric) []float64 { return m.sample(lists.Filter(g.Records, m.In)) }

func (m Metric) sample(records []record) (xs []float64) {
	for _, r := range records {
		if x, ok := m.Of(r); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// Cell is the estimate over a group's trials, or the reason why it has none.
func (m Metric) Cell(g *Group) doc.Cell {
	return m.Figure(func(records []record) doc.Cell {
		xs := m.sample(records)
		switch {
		case len(xs) > 0 && len(xs) < len(records):
			return doc.MeanOf(xs).With(fmt.Sprintf("over %d of %d trials; the others have no value", len(xs), g.Planned))
		case len(xs) > 0:
			return doc.MeanOf(xs)
		case m.Empty != "":
			return doc.NA(m.Empty)
		}
		return g.Reason()
	})(g)
}

// Mean is the mean over trials of what every record with the part has.
func (p Part) Mean(of func(record) float64) func(*Group) doc.Cell {
	return Metric{Part: p, Of: func(r record) (float64, bool) { return of(r), true }}.Cell
}

// Total sums a count over the trials that have a part.
func (g *Group) Total(p Part, of func(record) int) int {
	return total(lists.Filter(g.Records, p.In), of)
}

func total(records []record, of func(record) int) (sum int) {
	for _, r := range records {
		sum += of(r)
	}
	return sum
}

// Sum is a count over a group's trials.
func (p Part) Sum(of func(record) int) func(*Group) doc.Cell {
	return p.Figure(func(records []record) doc.Cell { return doc.Int(total(records, of)) })
}

// Share is one count of another, each over a group's trials.
func (p Part) Share(of, all func(record) int) func(*Group) doc.Cell {
	return p.Figure(func(records []record) doc.Cell { return doc.Of(total(records, of), total(records, all)) })
}
