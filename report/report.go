// Package report makes the report of a run (package measured) as a doc.Document: sections of tables and charts. Package
// render writes a Document in every format.
//
// Build makes a row of the table of sections for each section, and CompareRuns sets two runs side by side. Packages
// leaderboard and published make the other documents.
//
// A value that does not exist is shown with its reason, never as 0. No clock appears in a report
// unless the budget was in seconds, so equal records give equal bytes.
package report

import (
	_ "embed"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/trial"
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
	*measured.Sorted
	pairs   []pair       // that are compared
	details []doc.Detail // that cells open
	bytes   int          // of their sources
	data    []doc.Table  // that only CSV and JSON have
	pages   map[string]*doc.Document
}

//go:embed definitions.yaml
var definitionsFile []byte

// definitions has, by the ID of a section, what its figures are.
var definitions = func() (all map[string][]doc.Definition) {
	if err := yaml.Unmarshal(definitionsFile, &all); err != nil {
		panic(err) // the file is part of the program
	}
	return all
}()

// sections are those of a run's report, in their order. A function fills in what a section has beside its definitions
// (definitions.yaml); a section that gets no table, chart or note is left out.
var sections = []struct {
	id, title string
	fill      func(*analysis, *doc.Section)
}{
	{"answer", "Answer", (*analysis).answer},
	{"overview", "Overview", (*analysis).overview},
	{"success", "Success rates", (*analysis).success},
	{"verifications", "Verifications", (*analysis).verifications},
	{"coverage", "Coverage", (*analysis).coverage},
	{"mutation", "Mutation score", (*analysis).mutation},
	{"bugs", "Bug detection", (*analysis).bugDetection},
	{"matrix", "Detection matrix", (*analysis).matrix},
	{"steps", "Where bugs are lost", (*analysis).steps},
	{"oracle_value", "What each oracle finds", (*analysis).oracles},
	{"memory", "What a model may remember", (*analysis).memory},
	{"invariants", "Invariants", (*analysis).invariants},
	{"suspicions", "Suspicions", (*analysis).suspicions},
	{"ablation", "Ablation", (*analysis).ablation},
	{"sweep", "Swept parameters", (*analysis).swept},
	{"comparison", "Comparison of tools", (*analysis).comparison},
	{"detection_time", "Time to detection", (*analysis).detectionTime},
	{"cost", "What models cost", (*analysis).cost},
	{"trajectories", "What agents did", (*analysis).trajectories},
	{"growth", "Coverage growth", (*analysis).growth},
	{"generation", "Generation with a model", (*analysis).generation},
	{"incomplete", "Incomplete cells and notes", (*analysis).unfinished},
	{"provenance", "Provenance", (*analysis).provenance},
}

// Build makes the report of a run. Equal runs give equal documents.
func Build(run measured.Run) *doc.Document {
	a := analyse(run)
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(run.Experiment), Command: doc.Clean(run.Command),
		Remake: "bench report . --only"}
	for _, l := range a.Libraries {
		d.Libraries = append(d.Libraries, doc.Clean(a.Label(l)))
	}
	for _, t := range a.Tools {
		d.Tools = append(d.Tools, doc.Clean(t.String()))
	}
	for _, of := range sections {
		s := doc.Section{ID: of.id, Title: of.title, Definitions: definitions[of.id]}
		of.fill(a, &s)
		d.Add(s)
	}
	for _, l := range a.Libraries { // an answer for each, beside that for all
		if len(a.Libraries) == 1 {
			break
		}
		one := run.Only(func(c trial.Cell) bool { return measured.LibraryOf(c) == l })
		one.Bugs = a.Bugs[l.Name]
		s := doc.Section{Title: doc.Clean(a.Label(l))}
		analyse(one).answer(&s)
		s.Tables[0].ID, s.Charts = "answer_"+slug(a.Label(l)), nil
		d.Sections[0].Narrowed = append(d.Sections[0].Narrowed, s)
	}
	d.Data, d.Details, d.Pages = append([]doc.Table{}, a.data...), a.details, a.pages
	return d
}

// analyse sorts a run.
func analyse(run measured.Run) *analysis {
	a := &analysis{Sorted: measured.Sort(run)}
	a.pairs = pairsOf(a.Sorted)
	return a
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

// over is a mean of trials with its range, at x.
func over(x float64, values []float64) doc.Point {
	return doc.Point{X: x, Mean: doc.Mean(values), Min: slices.Min(values), Max: slices.Max(values)}
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
func (a *analysis) table(id, title string, groups []*group, columns ...column) doc.Table {
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

// slug makes a name fit for ids and file names.
func slug(s string) string {
	mapped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
			return r
		}
		return '_'
	}, s)
	return strings.Trim(mapped, "_")
}
