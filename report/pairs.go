package report

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

// A pair is two tools that are compared.
type pair struct{ a, b tool }

func (p pair) cells() []doc.Cell {
	return []doc.Cell{doc.Words(p.a.String()), doc.Words(p.b.String())}
}

// What tables of pairs begin with, and what two tools found of the same bugs.
var (
	pairColumns  = []doc.Column{doc.Text("tool_a", "Tool A"), doc.Text("tool_b", "Tool B")}
	foundColumns = []doc.Column{doc.Count("a_detected", "A detects"), doc.Count("b_detected", "B detects"),
		doc.Number("only_a", "only A", 0), doc.Number("only_b", "only B", 0), doc.P("mcnemar_p", "McNemar\np"),
		doc.P("mcnemar_holm", "McNemar\nHolm")}
)

// pairsOf are the pairs of a run: each tool with each other, and each variant with its tool's default. A variant is not
// compared with other tools, and where the tool has no default, as in a sweep, each of its variants stands for itself.
func pairsOf(run *measured.Sorted) (all []pair) {
	for i, x := range run.Tools {
		for _, y := range run.Tools[i+1:] {
			switch {
			case run.Stands(x) && run.Stands(y), x.Name == y.Name && run.Stands(x):
				all = append(all, pair{x, y})
			case x.Name == y.Name && run.Stands(y): // the default is A, so that a difference is what the variant loses
				all = append(all, pair{y, x})
			}
		}
	}
	return all
}

// counts are, of the n bugs on which two tools were checked, those that A and B detected in any of the trials that both
// have, and those that only one of them did.
type counts struct {
	a, b, onlyA, onlyB, n int
	trials                [][2]measured.BugTrials // of each bug
	left                  int                     // trials of one that are left out, for the other has none of that number
	reason                string                  // why n is 0
	libraries, with       int                     // planned for both tools, and those with bugs checked for both
}

// add counts one bug that was checked on both sides.
func (s *counts) add(inA, inB bool) {
	s.n, s.a, s.b = s.n+1, s.a+measured.One(inA), s.b+measured.One(inB)
	s.onlyA, s.onlyB = s.onlyA+measured.One(inA && !inB), s.onlyB+measured.One(inB && !inA)
}

// cells are the counts and McNemar's p, in foundColumns. The corrected p depends on the other rows of a table, and is
// left empty.
func (s counts) cells() []doc.Cell {
	if s.n == 0 {
		return slices.Repeat([]doc.Cell{noPair(s.reason)}, len(foundColumns))
	}
	a, b := doc.Of(s.a, s.n), doc.Of(s.b, s.n)
	if s.left > 0 {
		note := fmt.Sprintf("only trials that both tools have count; left out of one tool: %d", s.left)
		a, b = a.With(note), b.With(note)
	}
	return []doc.Cell{a, b, doc.Int(s.onlyA), doc.Int(s.onlyB), doc.McNemar(s.onlyA, s.onlyB), {}}
}

// noPair is a comparison that cannot be made.
func noPair(why string) doc.Cell { return doc.Without(doc.Incomplete, "no_pair: "+why) }

// found counts what a pair detects on some libraries. It skips those that one of them is not planned or checked for.
func (a *analysis) found(p pair, libraries ...library) counts {
	sum := counts{reason: "no bug was checked for both tools in the same trial"}
	for _, l := range libraries {
		x, y := a.Group(l, p.a), a.Group(l, p.b)
		if x == nil || y == nil || x.WithoutBugs() || y.WithoutBugs() {
			continue
		}
		inX, inY := inTrialsOf(x, y), inTrialsOf(y, x)
		ofX, ofY, before := a.BugTrials(inX), a.BugTrials(inY), sum.n
		for i := range ofX {
			if ofX[i].Checked > 0 && ofY[i].Checked > 0 {
				sum.add(ofX[i].Detected > 0, ofY[i].Detected > 0)
				sum.trials = append(sum.trials, [2]measured.BugTrials{ofX[i], ofY[i]})
			} else if why := cmp.Or(ofX[i].Missing, ofY[i].Missing); why != nil && len(libraries) == 1 && i == 0 {
				sum.reason += ": " + trial.Brief(why.String())
			}
		}
		sum.libraries++
		if sum.n > before {
			sum.with++
			sum.left = max(sum.left, len(x.Records)-len(inX.Records), len(y.Records)-len(inY.Records))
		}
	}
	return sum
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

// mostPairs is how many comparisons by library are shown beside those over all libraries: a screen.
const mostPairs = 24

// tests compares each pair: bugs over all libraries, where there are several, and by library, and coverage.
func (a *analysis) tests(s *doc.Section) {
	s.Definitions = slices.Concat(s.Definitions, definitions["tests"])
	more := []doc.Column{doc.P("randomization_p", "Over trials\np"), doc.P("randomization_holm", "Over trials\nHolm"),
		doc.Number("trials_needed", "Trials\nneeded", 0), doc.Number("odds_ratio", "Odds ratio", 2),
		doc.P("fisher_p", "Fisher\np"), doc.P("fisher_holm", "Fisher\nHolm")}
	// The tools come first in the pooled table: the first column is a row's name.
	pooled := doc.NewTable("bug_pairs", "Bugs detected, tool against tool, over all common libraries",
		slices.Concat(pairColumns, []doc.Column{doc.Text("libraries", "Libraries")}, foundColumns, more)...)
	split := doc.NewTable("bug_pairs_by_library", "Bugs detected, tool against tool, by library",
		slices.Concat([]doc.Column{libraryColumn}, pairColumns, foundColumns, more)...)
	for _, p := range a.pairs {
		for _, l := range a.Libraries {
			if both := a.found(p, l); both.libraries > 0 && len(a.Run.Bugs) > 0 {
				split.Add(slices.Concat([]doc.Cell{doc.Words(a.Label(l))}, p.cells(), both.cells(), both.tests())...)
			}
		}
		if sum := a.found(p, a.Libraries...); sum.libraries > 0 && len(a.Run.Bugs) > 0 && len(a.Libraries) > 1 {
			of := doc.Words(fmt.Sprintf("%d of %d", sum.with, sum.libraries))
			pooled.Add(slices.Concat(p.cells(), []doc.Cell{of}, sum.cells(), sum.tests())...)
		}
	}
	for _, t := range []*doc.Table{&pooled, &split} {
		for _, test := range []string{"mcnemar", "randomization", "fisher"} {
			t.Holm(test+"_p", test+"_holm")
		}
		if len(t.Rows) > 0 {
			t.Warnings = []string{"Both tools face the same bugs, but Fisher's test assumes independent groups: use McNemar's."}
		}
	}
	if len(pooled.Rows) > 0 && len(split.Rows) > mostPairs {
		pooled.Warnings = append(pooled.Warnings,
			fmt.Sprintf("The %d comparisons by library are in csv/%s.csv.", len(split.Rows), split.ID))
		a.data = append(a.data, split)
		split = doc.Table{}
	}
	s.Put(pooled, split)
	for _, m := range coverageMetrics {
		s.Put(a.coveragePairs(m.metric))
	}
}

// askedPower is the power for which a comparison says how many trials it needs: Cohen's convention.
const askedPower = 0.8

// tests are, of two tools, the randomisation test over the trials of each bug, how many trials would tell the two
// apart, and the odds ratio and p of Fisher's test. Corrected p are left empty.
func (s counts) tests() []doc.Cell {
	if s.n == 0 {
		return slices.Repeat([]doc.Cell{noPair(s.reason)}, 6)
	}
	unit := 1 // a part of a trial in which all rates are whole
	for _, b := range s.trials {
		for _, checked := range []int{b[0].Checked, b[1].Checked} {
			if unit%checked != 0 {
				unit *= checked
			}
		}
	}
	var differences []int
	var first, second []float64
	for _, b := range s.trials {
		differences = append(differences, b[0].Detected*unit/b[0].Checked-b[1].Detected*unit/b[1].Checked)
		first = append(first, float64(b[0].Detected)/float64(b[0].Checked))
		second = append(second, float64(b[1].Detected)/float64(b[1].Checked))
	}
	r, needed := stats.PairedRandomization(differences),
		doc.NA("too few bugs differ: no number of trials would show a significant difference")
	if r.MinP < stats.Alpha {
		needed = doc.NA(fmt.Sprintf("%d trials would not show a significant difference", stats.MostTrials))
		if n := stats.TrialsNeeded(first, second, askedPower, trial.Seed(1).Stream("report/trials")); n > 0 {
			needed = doc.Int(n)
		}
	}
	fisher := stats.FisherExact(s.a, s.n, s.b, s.n)
	p := doc.PValue(r.P, r.MinP, "no signs of these differences")
	return []doc.Cell{p, {}, needed, doc.NumOr(fisher.OddsRatio, doc.NA("undefined: the odds ratio would divide by 0")),
		fisherP(s.a, s.n, s.b, s.n), {}}
}

// fisherP is the p of Fisher's exact test of two shares of bugs.
func fisherP(k1, n1, k2, n2 int) doc.Cell {
	r := stats.FisherExact(k1, n1, k2, n2)
	return doc.PValue(r.P, r.MinP, fmt.Sprintf("with %d and %d bugs no outcome", n1, n2))
}

// coveragePairs compares one kind of coverage, trial against trial.
func (a *analysis) coveragePairs(m metric) doc.Table {
	t := doc.NewTable("coverage_pairs_"+m.Key, m.Name+", tool against tool",
		slices.Concat([]doc.Column{libraryColumn}, pairColumns, []doc.Column{
			doc.Text("trials", "Trials"), doc.Number("difference", "A − B, points", 2).In("points"),
			doc.Range("interval", "95% interval", 2).In("points"),
			doc.Number("a12", "A12", 2), doc.P("p", "Mann–Whitney\np"), doc.P("holm", "Mann–Whitney\nHolm")})...)
	for _, p := range a.pairs {
		for _, l := range a.Libraries {
			x, y := a.Group(l, p.a), a.Group(l, p.b)
			if x == nil || y == nil {
				continue
			}
			xs, ys := x.Sample(m), y.Sample(m)
			row := slices.Concat([]doc.Cell{doc.Words(a.Label(l))}, p.cells(),
				[]doc.Cell{doc.Words(fmt.Sprintf("%d and %d", len(xs), len(ys)))})
			if len(xs) == 0 || len(ys) == 0 {
				t.Add(append(row, slices.Repeat([]doc.Cell{unpaired(m, "coverage was not measured for both tools", x, y)},
					5)...)...)
				continue
			}
			p := doc.NA("too many trials for the exact test")
			if u, err := stats.MannWhitneyU(xs, ys); err == nil {
				p = doc.PValue(u.P, u.MinP, fmt.Sprintf("with %d and %d trials no outcome", len(xs), len(ys)))
			}
			t.Add(append(row, doc.Num(doc.Mean(xs)-doc.Mean(ys)), doc.DifferenceInterval(xs, ys),
				doc.Num(stats.VarghaDelaneyA12(xs, ys)), p, doc.Cell{})...)
		}
	}
	t.Holm("p", "holm")
	return t
}

// unpaired is a comparison of which a side has no figure: the reason of the first group whose records
// all lack the part, or else.
func unpaired(m metric, otherwise string, groups ...*group) doc.Cell {
	for _, g := range groups {
		if lacks := g.Lacks(m.Part); len(lacks) > 0 && len(lacks) == len(g.Records) {
			return measured.MissingCell(lacks[0])
		}
	}
	return noPair(otherwise)
}

// comparison tests each pair and ranks the tools.
func (a *analysis) comparison(s *doc.Section) {
	if len(a.Tools) < 2 {
		return
	}
	a.tests(s)
	tools := lists.Filter(a.Tools, a.Stands)
	if len(tools) < 3 { // two are compared as a pair
		return
	}
	t := doc.NewTable("ranks", "Tools ranked over libraries", doc.Text("metric", "Ranked by"), toolColumn,
		doc.Number("rank", "Average rank", 2), doc.Number("libraries", "Libraries", 0), doc.P("p", "Friedman p"),
		doc.Number("cd", "CD", 2), doc.Wide("alike", "No significant difference from"))
	for _, m := range []metric{lineMetric, branchMetric, bugsMetric} {
		var scores [][]float64 // each tool's mean over trials, by library
		for _, l := range a.Libraries {
			var row []float64
			for _, t := range tools {
				if g := a.Group(l, t); g != nil && len(g.Sample(m)) > 0 {
					row = append(row, doc.Mean(g.Sample(m)))
				}
			}
			if len(row) == len(tools) {
				scores = append(scores, row)
			}
		}
		if len(scores) < 2 {
			t.Warnings = append(t.Warnings, fmt.Sprintf(
				"%s: not ranked; that takes at least 2 libraries for which every tool has a value (here: %d).", m.Name,
				len(scores)))
			continue
		}
		r := stats.Friedman(scores)
		p := doc.PValue(r.P, r.MinP, fmt.Sprintf("with %d tools on %d libraries no outcome", r.Tools, r.Blocks))
		for _, i := range r.Order() {
			var alike []string // whose ranks differ by less than the critical difference
			for _, j := range r.Alike(i) {
				alike = append(alike, tools[j].String())
			}
			t.Add(doc.Words(m.Name), doc.Words(tools[i].String()), doc.Num(r.AverageRanks[i]), doc.Int(r.Blocks), p,
				doc.Num(r.CriticalDifference), doc.Words(cmp.Or(strings.Join(alike, ", "), "none")))
			p.Notes = nil // those of the first row are of all
		}
	}
	if len(t.Rows) > 0 {
		s.Put(t)
	} else {
		s.Notes = append(s.Notes, t.Warnings...)
	}
}
