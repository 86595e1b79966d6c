package report

import (
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/compared"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/stats"
)

// atEqualCost compares on each library what tools have found by the cost that every trial of them came to.
func (a *analysis) atEqualCost(s *doc.Section, groups []*group, p price) {
	t := lines("equal_cost", "Detection at equal cost, over bugs and trials ("+p.key+")",
		doc.Number("cost", "Equal cost", p.decimals), doc.Count("found", "Bug × trial\nfound"),
		doc.Count("found_in_all", "found in all"), doc.Number("mean", "Restricted mean", p.decimals),
		doc.Number("se", "std. error", p.decimals))
	for _, l := range a.Libraries {
		equal := math.Inf(1)
		of := lists.Filter(groups, func(g *group) bool { return g.Library == l && len(paid(g, p, 0)) > 0 })
		for _, g := range of {
			for _, r := range g.Records {
				equal = min(equal, p.total(r))
			}
		}
		if len(of) == 0 || equal <= 0 {
			continue // nothing was checked, or a trial cost nothing
		}
		chart := a.foundChart("cost-", l, "cost", p.key, "")
		for _, g := range of {
			by, all, end := paid(g, p, equal), paid(g, p, 0), 0.0
			for _, r := range g.Records {
				end = max(end, p.total(r))
			}
			_, mean, stdErr := doc.Survival(by, equal)
			t.Add(a.line(g, doc.Num(equal), found(by), found(all), mean, stdErr)...)
			chart.Add(a.series(g.Tool, foundCurve(all, end)...))
		}
		s.Draw(chart)
	}
	s.Put(t)
}

// paid is what each bug that each trial could check had cost when it was found. It is watched up to the cost of the
// trial or, if that is given, up to the limit.
func paid(g *group, p price, limit float64) []stats.Detection {
	var all []stats.Detection
	for _, r := range g.Records {
		end := p.total(r)
		if limit > 0 {
			end = min(end, limit)
		}
		all = append(all, watched(r, end, func(t trial.TestReference) float64 { return p.at(r, t) })...)
	}
	return all
}

// at is what a trial had spent when it made a test.
func (p price) at(r record, t trial.TestReference) float64 {
	total := p.total(r)
	return min(total, total-p.spent(r.Usage)+p.by(t)) // a sum of floating-point numbers may exceed the total
}

// firstCosts has of each bug that a group checked what the trial that detected it first had spent by then; it is
// infinite where none did.
func firstCosts(g *group, p price) map[string]float64 {
	first := map[string]float64{}
	for _, r := range g.Records {
		for _, b := range lists.Filter(r.Bugs, func(b trial.BugResult) bool { return b.Missing == nil }) {
			at, known := first[b.Bug]
			if !known {
				at = math.Inf(1)
			}
			for _, t := range b.First {
				if b.Detected {
					at = min(at, p.at(r, t))
				}
			}
			first[b.Bug] = at
		}
	}
	return first
}

// bugsOverCost draws how many bugs of all libraries a tool had detected, in any trial, when each of its cells had
// spent so much. A curve ends where the tool's most expensive cell does.
func (a *analysis) bugsOverCost(groups []*group, p price) doc.Chart {
	chart := doc.Chart{ID: "bugs-over-cost", Title: "Bugs detected over what each cell spent", Kind: doc.Steps,
		XLabel: p.key + " for each library", YLabel: "bugs",
		Caption: "Bugs of all libraries, in any trial. A curve ends where the tool's most expensive cell does."}
	for _, of := range lists.Group(groups, func(g *group) tool { return g.Tool }) {
		if !a.Stands(of[0].Tool) {
			continue
		}
		costs, end := []float64{0}, 0.0
		for _, g := range of {
			for _, r := range g.Records {
				end = max(end, p.total(r))
			}
			for _, at := range firstCosts(g, p) {
				if !math.IsInf(at, 1) {
					costs = append(costs, at)
				}
			}
		}
		slices.Sort(costs)
		var points []doc.Point
		for n, at := range append(costs, end) {
			bugs := float64(min(n, len(costs)-1))
			points = append(points, doc.Point{X: at, Mean: bugs, Min: bugs, Max: bugs})
		}
		chart.Add(a.series(of[0].Tool, points...))
	}
	return chart
}

// pairsAtEqualCost compares what two tools had detected, in any trial that both have, when each had spent on a
// library what the one that spent less did in its cheapest trial.
func (a *analysis) pairsAtEqualCost(s *doc.Section, groups []*group, p price) {
	t := doc.NewTable("equal_cost_pairs", "Bugs detected at equal cost, tool against tool ("+p.key+")",
		slices.Concat(compared.PairColumns, []doc.Column{doc.Number("cost", "Equal cost\nof all libraries", p.decimals)},
			compared.FoundColumns, compared.McNemarColumns)...)
	for _, pair := range a.Pairs {
		both, cost := compared.Counts{}, 0.0
		for _, l := range a.Libraries {
			x, y := a.Group(l, pair.A), a.Group(l, pair.B)
			if !slices.Contains(groups, x) || !slices.Contains(groups, y) || x.WithoutBugs() || y.WithoutBugs() {
				continue
			}
			x, y = compared.InTrialsOf(x, y), compared.InTrialsOf(y, x)
			equal := math.Inf(1)
			for _, r := range slices.Concat(x.Records, y.Records) {
				equal = min(equal, p.total(r))
			}
			ofX, ofY, n := firstCosts(x, p), firstCosts(y, p), both.N
			for bug, atX := range ofX {
				if atY, checked := ofY[bug]; checked {
					both.Add(atX <= equal, atY <= equal)
				}
			}
			if both.N > n {
				cost += equal
			}
		}
		if both.N > 0 {
			t.Add(slices.Concat(pair.Cells(), []doc.Cell{doc.Num(cost)}, both.Cells())...)
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	s.Put(t)
}
