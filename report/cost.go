package report

import (
	"math"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A price is what a model costs, in one of two units.
type price struct {
	key      string // its unit, too
	decimals int
	spent    func(trial.Usage) float64
	by       func(trial.TestReference) float64 // when a test was made
}

var (
	dollars = price{"dollars", 4, func(u trial.Usage) float64 { return u.Dollars },
		func(t trial.TestReference) float64 { return t.Dollars }}
	tokens = price{"tokens", 0, func(u trial.Usage) float64 { return float64(u.Tokens) },
		func(t trial.TestReference) float64 { return float64(t.Tokens) }}
)

// total is what a trial of the group cost, with the seeds that another cell made.
func (p price) total(r record) float64 { return p.spent(r.Total()) }

// at is what a trial had spent when it made a test.
func (p price) at(r record, t trial.TestReference) float64 {
	total := p.total(r)
	return min(total, total-p.spent(r.Usage)+p.by(t)) // a sum of floating-point numbers may exceed the total
}

// cost reports what models cost, what was had for it, and what the tools had found by the time when each had
// spent the same.
func (a *analysis) cost(s *doc.Section) {
	asked := func(g *group) bool {
		return slices.ContainsFunc(g.Records, func(r record) bool { return r.Total().LLMCalls > 0 })
	}
	groups := a.Those(asked)
	if len(groups) == 0 {
		return
	}
	p := tokens
	if slices.ContainsFunc(a.Run.Cells, func(r record) bool { return dollars.total(r) > 0 }) {
		p = dollars
	}
	if len(a.Libraries) > 1 {
		sum := func(of func(trial.Usage) float64) func(standing) doc.Cell {
			return func(s standing) doc.Cell {
				all := 0.0
				for _, g := range s.groups {
					for _, r := range g.Records {
						all += of(r.Total())
					}
				}
				return doc.Num(all)
			}
		}
		asking := lists.Filter(a.standings(), func(s standing) bool { return slices.ContainsFunc(s.groups, asked) })
		s.Put(tableOf("cost_by_tool", "What the models cost, over all libraries and trials", asking, []figure[standing]{
			{toolColumn, func(s standing) doc.Cell { return doc.Words(s.String()) }},
			{doc.Number("cells", "Cells", 0), sum(func(trial.Usage) float64 { return 1 })},
			{doc.Number("calls", "Calls", 0), sum(func(u trial.Usage) float64 { return float64(u.LLMCalls) })},
			{doc.Number("tokens", "Tokens", 0), sum(tokens.spent)},
			{doc.Number("dollars", "Dollars", 2), sum(dollars.spent)},
			{doc.Count("detected", "Bugs, in\nany trial"), func(s standing) doc.Cell { return doc.Of(s.detected, s.checked) }},
		}))
		s.Draw(a.bugsOverCost("bugs-over-cost", "Bugs detected over what each cell spent", groups, p))
	}
	s.Put(a.table("cost", "What the models cost (mean ± standard deviation over trials)", groups,
		trials,
		column{doc.Text("model", "Model"), func(g *group) doc.Cell { return doc.Words(a.Run.Models[g.Tool.String()]) }},
		column{doc.Estimate("calls", "Calls", 0), always.Mean(func(r record) float64 { return float64(r.Total().LLMCalls) })},
		column{doc.Estimate("tokens", "Tokens", 0), always.Mean(tokens.total)},
		column{doc.Estimate("dollars", "Dollars", 4), always.Mean(dollars.total)},
	), a.costPerResult(groups))
	for _, l := range a.Libraries {
		of := lists.Filter(groups, func(g *group) bool { return g.Library == l })
		chart := a.bugsOverCost("cost-"+slug(a.Label(l)), a.Label(l)+": bugs detected over what each trial spent", of, p)
		chart.Library = a.Label(l)
		s.Draw(chart)
	}
	s.Put(a.pairsAtEqualCost(groups, p))
}

// costPerResult divides what was paid by what was had for it in the trials that measured it.
func (a *analysis) costPerResult(groups []*group) doc.Table {
	var columns []column
	for _, y := range []struct {
		key, name, none string
		part
		of func(record) int
	}{
		{"valid", "valid program", "no program runs", success, func(r record) int { return r.Programs.Executed }},
		{"killed", "killed mutant", "no mutant was killed", mutated, func(r record) int { return r.Mutation.Killed }},
		{"bug", "detected bug", "no bug was detected", part{In: func(r record) bool { _, ok := hbdr.Of(r); return ok }},
			func(r record) int {
				return len(lists.Filter(r.Bugs, func(b trial.BugResult) bool { return b.Detected }))
			}},
	} {
		y.Unasked = "not measured"
		for _, p := range []price{dollars, tokens} {
			columns = append(columns, column{doc.Number(p.key+"_per_"+y.key, p.key+" per\n"+y.name, p.decimals),
				y.Figure(func(records []record) doc.Cell {
					spent, had := 0.0, 0
					for _, r := range records {
						spent, had = spent+p.total(r), had+y.of(r)
					}
					if had == 0 {
						return doc.NA(y.none)
					}
					return doc.Num(spent / float64(had))
				})})
		}
	}
	return a.table("cost_per_result", "Cost of one result (sums over trials)", groups, columns...)
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

// bugsOverCost draws how many bugs a tool had detected, in any trial, when each of its cells had spent so much. A curve
// ends where the tool's most expensive cell does.
func (a *analysis) bugsOverCost(id, title string, groups []*group, p price) doc.Chart {
	chart := doc.Chart{ID: id, Title: title, Kind: doc.Steps, XLabel: p.key + " for each library", YLabel: "bugs",
		Caption: "Bugs detected in any trial. A curve ends where the tool's most expensive cell does."}
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
			points = append(points, over(at, []float64{float64(min(n, len(costs)-1))}))
		}
		chart.Add(a.series(of[0].Tool, points...))
	}
	return chart
}

// pairsAtEqualCost compares what two tools had detected, in any trial that both have, when each had spent on a
// library what the one that spent less did in its cheapest trial.
func (a *analysis) pairsAtEqualCost(groups []*group, p price) doc.Table {
	t := doc.NewTable("equal_cost_pairs", "Bugs detected at equal cost, tool against tool ("+p.key+")",
		slices.Concat(pairColumns, []doc.Column{doc.Number("cost", "Equal cost\nof all libraries", p.decimals)},
			foundColumns)...)
	for _, pair := range a.pairs {
		both, cost := counts{}, 0.0
		for _, l := range a.Libraries {
			x, y := a.Group(l, pair.a), a.Group(l, pair.b)
			if !slices.Contains(groups, x) || !slices.Contains(groups, y) || x.WithoutBugs() || y.WithoutBugs() {
				continue
			}
			x, y = inTrialsOf(x, y), inTrialsOf(y, x)
			equal := math.Inf(1)
			for _, r := range slices.Concat(x.Records, y.Records) {
				equal = min(equal, p.total(r))
			}
			ofX, ofY, n := firstCosts(x, p), firstCosts(y, p), both.n
			for bug, atX := range ofX {
				if atY, checked := ofY[bug]; checked {
					both.add(atX <= equal, atY <= equal)
				}
			}
			if both.n > n {
				cost += equal
			}
		}
		if both.n > 0 {
			t.Add(slices.Concat(pair.cells(), []doc.Cell{doc.Num(cost)}, both.cells())...)
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	return t
}

// detectionTime reports how long detection takes, where every cell had the same time: a bug that a
// trial did not find is censored at the budget.
func (a *analysis) detectionTime(s *doc.Section) {
	if !a.Run.Timed {
		return
	}
	t := lines("detection_time", "Time to detection, over bugs and trials (seconds)",
		doc.Count("found", "Bug × trial found\nin the budget"), doc.Number("budget", "Budget", 1).In("s"),
		doc.Number("median", "Median", 1).In("s"), doc.Number("mean", "Restricted mean", 1).In("s"),
		doc.Number("se", "std. error", 1).In("s"))
	drawn := false
	for _, l := range a.Libraries {
		label := a.Label(l)
		chart := doc.Chart{ID: "detection-" + slug(label), Title: label + ": bugs found over time", Kind: doc.Steps,
			Library: label,
			Caption: "Share of bugs × trials found by then (1 − Kaplan–Meier).", XLabel: "seconds", YLabel: "found, %"}
		for _, g := range a.GroupsOf(l) {
			budget := time.Duration(math.MaxInt64)
			for _, r := range g.Records {
				budget = min(budget, a.Run.Budgets[r.Cell.ID()].Limit())
			}
			why := a.detectedBugs(g)
			if why.Missing == "" && budget <= 0 {
				why = doc.NA("the budget is not in seconds of wall or model and processor time")
			}
			if why.Missing != "" {
				t.Add(a.line(g, slices.Repeat([]doc.Cell{why}, 5)...)...)
				continue
			}
			times, found := detections(g, budget)
			r := stats.KaplanMeier(times, budget.Seconds())
			t.Add(a.line(g, doc.Of(found, len(times)), doc.Num(budget.Seconds()),
				doc.NumOr(r.Median, doc.NA("fewer than half were found")),
				doc.NumOr(r.RestrictedMean, doc.NA("not observed up to the end")),
				doc.NumOr(r.RestrictedMeanStdErr, doc.NA("undefined")))...)
			points, last := []doc.Point{{}}, 0.0
			for _, s := range r.Steps {
				last = 100 * (1 - s.Survival)
				points = append(points, over(s.Time, []float64{last}))
			}
			chart.Add(a.series(g.Tool, append(points, over(budget.Seconds(), []float64{last}))...))
		}
		s.Draw(chart)
		drawn = drawn || len(chart.Series) > 0
	}
	if drawn { // some cell has a limit in seconds and bugs to find
		t.Warnings = []string{"Bugs of a library and trials of a tool are assumed independent; " +
			"otherwise the standard error is too small."}
		s.Put(t)
	}
}

// detections are the times, in seconds, of every bug that every trial could check, and how many were found in the
// budget. What the generation made at its last moment, or a little later, is taken to be found at the end of the
// budget.
// What a fuzzer found on a buggy build was found later.
func detections(g *group, budget time.Duration) (times []stats.Detection, found int) {
	for _, r := range g.Records {
		for _, b := range r.Bugs {
			if b.Missing != nil {
				continue
			}
			d := stats.Detection{Time: budget.Seconds()}
			for _, t := range b.First {
				at := max(t.Elapsed, time.Millisecond)
				if r.Kind == trial.KindPrograms || at <= r.Usage.Wall {
					at = min(at, budget)
				}
				if b.Detected && at.Seconds() <= d.Time {
					d = stats.Detection{Time: at.Seconds(), Found: true}
				}
			}
			times, found = append(times, d), found+measured.One(d.Found)
		}
	}
	return times, found
}
