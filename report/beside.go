package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A PaperRun is a run to set beside the published numbers.
type PaperRun struct {
	Name       string
	Command    string
	Cells      []trial.Record
	Incomplete []trial.Incomplete
	Budgets    map[string]trial.Budget // of generation, by cell ID
	Required   []string                // ids of claims, shown first
}

// ReadPaperRun reads the run in a directory, to be set beside the published numbers.
func ReadPaperRun(dir string) (run PaperRun, err error) {
	data, exp, err := load(dir)
	if err != nil {
		return run, err
	}
	run = PaperRun{Name: filepath.Base(filepath.Clean(dir)), Budgets: budgetsOf(exp)}
	for _, c := range data.Cells {
		if c.Record != nil {
			run.Cells = append(run.Cells, *c.Record)
		} else {
			run.Incomplete = append(run.Incomplete, *c.Incomplete)
		}
	}
	return run, nil
}

// PaperBeside makes the document of a run beside the published numbers, and returns how it stands to every claim.
func PaperBeside(p *paper.Paper, run PaperRun) (*Document, []paper.ClaimComparison, error) {
	m := paper.Measure(p, run.Cells, run.Incomplete, run.Budgets)
	b := &beside{p: p, run: run}
	for _, t := range p.Tables {
		b.cells = append(b.cells, m.CompareCells(t)...)
		b.contests = append(b.contests, m.Contests(t)...)
	}
	for _, c := range p.Claims {
		b.claims = append(b.claims, m.CompareClaim(p, c))
	}
	d := &Document{Schema: documentSchema, Data: []Table{b.data()}, Command: Clean(run.Command),
		Title: fmt.Sprintf("%s: the run %q beside the published numbers", paperTitle, Clean(run.Name))}
	d.add(b.overview(), b.winners(), b.measured(), b.claimSection())
	return d, b.claims, nil
}

// beside is what the sections are made of.
type beside struct {
	p        *paper.Paper
	run      PaperRun
	cells    []paper.CellComparison
	contests []paper.Contest
	claims   []paper.ClaimComparison
}

// agreements in the order of the overview, with what each means.
var agreements = []struct {
	agreement paper.Agreement
	meaning   string
}{
	{paper.WithinInterval, fmt.Sprintf("the published number lies in the interval that would contain one more such run with probability %.0f%%", 100*(1-stats.Alpha))},
	{paper.SameWinner, "the number differs, but what is claimed about it (who is ahead, which bound holds) is true in most trials"},
	{paper.DiffersFrom, "neither"},
	{paper.Undecided, "measured, but in only one trial, which has no interval, or over other bugs than the paper's"},
	{paper.NotTested, "measured, but under other conditions than the paper's: another budget, or other trials"},
	{paper.NotMeasured, "the run lacks a tool, variant, library or metric that is needed"},
}

func (b *beside) overview() Section {
	t := newTable("verdicts", "What the run says about the published numbers", textColumn("verdict", "Verdict"), numberColumn("claims", "Claims", 0),
		numberColumn("winners", "Winners", 0), numberColumn("cells", "Cells", 0), wideColumn("meaning", "Meaning"))
	for _, v := range agreements {
		claims, winners, cells := 0, 0, 0
		for _, c := range b.claims {
			claims += one(c.Verdict == v.agreement)
		}
		for _, c := range b.contests {
			winners += one(c.Verdict == v.agreement)
		}
		for _, c := range b.cells {
			cells += one(c.Verdict == v.agreement)
		}
		t.add(words(string(v.agreement)), whole(claims), whole(winners), whole(cells), words(v.meaning))
	}
	t.Warnings = []string{"Claims: of the paper's text. Winners: the best tool or variant of a row or library. Cells: numbers of its tables."}
	s := Section{ID: "overview", Title: "Overview", Tables: []Table{t, b.tables()}, Notes: b.unplaced()}
	if len(b.run.Required) > 0 {
		s.Tables = append(s.Tables, b.claimTable("required", "Claims that were required", func(c paper.ClaimComparison) bool {
			return slices.Contains(b.run.Required, c.Claim.ID)
		}))
	}
	return s
}

// tables has a row for each table of the paper: how much of it the run can be held against, and why
// the rest cannot.
func (b *beside) tables() Table {
	t := newTable("paper_tables", "The paper's tables", textColumn("table", "Table"), numberColumn("printed", "Printed", 0), numberColumn("measured", "Measured", 0),
		numberColumn("agree", "Within\ninterval", 0), numberColumn("differ", "Differ", 0), numberColumn("undecided", "Un-\ndecided", 0),
		numberColumn("not_tested", "Not\ntested", 0), textColumn("reason", "Why the rest is not comparable"))
	for _, table := range b.p.Tables {
		counts, printed, measured, reason := map[paper.Agreement]int{}, 0, 0, ""
		for _, row := range table.Rows {
			for i, c := range table.Columns {
				printed += one(!c.Text && row[i].Text != "")
			}
		}
		for _, c := range b.cellsOf(table) {
			counts[c.Verdict]++
			measured += one(len(c.Sample.Values) > 0)
			if reason == "" && (c.Verdict == paper.NotMeasured || c.Verdict == paper.NotTested) {
				reason = c.Reason
			}
		}
		if !slices.ContainsFunc(table.Columns, func(c paper.Column) bool { return c.Metric != "" && c.Metric != paper.BugsChecked }) {
			reason = "no run measures it"
		}
		t.add(words(cmp.Or(table.Place.Label, table.ID)), whole(printed), whole(measured), whole(counts[paper.WithinInterval]),
			whole(counts[paper.DiffersFrom]), whole(counts[paper.Undecided]), whole(counts[paper.NotTested]), words(Clean(reason)))
	}
	return t
}

func (b *beside) cellsOf(t *paper.Table) []paper.CellComparison {
	return slices.DeleteFunc(slices.Clone(b.cells), func(c paper.CellComparison) bool { return c.Table != t })
}

// unplaced are the variants of the run that no table of the paper has a place for, as a note; nil if there
// are none.
func (b *beside) unplaced() []string {
	var cells []trial.Cell
	for _, r := range b.run.Cells {
		cells = append(cells, r.Cell)
	}
	for _, i := range b.run.Incomplete {
		cells = append(cells, i.Cell)
	}
	var names []string
	for _, c := range cells {
		if c.Tool != experiments.KnowledgeTool && !b.p.Places(c.Tool, c.Variant) {
			names = append(names, toolOf(c).String())
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	return []string{fmt.Sprintf("The run also has %s, which the paper's tables do not have.", strings.Join(slices.Compact(names), ", "))}
}

func (b *beside) winners() Section {
	t := newTable("paper_winners", "Who is ahead", textColumn("library", "Library"), textColumn("measure", "Measure"), textColumn("table", "Table"),
		textColumn("published", "In the paper"), textColumn("measured", "In the run"), textColumn("verdict", "Verdict"))
	open := 0
	for _, c := range b.contests {
		if c.Verdict == paper.NotMeasured {
			open++
			continue
		}
		t.add(words(c.Of), words(cmp.Or(metricNames[paper.Metric(c.What)], c.What)), words(c.Table.ID),
			words(toolName(c.Published)), words(toolName(c.Measured)), agreementCell(c.Verdict, c.Reason))
	}
	return Section{ID: "winners", Title: "Winners", Tables: withRows(t),
		Notes: []string{fmt.Sprintf("%d of %d comparisons are left out because the run lacks one of the sides.", open, len(b.contests))}}
}

func toolName(key string) string {
	var list []string
	for _, k := range strings.Split(key, " = ") {
		list = append(list, cmp.Or(toolNames[k], k))
	}
	return strings.Join(list, " = ")
}

// measured has a table for each of the paper's of which the run measures anything.
func (b *beside) measured() Section {
	s := Section{ID: "cells", Title: "Published beside measured"}
	for _, table := range b.p.Tables {
		t := newTable("beside_"+table.ID, paperTableTitle(table), textColumn("row", "Row"), textColumn("column", "Column"), textColumn("published", "Published"),
			estimateColumn("measured", "Measured", 2), rangeColumn("interval", "One more run\nlies in", 2), textColumn("verdict", "Verdict"))
		cells, wide := b.cellsOf(table), false
		for _, c := range cells {
			if len(c.Sample.Values) == 0 {
				continue
			}
			var row []string
			for _, k := range table.RowKey(table.Rows[c.Row]) {
				row = append(row, table.Name(k))
			}
			measured := estimate(c.Sample.List())
			measured.Notes = nil // the last column says what one trial means
			t.add(words(strings.Join(row, ", ")), words(oneLine(c.Column.Name)), words(c.Published.Text).with(cleanAll(table.NotesOf(c.Row, c.Column.Key))...),
				measured, intervalCell(c.Interval), agreementCell(c.Verdict, c.Reason))
			wide = wide || c.Interval != nil && len(c.Sample.Values) == 2
		}
		if wide { // Student's t with one degree of freedom makes an interval of 15 standard deviations to either side
			t.Warnings = []string{"An interval from two trials is very wide, so a number within it means little. With three trials it is a third as wide."}
		}
		if left := len(cells) - len(t.Rows); left > 0 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%d of %d cells of this table were not measured and are left out.", left, len(cells)))
		}
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	if len(s.Tables) == 0 {
		s.Notes = []string{"The run measures no cell of the paper's tables: it has none of its tools on its libraries."}
	}
	return s
}

// noValue stands where a claim or cell has none.
var noValue = Cell{Text: "–"}

func intervalCell(r *paper.Range) Cell {
	if r == nil {
		return noValue
	}
	return span(r.Low, r.High)
}

func agreementCell(v paper.Agreement, reason string) Cell {
	c := words(string(v))
	if reason != "" {
		c = c.with(Clean(reason))
	}
	return c
}

func (b *beside) claimSection() Section {
	decided := b.claimTable("paper_claims", "Claims that the run decides or tests", func(c paper.ClaimComparison) bool { return c.Verdict != paper.NotMeasured })
	open := newTable("paper_open", "Claims that the run does not test, by what is missing", wideColumn("reason", "What is missing"), wideColumn("claims", "Claims"))
	untested := slices.DeleteFunc(slices.Clone(b.claims), func(c paper.ClaimComparison) bool { return c.Verdict != paper.NotMeasured })
	for _, of := range grouped(untested, func(c paper.ClaimComparison) string { return c.Reason }) {
		var ids []string
		for _, c := range of {
			ids = append(ids, c.Claim.ID)
		}
		open.add(words(of[0].Reason), words(strings.Join(ids, ", ")))
	}
	return Section{ID: "claims", Title: "Claims of the text", Tables: withRows(decided, open)}
}

func (b *beside) claimTable(id, title string, with func(paper.ClaimComparison) bool) Table {
	t := newTable(id, title, textColumn("claim", "Claim"), wideColumn("statement", "What is claimed"), textColumn("published", "Printed"),
		numberColumn("median", "Median of\nthe trials", 4), rangeColumn("interval", "One more run\nlies in", 2),
		countColumn("holds", "Trials in\nwhich it holds"), textColumn("verdict", "Verdict"))
	for _, c := range b.claims {
		if !with(c) {
			continue
		}
		holds := noValue
		if c.Asked > 0 {
			holds = count(c.Holds, c.Asked)
		}
		t.add(words(c.Claim.ID), words(c.Claim.Statement), words(printedNumber(c.Claim)), numberOr(c.Median, noValue), intervalCell(c.Interval), holds, agreementCell(c.Verdict, c.Reason))
	}
	return t
}

// data is the CSV form: a row for each cell and claim.
func (b *beside) data() Table {
	t := newTable(PaperData, "One row per cell and claim", keyColumns([]string{"kind", "table", "row", "column", "unit"},
		[]string{"published", "measured", "trials", "std", "low", "high"}, []string{"verdict", "reason"})...)
	none := Cell{}
	bounds := func(r *paper.Range) (low, high Cell) {
		if r == nil {
			return none, none
		}
		return number(r.Low), number(r.High)
	}
	for _, c := range b.cells {
		measured, std := none, none
		if s, err := stats.Summarize(c.Sample.List()); err == nil {
			measured, std = number(s.Mean), numberOr(s.StdDev, none)
		}
		low, high := bounds(c.Interval)
		t.add(words("cell"), words(c.Table.ID), words(strings.Join(c.Table.RowKey(c.Table.Rows[c.Row]), ", ")), words(c.Column.Key), words(c.Column.Unit),
			number(c.Published.Number), measured, whole(len(c.Sample.Values)), std, low, high, words(string(c.Verdict)), words(c.Reason))
	}
	for _, c := range b.claims {
		printed := none
		if c.Claim.Published != nil {
			printed = number(c.Claim.Published.Number)
		}
		low, high := bounds(c.Interval)
		t.add(words("claim"), words(c.Claim.ID), none, none, none, printed, numberOr(c.Median, none), whole(len(c.Values)), none, low, high, words(string(c.Verdict)), words(c.Reason))
	}
	return t
}
