package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/stats"
)

// standInMeasures are what may stand in for the bugs that a suite detects.
var standInMeasures = []struct {
	key, name string
	metric
}{
	{"mutation_score", "Mutation score", scoreMetric},
	{"line_coverage", "Lines covered", lineMetric},
	{"bugs_reached", "Bugs reached", metric{Part: detected, Of: bugsReached}},
}

// bugsReached is the share of a suite's bugs that some test reaches at least, where that was measured.
func bugsReached(r record) (float64, bool) {
	reached, known, measured := 0, 0, false
	for _, b := range r.Bugs {
		if b.Missing == nil && (b.Detected || hasStep(b)) {
			known++
			reached += one(b.Step() >= trial.Reached)
		}
		measured = measured || b.Steps != nil && b.Steps.Missing == nil
	}
	return float64(reached) / float64(max(known, 1)), known > 0 && measured
}

// fewestSuites is how many suites a rank correlation needs here.
const fewestSuites = 5

// standIn correlates what may stand in for bugs with the bugs that suites detect. It is left out of a run whose suites
// were not run on mutants.
func (a *analysis) standIn(s *doc.Section) {
	var suites []record // of programs, on which some bug was checked
	mutants := 0
	for _, g := range a.Groups {
		for _, r := range g.Records {
			if _, checked := hbdr.Of(r); checked && success.In(r) {
				suites, mutants = append(suites, r), mutants+one(mutated.In(r))
			}
		}
	}
	if mutants < fewestSuites {
		return
	}
	t := doc.NewTable("stand_in", "Rank correlation with the share of bugs detected (Kendall's τ-b)",
		doc.Text("suites_of", "Suites of"), doc.Number("suites", "Suites", 0), doc.Number("pairs", "Pairs", 0))
	for _, m := range standInMeasures {
		t.Columns = append(t.Columns, doc.Number(m.key+"_tau", m.name+"\nτ", 2),
			doc.Range(m.key+"_interval", m.name+"\n95% interval", 2))
	}
	within := func(x, y record) bool { return measured.LibraryOf(x.Cell) == measured.LibraryOf(y.Cell) }
	add := func(label string, of []record, alike func(x, y record) bool) {
		t.Add(append([]doc.Cell{doc.Words(label)}, correlations(of, alike)...)...)
	}
	for _, l := range a.Libraries {
		if own := filter(suites, func(r record) bool { return measured.LibraryOf(r.Cell) == l }); len(own) >= fewestSuites {
			add(a.Label(l), own, within)
		}
	}
	add("each library, pairs within", suites, within)
	add("each library, pairs within of as many tests", suites, func(x, y record) bool {
		return within(x, y) && x.Programs.Generated == y.Programs.Generated
	})
	add("all libraries, any pair", suites, func(x, y record) bool { return true })
	missing := filter(suites, func(r record) bool { // only proofs of these bugs detect them all
		detected, _ := hbdr.Of(r)
		return detected != 100
	})
	if len(missing) < len(suites) {
		add("each library, pairs within, of suites that miss some bug", missing, within)
	}
	s.Tables = []doc.Table{t}
	s.Notes = []string{"A suite is one trial of a tool on a library. Intervals are t intervals of the jackknife over suites, " +
		"which assumes that these are independent. A larger suite kills, covers and detects more; pairs with the same number " +
		"of tests exclude this effect. A mutant is not a bug, and a correlation over the tools of one run says nothing about " +
		"another (Just et al. 2014; Papadakis et al. 2018)."}
}

// correlations are the numbers of suites and of pairs that alike takes, and τ with its interval for each measure.
func correlations(suites []record, alike func(x, y record) bool) []doc.Cell {
	var cells []doc.Cell
	pairs := 0
	for _, m := range standInMeasures {
		var with []record
		var xs, ys []float64
		for _, r := range filter(suites, m.In) {
			if x, ok := m.Of(r); ok {
				y, _ := hbdr.Of(r)
				with, xs, ys = append(with, r), append(xs, x), append(ys, y)
			}
		}
		if len(with) < fewestSuites {
			none := doc.NA(fmt.Sprintf("fewer than %d suites have it", fewestSuites))
			cells = append(cells, none, none)
			continue
		}
		r := stats.Kendall(xs, ys, func(i, j int) bool { return alike(with[i], with[j]) })
		pairs = max(pairs, r.Pairs)
		tau, interval := doc.NumOr(r.Tau,
			doc.NA("no two of these suites differ in both values")), doc.NA("it depends on one suite")
		switch {
		case r.Tau == nil:
			interval = tau
		case r.Low != nil:
			interval = doc.Span(*r.Low, *r.High)
		}
		if len(with) < len(suites) {
			tau = tau.With(fmt.Sprintf("over the %d suites that have it", len(with)))
		}
		cells = append(cells, tau, interval)
	}
	return append([]doc.Cell{doc.Int(len(suites)), doc.Int(pairs)}, cells...)
}
