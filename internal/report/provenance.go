package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var incompleteColumns = []Column{
	{Key: "cell", Name: "Cell", Kind: Words}, {Key: "kind", Name: "Kind", Kind: Words}, {Key: "reason", Name: "Reason", Kind: Words, Wide: true}}

// unfinished lists what a report could not show and why, and the cautions of the cells.
func (a *analysis) unfinished() Section {
	cellsTable := Table{ID: "incomplete", Title: "Incomplete cells", Columns: incompleteColumns}
	notes := Table{ID: "notes", Title: "Notes of cells", Columns: []Column{
		{Key: "cell", Name: "Cell", Kind: Words}, {Key: "note", Name: "Note", Kind: Words, Wide: true}}}
	for _, g := range a.groups {
		first := len(cellsTable.Rows) // each reason once for the trials of a tool on a library
		for _, m := range g.missing {
			row := []Cell{words(m.Cell.ID()), words(m.Kind), words(m.Message)}
			i := slices.IndexFunc(cellsTable.Rows[first:], func(o []Cell) bool { return o[1].Text == row[1].Text && o[2].Text == row[2].Text })
			if i < 0 {
				cellsTable.Rows = append(cellsTable.Rows, row)
			} else {
				cellsTable.Rows[first+i][0].Text += fmt.Sprintf(", %d", m.Cell.Trial)
			}
		}
		for _, r := range g.records {
			for _, n := range r.Notes {
				notes.Rows = append(notes.Rows, []Cell{words(r.Cell.ID()), words(n)})
			}
		}
	}
	s := Section{ID: "incomplete", Title: "Incomplete cells and notes"}
	if len(cellsTable.Rows) == 0 {
		s.Notes = []string{"Every planned cell is complete."}
	}
	s.Tables = withRows(cellsTable, a.gapTable(), notes)
	return s
}

// gapTable lists the parts that records lack: each reason once for the trials of a tool on a library.
func (a *analysis) gapTable() Table {
	t := Table{ID: "missing_parts", Title: "Missing parts of the records of complete cells", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words}, {Key: "trials", Name: "Trials", Kind: Words},
		{Key: "parts", Name: "Without", Kind: Words, Wide: true}, {Key: "kind", Name: "Kind", Kind: Words},
		{Key: "reason", Name: "Reason", Kind: Words, Wide: true}}}
	for _, g := range a.groups {
		first := len(t.Rows)
		for _, r := range g.records {
			for _, of := range trial.GroupGaps(r.Gaps()) {
				why := of[0].Reason
				row := []Cell{words(a.label(g.subject)), words(g.contender.String()), words(fmt.Sprint(r.Cell.Trial)),
					words(trial.GapNames(of)), words(string(why.Kind)), words(why.Message)}
				i := slices.IndexFunc(t.Rows[first:], func(o []Cell) bool {
					return o[3].Text == row[3].Text && o[4].Text == row[4].Text && o[5].Text == row[5].Text
				})
				if i < 0 {
					t.Rows = append(t.Rows, row)
				} else {
					t.Rows[first+i][2].Text += ", " + row[2].Text
				}
			}
		}
	}
	return t
}

// provenance lists what the figures were made from.
func (a *analysis) provenance() Section {
	s := Section{ID: "provenance", Title: "Provenance"}
	if a.run.Command != "" {
		s.Tables = append(s.Tables, factsTable("command", Facts{Title: "Command", Entries: []KeyValue{{"run", a.run.Command}}}))
	}
	for i, f := range a.run.Provenance {
		s.Tables = append(s.Tables, factsTable(fmt.Sprintf("provenance_%d_%s", i+1, strings.ToLower(Slug(f.Title))), f))
	}
	s.Tables = append(s.Tables, a.cellTable())
	return s
}

func factsTable(id string, f Facts) Table {
	t := Table{ID: id, Title: Clean(f.Title), Columns: []Column{
		{Key: "name", Name: "Name", Kind: Words}, {Key: "value", Name: "Value", Kind: Words, Wide: true}}}
	for _, e := range f.Entries {
		t.Rows = append(t.Rows, []Cell{words(e.Key), words(e.Value)})
	}
	return t
}

// cellTable lists the complete cells with their seeds and why each stopped.
func (a *analysis) cellTable() Table {
	t := Table{ID: "cells", Title: "Complete cells", Columns: []Column{
		{Key: "cell", Name: "Cell", Kind: Words},
		{Key: "seed", Name: "Seed", Kind: Words}, // text: more digits than a spreadsheet keeps
		{Key: "stop", Name: "Stopped by", Kind: Words},
		{Key: "tests", Name: "Tests", Kind: Number},
		{Key: "key", Name: "Key", Kind: Words},
	}}
	if a.run.Timed {
		t.Columns = append(t.Columns,
			Column{Key: "wall", Name: "Wall s", Kind: Number, Unit: "s", Decimals: 1},
			Column{Key: "cpu", Name: "CPU s", Kind: Number, Unit: "s", Decimals: 1},
			Column{Key: "model", Name: "Model s", Kind: Number, Unit: "s", Decimals: 1},
			Column{Key: "waited", Name: "Batch wait s", Kind: Number, Unit: "s", Decimals: 1})
	}
	for _, g := range a.groups {
		for _, r := range g.records {
			row := []Cell{words(r.Cell.ID()), words(fmt.Sprint(uint64(r.Cell.Seed))), words(string(r.Stop)), whole(tests(r)), words(abbreviateKey(r.Key))}
			if a.run.Timed {
				row = append(row, number(r.Usage.Wall.Seconds()), number(r.Usage.CPU.Seconds()), number(r.Usage.Model.Seconds()), number(r.Usage.Waited.Seconds()))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func abbreviateKey(key string) string { return key[:min(len(key), 16)] }

// tests is the size of a suite: programs or inputs.
func tests(r trial.Record) int {
	switch {
	case r.Programs != nil:
		return r.Programs.Generated
	case r.Kind == trial.KindPrograms:
		return int(r.Usage.Programs)
	}
	return r.Inputs
}

// cellColumns name the cell of an observation.
var cellColumns = []Column{
	{Key: "library", Kind: Words}, {Key: "edition", Kind: Words}, {Key: "tool", Kind: Words},
	{Key: "variant", Kind: Words}, {Key: "trial", Kind: Number},
}

func observationOf(c trial.Cell) []Cell {
	return []Cell{words(c.Library), words(c.Edition), words(c.Tool), words(c.Variant), whole(c.Trial)}
}

// observations are the records behind all tables, one row each.
func (a *analysis) observations() []Table {
	return []Table{a.trialData(), a.detectionData(), a.growthData()}
}

func (a *analysis) trialData() Table {
	t := Table{ID: "data_trials", Title: "One row per complete cell", Columns: cellColumns[:5:5]}
	keys := []string{"generated", "compiled", "executed", "false_alarms", "inputs", "lines_covered", "lines_total", "branches_covered",
		"branches_total", "functions_covered", "functions_total", "regions_covered", "regions_total"}
	for _, k := range keys {
		t.Columns = append(t.Columns, Column{Key: k, Kind: Number})
	}
	for _, g := range a.groups {
		for _, r := range g.records {
			t.Rows = append(t.Rows, slices.Concat(observationOf(r.Cell), programCells(r), coverageCounts(r)))
		}
	}
	return t
}

func programCells(r trial.Record) []Cell {
	if p := r.Programs; p != nil {
		return []Cell{whole(p.Generated), whole(p.Compiled), whole(p.Executed), whole(p.FalseAlarms), notApplicable("a suite of programs")}
	}
	if why, ok := r.Missing[trial.PartSuccess]; ok {
		none := lacking(why)
		return []Cell{none, none, none, none, notApplicable("a suite of programs")}
	}
	none := notApplicable("a fuzzing corpus")
	return []Cell{none, none, none, none, whole(r.Inputs)}
}

func coverageCounts(r trial.Record) []Cell {
	if c := r.Coverage; c != nil {
		return []Cell{whole(c.LinesCovered), whole(c.LinesTotal), whole(c.BranchesCovered), whole(c.BranchesTotal),
			whole(c.FunctionsCovered), whole(c.FunctionsTotal), whole(c.RegionsCovered), whole(c.RegionsTotal)}
	}
	none := incomplete("not_measured", "the record holds no coverage")
	if why, ok := r.Missing[trial.PartCoverage]; ok {
		none = lacking(why)
	}
	return slices.Repeat([]Cell{none}, 8)
}

func (a *analysis) detectionData() Table {
	t := Table{ID: "data_detections", Title: "One row per bug of a complete cell", Columns: append(cellColumns[:5:5],
		Column{Key: "bug", Kind: Words}, Column{Key: "detected", Kind: Number}, Column{Key: "tests", Kind: Number},
		Column{Key: "unstable", Kind: Number}, Column{Key: "oracles", Kind: Words})}
	for _, g := range a.groups {
		for _, r := range g.records {
			for _, b := range r.Bugs {
				row := append(observationOf(r.Cell), words(b.Bug))
				if b.Missing != nil {
					none := lacking(*b.Missing)
					t.Rows = append(t.Rows, append(row, none, none, none, none))
					continue
				}
				t.Rows = append(t.Rows, append(row, whole(one(b.Detected)), whole(b.Tests), whole(b.Flaky), words(classes(b.Oracles, "+"))))
			}
		}
	}
	return t
}

func (a *analysis) growthData() Table {
	t := Table{ID: "data_growth", Title: "One row per point of a growth curve", Columns: append(cellColumns[:5:5],
		Column{Key: "tests", Kind: Number}, Column{Key: "lines_covered", Kind: Number}, Column{Key: "branches_covered", Kind: Number})}
	if a.run.Timed {
		t.Columns = append(t.Columns, Column{Key: "elapsed", Unit: "s", Kind: Number, Decimals: 3})
	}
	for _, g := range a.groups {
		for _, r := range g.records {
			for _, p := range r.Growth {
				row := append(observationOf(r.Cell), whole(p.Programs), whole(p.LinesCovered), whole(p.BranchesCovered))
				if a.run.Timed {
					row = append(row, number(p.Elapsed.Seconds()))
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}
