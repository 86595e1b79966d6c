// Package compared sets the tools of a run against each other, two by two on the bugs and trials that both have, and all
// of them by their ranks over libraries, with the tests of each.
package compared

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/stats"
)

// mostPairs is how many comparisons by library are shown beside those over all libraries: a screen.
const mostPairs = 24

type (
	group   = measured.Group
	library = measured.Library
	tool    = measured.Tool
)

// A Pair is a comparison that a report makes.
type Pair struct{ A, B tool }

// Cells are the names of its tools, in PairColumns.
func (p Pair) Cells() []doc.Cell { return []doc.Cell{doc.Words(p.A.String()), doc.Words(p.B.String())} }

// What tables of tools and of pairs begin with.
var (
	LibraryColumn = doc.Text("library", "Library")
	ToolColumn    = doc.Text("tool", "Tool")
	PairColumns   = []doc.Column{doc.Text("tool_a", "Tool A"), doc.Text("tool_b", "Tool B")}
)

// A Comparison is a sorted run with the pairs that are compared.
type Comparison struct {
	*measured.Sorted
	Pairs []Pair
	bugs  []doc.Table // what BugPairs returns; nil until they are made
	data  []doc.Table
}

// Of returns the comparison of a run: each tool with each other, and each variant with its
// tool's default. A variant is not compared with other tools, and where the tool has no default, as
// in a sweep, each of its variants stands for itself.
func Of(run *measured.Sorted) *Comparison {
	a := &Comparison{Sorted: run}
	for i, x := range a.Tools {
		for _, y := range a.Tools[i+1:] {
			switch {
			case a.Stands(x) && a.Stands(y), x.Name == y.Name && a.Stands(x):
				a.Pairs = append(a.Pairs, Pair{x, y})
			case x.Name == y.Name && a.Stands(y): // the default is A, so that a difference is what the variant loses
				a.Pairs = append(a.Pairs, Pair{y, x})
			}
		}
	}
	return a
}

// McNemarColumns come first of the tests of bugs.
var McNemarColumns = []doc.Column{doc.P("mcnemar_p", "McNemar\np"), doc.P("mcnemar_holm", "McNemar\nHolm")}

// FoundColumns are what two tools found of the same bugs.
var FoundColumns = []doc.Column{doc.Count("a_detected", "A detects"), doc.Count("b_detected", "B detects"),
	doc.Number("only_a", "only A", 0), doc.Number("only_b", "only B", 0)}

// bugColumns are what two tools found of the same bugs, and the tests of it.
var bugColumns = slices.Concat(FoundColumns, McNemarColumns, []doc.Column{
	doc.P("randomization_p", "Over trials\np"), doc.P("randomization_holm", "Over trials\nHolm"),
	doc.Number("trials_needed", "Trials\nneeded", 0), doc.Number("odds_ratio", "Odds ratio", 2),
	doc.P("fisher_p", "Fisher\np"), doc.P("fisher_holm", "Fisher\nHolm")})

// BugPairs has a row for each pair over all libraries, where there are several, and one for each pair and library.
// There is no row where a tool was not planned for the library, and no table without rows. Tables that are too long to be
// read are data.
func (a *Comparison) BugPairs() (tables, data []doc.Table) {
	if a.bugs == nil {
		a.bugs, a.data = a.makeBugPairs()
	}
	return a.bugs, a.data
}

func (a *Comparison) makeBugPairs() (tables, data []doc.Table) {
	// The tools come first in the pooled table: the first column is a row's name.
	pooled := doc.NewTable("bug_pairs", "Bugs detected, tool against tool, over all common libraries",
		slices.Concat(PairColumns, []doc.Column{doc.Text("libraries", "Libraries")}, bugColumns)...)
	split := doc.NewTable("bug_pairs_by_library", "Bugs detected, tool against tool, by library",
		slices.Concat([]doc.Column{LibraryColumn}, PairColumns, bugColumns)...)
	for _, p := range a.Pairs {
		sum := Counts{Reason: "nothing was checked for both tools"}
		planned, with := 0, 0
		for _, l := range a.Libraries {
			both := a.sharedBugs(l, p)
			if both.unplanned {
				continue
			}
			split.Add(slices.Concat([]doc.Cell{doc.Words(a.Label(l))}, p.Cells(), both.row())...)
			planned, with = planned+1, with+measured.One(both.N > 0)
			if both.N > 0 {
				sum.add(both)
			}
		}
		if planned > 0 && len(a.Libraries) > 1 {
			of := doc.Words(fmt.Sprintf("%d of %d", with, planned))
			pooled.Add(slices.Concat(p.Cells(), []doc.Cell{of}, sum.row())...)
		}
	}
	tables = lists.Filter([]doc.Table{pooled, split}, func(t doc.Table) bool { return len(t.Rows) > 0 })
	for i := range tables {
		for _, test := range []string{"mcnemar", "randomization", "fisher"} {
			tables[i].Holm(test+"_p", test+"_holm")
		}
		tables[i].Warnings = []string{"Both tools face the same bugs, but Fisher's test assumes independent groups: use McNemar's."}
	}
	if len(tables) > 1 && len(split.Rows) > mostPairs {
		data = append(data, tables[1])
		tables[0].Warnings = append(tables[0].Warnings,
			fmt.Sprintf("The %d comparisons by library are in csv/%s.csv.", len(split.Rows), split.ID))
		tables = tables[:1]
	}
	return tables, data
}

// NoPair is a comparison that cannot be made.
func NoPair(why string) doc.Cell { return doc.Without(doc.Incomplete, "no_pair: "+why) }

// Counts are, of the N bugs on which two tools were checked, those that A and B detected in any of the trials that both
// have, and those that only one of them did.
type Counts struct {
	A, B, OnlyA, OnlyB, N int
	Trials                [][2]measured.BugTrials // of each bug
	left                  int                     // trials of one that are left out, for the other has none of that number
	Reason                string                  // why N is 0
	unplanned             bool                    // the experiment does not run or check one of the tools on this library
}

func (s *Counts) add(o Counts) {
	s.A, s.B, s.OnlyA, s.OnlyB, s.N = s.A+o.A, s.B+o.B, s.OnlyA+o.OnlyA, s.OnlyB+o.OnlyB, s.N+o.N
	s.Trials, s.left = append(s.Trials, o.Trials...), max(s.left, o.left)
}

// Add counts one bug that was checked on both sides.
func (s *Counts) Add(inA, inB bool) {
	s.add(Counts{N: 1, A: measured.One(inA), B: measured.One(inB), OnlyA: measured.One(inA && !inB), OnlyB: measured.One(inB && !inA)})
}

// Cells are the counts and McNemar's p, in FoundColumns and McNemarColumns. The corrected p depends on the other rows of a
// table, and is left empty.
func (s Counts) Cells() []doc.Cell {
	a, b := doc.Of(s.A, s.N), doc.Of(s.B, s.N)
	if s.left > 0 {
		note := fmt.Sprintf("only trials that both tools have count; left out of one tool: %d", s.left)
		a, b = a.With(note), b.With(note)
	}
	return []doc.Cell{a, b, doc.Int(s.OnlyA), doc.Int(s.OnlyB), doc.McNemar(s.OnlyA, s.OnlyB), {}}
}

// Pooled sums what a pair detects over its libraries.
func (a *Comparison) Pooled(p Pair) Counts {
	sum := Counts{Reason: "no bug was checked for both"}
	for _, l := range a.Libraries {
		if both := a.sharedBugs(l, p); both.N > 0 {
			sum.add(both)
		}
	}
	return sum
}

func (a *Comparison) sharedBugs(l library, p Pair) Counts {
	x, y := a.Group(l, p.A), a.Group(l, p.B)
	if x == nil || y == nil || x.WithoutBugs() || y.WithoutBugs() {
		return Counts{unplanned: true}
	}
	inX, inY := InTrialsOf(x, y), InTrialsOf(y, x)
	both := Counts{Reason: "no bug was checked for both tools in the same trial",
		left: max(len(x.Records)-len(inX.Records), len(y.Records)-len(inY.Records))}
	ofX, ofY := a.BugTrials(inX), a.BugTrials(inY)
	for i := range ofX {
		if ofX[i].Checked == 0 || ofY[i].Checked == 0 {
			if why := cmp.Or(ofX[i].Missing, ofY[i].Missing); why != nil && i == 0 {
				both.Reason += ": " + trial.Brief(why.String())
			}
			continue
		}
		both.Add(ofX[i].Detected > 0, ofY[i].Detected > 0)
		both.Trials = append(both.Trials, [2]measured.BugTrials{ofX[i], ofY[i]})
	}
	return both
}

// InTrialsOf returns a group with the records alone of trials that another has too: over more trials
// a tool detects more bugs in any of them, however good it is.
func InTrialsOf(g, other *group) *group {
	both := *g
	both.Records = lists.Filter(g.Records, func(r trial.Record) bool {
		return slices.ContainsFunc(other.Records, func(o trial.Record) bool { return o.Cell.Trial == r.Cell.Trial })
	})
	return &both
}

// row has the cells of bugColumns.
func (s Counts) row() []doc.Cell {
	if s.N == 0 {
		return slices.Repeat([]doc.Cell{NoPair(s.Reason)}, len(bugColumns))
	}
	p, odds := doc.Fisher(s.A, s.N, s.B, s.N)
	overTrials, needed := trialCells(s.Trials)
	return append(s.Cells(), overTrials, doc.Cell{}, needed, odds, p, doc.Cell{})
}

// trialCells compares two tools over the trials of each bug: the p of the randomisation test, and how many
// trials would tell the two apart.
func trialCells(bugs [][2]measured.BugTrials) (p, needed doc.Cell) {
	unit := 1 // the smallest part of a trial in which all rates are whole
	for _, b := range bugs {
		unit = lcm(lcm(unit, b[0].Checked), b[1].Checked)
	}
	var differences []int
	var first, second []float64
	for _, b := range bugs {
		x, y := b[0], b[1]
		differences = append(differences, x.Detected*unit/x.Checked-y.Detected*unit/y.Checked)
		first = append(first, float64(x.Detected)/float64(x.Checked))
		second = append(second, float64(y.Detected)/float64(y.Checked))
	}
	p, power := doc.Randomization(differences, "no signs of these differences")
	if !power {
		return p, doc.NA("too few bugs differ: no number of trials would show a significant difference")
	}
	return p, doc.TrialsNeeded(first, second)
}

// lcm returns the least common multiple of two numbers above 0.
func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// CoveragePairs compares one kind of coverage, trial against trial.
func (a *Comparison) CoveragePairs(m measured.Metric) doc.Table {
	t := doc.NewTable("coverage_pairs_"+m.Key, m.Name+", tool against tool",
		slices.Concat([]doc.Column{LibraryColumn}, PairColumns, []doc.Column{
			doc.Text("trials", "Trials"), doc.Number("difference", "A − B, points", 2).In("points"),
			doc.Range("interval", "95% interval", 2).In("points"),
			doc.Number("a12", "A12", 2), doc.P("p", "Mann–Whitney\np"), doc.P("holm", "Mann–Whitney\nHolm")})...)
	for _, p := range a.Pairs {
		for _, l := range a.Libraries {
			x, y := a.Group(l, p.A), a.Group(l, p.B)
			if x == nil || y == nil {
				continue
			}
			xs, ys := x.Sample(m), y.Sample(m)
			row := append([]doc.Cell{doc.Words(a.Label(l))}, p.Cells()...)
			row = append(row, doc.Words(fmt.Sprintf("%d and %d", len(xs), len(ys))))
			if len(xs) == 0 || len(ys) == 0 {
				none := Unpaired(m, "coverage was not measured for both tools", x, y)
				t.Add(append(row, none, none, none, none, none)...)
				continue
			}
			a12, p := doc.MannWhitney(xs, ys)
			t.Add(append(row, doc.Num(doc.Mean(xs)-doc.Mean(ys)), doc.DifferenceInterval(xs, ys), a12, p, doc.Cell{})...)
		}
	}
	t.Holm("p", "holm")
	return t
}

// Unpaired is a comparison of which a side has no figure: the reason of the first group whose records
// all lack the part, or else.
func Unpaired(m measured.Metric, otherwise string, groups ...*group) doc.Cell {
	for _, g := range groups {
		if n, why := g.Lacks(m.Part); n > 0 && n == len(g.Records) {
			return measured.MissingCell(why)
		}
	}
	return NoPair(otherwise)
}

// fewestToRank is how many tools a ranking needs; two are compared as a pair.
const fewestToRank = 3

// Ranks ranks the tools by some metrics, over the libraries for which all of them have a figure. The table has no rows if
// none can be ranked.
func (a *Comparison) Ranks(metrics ...measured.Metric) doc.Table {
	t := doc.NewTable("ranks", "Tools ranked over libraries", doc.Text("metric", "Ranked by"), ToolColumn,
		doc.Number("rank", "Average rank", 2), doc.Number("libraries", "Libraries", 0), doc.P("p", "Friedman p"),
		doc.Number("cd", "CD", 2), doc.Wide("alike", "No significant difference from"))
	tools := lists.Filter(a.Tools, a.Stands)
	if len(tools) < fewestToRank {
		return t
	}
	for _, m := range metrics {
		scores := a.scores(tools, m)
		if len(scores) < 2 {
			t.Warnings = append(t.Warnings, fmt.Sprintf(
				"%s: not ranked; that takes at least 2 libraries for which every tool has a value (here: %d).", m.Name, len(scores)))
			continue
		}
		a.rank(m, tools, stats.Friedman(scores), &t)
	}
	return t
}

// scores returns each tool's mean over trials, by library.
func (a *Comparison) scores(tools []tool, m measured.Metric) [][]float64 {
	var scores [][]float64
	for _, l := range a.Libraries {
		var row []float64
		for _, t := range tools {
			if g := a.Group(l, t); g != nil {
				if xs := g.Sample(m); len(xs) > 0 {
					row = append(row, doc.Mean(xs))
				}
			}
		}
		if len(row) == len(tools) {
			scores = append(scores, row)
		}
	}
	return scores
}

// rank adds a row for each tool, the best first. A row names the tools that are alike: their ranks differ by less than
// the critical difference.
func (a *Comparison) rank(m measured.Metric, tools []tool, r stats.FriedmanResult, t *doc.Table) {
	p := doc.PValue(r.P, r.MinP, fmt.Sprintf("with %d tools on %d libraries no outcome", r.Tools, r.Blocks))
	for _, i := range r.Order() {
		alike := "none"
		if others := r.Alike(i); len(others) > 0 {
			var names []string
			for _, j := range others {
				names = append(names, tools[j].String())
			}
			alike = strings.Join(names, ", ")
		}
		t.Add(doc.Words(m.Name), doc.Words(tools[i].String()), doc.Num(r.AverageRanks[i]), doc.Int(r.Blocks), p,
			doc.Num(r.CriticalDifference), doc.Words(alike))
		p.Notes = nil // those of the first row are of all
	}
}
