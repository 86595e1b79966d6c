package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/stats"
)

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
	for _, l := range a.Libraries {
		if len(a.Bugs[l.Name]) == 0 {
			continue
		}
		chart := a.foundChart("detection-", l, "time", "seconds",
			" A fuzzer's curve continues after the budget, with its sessions on the buggy builds.")
		for _, g := range a.GroupsOf(l) {
			row, curve := a.timeRow(g)
			t.Add(a.line(g, row...)...)
			chart.Add(a.series(g.Tool, curve...))
		}
		s.Draw(chart)
	}
	if len(s.Charts) == 0 {
		return // no cell has a limit in seconds and bugs to find
	}
	t.Warnings = []string{"Bugs of a library and trials of a tool are assumed independent; " +
		"otherwise the standard error is too small."}
	s.Tables = []doc.Table{t}
}

// foundChart is a chart of the share of bugs found, over something.
func (a *analysis) foundChart(id string, l library, over, unit, more string) doc.Chart {
	label := a.Label(l)
	return doc.Chart{ID: id + slug(label), Title: label + ": bugs found over " + over, Kind: doc.Steps, Library: label,
		Caption: "Share of bugs × trials found by then (1 − Kaplan–Meier)." + more, XLabel: unit, YLabel: "found, %"}
}

// timeRow pools the bugs and trials of a group.
func (a *analysis) timeRow(g *group) ([]doc.Cell, []doc.Point) {
	why := a.detectedBugs(g)
	budget := time.Duration(math.MaxInt64)
	for _, r := range g.Records {
		budget = min(budget, a.Run.Budgets[r.Cell.ID()].Limit())
	}
	if why.Missing == "" && budget <= 0 {
		why = doc.NA("the budget is not in seconds of wall or model and processor time")
	}
	if why.Missing != "" {
		return slices.Repeat([]doc.Cell{why}, 5), nil
	}
	longest := budget
	if g.Kind() == trial.KindCorpus {
		longest += budget / time.Duration(len(a.Bugs[g.Library.Name]))
	}
	times := detections(g, budget, budget)
	median, mean, stdErr := doc.Survival(times, budget.Seconds())
	return []doc.Cell{found(times), doc.Num(budget.Seconds()), median, mean, stdErr},
		foundCurve(detections(g, budget, longest), longest.Seconds())
}

// detections are the times, in seconds, of every bug that every trial could check, watched up to end, which
// is not before the budget's. What the generation made at its last moment, or a little later, is taken to be
// found at the end of the budget. What a fuzzer found on a buggy build was found later.
func detections(g *group, budget, end time.Duration) []stats.Detection {
	var all []stats.Detection
	for _, r := range g.Records {
		all = append(all, watched(r, end.Seconds(), func(t trial.TestReference) float64 {
			at := max(t.Elapsed, time.Millisecond)
			if r.Kind == trial.KindPrograms || at <= r.Usage.Wall {
				at = min(at, budget)
			}
			return at.Seconds()
		})...)
	}
	return all
}

// watched are the bugs that a trial could check, watched up to end; at says when a detecting test was made.
func watched(r record, end float64, at func(trial.TestReference) float64) []stats.Detection {
	var all []stats.Detection
	for _, b := range r.Bugs {
		if b.Missing != nil {
			continue
		}
		d := stats.Detection{Time: end}
		for _, t := range b.First {
			if x := max(at(t), 0); b.Detected && x <= d.Time {
				d = stats.Detection{Time: x, Found: true}
			}
		}
		all = append(all, d)
	}
	return all
}

func found(list []stats.Detection) doc.Cell {
	return doc.Of(len(lists.Filter(list, func(d stats.Detection) bool { return d.Found })), len(list))
}

// foundCurve is 1 − S in percent, from 0 to the horizon.
func foundCurve(times []stats.Detection, horizon float64) []doc.Point {
	exactly := func(x, y float64) doc.Point { return doc.Point{X: x, Mean: y, Min: y, Max: y} }
	points, last := []doc.Point{exactly(0, 0)}, 0.0
	for _, s := range stats.KaplanMeier(times, horizon).Steps {
		last = 100 * (1 - s.Survival)
		points = append(points, exactly(s.Time, last))
	}
	return append(points, exactly(horizon, last))
}

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

// yields are what was paid for: so much of it in a record that measured it.
var yields = []struct {
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
}

// cost reports what models cost, what was had for it, and what the tools had found by the time when each had
// spent the same.
func (a *analysis) cost(s *doc.Section) {
	groups := a.Those(func(g *group) bool {
		return g.Total(always, func(r record) int { return measured.One(r.Total().LLMCalls > 0) }) > 0
	})
	if len(groups) == 0 {
		return
	}
	costs := []column{
		trials,
		{doc.Text("model", "Model"), func(g *group) doc.Cell { return doc.Words(a.Run.Models[g.Tool.String()]) }},
		{doc.Estimate("calls", "Calls", 0), always.Plain(func(r record) float64 { return float64(r.Total().LLMCalls) }).Cell},
		{doc.Estimate("tokens", "Tokens", 0), always.Plain(tokens.total).Cell},
		{doc.Estimate("dollars", "Dollars", 4), always.Plain(dollars.total).Cell},
	}
	var results []column
	for _, y := range yields {
		for _, p := range []price{dollars, tokens} {
			results = append(results, column{doc.Number(p.key+"_per_"+y.key, p.key+" per\n"+y.name, p.decimals),
				func(g *group) doc.Cell { return perResult(g, p, y.part, y.of, y.none) }})
		}
	}
	s.Tables = []doc.Table{
		a.table("cost", "What the models cost (mean ± standard deviation over trials)", groups, costs),
		a.table("cost_per_result", "Cost of one result (sums over trials)", groups, results),
	}
	p := tokens
	if slices.ContainsFunc(a.Run.Cells, func(r record) bool { return dollars.total(r) > 0 }) {
		p = dollars
	}
	if len(a.Libraries) > 1 {
		s.Tables = append([]doc.Table{a.costByTool()}, s.Tables...)
		s.Draw(a.bugsOverCost(groups, p))
	}
	a.atEqualCost(s, groups, p)
	a.pairsAtEqualCost(s, groups, p)
}

// costByTool sums over libraries and trials, of the tools that asked a model.
func (a *analysis) costByTool() doc.Table {
	sum := func(s standing, of func(trial.Usage) float64) (all float64) {
		for _, g := range s.groups {
			for _, r := range g.Records {
				all += of(r.Total())
			}
		}
		return all
	}
	calls := func(u trial.Usage) float64 { return float64(u.LLMCalls) }
	asked := lists.Filter(a.standings(), func(s standing) bool { return sum(s, calls) > 0 })
	return tableOf("cost_by_tool", "What the models cost, over all libraries and trials", asked, []figure[standing]{
		{toolColumn, func(s standing) doc.Cell { return doc.Words(s.String()) }},
		{doc.Number("cells", "Cells", 0), func(s standing) doc.Cell { return doc.Num(sum(s, func(trial.Usage) float64 { return 1 })) }},
		{doc.Number("calls", "Calls", 0), func(s standing) doc.Cell { return doc.Num(sum(s, calls)) }},
		{doc.Number("tokens", "Tokens", 0), func(s standing) doc.Cell { return doc.Num(sum(s, tokens.spent)) }},
		{doc.Number("dollars", "Dollars", 2), func(s standing) doc.Cell { return doc.Num(sum(s, dollars.spent)) }},
		{doc.Count("detected", "Bugs, in\nany trial"), func(s standing) doc.Cell { return doc.Of(s.detected, s.checked) }},
	})
}

// perResult is what one result cost a group.
func perResult(g *group, p price, measured part, of func(record) int, nothing string) doc.Cell {
	spent, trials, had := 0.0, lists.Filter(g.Records, measured.In), g.Total(measured, of)
	for _, r := range trials {
		spent += p.total(r)
	}
	switch {
	case len(trials) == 0:
		return doc.NA("not measured")
	case had == 0:
		return doc.NA(nothing)
	case len(trials) < g.Planned:
		return doc.Num(spent / float64(had)).With(fmt.Sprintf("over %d of %d trials", len(trials), g.Planned))
	}
	return doc.Num(spent / float64(had))
}
