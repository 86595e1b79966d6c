package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// noPair is the reason of a comparison that nobody planned: there is no row for it.
const noPair = "the experiment does not run or check one of the tools on this library"

var pairColumns = []Column{
	{Key: "library", Name: "Library", Kind: Words},
	{Key: "tool_a", Name: "Tool A", Kind: Words},
	{Key: "tool_b", Name: "Tool B", Kind: Words},
}

// A pair is a comparison that a report makes.
type pair struct{ a, b contender }

// pairs returns the comparisons of a run: each tool with each other, and each variant with its
// tool's default. A variant is not compared with other tools, and where the tool has no default, as
// in a sweep, each of its variants stands for itself.
func (a *analysis) pairs() []pair {
	if a.chosen != nil {
		return a.chosen
	}
	var list []pair
	for i, x := range a.contenders {
		for _, y := range a.contenders[i+1:] {
			switch {
			case a.stands(x) && a.stands(y):
				list = append(list, pair{x, y})
			case x.tool != y.tool:
			case a.stands(x):
				list = append(list, pair{x, y})
			case a.stands(y): // the default is A, so that a difference is what the variant loses
				list = append(list, pair{y, x})
			}
		}
	}
	return list
}

// stands reports whether a contender is one for its tool.
func (a *analysis) stands(c contender) bool {
	return c.isDefault() || !slices.ContainsFunc(a.contenders, func(o contender) bool { return o.tool == c.tool && o.isDefault() })
}

// standing returns the contenders that stand for their tools.
func (a *analysis) standing() []contender {
	var list []contender
	for _, c := range a.contenders {
		if a.stands(c) {
			list = append(list, c)
		}
	}
	return list
}

// comparison tests each pair, library by library and over all.
func (a *analysis) comparison() Section {
	if len(a.contenders) < 2 {
		return Section{}
	}
	s := Section{ID: "comparison", Title: "Comparison of tools", Definitions: []Definition{
		{"Pairs", "Each tool is compared with every other tool, and each variant with its tool's default.", ""},
		{"McNemar's exact test", "Two-sided p over the bugs that both tools were checked on, paired by bug. Only bugs that exactly one of the two detects in any trial matter. Only trials that both tools have are compared.", "p = 2 · P(X ≤ min(b, c)), X ~ Bin(b + c, ½), for b bugs of A alone and c of B alone"},
		{"Over trials", "Two-sided p of Fisher's randomisation test on the difference, bug by bug, between the numbers of trials in which A and B detect it. With one trial it is McNemar's test. Bugs of several libraries are compared within their library.", "p = P(|Σ ±dᵢ| ≥ |Σ dᵢ|), dᵢ = kᵢ(A) − kᵢ(B) of n trials"},
		{"Trials needed", "The number of trials of each tool with which that test would find the difference with probability 0.8, if each bug keeps its detection rate; simulated for up to 30.", ""},
		{"Fisher's exact test", "Treats the counts as two independent groups, which they are not; shown because the paper uses it. The odds ratio is the sample odds ratio.", "OR = (a · (n−b)) / (b · (n−a)) for a and b of n bugs"},
		{"Holm", "That test's p, corrected for all comparisons in its column (Holm 1979).", ""},
		{"A12", "Vargha–Delaney effect size: the probability that a trial of tool A covers more than one of tool B; 0.5 means no difference.", "A12 = U / (trials of A · trials of B)"},
		{"Mann–Whitney U", "Exact two-sided p for coverage over trials, conditional on ties.", ""},
		{"Difference", "Difference of the means over trials. With three trials or more of both, with a bootstrap interval (BCa, 95%).", ""},
		{"Friedman, Nemenyi", "Tools ranked within each library; 1 is best. Two tools differ significantly if their average ranks differ by the critical difference CD or more (Demšar 2006).", ""},
	}}
	if len(a.run.Bugs) > 0 {
		s.Tables = append(s.Tables, a.bugComparison()...)
	}
	if tables := a.mutantComparison(); len(tables) > 0 {
		s.Tables, s.Definitions = append(s.Tables, tables...), append(s.Definitions, mutantDefinitions...)
	}
	for _, m := range coverageMetrics {
		s.Tables = append(s.Tables, a.coverageComparison(m))
	}
	if a.chosen != nil {
		return s
	}
	ranks, charts := a.ranking()
	if len(ranks.Rows) > 0 {
		s.Tables = append(s.Tables, ranks)
	} else {
		s.Notes = append(s.Notes, ranks.Warnings...)
	}
	s.Charts = charts
	return s
}

var bugPairColumns = append(pairColumns[:3:3],
	Column{Key: "a_detected", Name: "A detects", Kind: Count},
	Column{Key: "b_detected", Name: "B detects", Kind: Count},
	Column{Key: "only_a", Name: "only A", Kind: Number},
	Column{Key: "only_b", Name: "only B", Kind: Number},
	Column{Key: "mcnemar_p", Name: "McNemar\np", Kind: PValue},
	Column{Key: "mcnemar_holm", Name: "McNemar\nHolm", Kind: PValue},
	Column{Key: "randomization_p", Name: "Over trials\np", Kind: PValue},
	Column{Key: "randomization_holm", Name: "Over trials\nHolm", Kind: PValue},
	Column{Key: "trials_needed", Name: "Trials\nneeded", Kind: Number},
	Column{Key: "odds_ratio", Name: "Odds ratio", Kind: Number, Decimals: 2},
	Column{Key: "fisher_p", Name: "Fisher\np", Kind: PValue},
	Column{Key: "fisher_holm", Name: "Fisher\nHolm", Kind: PValue},
)

// bugComparison compares the bugs detected in any trial.
func (a *analysis) bugComparison() []Table {
	return a.pairTables(pairing{id: "bug_pairs", title: "Bugs detected, tool against tool", over: "over all common libraries", planned: true,
		columns: bugPairColumns, of: a.sharedBugs, row: bugPairRow, tests: []string{"mcnemar", "randomization", "fisher"},
		caution: []string{"Both tools face the same bugs, but Fisher's test assumes independent groups: use McNemar's."}})
}

// A pairing compares pairs of contenders by what both were checked on.
type pairing struct {
	id, title string
	over      string // what the title of the table over all libraries adds
	planned   bool   // this table says of how many planned libraries a row is, also if of none
	columns   []Column
	of        func(subject, pair) shared
	row       func(shared) []Cell
	tests     []string // each has columns TEST_p and TEST_holm
	caution   []string
}

// pairTables has a row for each pair over all libraries, where there are several, and one for each pair and library.
// There is no row where a tool was not planned for the library, and no table without rows.
func (a *analysis) pairTables(c pairing) []Table {
	// The tools come first in the pooled table: the first column is a row's name.
	libraries := Column{Key: "libraries", Name: "Libraries", Kind: Number}
	if c.planned {
		libraries.Kind = Words
	}
	pooled := Table{ID: c.id, Title: c.title + ", " + c.over, Columns: append([]Column{pairColumns[1], pairColumns[2], libraries}, c.columns[3:]...)}
	split := Table{ID: c.id + "_by_library", Title: c.title + ", by library", Columns: c.columns}
	for _, p := range a.pairs() {
		sum := shared{reason: "no bug was checked for both tools"}
		tools, with, planned := []Cell{words(p.a.String()), words(p.b.String())}, 0, 0
		for _, s := range a.subjects {
			both := c.of(s, p)
			if both.reason == noPair {
				continue
			}
			planned++
			split.Rows = append(split.Rows, slices.Concat([]Cell{words(a.label(s))}, tools, c.row(both)))
			if both.n > 0 {
				with++
				sum.add(both)
			}
		}
		switch {
		case c.planned && planned > 0:
			pooled.Rows = append(pooled.Rows, slices.Concat(tools, []Cell{words(fmt.Sprintf("%d of %d", with, planned))}, c.row(sum)))
		case !c.planned && with > 0:
			pooled.Rows = append(pooled.Rows, slices.Concat(tools, []Cell{whole(with)}, c.row(sum)))
		}
	}
	if len(a.subjects) < 2 {
		pooled.Rows = nil
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

// mostPairs is how many comparisons by library are shown beside those over all libraries: a screen.
const mostPairs = 24

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// A shared counts, among the n bugs or mutants on which both contenders were checked, those that a and b found in the
// trials that both have (bugs: in any of them), and those that only one of them did.
type shared struct {
	a, b, onlyA, onlyB, n int
	rates                 []ratePair // of bugs
	differences           []int      // of mutants, by function
	left                  int        // trials of one that are left out, for the other has none of that number
	reason                string     // why n is 0
}

func (s *shared) add(o shared) {
	s.a, s.b, s.onlyA, s.onlyB, s.n = s.a+o.a, s.b+o.b, s.onlyA+o.onlyA, s.onlyB+o.onlyB, s.n+o.n
	s.rates, s.differences = append(s.rates, o.rates...), append(s.differences, o.differences...)
	s.left = max(s.left, o.left)
}

func (a *analysis) sharedBugs(s subject, p pair) shared {
	gx, gy := a.group(s, p.a), a.group(s, p.b)
	if gx == nil || gy == nil || gx.withoutBugs() || gy.withoutBugs() {
		return shared{reason: noPair}
	}
	ix, iy := inBoth(gx, gy)
	vx, vy := a.verdicts(ix), a.verdicts(iy)
	both := shared{reason: "no bug was checked for both tools in the same trial"}
	for i := range vx {
		if vx[i].checked == 0 || vy[i].checked == 0 {
			if why := cmp.Or(vx[i].missing, vy[i].missing); why != nil && i == 0 {
				both.reason += ": " + firstLine(why.String())
			}
			continue
		}
		both.n++
		both.add(pairedOutcome(vx[i].detected > 0, vy[i].detected > 0))
		both.rates = append(both.rates, ratePair{vx[i].detected, vx[i].checked, vy[i].detected, vy[i].checked})
	}
	both.left = max(len(gx.records)-len(ix.records), len(gy.records)-len(iy.records))
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

// pairedOutcome counts one bug that was checked on both sides, but for n.
func pairedOutcome(inA, inB bool) shared {
	return shared{a: one(inA), b: one(inB), onlyA: one(inA && !inB), onlyB: one(inB && !inA)}
}

// bugPairRow leaves the corrected p empty: it depends on the other rows.
func bugPairRow(s shared) []Cell {
	if s.n == 0 {
		c := incomplete("no_pair", s.reason)
		return slices.Repeat([]Cell{c}, len(bugPairColumns)-len(pairColumns))
	}
	paired := sure(stats.McNemarExact(s.onlyA, s.onlyB))
	r := sure(stats.FisherExact(s.a, s.n, s.b, s.n))
	overTrials, needed := trialCells(s.rates)
	odds := maybe(r.OddsRatio, "undefined: the odds ratio would divide by 0")
	mcnemar := pValue(paired.P, paired.MinP, fmt.Sprintf("where the tools differ on %s, no outcome", trial.Count(s.onlyA+s.onlyB, "bug")))
	if s.onlyA+s.onlyB == 0 {
		mcnemar.Notes = []string{"no power: the tools agree on every bug"}
	}
	fisher := pValue(r.P, r.MinP, fmt.Sprintf("with %d bugs no outcome", s.n))
	detects := [2]Cell{count(s.a, s.n), count(s.b, s.n)}
	if s.left > 0 {
		for i, c := range detects {
			detects[i] = c.with(fmt.Sprintf("only trials that both tools have count; %s of one tool %s left out", trial.Count(s.left, "trial"), isAre(s.left)))
		}
	}
	return []Cell{detects[0], detects[1], whole(s.onlyA), whole(s.onlyB), mcnemar, {}, overTrials, {}, needed, odds, fisher, {}}
}

// correct fills a column with the p-values of another, Holm-corrected over the table. Rows
// without a p have none.
func (t *Table) correct(from, to string) {
	f, c := t.column(from), t.column(to)
	var ps []float64
	for _, row := range t.Rows {
		if row[f].Missing == "" {
			ps = append(ps, row[f].Values[0])
		}
	}
	if len(ps) == 0 { // there is nothing to correct
		ps = []float64{1}
	}
	adjusted := sure(stats.Holm(ps))
	for _, row := range t.Rows {
		if row[f].Missing != "" {
			row[c] = Cell{Missing: row[f].Missing}
			continue
		}
		row[c], adjusted = number(adjusted[0]), adjusted[1:]
	}
}

// column returns the index of a key.
func (t *Table) column(key string) int {
	if i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key }); i >= 0 {
		return i
	}
	panic(fmt.Sprintf("report: table %s has no column %s", t.ID, key))
}
