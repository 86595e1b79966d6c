package report

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A figure is a column of a table with one row for each group, and what a group has in it.
type figure struct {
	Column
	of func(*group) Cell
}

// trialsFigure is how many of a group's trials are complete.
var trialsFigure = figure{countColumn("trials", "Trials"), func(g *group) Cell { return count(len(g.records), g.planned) }}

// table has a row for each of some groups.
func (a *analysis) table(id, title string, groups []*group, figures ...figure) Table {
	t := groupTable(id, title)
	for _, f := range figures {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, g := range groups {
		row := a.groupCells(g)
		for _, f := range figures {
			row = append(row, f.of(g))
		}
		t.add(row...)
	}
	return t
}

// groupCells are the first two of a group's row, with others behind them.
func (a *analysis) groupCells(g *group, cells ...Cell) []Cell {
	return append([]Cell{words(a.label(g.library)), words(g.tool.String())}, cells...)
}

// kind returns the kind of the group's suites, "" while no trial is complete.
func (g *group) kind() trial.SuiteKind {
	if len(g.records) == 0 {
		return ""
	}
	return g.records[0].Kind
}

// reason explains why a group has no value at all, from its first missing cell, in one
// line: the table of incomplete cells has the rest.
func (g *group) reason() Cell {
	if len(g.missing) == 0 {
		return incomplete("not_measured", "not measured in any trial")
	}
	return incomplete(g.missing[0].Kind, shortly(g.missing[0].Message))
}

// lacks counts the group's records without a part, and returns the reason of the first.
func (g *group) lacks(p trial.Part) (n int, why trial.Reason) {
	for _, r := range g.records {
		if reason, ok := r.Missing[p]; ok {
			if n == 0 {
				why = reason
			}
			n++
		}
	}
	return n, why
}

// left says of a figure over only some of a group's trials which these are.
func (g *group) left(trials int, p trial.Part) string {
	over := fmt.Sprintf("over %d of %d trials; ", trials, g.planned)
	switch n, why := g.lacks(p); {
	case n > 0:
		return Clean(fmt.Sprintf("%s%d without it: %s", over, n, firstLine(why.String())))
	case len(g.missing) == 0:
		return over + "the others have no value"
	}
	return over + "the others are incomplete"
}

// A value is a figure of one record; ok is false if it has none.
type value func(trial.Record) (x float64, ok bool)

// sample collects the values of the trials that have one.
func (g *group) sample(of value) []float64 {
	var xs []float64
	for _, r := range g.records {
		if x, ok := of(r); ok {
			xs = append(xs, x)
		}
	}
	return xs
}

// sampled is the estimate over the trials that have a value, of that part of a record.
// Without any, the reason stands in its place; with only some, a footnote says how many.
func (g *group) sampled(p trial.Part, of value) Cell {
	xs := g.sample(of)
	if len(xs) == 0 {
		if n, why := g.lacks(p); n > 0 {
			return lacking(why)
		}
		return g.reason()
	}
	c := estimate(xs)
	if len(xs) < g.planned {
		c = c.with(g.left(len(xs), p))
	}
	return c
}

// having returns what the group's records have of something that not every record has.
func having[T any](g *group, of func(trial.Record) *T) []*T {
	var all []*T
	for _, r := range g.records {
		if x := of(r); x != nil {
			all = append(all, x)
		}
	}
	return all
}

// grouped sorts a list into parts of one key, in the order in which the keys first appear.
func grouped[K comparable, T any](list []T, key func(T) K) [][]T {
	var parts [][]T
	index := map[K]int{}
	for _, x := range list {
		i, known := index[key(x)]
		if !known {
			i = len(parts)
			index[key(x)], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], x)
	}
	return parts
}

// total sums a count over the trials that have it.
func total[T any](g *group, of func(trial.Record) *T, part func(*T) int) int {
	sum := 0
	for _, x := range having(g, of) {
		sum += part(x)
	}
	return sum
}

// sum is a count over a group's trials.
func sum[T any](in func(trial.Record) *T, part func(*T) int) func(*group) Cell {
	return func(g *group) Cell { return whole(total(g, in, part)) }
}

// sumOf is one count of another, each over a group's trials.
func sumOf[T any](in func(trial.Record) *T, part, all func(*T) int) func(*group) Cell {
	return func(g *group) Cell { return count(total(g, in, part), total(g, in, all)) }
}

// named sums counts by their names.
func named[T any](g *group, in func(trial.Record) *T, counts func(*T) []trial.NamedCount) []trial.NamedCount {
	var all, sums []trial.NamedCount
	for _, x := range having(g, in) {
		all = append(all, counts(x)...)
	}
	for _, of := range grouped(all, func(c trial.NamedCount) string { return c.Name }) {
		sum := trial.NamedCount{Name: of[0].Name}
		for _, c := range of {
			sum.Count += c.Count
		}
		sums = append(sums, sum)
	}
	return sums
}

// The parts of a record that not every record has.
func programsOf(r trial.Record) *trial.ProgramCounts      { return r.Programs }
func coverageOf(r trial.Record) *trial.Coverage           { return r.Coverage }
func verificationsOf(r trial.Record) *trial.Verifications { return r.Verifications }
func mutationOf(r trial.Record) *trial.Mutation           { return r.Mutation }
func generationOf(r trial.Record) *trial.Generation       { return r.Generation }

func invariantsOf(r trial.Record) *trial.Invariants {
	if r.Generation == nil {
		return nil
	}
	return r.Generation.Invariants
}

func feedbackOf(r trial.Record) *trial.MutantFeedback {
	if r.Generation == nil {
		return nil
	}
	return r.Generation.Mutants
}

// An optional is a part of records that not every run measures, and none of a fuzzing corpus.
type optional[T any] struct {
	part    trial.Part
	in      func(trial.Record) *T
	corpus  string // why a corpus has no value
	unasked string // why a suite of programs has none of which it was not measured
	// empty says why a group that has the part has no figures all the same, "" if it has; nil where all have.
	empty func(*group) string
}

// asked reports whether a suite of programs has the part, or a reason why it has not.
func (o optional[T]) asked(a *analysis) bool {
	return slices.ContainsFunc(a.groups, func(g *group) bool {
		lack, _ := g.lacks(o.part)
		return g.kind() != trial.KindCorpus && lack+len(having(g, o.in)) > 0
	})
}

// cell is a figure of the groups that have the part; of the others it says why not.
func (o optional[T]) cell(of func(*group) Cell) func(*group) Cell {
	return func(g *group) Cell {
		lack, why := g.lacks(o.part)
		switch {
		case g.kind() == trial.KindCorpus:
			return notApplicable(o.corpus)
		case len(g.records) == 0:
			return g.reason()
		case len(having(g, o.in)) == 0 && lack > 0:
			return lacking(why)
		case len(having(g, o.in)) == 0:
			return notApplicable(o.unasked)
		case o.empty != nil && o.empty(g) != "":
			return notApplicable(o.empty(g))
		}
		return of(g)
	}
}

func (o optional[T]) sum(part func(*T) int) func(*group) Cell { return o.cell(sum(o.in, part)) }

func (o optional[T]) share(part, all func(*T) int) func(*group) Cell {
	return o.cell(sumOf(o.in, part, all))
}
