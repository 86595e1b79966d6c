package report

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A suiteFigures is what one cell's suite came to.
type suiteFigures struct {
	library  subject
	tests    int
	detected float64 // HBDR in percent
	measures []*float64
}

// standInMeasures are what may stand in for the bugs that a suite detects.
var standInMeasures = []struct {
	key, name string
	of        func(trial.Record) (float64, bool)
}{
	{"mutation_score", "Mutation score", mutationScore},
	{"line_coverage", "Lines covered", linePct},
	{"bugs_reached", "Bugs reached", bugsReached},
}

// bugsReached is the share of a suite's bugs that some test reaches at least.
func bugsReached(r trial.Record) (float64, bool) {
	reached, known := 0, 0
	for _, b := range r.Bugs {
		if b.Missing == nil && (b.Detected || hasStep(b)) {
			known++
			reached += one(b.Step() >= trial.Reached)
		}
	}
	return float64(reached) / float64(max(known, 1)), known > 0 && hasSteps(r)
}

// hasSteps reports whether it was measured how far the bugs of a record come.
func hasSteps(r trial.Record) bool {
	for _, b := range r.Bugs {
		if b.Steps != nil && b.Steps.Missing == nil {
			return true
		}
	}
	return false
}

// fewestSuites is how many suites a rank correlation needs here.
const fewestSuites = 5

// standIn correlates what may stand in for bugs with the bugs that suites detect. It is left out of a run whose suites
// were not run on mutants.
func (a *analysis) standIn() Section {
	var suites []suiteFigures
	mutated := 0
	for _, g := range a.groups {
		for _, r := range g.records {
			f := suiteOf(r)
			if f == nil {
				continue
			}
			f.library = g.subject
			mutated += one(f.measures[0] != nil)
			suites = append(suites, *f)
		}
	}
	if mutated < fewestSuites {
		return Section{}
	}
	t := Table{ID: "stand_in", Title: "Rank correlation with the share of bugs detected (Kendall's τ-b)", Columns: []Column{
		{Key: "suites_of", Name: "Suites of", Kind: Words}, {Key: "suites", Name: "Suites", Kind: Number}, {Key: "pairs", Name: "Pairs", Kind: Number}}}
	for _, m := range standInMeasures {
		t.Columns = append(t.Columns, Column{Key: m.key + "_tau", Name: m.name + "\nτ", Kind: Number, Decimals: 2},
			Column{Key: m.key + "_interval", Name: m.name + "\n95% interval", Kind: Range, Decimals: 2})
	}
	sameLibrary := func(x, y suiteFigures) bool { return x.library == y.library }
	for _, s := range a.subjects {
		own := slices.DeleteFunc(slices.Clone(suites), func(f suiteFigures) bool { return f.library != s })
		if len(own) >= fewestSuites {
			t.Rows = append(t.Rows, correlations(a.label(s), own, sameLibrary))
		}
	}
	t.Rows = append(t.Rows, correlations("each library, pairs within", suites, sameLibrary),
		correlations("each library, pairs within of as many tests", suites, func(x, y suiteFigures) bool { return sameLibrary(x, y) && x.tests == y.tests }),
		correlations("all libraries, any pair", suites, func(x, y suiteFigures) bool { return true }))
	if slices.ContainsFunc(suites, isBound) {
		t.Rows = append(t.Rows, correlations("each library, pairs within, of suites that miss some bug", slices.DeleteFunc(slices.Clone(suites), isBound), sameLibrary))
	}
	return Section{ID: "stand_in", Title: "What stands in for bugs", Tables: []Table{t}, Definitions: []Definition{{
		"Kendall's τ-b", "Over pairs of suites: how much more often the suite with the higher value also detects more of its library's bugs. 1 means always, 0 means no relation.",
		"τ = (C − D) / √(pairs not tied in one · pairs not tied in the other)"}},
		Notes: []string{"A suite is one trial of a tool on a library. Intervals are t intervals of the jackknife over suites, which assumes that these are independent. " +
			"A larger suite kills, covers and detects more; pairs with the same number of tests exclude this effect. A mutant is not a bug, and a correlation over the tools of one run says nothing about another " +
			"(Just et al. 2014; Papadakis et al. 2018)."}}
}

// isBound reports whether a suite detects every bug, as only proofs of these bugs do.
func isBound(f suiteFigures) bool { return f.detected == 100 }

// suiteOf returns nil of a suite on which no bug was checked.
func suiteOf(r trial.Record) *suiteFigures {
	detected, checked := hbdrPct(r)
	if !checked || r.Programs == nil {
		return nil
	}
	f := &suiteFigures{tests: r.Programs.Generated, detected: detected}
	for _, m := range standInMeasures {
		var value *float64
		if x, ok := m.of(r); ok {
			value = &x
		}
		f.measures = append(f.measures, value)
	}
	return f
}

// correlations is the row of some suites, over the pairs that alike takes.
func correlations(label string, suites []suiteFigures, alike func(x, y suiteFigures) bool) []Cell {
	row, pairs := []Cell(nil), 0
	for m := range standInMeasures {
		var with []suiteFigures
		var xs, ys []float64
		for _, f := range suites {
			if v := f.measures[m]; v != nil {
				with, xs, ys = append(with, f), append(xs, *v), append(ys, f.detected)
			}
		}
		if len(with) < fewestSuites {
			none := notApplicable(fmt.Sprintf("fewer than %d suites have it", fewestSuites))
			row = append(row, none, none)
			continue
		}
		r := sure(stats.Kendall(xs, ys, func(i, j int) bool { return alike(with[i], with[j]) }))
		pairs = max(pairs, r.Pairs)
		tau, interval := maybe(r.Tau, "no two of these suites differ in both values"), notApplicable("it depends on one suite")
		switch {
		case r.Tau == nil:
			interval = tau
		case r.Low != nil:
			interval = span(*r.Low, *r.High)
		}
		if len(with) < len(suites) {
			tau = tau.with(fmt.Sprintf("over the %d suites that have it", len(with)))
		}
		row = append(row, tau, interval)
	}
	return append([]Cell{words(label), whole(len(suites)), whole(pairs)}, row...)
}
