package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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

// PaperBeside makes the document of a run beside the published numbers, and returns the
// verdict on every claim.
func PaperBeside(p *paper.Paper, run PaperRun) (d *Document, claims []paper.ClaimComparison, err error) {
	defer end("published numbers", &err)
	m := paper.Measure(p, run.Cells, run.Incomplete, run.Budgets)
	b := &beside{p: p, run: run}
	for _, t := range p.Tables {
		b.cells = append(b.cells, m.CompareCells(t)...)
		b.contests = append(b.contests, m.Contests(t)...)
	}
	for _, c := range p.Claims {
		b.claims = append(b.claims, m.CompareClaim(p, c))
	}
	d = &Document{Schema: documentSchema, Data: []Table{b.data()}, Title: fmt.Sprintf("%s: the run %q beside the published numbers", paperTitle, Clean(run.Name)), Command: Clean(run.Command)}
	for _, s := range []Section{b.overview(), b.winnerSection(), b.cellSection(), b.claimSection()} {
		if len(s.Tables)+len(s.Notes) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
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

// paperVerdicts in the order of the overview, with what each means.
var paperVerdicts = []struct {
	verdict paper.Agreement
	meaning string
}{
	{paper.WithinInterval, fmt.Sprintf("the published number lies in the interval that would contain one more such run with probability %.0f%%", 100*(1-stats.Alpha))},
	{paper.SameWinner, "the number differs, but what is claimed about it (who is ahead, which bound holds) is true in most trials"},
	{paper.DiffersFrom, "neither"},
	{paper.Undecided, "measured, but in only one trial, which has no interval, or over other bugs than the paper's"},
	{paper.NotTested, "measured, but under other conditions than the paper's: another budget, or other trials"},
	{paper.NotMeasured, "the run lacks a tool, variant, library or metric that is needed"},
}

func (b *beside) overview() Section {
	t := Table{ID: "verdicts", Title: "What the run says about the published numbers", Columns: []Column{
		{Key: "verdict", Name: "Verdict", Kind: Words}, {Key: "claims", Name: "Claims", Kind: Number},
		{Key: "winners", Name: "Winners", Kind: Number}, {Key: "cells", Name: "Cells", Kind: Number}, {Key: "meaning", Name: "Meaning", Kind: Words, Wide: true}}}
	for _, v := range paperVerdicts {
		claims, winners, cells := 0, 0, 0
		for _, c := range b.claims {
			claims += one(c.Verdict == v.verdict)
		}
		for _, c := range b.contests {
			winners += one(c.Verdict == v.verdict)
		}
		for _, c := range b.cells {
			cells += one(c.Verdict == v.verdict)
		}
		t.Rows = append(t.Rows, []Cell{words(string(v.verdict)), whole(claims), whole(winners), whole(cells), words(v.meaning)})
	}
	t.Warnings = []string{"Claims: of the paper's text. Winners: the best tool or variant of a row or library. Cells: numbers of its tables."}
	s := Section{ID: "overview", Title: "Overview", Tables: []Table{t, b.tablesOverview()}, Notes: b.unplaced()}
	if len(b.run.Required) > 0 {
		s.Tables = append(s.Tables, b.claimTable("required", "Claims that were required", func(c paper.ClaimComparison) bool {
			return slices.Contains(b.run.Required, c.Claim.ID)
		}))
	}
	return s
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (b *beside) winnerSection() Section {
	t := Table{ID: "paper_winners", Title: "Who is ahead", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words}, {Key: "measure", Name: "Measure", Kind: Words}, {Key: "table", Name: "Table", Kind: Words},
		{Key: "published", Name: "In the paper", Kind: Words}, {Key: "measured", Name: "In the run", Kind: Words}, {Key: "verdict", Name: "Verdict", Kind: Words}}}
	open := 0
	for _, c := range b.contests {
		if c.Verdict == paper.NotMeasured {
			open++
			continue
		}
		t.Rows = append(t.Rows, []Cell{words(c.Of), words(metricName(c.What)), words(c.Table.ID),
			words(toolName(c.Published)), words(toolName(c.Measured)), verdictCell(c.Verdict, c.Reason)})
	}
	return Section{ID: "winners", Title: "Winners", Tables: withRows(t),
		Notes: []string{fmt.Sprintf("%d of %d comparisons are left out because the run lacks one of the sides.", open, len(b.contests))}}
}

func metricName(key string) string { return cmp.Or(metricNames[paper.Metric(key)], key) }

func toolName(key string) string {
	var list []string
	for _, k := range strings.Split(key, " = ") {
		list = append(list, cmp.Or(toolNames[k], k))
	}
	return strings.Join(list, " = ")
}

// cellSection has a table for each of the paper's of which the run measures anything.
func (b *beside) cellSection() Section {
	s := Section{ID: "cells", Title: "Published beside measured"}
	for _, table := range b.p.Tables {
		t := Table{ID: "beside_" + table.ID, Title: paperTableTitle(table), Columns: []Column{
			{Key: "row", Name: "Row", Kind: Words}, {Key: "column", Name: "Column", Kind: Words},
			{Key: "published", Name: "Published", Kind: Words},
			{Key: "measured", Name: "Measured", Kind: Estimate, Decimals: 2},
			{Key: "interval", Name: "One more run\nlies in", Kind: Range, Decimals: 2},
			{Key: "verdict", Name: "Verdict", Kind: Words}}}
		all, shown := 0, 0
		for _, c := range b.cells {
			if c.Table != table {
				continue
			}
			if all++; len(c.Sample.Values) == 0 {
				continue
			}
			shown++
			row := besideRow(c)
			t.Rows = append(t.Rows, row)
		}
		t.Warnings = wideIntervals(b.cells, table)
		if shown < all {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%d of %d cells of this table were not measured and are left out.", all-shown, all))
		}
		if shown > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	if len(s.Tables) == 0 {
		s.Notes = []string{"The run measures no cell of the paper's tables: it has none of its tools on its libraries."}
	}
	return s
}

// wideIntervals cautions where agreement is cheap: Student's t with one degree of freedom
// makes an interval of 15 standard deviations to either side.
func wideIntervals(cells []paper.CellComparison, table *paper.Table) []string {
	for _, c := range cells {
		if c.Table == table && c.Interval != nil && len(c.Sample.Values) == 2 {
			return []string{"An interval from two trials is very wide, so a number within it means little. With three trials it is a third as wide."}
		}
	}
	return nil
}

func besideRow(c paper.CellComparison) []Cell {
	measured := estimate(c.Sample.List())
	measured.Notes = nil // the verdict says what one trial means
	var row []string
	for _, k := range c.Table.RowKey(c.Table.Rows[c.Row]) {
		row = append(row, c.Table.Name(k))
	}
	return []Cell{words(strings.Join(row, ", ")), words(oneLine(c.Column.Name)),
		words(c.Published.Text).with(cleanAll(c.Table.NotesOf(c.Row, c.Column.Key))...), measured, intervalCell(c.Interval), verdictCell(c.Verdict, c.Reason)}
}

func intervalCell(r *paper.Range) Cell {
	if r == nil {
		return noValue
	}
	return span(r.Low, r.High)
}

func verdictCell(v paper.Agreement, reason string) Cell {
	c := words(string(v))
	if reason != "" {
		c = c.with(Clean(reason))
	}
	return c
}

func (b *beside) claimSection() Section {
	decided := b.claimTable("paper_claims", "Claims that the run decides or tests", func(c paper.ClaimComparison) bool { return c.Verdict != paper.NotMeasured })
	open := Table{ID: "paper_open", Title: "Claims that the run does not test, by what is missing", Columns: []Column{
		{Key: "reason", Name: "What is missing", Kind: Words, Wide: true}, {Key: "claims", Name: "Claims", Kind: Words, Wide: true}}}
	untested := slices.DeleteFunc(slices.Clone(b.claims), func(c paper.ClaimComparison) bool { return c.Verdict != paper.NotMeasured })
	for _, of := range grouped(untested, func(c paper.ClaimComparison) string { return c.Reason }) {
		var ids []string
		for _, c := range of {
			ids = append(ids, c.Claim.ID)
		}
		open.Rows = append(open.Rows, []Cell{words(of[0].Reason), words(strings.Join(ids, ", "))})
	}
	return Section{ID: "claims", Title: "Claims of the text", Tables: withRows(decided, open)}
}

// noValue stands where a claim or cell has none.
var noValue = Cell{Text: "–"}

func (b *beside) claimTable(id, title string, with func(paper.ClaimComparison) bool) Table {
	t := Table{ID: id, Title: title, Columns: []Column{
		{Key: "claim", Name: "Claim", Kind: Words},
		{Key: "statement", Name: "What is claimed", Kind: Words, Wide: true},
		{Key: "published", Name: "Printed", Kind: Words},
		{Key: "median", Name: "Median of\nthe trials", Kind: Number, Decimals: 4},
		{Key: "interval", Name: "One more run\nlies in", Kind: Range, Decimals: 2},
		{Key: "holds", Name: "Trials in\nwhich it holds", Kind: Count},
		{Key: "verdict", Name: "Verdict", Kind: Words}}}
	for _, c := range b.claims {
		if !with(c) {
			continue
		}
		holds := noValue
		if c.Asked > 0 {
			holds = count(c.Holds, c.Asked)
		}
		t.Rows = append(t.Rows, []Cell{words(c.Claim.ID), words(c.Claim.Statement), words(published(c.Claim)), numberOr(c.Median, noValue), intervalCell(c.Interval), holds, verdictCell(c.Verdict, c.Reason)})
	}
	return t
}

// data is the CSV form: a row for each cell and claim.
func (b *beside) data() Table {
	t := Table{ID: PaperData, Title: "One row per cell and claim", Columns: []Column{
		{Key: "kind", Kind: Words}, {Key: "table", Kind: Words}, {Key: "row", Kind: Words}, {Key: "column", Kind: Words}, {Key: "unit", Kind: Words},
		{Key: "published", Kind: Number}, {Key: "measured", Kind: Number}, {Key: "trials", Kind: Number}, {Key: "std", Kind: Number},
		{Key: "low", Kind: Number}, {Key: "high", Kind: Number}, {Key: "verdict", Kind: Words}, {Key: "reason", Kind: Words}}}
	none := Cell{}
	for _, c := range b.cells {
		row := []Cell{words("cell"), words(c.Table.ID), words(strings.Join(c.Table.RowKey(c.Table.Rows[c.Row]), ", ")), words(c.Column.Key), words(c.Column.Unit),
			number(c.Published.Number), none, whole(len(c.Sample.Values)), none, none, none, words(string(c.Verdict)), words(c.Reason)}
		if len(c.Sample.Values) > 0 {
			s := sure(stats.Summarize(c.Sample.List()))
			row[6], row[8] = number(s.Mean), numberOr(s.StdDev, none)
		}
		row[9], row[10] = bounds(c.Interval)
		t.Rows = append(t.Rows, row)
	}
	for _, c := range b.claims {
		row := []Cell{words("claim"), words(c.Claim.ID), none, none, none, none, numberOr(c.Median, none), whole(len(c.Values)), none, none, none, words(string(c.Verdict)), words(c.Reason)}
		if c.Claim.Published != nil {
			row[5] = number(c.Claim.Published.Number)
		}
		row[9], row[10] = bounds(c.Interval)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func bounds(r *paper.Range) (low, high Cell) {
	if r == nil {
		return Cell{}, Cell{}
	}
	return number(r.Low), number(r.High)
}
