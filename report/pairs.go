package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// mostPairs is how many comparisons by library are shown beside those over all libraries: a screen.
const mostPairs = 24

// A pair is a comparison that a report makes.
type pair struct{ a, b tool }

func (p pair) cells() []doc.Cell { return []doc.Cell{doc.Words(p.a.String()), doc.Words(p.b.String())} }

var pairColumns = []doc.Column{doc.Text("tool_a", "Tool A"), doc.Text("tool_b", "Tool B")}

// pairs returns the comparisons of a run: each tool with each other, and each variant with its
// tool's default. A variant is not compared with other tools, and where the tool has no default, as
// in a sweep, each of its variants stands for itself.
func (a *analysis) pairs() []pair {
	if a.chosen != nil {
		return a.chosen
	}
	var list []pair
	for i, x := range a.Tools {
		for _, y := range a.Tools[i+1:] {
			switch {
			case a.Stands(x) && a.Stands(y), x.Name == y.Name && a.Stands(x):
				list = append(list, pair{x, y})
			case x.Name == y.Name && a.Stands(y): // the default is A, so that a difference is what the variant loses
				list = append(list, pair{y, x})
			}
		}
	}
	return list
}

// comparison tests each pair, library by library and over all, and ranks the tools.
func (a *analysis) comparison(s *doc.Section) {
	if len(a.Tools) > 1 {
		a.tests(s)
		a.ranking(s)
	}
}

// tests are the comparisons of pairs.
func (a *analysis) tests(s *doc.Section) {
	s.Definitions = slices.Concat(s.Definitions, definitions["tests"])
	if len(a.Run.Bugs) > 0 {
		s.Tables = append(s.Tables, a.bugPairs()...)
	}
	for _, m := range coverageMetrics {
		s.Tables = append(s.Tables, a.coveragePairs(m))
	}
}

// mcnemarColumns come first of the tests of bugs, in a leaderboard too.
var mcnemarColumns = []doc.Column{doc.P("mcnemar_p", "McNemar\np"), doc.P("mcnemar_holm", "McNemar\nHolm")}

// findColumns are what two tools found of the same bugs.
func findColumns() []doc.Column {
	return []doc.Column{doc.Count("a_detected", "A detects"), doc.Count("b_detected", "B detects"),
		doc.Number("only_a", "only A", 0), doc.Number("only_b", "only B", 0)}
}

// bugPairColumns are what two tools found of the same bugs, and the tests of it.
var bugPairColumns = slices.Concat(findColumns(), mcnemarColumns, []doc.Column{
	doc.P("randomization_p", "Over trials\np"), doc.P("randomization_holm", "Over trials\nHolm"),
	doc.Number("trials_needed", "Trials\nneeded", 0), doc.Number("odds_ratio", "Odds ratio", 2),
	doc.P("fisher_p", "Fisher\np"), doc.P("fisher_holm", "Fisher\nHolm")})

// bugPairs has a row for each pair over all libraries, where there are several, and one for each pair and library.
// There is no row where a tool was not planned for the library, and no table without rows.
func (a *analysis) bugPairs() []doc.Table {
	if a.compared == nil {
		a.compared = a.comparedBugs()
	}
	return a.compared
}

func (a *analysis) comparedBugs() []doc.Table {
	// The tools come first in the pooled table: the first column is a row's name.
	pooled := doc.NewTable("bug_pairs", "Bugs detected, tool against tool, over all common libraries",
		slices.Concat(pairColumns, []doc.Column{doc.Text("libraries", "Libraries")}, bugPairColumns)...)
	split := doc.NewTable("bug_pairs_by_library", "Bugs detected, tool against tool, by library",
		slices.Concat([]doc.Column{libraryColumn}, pairColumns, bugPairColumns)...)
	for _, p := range a.pairs() {
		sum := shared{reason: "nothing was checked for both tools"}
		planned, with := 0, 0
		for _, l := range a.Libraries {
			both := a.sharedBugs(l, p)
			if both.unplanned {
				continue
			}
			split.Add(slices.Concat([]doc.Cell{doc.Words(a.Label(l))}, p.cells(), both.row())...)
			planned, with = planned+1, with+one(both.n > 0)
			if both.n > 0 {
				sum.add(both)
			}
		}
		if planned > 0 && len(a.Libraries) > 1 {
			of := doc.Words(fmt.Sprintf("%d of %d", with, planned))
			pooled.Add(slices.Concat(p.cells(), []doc.Cell{of}, sum.row())...)
		}
	}
	tables := lists.Filter([]doc.Table{pooled, split}, func(t doc.Table) bool { return len(t.Rows) > 0 })
	for i := range tables {
		for _, test := range []string{"mcnemar", "randomization", "fisher"} {
			tables[i].Holm(test+"_p", test+"_holm")
		}
		tables[i].Warnings = []string{"Both tools face the same bugs, but Fisher's test assumes independent groups: use McNemar's."}
	}
	if len(tables) > 1 && len(split.Rows) > mostPairs {
		a.data = append(a.data, tables[1])
		tables[0].Warnings = append(tables[0].Warnings,
			fmt.Sprintf("The %d comparisons by library are in csv/%s.csv.", len(split.Rows), split.ID))
		tables = tables[:1]
	}
	return tables
}

func noPair(why string) doc.Cell { return doc.Without(doc.Incomplete, "no_pair: "+why) }

// A shared counts, among the n bugs on which both tools were checked, those that a and b detected in any of the
// trials that both have, and those that only one of them did.
type shared struct {
	a, b, onlyA, onlyB, n int
	rates                 []bugRates // of each bug
	left                  int        // trials of one that are left out, for the other has none of that number
	reason                string     // why n is 0
	unplanned             bool       // the experiment does not run or check one of the tools on this library
}

// A bugRates says in how many of the trials that checked one bug each of two tools detected it.
type bugRates struct{ a, b bugTrials }

func (s *shared) add(o shared) {
	s.a, s.b, s.onlyA, s.onlyB, s.n = s.a+o.a, s.b+o.b, s.onlyA+o.onlyA, s.onlyB+o.onlyB, s.n+o.n
	s.rates, s.left = append(s.rates, o.rates...), max(s.left, o.left)
}

// addBug counts one bug that was checked on both sides.
func (s *shared) addBug(inA, inB bool) {
	s.add(shared{n: 1, a: one(inA), b: one(inB), onlyA: one(inA && !inB), onlyB: one(inB && !inA)})
}

func (s shared) cells() []doc.Cell {
	a, b := doc.Of(s.a, s.n), doc.Of(s.b, s.n)
	if s.left > 0 {
		note := fmt.Sprintf("only trials that both tools have count; left out of one tool: %d", s.left)
		a, b = a.With(note), b.With(note)
	}
	return []doc.Cell{a, b, doc.Int(s.onlyA), doc.Int(s.onlyB)}
}

func (a *analysis) sharedBugs(l library, p pair) shared {
	x, y := a.Group(l, p.a), a.Group(l, p.b)
	if x == nil || y == nil || withoutBugs(x) || withoutBugs(y) {
		return shared{unplanned: true}
	}
	inX, inY := inTrialsOf(x, y), inTrialsOf(y, x)
	both := shared{reason: "no bug was checked for both tools in the same trial",
		left: max(len(x.Records)-len(inX.Records), len(y.Records)-len(inY.Records))}
	ofX, ofY := a.bugTrials(inX), a.bugTrials(inY)
	for i := range ofX {
		if ofX[i].checked == 0 || ofY[i].checked == 0 {
			if why := cmp.Or(ofX[i].missing, ofY[i].missing); why != nil && i == 0 {
				both.reason += ": " + trial.Brief(why.String())
			}
			continue
		}
		both.addBug(ofX[i].detected > 0, ofY[i].detected > 0)
		both.rates = append(both.rates, bugRates{ofX[i], ofY[i]})
	}
	return both
}

// inTrialsOf returns a group with the records alone of trials that another has too: over more trials
// a tool detects more bugs in any of them, however good it is.
func inTrialsOf(g, other *group) *group {
	both := *g
	both.Records = lists.Filter(g.Records, func(r record) bool {
		return slices.ContainsFunc(other.Records, func(o record) bool { return o.Cell.Trial == r.Cell.Trial })
	})
	return &both
}

// row leaves the corrected p empty: it depends on the other rows.
func (s shared) row() []doc.Cell {
	if s.n == 0 {
		return slices.Repeat([]doc.Cell{noPair(s.reason)}, len(bugPairColumns))
	}
	p, odds := doc.Fisher(s.a, s.n, s.b, s.n)
	overTrials, needed := trialCells(s.rates)
	return append(s.cells(), doc.McNemar(s.onlyA, s.onlyB), doc.Cell{}, overTrials, doc.Cell{}, needed, odds, p, doc.Cell{})
}

// trialCells compares two tools over the trials of each bug: the p of the randomisation test, and how many
// trials would tell the two apart.
func trialCells(rates []bugRates) (p, needed doc.Cell) {
	unit := 1 // the smallest part of a trial in which all rates are whole
	for _, r := range rates {
		unit = lcm(lcm(unit, r.a.checked), r.b.checked)
	}
	var differences []int
	var first, second []float64
	for _, r := range rates {
		differences = append(differences, r.a.detected*unit/r.a.checked-r.b.detected*unit/r.b.checked)
		first = append(first, float64(r.a.detected)/float64(r.a.checked))
		second = append(second, float64(r.b.detected)/float64(r.b.checked))
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

// coveragePairs compares one kind of coverage, trial against trial.
func (a *analysis) coveragePairs(m coverageMetric) doc.Table {
	t := doc.NewTable("coverage_pairs_"+m.Key, m.Name+", tool against tool",
		slices.Concat([]doc.Column{libraryColumn}, pairColumns, []doc.Column{
			doc.Text("trials", "Trials"), doc.Number("difference", "A − B, points", 2).In("points"),
			doc.Range("interval", "95% interval", 2).In("points"),
			doc.Number("a12", "A12", 2), doc.P("p", "Mann–Whitney\np"), doc.P("holm", "Mann–Whitney\nHolm")})...)
	for _, p := range a.pairs() {
		for _, l := range a.Libraries {
			x, y := a.Group(l, p.a), a.Group(l, p.b)
			if x == nil || y == nil {
				continue
			}
			xs, ys := x.Sample(m.metric), y.Sample(m.metric)
			row := append([]doc.Cell{doc.Words(a.Label(l))}, p.cells()...)
			row = append(row, doc.Words(fmt.Sprintf("%d and %d", len(xs), len(ys))))
			if len(xs) == 0 || len(ys) == 0 {
				none := unpaired(m.metric, "coverage was not measured for both tools", x, y)
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

// unpaired is a comparison of which a side has no figure: the reason of the first group whose records
// all lack the part, or else.
func unpaired(m metric, otherwise string, groups ...*group) doc.Cell {
	for _, g := range groups {
		if n, why := g.Lacks(m.Part); n > 0 && n == len(g.Records) {
			return measured.MissingCell(why)
		}
	}
	return noPair(otherwise)
}
