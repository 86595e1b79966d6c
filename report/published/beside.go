package published

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// Beside makes the document of a run, of that name, beside the published numbers, and returns how it stands to every
// claim. The claims with the required ids are shown first.
func Beside(p *paper.Paper, name string, run measured.Run, required []string) (*doc.Document, []paper.ClaimComparison) {
	m := paper.Measure(run.Cells, run.Incomplete, run.Budgets)
	b := &beside{p: p}
	for _, t := range p.Tables {
		b.cells = append(b.cells, m.CompareCells(t)...)
		b.contests = append(b.contests, m.Contests(t)...)
	}
	for _, c := range p.Claims {
		b.claims = append(b.claims, m.CompareClaim(p, c))
	}
	d := &doc.Document{Schema: doc.Schema, Data: []doc.Table{b.data()}, Command: "bench paper RUN",
		Title: fmt.Sprintf("%s: the run %q beside the published numbers", paperTitle, doc.Clean(name))}
	overview := b.overview(required)
	overview.Put(stopped(run))
	overview.Notes = b.decided(run)
	d.Add(overview, b.winners(), b.measured(), b.claimSection())
	return d, b.claims
}

// beside is what the sections are made of.
type beside struct {
	p        *paper.Paper
	cells    []paper.CellComparison
	contests []paper.Contest
	claims   []paper.ClaimComparison
}

// agreements in the order of the overview, with what each means.
var agreements = []struct {
	agreement paper.Agreement
	meaning   string
}{
	{paper.WithinInterval, fmt.Sprintf("the published number lies in the interval that would contain one more such run "+
		"with probability %.0f%%", 100*(1-stats.Alpha))},
	{paper.SameWinner, "the number differs, but what is claimed about it (who is ahead, which bound holds) is true in " +
		"most trials"},
	{paper.DiffersFrom, "neither"},
	{paper.Undecided, "measured, but in only one trial, which has no interval, or over other bugs than the paper's"},
	{paper.NotTested, "measured, but under other conditions than the paper's: another budget, a limit that ended it " +
		"before its time, " +
		"or other trials"},
	{paper.NotMeasured, "the run lacks a tool, variant, library or metric that is needed"},
}

func (b *beside) overview(required []string) doc.Section {
	t := doc.NewTable("verdicts", "What the run says about the published numbers", doc.Text("verdict", "Verdict"),
		doc.Number("claims", "Claims", 0), doc.Number("winners", "Winners", 0), doc.Number("cells", "Cells", 0),
		doc.Wide("meaning", "Meaning"))
	for _, v := range agreements {
		t.Add(doc.Words(string(v.agreement)),
			tally(b.claims, func(c paper.ClaimComparison) bool { return c.Verdict == v.agreement }),
			tally(b.contests, func(c paper.Contest) bool { return c.Verdict == v.agreement }),
			tally(b.cells, func(c paper.CellComparison) bool { return c.Verdict == v.agreement }), doc.Words(v.meaning))
	}
	t.Warnings = []string{"Claims: of the paper's text. Winners: the best tool or variant of a row or library. " +
		"Cells: numbers of its tables."}
	return doc.Section{ID: "overview", Title: "Overview", Tables: []doc.Table{t, b.tables(),
		b.claimTable("required", "Claims that were required", func(c paper.ClaimComparison) bool {
			return slices.Contains(required, c.Claim.ID)
		})}}
}

// tally counts the members of a list that fit.
func tally[T any](list []T, is func(T) bool) doc.Cell { return doc.Int(len(lists.Filter(list, is))) }

// stopped has a row for each cell with a budget of hours that another limit ended.
func stopped(run measured.Run) doc.Table {
	t := doc.NewTable("stopped", "Cells that a limit ended before their time", doc.Text("cell", "Cell"),
		doc.Text("limit", "Limit"),
		doc.Text("set", "Budget"), doc.Text("had", "Time that\nit had"))
	for _, r := range run.Cells {
		b := run.Budgets[r.Cell.ID()]
		if b.Limit() > 0 && b.Programs == 0 && paper.Stopped(r) {
			t.Add(doc.Words(r.Cell.ID()), doc.Words(paper.LimitOf(r.Stop)), doc.Words(b.String()),
				doc.Words(r.Usage.On(b).Round(time.Minute).String()))
		}
	}
	if len(t.Rows) > 0 {
		t.Warnings = []string{"They worked less than the paper's: their figures are as a rule too low, and nothing is " +
			"tested by them. " +
			"Raise the limit, for example with --set tools.lisa.budget.dollars=500, and run the same command: " +
			"they go on where they stopped."}
	}
	return t
}

// paperTrials is the number of trials that give a number an interval that is not very wide.
const paperTrials = 3

// decided says how much the run decides, and what more trials would cost.
func (b *beside) decided(run measured.Run) []string {
	decided := lists.Filter(b.claims, func(c paper.ClaimComparison) bool { return !c.Verdict.Open() })
	winners := lists.Filter(b.contests, func(c paper.Contest) bool { return !c.Verdict.Open() })
	notes := []string{fmt.Sprintf("Decided: %d of %d claims and %d of %d winners. "+
		"Who is ahead and whether a bound holds show in one trial; "+
		"a number needs two for an interval, and %d for one that is not very wide.",
		len(decided), len(b.claims), len(winners), len(b.contests), paperTrials)}
	cells, hours, dollars := 0, 0.0, 0.0
	for _, trials := range lists.Group(run.Cells, func(r trial.Record) trial.Cell {
		return trial.Cell{Tool: r.Cell.Tool, Variant: r.Cell.Variant, Library: r.Cell.Library, Edition: r.Cell.Edition}
	}) {
		more := max(0, paperTrials-len(trials))
		cells += more
		for _, r := range trials {
			share := float64(more) / float64(len(trials))
			hours += share * (r.Usage.CPU + r.Usage.Model).Hours()
			dollars += share * r.Usage.Dollars
		}
	}
	if cells > 0 {
		notes = append(notes, fmt.Sprintf("%d trials of all that it has would be %d cells more, for about $%.2f and %.2f "+
			"hours of "+
			"processors and models at what its cells spent: the same command with --set trials=%[1]d.",
			paperTrials, cells, dollars, hours))
	}
	return notes
}

// tables has a row for each table of the paper: how much of it the run can be held against, and why
// the rest cannot.
func (b *beside) tables() doc.Table {
	t := doc.NewTable("paper_tables", "The paper's tables", doc.Text("table", "Table"), doc.Number("printed", "Printed",
		0),
		doc.Number("measured", "Measured", 0), doc.Number("agree", "Within\ninterval", 0), doc.Number("differ", "Differ", 0),
		doc.Number("undecided", "Un-\ndecided", 0), doc.Number("not_tested", "Not\ntested", 0),
		doc.Text("reason", "Why the rest is not comparable"))
	for _, table := range b.p.Tables {
		printed, reason := 0, ""
		for _, row := range table.Rows {
			for i, c := range table.Columns {
				printed += measured.One(!c.Text && row[i].Text != "")
			}
		}
		cells := b.cellsOf(table)
		for _, c := range cells {
			if c.Verdict == paper.NotMeasured || c.Verdict == paper.NotTested {
				reason = cmp.Or(reason, c.Reason)
			}
		}
		if len(cells) == 0 {
			reason = "no run measures it"
		}
		row := []doc.Cell{doc.Words(cmp.Or(table.Place.Label, table.ID)), doc.Int(printed),
			tally(cells, func(c paper.CellComparison) bool { return len(c.Sample.Values) > 0 })}
		for _, v := range []paper.Agreement{paper.WithinInterval, paper.DiffersFrom, paper.Undecided, paper.NotTested} {
			row = append(row, tally(cells, func(c paper.CellComparison) bool { return c.Verdict == v }))
		}
		t.Add(append(row, doc.Words(reason))...)
	}
	return t
}

func (b *beside) cellsOf(t *paper.Table) []paper.CellComparison {
	return lists.Filter(b.cells, func(c paper.CellComparison) bool { return c.Table == t })
}

func (b *beside) winners() doc.Section {
	t := doc.NewTable("paper_winners", "Who is ahead", doc.Text("library", "Library"), doc.Text("measure", "Measure"),
		doc.Text("table", "Table"), doc.Text("published", "In the paper"), doc.Text("measured", "In the run"),
		doc.Text("verdict", "Verdict"))
	for _, c := range b.contests {
		if c.Verdict != paper.NotMeasured {
			t.Add(doc.Words(c.Of), doc.Words(cmp.Or(metricNames[paper.Metric(c.What)], c.What)), doc.Words(c.Table.ID),
				doc.Words(toolName(c.Published)), doc.Words(toolName(c.Measured)), verdict(c.Verdict, c.Reason))
		}
	}
	return doc.Section{ID: "winners", Title: "Winners", Tables: []doc.Table{t}, Notes: []string{fmt.Sprintf(
		"%d of %d comparisons are left out because the run lacks one of the sides.", len(b.contests)-len(t.Rows),
		len(b.contests))}}
}

func toolName(key string) string {
	var list []string
	for _, k := range strings.Split(key, " = ") {
		list = append(list, cmp.Or(toolNames[k], k))
	}
	return strings.Join(list, " = ")
}

// measured has a table for each of the paper's of which the run measures anything.
func (b *beside) measured() doc.Section {
	s := doc.Section{ID: "cells", Title: "Published beside measured"}
	for _, table := range b.p.Tables {
		t := doc.NewTable("beside_"+table.ID, titleOf(table), doc.Text("row", "Row"), doc.Text("column", "Column"),
			doc.Text("published", "Published"), doc.Estimate("measured", "Measured", 2),
			doc.Range("interval", "One more run\nlies in", 2), doc.Text("verdict", "Verdict"))
		cells, wide := b.cellsOf(table), false
		for _, c := range cells {
			if len(c.Sample.Values) == 0 {
				continue
			}
			var row []string
			for _, k := range table.RowKey(table.Rows[c.Row]) {
				row = append(row, table.Name(k))
			}
			measured := doc.MeanOf(c.Sample.List())
			measured.Notes = nil // the last column says what one trial means
			t.Add(doc.Words(strings.Join(row, ", ")), doc.Words(oneLine(c.Column.Name)),
				doc.Words(c.Published.Text).With(table.NotesOf(c.Row, c.Column.Key)...), measured, interval(c.Interval),
				verdict(c.Verdict, c.Reason))
			wide = wide || c.Interval != nil && len(c.Sample.Values) == 2
		}
		if wide { // Student's t with one degree of freedom makes an interval of 15 standard deviations to either side
			t.Warnings = []string{"An interval from two trials is very wide, so a number within it means little. " +
				"With three trials it is a third as wide."}
		}
		if left := len(cells) - len(t.Rows); left > 0 {
			t.Warnings = append(t.Warnings,
				fmt.Sprintf("%d of %d cells of this table were not measured and are left out.", left, len(cells)))
		}
		if len(t.Rows) > 0 {
			s.Put(t)
		}
	}
	if len(s.Tables) == 0 {
		s.Notes = []string{"The run measures no cell of the paper's tables: it has none of its tools on its libraries."}
	}
	return s
}

// noValue stands where a claim or cell has none.
var noValue = doc.Cell{Text: "–"}

func interval(r *paper.Range) doc.Cell {
	if r == nil {
		return noValue
	}
	return doc.Span(r.Low, r.High)
}

func verdict(v paper.Agreement, reason string) doc.Cell {
	if reason == "" {
		return doc.Words(string(v))
	}
	return doc.Words(string(v)).With(reason)
}

func (b *beside) claimSection() doc.Section {
	open := doc.NewTable("paper_open", "Claims that the run does not test, by what is missing",
		doc.Wide("reason", "What is missing"), doc.Wide("claims", "Claims"))
	untested := lists.Filter(b.claims, func(c paper.ClaimComparison) bool { return c.Verdict == paper.NotMeasured })
	for _, of := range lists.Group(untested, func(c paper.ClaimComparison) string { return c.Reason }) {
		var ids []string
		for _, c := range of {
			ids = append(ids, c.Claim.ID)
		}
		open.Add(doc.Words(of[0].Reason), doc.Words(strings.Join(ids, ", ")))
	}
	decided := b.claimTable("paper_claims", "Claims that the run decides or tests", func(c paper.ClaimComparison) bool {
		return c.Verdict != paper.NotMeasured
	})
	return doc.Section{ID: "claims", Title: "Claims of the text", Tables: []doc.Table{decided, open}}
}

func (b *beside) claimTable(id, title string, with func(paper.ClaimComparison) bool) doc.Table {
	t := doc.NewTable(id, title, doc.Text("claim", "Claim"), doc.Wide("statement", "What is claimed"),
		doc.Text("published", "Printed"), doc.Number("median", "Median of\nthe trials", 4),
		doc.Range("interval", "One more run\nlies in", 2), doc.Count("holds", "Trials in\nwhich it holds"),
		doc.Text("verdict", "Verdict"))
	for _, c := range lists.Filter(b.claims, with) {
		holds := noValue
		if c.Asked > 0 {
			holds = doc.Of(c.Holds, c.Asked)
		}
		t.Add(doc.Words(c.Claim.ID), doc.Words(c.Claim.Statement), doc.Words(printed(c.Claim)), doc.NumOr(c.Median, noValue),
			interval(c.Interval), holds, verdict(c.Verdict, c.Reason))
	}
	return t
}

// data is the CSV form: a row for each cell and claim.
func (b *beside) data() doc.Table {
	t := dataTable("One row per cell and claim", "kind table row column unit",
		"published measured trials std low high", "verdict reason")
	none := doc.Cell{}
	bounds := func(r *paper.Range) (low, high doc.Cell) {
		if r == nil {
			return none, none
		}
		return doc.Num(r.Low), doc.Num(r.High)
	}
	for _, c := range b.cells {
		measured, std := none, none
		if xs := c.Sample.List(); len(xs) > 0 {
			s := stats.Summarize(xs)
			measured, std = doc.Num(s.Mean), doc.NumOr(s.StdDev, none)
		}
		low, high := bounds(c.Interval)
		row := strings.Join(c.Table.RowKey(c.Table.Rows[c.Row]), ", ")
		t.Add(doc.Words("cell"), doc.Words(c.Table.ID), doc.Words(row), doc.Words(c.Column.Key), doc.Words(c.Column.Unit),
			doc.Num(c.Published.Number), measured, doc.Int(len(c.Sample.Values)), std, low, high,
			doc.Words(string(c.Verdict)), doc.Words(c.Reason))
	}
	for _, c := range b.claims {
		low, high := bounds(c.Interval)
		t.Add(doc.Words("claim"), doc.Words(c.Claim.ID), none, none, none, printedCell(c.Claim), doc.NumOr(c.Median, none),
			doc.Int(len(c.Values)), none, low, high, doc.Words(string(c.Verdict)), doc.Words(c.Reason))
	}
	return t
}
