package measured

import (
	"fmt"
	"slices"

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
	In      func(trial.Record) bool
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

// Lacks counts the group's records without a part, and returns the reason of the first.
func (g *Group) Lacks(p Part) (n int, why trial.Reason) {
	for _, r := range g.Records {
		if reason, ok := r.Missing[p.ID]; ok {
			if n == 0 {
				why = reason
			}
			n++
		}
	}
	return n, why
}

// Has reports whether a record of the group has a part.
func (g *Group) Has(p Part) bool { return slices.ContainsFunc(g.Records, p.In) }

// None is what stands in the place of a group's figures of a part that no record of it has; it is nil if one has it.
func (g *Group) None(p Part) *doc.Cell {
	c := g.Reason()
	lack, why := g.Lacks(p)
	switch {
	case g.Kind() == trial.KindCorpus && p.Corpus != "":
		c = doc.NA(p.Corpus)
	case len(g.Records) == 0:
	case g.Has(p):
		return nil
	case lack > 0:
		c = MissingCell(why)
	case p.Unasked != "":
		c = doc.NA(p.Unasked)
	}
	return &c
}

// Over says of a figure over only some of a group's trials which these are.
func (g *Group) Over(c doc.Cell, trials int, p Part) doc.Cell {
	if trials == g.Planned {
		return c
	}
	rest := "the others are incomplete"
	switch n, why := g.Lacks(p); {
	case n > 0:
		rest = fmt.Sprintf("%d without it: %s", n, trial.Brief(why.String()))
	case len(g.Missing) == 0:
		rest = "the others have no value"
	}
	return c.With(fmt.Sprintf("over %d of %d trials; %s", trials, g.Planned, rest))
}

// A Metric is a figure of single trials by which tools are compared; of says if a record has it.
type Metric struct {
	Key, Name, Unit string
	Part
	Of func(trial.Record) (x float64, ok bool)
}

// Sample collects the values of the trials that have one.
func (g *Group) Sample(m Metric) []float64 {
	var xs []float64
	for _, r := range g.Records {
		if !m.In(r) {
			continue
		}
		if x, ok := m.Of(r); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// Cell is the estimate over a group's trials. Without any, the reason stands in its place; with only some, a footnote
// says how many.
func (m Metric) Cell(g *Group) doc.Cell {
	if why := g.None(m.Part); why != nil {
		return *why
	}
	xs := g.Sample(m)
	switch {
	case len(xs) > 0:
		return g.Over(doc.MeanOf(xs), len(xs), m.Part)
	case m.Empty != "":
		return doc.NA(m.Empty)
	}
	return g.Reason()
}

// Plain is a metric that every record with the part has.
func (p Part) Plain(of func(record) float64) Metric {
	return Metric{Part: p, Of: func(r record) (float64, bool) { return of(r), true }}
}

// Total sums a count over the trials that have a part.
func (g *Group) Total(p Part, of func(record) int) int {
	sum := 0
	for _, r := range g.Records {
		if p.In(r) {
			sum += of(r)
		}
	}
	return sum
}

// Figure is a figure of the groups that have a part; of the others it says why not.
func (p Part) Figure(of func(*Group) doc.Cell) func(*Group) doc.Cell {
	return func(g *Group) doc.Cell {
		if why := g.None(p); why != nil {
			return *why
		}
		n := g.Total(p, func(record) int { return 1 })
		if lack, _ := g.Lacks(p); lack == 0 {
			n = g.Planned // only what a record lacks is told with a sum: the column of trials has the rest
		}
		return g.Over(of(g), n, p)
	}
}

// Sum is a count over a group's trials.
func (p Part) Sum(of func(record) int) func(*Group) doc.Cell {
	return p.Figure(func(g *Group) doc.Cell { return doc.Int(g.Total(p, of)) })
}

// Share is one count of another, each over a group's trials.
func (p Part) Share(of, all func(record) int) func(*Group) doc.Cell {
	return p.Figure(func(g *Group) doc.Cell { return doc.Of(g.Total(p, of), g.Total(p, all)) })
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
