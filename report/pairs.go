package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostPairs is how many comparisons by library are shown beside those over all libraries: a screen.
const mostPairs = 24

// A pair is a comparison that a report makes.
type pair struct{ a, b tool }

func (p pair) cells() []Cell { return []Cell{words(p.a.String()), words(p.b.String())} }

var pairColumns = []Column{textColumn("tool_a", "Tool A"), textColumn("tool_b", "Tool B")}

// pairs returns the comparisons of a run: each tool with each other, and each variant with its
// tool's default. A variant is not compared with other tools, and where the tool has no default, as
// in a sweep, each of its variants stands for itself.
func (a *analysis) pairs() []pair {
	if a.chosen != nil {
		return a.chosen
	}
	var list []pair
	for i, x := range a.tools {
		for _, y := range a.tools[i+1:] {
			switch {
			case a.stands(x) && a.stands(y):
				list = append(list, pair{x, y})
			case x.name != y.name:
			case a.stands(x):
				list = append(list, pair{x, y})
			case a.stands(y): // the default is A, so that a difference is what the variant loses
				list = append(list, pair{y, x})
			}
		}
	}
	return list
}

// comparison tests each pair, library by library and over all, and ranks the tools.
func (a *analysis) comparison(s *Section) {
	if len(a.tools) < 2 {
		return
	}
	a.tests(s)
	a.ranking(s)
}

// tests are the comparisons of pairs.
func (a *analysis) tests(s *Section) {
	s.Definitions = slices.Concat(s.Definitions, definitions["tests"])
	if len(a.run.Bugs) > 0 {
		s.Tables = append(s.Tables, a.pairTables(bugPairing)...)
	}
	s.Tables = append(s.Tables, a.pairTables(mutantPairing)...)
	for _, m := range coverageMetrics {
		s.Tables = append(s.Tables, a.coveragePairs(m))
	}
}

// A pairing compares pairs of tools by what both were checked on.
type pairing struct {
	id, title string
	over      string // what the title of the table over all libraries adds
	columns   []Column
	of        func(*analysis, library, pair) shared
	row       func(shared) []Cell
	tests     []string // each has columns TEST_p and TEST_holm
	caution   []string
}

var bugPairing = pairing{
	id: "bug_pairs", title: "Bugs detected, tool against tool", over: "over all common libraries", columns: bugPairColumns,
	of: (*analysis).sharedBugs, row: bugPairRow, tests: []string{"mcnemar", "randomization", "fisher"},
	caution: []string{"Both tools face the same bugs, but Fisher's test assumes independent groups: use McNemar's."},
}

var mutantPairing = pairing{
	id: "mutant_pairs", title: "Mutants killed, tool against tool", over: "over all libraries with common mutants", columns: mutantPairColumns,
	of: (*analysis).sharedMutants, row: mutantPairRow, tests: []string{"by_function"},
}

// pairTables has a row for each pair over all libraries, where there are several, and one for each pair and library.
// There is no row where a tool was not planned for the library, and no table without rows.
func (a *analysis) pairTables(c pairing) []Table {
	// The tools come first in the pooled table: the first column is a row's name.
	pooled := newTable(c.id, c.title+", "+c.over, slices.Concat(pairColumns, []Column{textColumn("libraries", "Libraries")}, c.columns)...)
	split := newTable(c.id+"_by_library", c.title+", by library", slices.Concat(groupColumns[:1], pairColumns, c.columns)...)
	for _, p := range a.pairs() {
		sum := shared{reason: "nothing was checked for both tools"}
		planned, with := 0, 0
		for _, l := range a.libraries {
			both := c.of(a, l, p)
			if both.unplanned {
				continue
			}
			split.add(slices.Concat([]Cell{words(a.label(l))}, p.cells(), c.row(both))...)
			planned++
			if both.n > 0 {
				with++
				sum.add(both)
			}
		}
		if planned > 0 && len(a.libraries) > 1 {
			pooled.add(slices.Concat(p.cells(), []Cell{words(fmt.Sprintf("%d of %d", with, planned))}, c.row(sum))...)
		}
	}
	tables := withRows(pooled, split)
	for i := range tables {
		for _, test := range c.tests {
			tables[i].correct(test+"_p", test+"_holm")
		}
		tables[i].Warnings = slices.Clone(c.caution)
	}
	if len(tables) > 1 && len(split.Rows) > mostPairs {
		a.data = append(a.data, tables[1])
		tables[0].Warnings = append(tables[0].Warnings, fmt.Sprintf("The %d comparisons by library are in csv/%s.csv.", len(split.Rows), split.ID))
		tables = tables[:1]
	}
	return tables
}

// A shared counts, among the n bugs or mutants on which both tools were checked, those that a and b found in the
// trials that both have (bugs: in any of them), and those that only one of them did.
type shared struct {
	a, b, onlyA, onlyB, n int
	rates                 []bugRates // of bugs
	differences           []int      // of mutants, by function
	left                  int        // trials of one that are left out, for the other has none of that number
	reason                string     // why n is 0
	unplanned             bool       // the experiment does not run or check one of the tools on this library
}

// A bugRates says in how many of the trials that checked one bug each of two tools detected it.
type bugRates struct{ a, b bugTrials }

func (s *shared) add(o shared) {
	s.a, s.b, s.onlyA, s.onlyB, s.n = s.a+o.a, s.b+o.b, s.onlyA+o.onlyA, s.onlyB+o.onlyB, s.n+o.n
	s.rates, s.differences = append(s.rates, o.rates...), append(s.differences, o.differences...)
	s.left = max(s.left, o.left)
}

// addBug counts one bug that was checked on both sides.
func (s *shared) addBug(inA, inB bool) {
	s.add(shared{n: 1, a: one(inA), b: one(inB), onlyA: one(inA && !inB), onlyB: one(inB && !inA)})
}

func (a *analysis) sharedBugs(l library, p pair) shared {
	x, y := a.group(l, p.a), a.group(l, p.b)
	if x == nil || y == nil || x.withoutBugs() || y.withoutBugs() {
		return shared{unplanned: true}
	}
	inX, inY := inBoth(x, y)
	both := shared{reason: "no bug was checked for both tools in the same trial",
		left: max(len(x.records)-len(inX.records), len(y.records)-len(inY.records))}
	ofX, ofY := a.bugTrials(inX), a.bugTrials(inY)
	for i := range ofX {
		if ofX[i].checked == 0 || ofY[i].checked == 0 {
			if why := cmp.Or(ofX[i].missing, ofY[i].missing); why != nil && i == 0 {
				both.reason += ": " + firstLine(why.String())
			}
			continue
		}
		both.addBug(ofX[i].detected > 0, ofY[i].detected > 0)
		both.rates = append(both.rates, bugRates{ofX[i], ofY[i]})
	}
	return both
}

// inBoth returns two groups with the records alone of trials that both have: over more trials
// a tool detects more bugs in any of them, however good it is.
func inBoth(x, y *group) (inX, inY *group) {
	only := func(g, other *group) *group {
		both := *g
		both.records = slices.DeleteFunc(slices.Clone(g.records), func(r trial.Record) bool {
			return !slices.ContainsFunc(other.records, func(o trial.Record) bool { return o.Cell.Trial == r.Cell.Trial })
		})
		return &both
	}
	return only(x, y), only(y, x)
}

// findColumns are what two tools found of the same bugs or mutants.
func findColumns(key, verb string) []Column {
	return []Column{countColumn("a_"+key, "A "+verb), countColumn("b_"+key, "B "+verb), numberColumn("only_a", "only A", 0), numberColumn("only_b", "only B", 0)}
}

func (s shared) cells() []Cell {
	found := [2]Cell{count(s.a, s.n), count(s.b, s.n)}
	if s.left > 0 {
		is := map[bool]string{true: "is", false: "are"}[s.left == 1]
		for i, c := range found {
			found[i] = c.with(fmt.Sprintf("only trials that both tools have count; %s of one tool %s left out", trial.Count(s.left, "trial"), is))
		}
	}
	return []Cell{found[0], found[1], whole(s.onlyA), whole(s.onlyB)}
}

// unpairable fills a row of as many cells.
func (s shared) unpairable(cells int) []Cell {
	return slices.Repeat([]Cell{incomplete("no_pair", s.reason)}, cells)
}

// mcnemarColumns come first of the tests of bugs, in a leaderboard too.
var mcnemarColumns = []Column{pColumn("mcnemar_p", "McNemar\np"), pColumn("mcnemar_holm", "McNemar\nHolm")}

var bugPairColumns = slices.Concat(findColumns("detected", "detects"), mcnemarColumns, []Column{
	pColumn("randomization_p", "Over trials\np"), pColumn("randomization_holm", "Over trials\nHolm"), numberColumn("trials_needed", "Trials\nneeded", 0),
	numberColumn("odds_ratio", "Odds ratio", 2), pColumn("fisher_p", "Fisher\np"), pColumn("fisher_holm", "Fisher\nHolm")})

// bugPairRow leaves the corrected p empty: it depends on the other rows.
func bugPairRow(s shared) []Cell {
	if s.n == 0 {
		return s.unpairable(len(bugPairColumns))
	}
	p, odds := fisher(s.a, s.n, s.b, s.n, fmt.Sprintf("with %d bugs no outcome", s.n))
	overTrials, needed := trialCells(s.rates)
	return append(s.cells(), mcnemar(s.onlyA, s.onlyB), Cell{}, overTrials, Cell{}, needed, odds, p, Cell{})
}

// trialCells compares two tools over the trials of each bug: the p of the randomisation test, and how many
// trials would tell the two apart.
func trialCells(rates []bugRates) (p, needed Cell) {
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
	p, power := randomization(differences, "no signs of these differences")
	if !power {
		return p, notApplicable("too few bugs differ: no number of trials would show a significant difference")
	}
	return p, trialsNeeded(first, second)
}

// lcm returns the least common multiple of two numbers above 0.
func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

var mutantPairColumns = slices.Concat(findColumns("killed", "kills"), []Column{numberColumn("functions", "Functions\nthat differ", 0), mcnemarColumns[0],
	pColumn("by_function_p", "By function\np"), pColumn("by_function_holm", "By function\nHolm")})

// sharedMutants compares the trials that both tools have on the same mutants of a library.
func (a *analysis) sharedMutants(l library, p pair) shared {
	x, y := a.group(l, p.a), a.group(l, p.b)
	if x == nil || y == nil || len(having(x, mutationOf)) == 0 || len(having(y, mutationOf)) == 0 {
		return shared{unplanned: true}
	}
	both := shared{reason: "no trial of both was run on the same mutants"}
	more := map[string]int{} // mutants that A kills more than B, by function
	for _, rx := range x.records {
		for _, ry := range y.records {
			if rx.Cell.Trial == ry.Cell.Trial && rx.Mutation != nil && ry.Mutation != nil && rx.Mutation.Set == ry.Mutation.Set {
				both.addMutants(rx.Mutation, ry.Mutation, more)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(more)) {
		both.differences = append(both.differences, more[name])
	}
	return both
}

// addMutants counts the mutants of one trial of each.
func (s *shared) addMutants(x, y *trial.Mutation, more map[string]int) {
	both := 0
	for name, killed := range x.KilledIn {
		more[name] += len(killed)
		for _, id := range killed {
			both += one(slices.Contains(y.KilledIn[name], id))
		}
	}
	for name, killed := range y.KilledIn {
		more[name] -= len(killed)
	}
	s.add(shared{n: x.Mutants, a: x.Killed, b: y.Killed, onlyA: x.Killed - both, onlyB: y.Killed - both})
}

func mutantPairRow(s shared) []Cell {
	if s.n == 0 {
		return s.unpairable(len(mutantPairColumns))
	}
	differ := 0
	for _, d := range s.differences {
		differ += one(d != 0)
	}
	p, _ := randomization(s.differences, "no signs of the functions that differ")
	single := mcnemar(s.onlyA, s.onlyB)
	single.Notes = nil // its power is that of the other test
	return append(s.cells(), whole(differ), single, p, Cell{})
}

// coveragePairs compares one kind of coverage, trial against trial.
func (a *analysis) coveragePairs(m coverageMetric) Table {
	t := newTable("coverage_pairs_"+m.key, m.name+", tool against tool", slices.Concat(groupColumns[:1], pairColumns, []Column{
		textColumn("trials", "Trials"), numberColumn("difference", "A − B, points", 2).in("points"), rangeColumn("interval", "95% interval", 2).in("points"),
		numberColumn("a12", "A12", 2), pColumn("p", "Mann–Whitney\np"), pColumn("holm", "Mann–Whitney\nHolm")})...)
	for _, p := range a.pairs() {
		for _, l := range a.libraries {
			x, y := a.group(l, p.a), a.group(l, p.b)
			if x == nil || y == nil {
				continue
			}
			xs, ys := x.sample(m.of), y.sample(m.of)
			row := slices.Concat([]Cell{words(a.label(l))}, p.cells(), []Cell{words(fmt.Sprintf("%d and %d", len(xs), len(ys)))})
			if len(xs) == 0 || len(ys) == 0 {
				none := unpaired(m.part, "coverage was not measured for both tools", x, y)
				t.add(append(row, none, none, none, none, none)...)
				continue
			}
			a12, p := mannWhitney(xs, ys)
			t.add(append(row, number(meanOf(xs)-meanOf(ys)), intervalOf("difference", differenceOfMeans, xs, ys), a12, p, Cell{})...)
		}
	}
	t.correct("p", "holm")
	return t
}

// unpaired is a comparison of which a side has no figure: the reason of the first group whose records
// all lack the part, or else.
func unpaired(p trial.Part, otherwise string, groups ...*group) Cell {
	for _, g := range groups {
		if n, why := g.lacks(p); n > 0 && n == len(g.records) {
			return lacking(why)
		}
	}
	return incomplete("no_pair", otherwise)
}
