package paper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/stats"
)

// An Agreement says how a run stands to what was published.
type Agreement string

// The verdicts, from the strongest agreement down.
const (
	WithinInterval Agreement = "within interval" // the published number lies where one more run would
	SameWinner     Agreement = "same winner"     // another number, but what is claimed about it is so in most trials
	DiffersFrom    Agreement = "differs"
	Undecided      Agreement = "undecided"  // measured, but in too few trials or over other bugs
	NotTested      Agreement = "not tested" // measured, but not under the paper's conditions
	NotMeasured    Agreement = "not measured"
)

// Failed reports whether the run contradicts what was published.
func (v Agreement) Failed() bool { return v == DiffersFrom }

// Open reports whether the run says nothing about it.
func (v Agreement) Open() bool { return v == Undecided || v == NotTested || v == NotMeasured }

// paperBugs is how many bugs of each library the paper's counts are of (section Metrics).
const paperBugs = 5

// A CellComparison is one published number beside a run's.
type CellComparison struct {
	Table     *Table
	Column    Column
	Row       int
	Published Value
	Sample    Sample
	Interval  *Range // for one more run; nil if there is none
	Verdict   Agreement
	Reason    string // for Undecided, NotTested and NotMeasured, and where a trial has no such figure
}

// CompareCells compares every cell of a table that a run can measure.
func (m *Measured) CompareCells(t *Table) []CellComparison {
	var all []CellComparison
	for r, row := range t.Rows {
		for i, c := range t.Columns {
			if c.Metric != "" && c.Metric != BugsChecked {
				cell := CellComparison{Table: t, Column: c, Row: r, Published: row[i], Sample: m.sample(t, c, r)}
				cell.judge()
				all = append(all, cell)
			}
		}
	}
	return all
}

func (c *CellComparison) judge() {
	xs := c.Sample.List()
	if c.Interval = predict(xs); c.Interval != nil {
		c.Interval.Low = max(c.Interval.Low, 0) // neither shares nor counts are below 0
		if c.Column.Unit == "pct" {
			c.Interval.High = min(c.Interval.High, 100)
		}
	}
	switch {
	case len(xs) == 0:
		c.Verdict, c.Reason = NotMeasured, c.Sample.Reason
		return
	case c.Sample.Unlike != "":
		c.Verdict, c.Reason = NotTested, c.Sample.Unlike
	case c.Column.Metric == Bugs && c.Sample.Checked != paperBugs:
		c.Verdict, c.Reason = Undecided, fmt.Sprintf("of %d bugs; the paper's count is of %d", c.Sample.Checked, paperBugs)
	case c.Interval == nil:
		c.Verdict, c.Reason = Undecided, "one trial has no interval"
	case within(c.Published, *c.Interval):
		c.Verdict = WithinInterval
	default:
		c.Verdict = DiffersFrom
	}
	if c.Sample.Reason != "" {
		c.Reason = strings.TrimPrefix(c.Reason+"; a trial is left out: "+c.Sample.Reason, "; ")
	}
}

// within allows for the rounding of the printed number.
func within(v Value, iv Range) bool {
	text, _, _ := strings.Cut(v.Text, "±")
	half := halfUnit(text) + slack
	return iv.Low-half <= v.Number && v.Number <= iv.High+half
}

// A ClaimComparison is one claim beside a run.
type ClaimComparison struct {
	Claim    *Claim
	Values   []float64 // of each trial that has all cells
	Median   *float64  // of Values, or computed from means where trials cannot be told apart
	Interval *Range
	Holds    int // trials in which what is claimed is so …
	Asked    int // … of these
	Verdict  Agreement
	Reason   string
}

// CompareClaim evaluates a claim in every trial of the run. One that is over figures
// of all trials together is evaluated once on those.
func (m *Measured) CompareClaim(p *Paper, c *Claim) ClaimComparison {
	out := ClaimComparison{Claim: c, Verdict: NotMeasured}
	if c.Paper {
		out.Reason = "about the paper's own figures"
		return out
	}
	unlike := "" // of the first cell whose conditions are not the paper's
	evaluate := func(source cellSource) {
		x, holds, missing := c.evaluate(p, func(t *Table, col Column, row int) (Value, string) {
			unlike = cmp.Or(unlike, m.sample(t, col, row).Unlike)
			return source(t, col, row)
		})
		out.Reason = cmp.Or(missing, out.Reason)
		if math.IsNaN(x) {
			return
		}
		out.Values = append(out.Values, x)
		if holds != nil {
			out.Asked++
			if *holds {
				out.Holds++
			}
		}
	}
	for _, trial := range m.trials {
		evaluate(m.of(trial))
	}
	if len(out.Values) == 0 { // it has no value in single trials
		out.Reason, unlike = "", ""
		evaluate(m.mean)
	}
	out.judge()
	if unlike != "" && out.Verdict != NotMeasured {
		out.Verdict, out.Reason = NotTested, unlike
	}
	return out
}

func (c *ClaimComparison) judge() {
	if len(c.Values) == 0 {
		return
	}
	c.Reason = ""
	median := stats.Summarize(c.Values).Median
	c.Median = &median
	claim := c.Claim
	if !claim.Winner && claim.Published != nil {
		c.Interval = predict(c.Values)
	}
	holds := claim.holds == nil || c.Asked > 0 && 2*c.Holds > c.Asked
	switch {
	case c.Interval != nil && within(*claim.Published, *c.Interval) && holds:
		c.Verdict = WithinInterval
	case claim.holds != nil && c.Asked == 0:
		c.Verdict, c.Reason = Undecided, "what is claimed of the number could not be evaluated"
	case claim.holds != nil && holds:
		c.Verdict = SameWinner
	case claim.holds == nil && c.Interval == nil:
		c.Verdict, c.Reason = Undecided, "one trial has no interval"
	default:
		c.Verdict = DiffersFrom
	}
}

// A Contest is a comparison whose best value the paper's table marks: columns of one row,
// or variants of one library.
type Contest struct {
	Table     *Table
	Of        string // e.g. "zlib"
	What      string // the metric
	Published string // the winner
	Measured  string // "" unless all contestants were measured
	Verdict   Agreement
	Reason    string // for NotTested
}

// A contestant is a cell of a contest.
type contestant struct {
	name   string
	column int
	row    int
}

// Contests compares the winners of a table.
func (m *Measured) Contests(t *Table) []Contest {
	var all []Contest
	for _, columns := range t.Contests {
		for r, row := range t.Rows {
			var in []contestant
			for _, key := range columns {
				c := t.Column(key)
				in = append(in, contestant{t.Columns[c].Tool, c, r})
			}
			all = append(all, m.contest(t, strings.Join(t.RowKey(row), ", "), in))
		}
	}
	for _, key := range t.Down {
		c := t.Column(key)
		var in []contestant
		for r, row := range t.Rows {
			in = append(in, contestant{t.Name(row[t.Keys-1].Text), c, r})
		}
		group := func(x contestant) string {
			keys := t.RowKey(t.Rows[x.row])
			return cmp.Or(strings.Join(keys[:len(keys)-1], ", "), t.Library)
		}
		for _, of := range lists.Group(in, group) {
			all = append(all, m.contest(t, group(of[0]), of))
		}
	}
	return all
}

func (m *Measured) contest(t *Table, of string, in []contestant) Contest {
	c := Contest{Table: t, Of: of, What: string(t.Columns[in[0].column].Metric), Verdict: NotMeasured}
	var published, measured []float64
	complete, unlike := true, ""
	for _, x := range in {
		column := t.Columns[x.column]
		unlike = cmp.Or(unlike, m.sample(t, column, x.row).Unlike)
		v, missing := m.mean(t, column, x.row)
		complete = complete && missing == ""
		published, measured = append(published, t.Rows[x.row][x.column].Number), append(measured, v.Number)
	}
	best := winners(in, published)
	c.Published = strings.Join(best, " = ")
	if !complete {
		return c
	}
	now := winners(in, measured)
	c.Measured = strings.Join(now, " = ")
	switch {
	case unlike != "":
		c.Verdict, c.Reason = NotTested, unlike
	case slices.ContainsFunc(now, func(name string) bool { return slices.Contains(best, name) }):
		c.Verdict = SameWinner
	default:
		c.Verdict = DiffersFrom
	}
	return c
}

// winners are the names of those with the largest value, several if they are equal.
func winners(in []contestant, xs []float64) []string {
	top := slices.Max(xs)
	var names []string
	for i, x := range xs {
		if x == top {
			names = append(names, in[i].name)
		}
	}
	return names
}
