package report

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/compared"
	"github.com/lisa-bench/lisa-bench/report/detail"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// What sections are made of.
type (
	record  = trial.Record
	group   = measured.Group
	library = measured.Library
	tool    = measured.Tool
	metric  = measured.Metric
	part    = measured.Part
)

// An analysis is a sorted run and what its report has beside sections.
type analysis struct {
	*compared.Comparison
	opened detail.List // by cells
	data   []doc.Table // tables that only CSV and JSON have
	pages  map[string]*doc.Document
}

var (
	always  = part{In: func(record) bool { return true }}
	success = part{ID: trial.PartSuccess, In: func(r record) bool { return r.Programs != nil },
		Corpus: "a fuzzing corpus holds inputs, not programs to compile", Empty: "no program was generated"}
	covered = part{ID: trial.PartCoverage, In: func(r record) bool { return r.Coverage != nil }}
	counted = part{ID: trial.PartVerifications, In: func(r record) bool { return r.Verifications != nil },
		Corpus:  "a fuzzing corpus holds inputs, which assert nothing",
		Unasked: "values recorded on the reference build are not counted", Empty: "no program was generated"}
	mutated = part{ID: trial.PartMutation, In: func(r record) bool { return r.Mutation != nil },
		Corpus: "a fuzzing corpus holds inputs, which are not run on mutants", Unasked: "it was not run on mutants"}
	generated = part{In: func(r record) bool { return r.Generation != nil }}
	asserted  = part{In: func(r record) bool { return generated.In(r) && r.Generation.Invariants != nil }}
	told      = part{In: func(r record) bool { return generated.In(r) && r.Generation.Mutants != nil }}
)

// series is a tool's part of a chart.
func (a *analysis) series(t tool, points ...doc.Point) doc.Series {
	return doc.Series{Name: t.String(), Style: slices.Index(a.Tools, t), Points: points}
}

// A figure is a column of a table with a row for each T, and what a T has in it.
type figure[T any] struct {
	doc.Column
	of func(T) doc.Cell
}

// A column is one of a table with a row for each group.
type column = figure[*group]

var (
	libraryColumn = compared.LibraryColumn
	toolColumn    = compared.ToolColumn
	// trials is how many of a group's trials are complete.
	trials = column{doc.Count("trials", "Trials"), func(g *group) doc.Cell { return doc.Of(len(g.Records), g.Planned) }}
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
		{libraryColumn, func(g *group) doc.Cell { return doc.Words(a.Label(g.Library)) }},
		{toolColumn, func(g *group) doc.Cell { return doc.Words(g.Tool.String()) }},
	}, columns))
}

// lines is a table whose rows begin with a library and a tool, and line such a row.
func lines(id, title string, columns ...doc.Column) doc.Table {
	return doc.NewTable(id, title, slices.Concat([]doc.Column{libraryColumn, toolColumn}, columns)...)
}

func (a *analysis) line(g *group, cells ...doc.Cell) []doc.Cell {
	return append([]doc.Cell{doc.Words(a.Label(g.Library)), doc.Words(g.Tool.String())}, cells...)
}

// analyse sorts a run and refuses contradictions.
func analyse(run measured.Run) (*analysis, error) {
	sorted, err := measured.Sort(run)
	if err != nil {
		return nil, err
	}
	return &analysis{Comparison: compared.Of(sorted), opened: detail.List{Run: run}}, nil
}
