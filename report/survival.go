package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// detectionTime reports how long detection takes, where every cell had the same time: a bug that a
// trial did not find is censored at the budget.
func (a *analysis) detectionTime(s *Section) {
	if !a.run.Timed {
		return
	}
	t := groupTable("detection_time", "Time to detection, over bugs and trials (seconds)",
		countColumn("found", "Bug × trial found\nin the budget"), numberColumn("budget", "Budget", 1).in("s"), numberColumn("median", "Median", 1).in("s"),
		numberColumn("mean", "Restricted mean", 1).in("s"), numberColumn("se", "std. error", 1).in("s"))
	for _, l := range a.libraries {
		chart := a.foundChart("detection-", l, "time", "seconds", " A fuzzer's curve continues after the budget, with its sessions on the buggy builds.")
		for _, g := range a.groupsOf(l) {
			if len(a.bugs[l.name]) > 0 {
				row, curve := a.timeRow(g)
				t.add(a.groupCells(g, row...)...)
				chart.addCurve(a.series(g.tool, curve...))
			}
		}
		s.Charts = append(s.Charts, withSeries(chart)...)
	}
	if len(s.Charts) == 0 {
		return // no cell has a limit in seconds and bugs to find
	}
	t.Warnings = []string{"Bugs of a library and trials of a tool are assumed independent; otherwise the standard error is too small."}
	s.Tables = []Table{t}
}

// foundChart is a chart of the share of bugs found, over something.
func (a *analysis) foundChart(id string, l library, over, unit, more string) Chart {
	return Chart{ID: id + slug(a.label(l)), Title: a.label(l) + ": bugs found over " + over, Kind: Steps, Library: a.label(l),
		Caption: "Share of bugs × trials found by then (1 − Kaplan–Meier)." + more, XLabel: unit, YLabel: "found, %"}
}

// addCurve adds a series that has any points.
func (c *Chart) addCurve(s Series) {
	if len(s.Points) > 0 {
		c.add(s)
	}
}

// timeRow pools the bugs and trials of a group.
func (a *analysis) timeRow(g *group) ([]Cell, []Point) {
	budget := time.Duration(math.MaxInt64)
	why := a.detectedBugs(g)
	for _, r := range g.records {
		budget = min(budget, a.run.Budgets[r.Cell.ID()].Limit())
		if twoClocks(r) {
			why = notApplicable("measured by an older bench, which used two clocks for a fuzzer's findings")
		}
	}
	if why.Missing == "" && budget <= 0 {
		why = notApplicable("the budget is not in seconds of wall or model and processor time")
	}
	if why.Missing != "" {
		return slices.Repeat([]Cell{why}, 5), nil
	}
	longest := budget
	if g.kind() == trial.KindCorpus {
		longest += budget / time.Duration(len(a.bugs[g.library.name]))
	}
	times := detections(g, budget, budget)
	median, mean, stdErr := survival(times, budget.Seconds())
	return []Cell{found(times), number(budget.Seconds()), median, mean, stdErr}, foundCurve(detections(g, budget, longest), longest.Seconds())
}

// survival are the median, the restricted mean and its standard error of times that are watched up to a horizon.
func survival(times []stats.Detection, horizon float64) (median, mean, stdErr Cell) {
	r, err := stats.KaplanMeier(times, horizon)
	if err != nil {
		return undefined(err), undefined(err), undefined(err)
	}
	return maybe(r.Median, "fewer than half were found"), maybe(r.RestrictedMean, "not observed up to the end"), maybe(r.RestrictedMeanStdErr, "undefined")
}

// twoClocks reports whether a fuzzer's detections are dated partly from the beginning of the
// generation and partly from that of a session on a buggy build.
func twoClocks(r trial.Record) bool {
	return r.Kind == trial.KindCorpus && slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool { return b.Detected && b.Fuzzed == nil })
}

// detections are the times, in seconds, of every bug that every trial could check, watched up to end, which
// is not before the budget's. What the generation made at its last moment, or a little later, is taken to be
// found at the end of the budget. What a fuzzer found on a buggy build was found later.
func detections(g *group, budget, end time.Duration) []stats.Detection {
	var all []stats.Detection
	for _, r := range g.records {
		all = append(all, watched(r, end.Seconds(), func(first []trial.TestReference) float64 {
			at := first[0].Elapsed
			for _, t := range first {
				at = min(at, t.Elapsed)
			}
			at = max(at, time.Millisecond)
			if r.Kind == trial.KindPrograms || at <= r.Usage.Wall {
				at = min(at, budget)
			}
			return at.Seconds()
		})...)
	}
	return all
}

// watched are the bugs that a trial could check, watched up to end; at says when one was found, by its first
// detecting tests.
func watched(r trial.Record, end float64, at func(first []trial.TestReference) float64) []stats.Detection {
	var all []stats.Detection
	for _, b := range r.Bugs {
		switch {
		case b.Missing != nil:
		case b.Detected && len(b.First) > 0:
			found := at(b.First)
			all = append(all, stats.Detection{Time: min(found, end), Found: found <= end})
		default:
			all = append(all, stats.Detection{Time: end})
		}
	}
	return all
}

func found(list []stats.Detection) Cell {
	n := 0
	for _, d := range list {
		n += one(d.Found)
	}
	return count(n, len(list))
}

// foundCurve is 1 − S in percent, from 0 to the horizon; nil if it is undefined.
func foundCurve(times []stats.Detection, horizon float64) []Point {
	r, err := stats.KaplanMeier(times, horizon)
	if err != nil {
		return nil
	}
	points := []Point{exactly(0, 0)}
	last := 0.0
	for _, s := range r.Steps {
		last = 100 * (1 - s.Survival)
		points = append(points, exactly(s.Time, last))
	}
	return append(points, exactly(horizon, last))
}

// exactly is a point that does not vary.
func exactly(x, y float64) Point { return Point{X: x, Mean: y, Min: y, Max: y} }

// A price is what a model costs, in one of two units.
type price struct {
	key, unit string // "dollars"; "$"
	decimals  int
	spent     func(trial.Usage) float64
	by        func(trial.TestReference) float64 // when a test was made
}

var (
	dollarPrice = price{"dollars", "dollars", 4, func(u trial.Usage) float64 { return u.Dollars }, func(t trial.TestReference) float64 { return t.Dollars }}
	tokenPrice  = price{"tokens", "tokens", 0, func(u trial.Usage) float64 { return float64(u.Tokens) }, func(t trial.TestReference) float64 { return float64(t.Tokens) }}
)

// total is what a trial of the group cost, with the seeds that another cell made.
func (p price) total(r trial.Record) (float64, bool) { return p.spent(r.Total()), true }

// yields are what was paid for: so much of it in a record, if it was measured there.
var yields = []struct {
	key, name, none string
	of              func(trial.Record) (n int, measured bool)
}{
	{"valid", "valid program", "no program runs", func(r trial.Record) (int, bool) {
		if r.Programs == nil {
			return 0, false
		}
		return r.Programs.Executed, true
	}},
	{"killed", "killed mutant", "no mutant was killed", func(r trial.Record) (int, bool) {
		if r.Mutation == nil {
			return 0, false
		}
		return r.Mutation.Killed, true
	}},
	{"bug", "detected bug", "no bug was detected", func(r trial.Record) (found int, checked bool) {
		for _, b := range r.Bugs {
			checked = checked || b.Missing == nil
			found += one(b.Detected)
		}
		return found, checked
	}},
}

// cost reports what models cost, what was had for it, and what the tools had found by the time when each had
// spent the same.
func (a *analysis) cost(s *Section) {
	p := tokenPrice
	groups := a.those(func(g *group) bool {
		asked := false
		for _, r := range g.records {
			asked = asked || r.Total().LLMCalls > 0
			if r.Total().Dollars > 0 {
				p = dollarPrice
			}
		}
		return asked
	})
	if len(groups) == 0 {
		return
	}
	calls := func(r trial.Record) (float64, bool) { return float64(r.Total().LLMCalls), true }
	costs := a.table("cost", "What the models cost (mean ± standard deviation over trials)", groups,
		trialsFigure,
		figure{textColumn("model", "Model"), func(g *group) Cell { return words(a.run.Models[g.tool.String()]) }},
		figure{estimateColumn("calls", "Calls", 0), metric{of: calls}.cell},
		figure{estimateColumn("tokens", "Tokens", 0), metric{of: tokenPrice.total}.cell},
		figure{estimateColumn("dollars", "Dollars", 4), metric{of: dollarPrice.total}.cell})
	var figures []figure
	for _, y := range yields {
		for _, p := range []price{dollarPrice, tokenPrice} {
			column := numberColumn(p.key+"_per_"+y.key, p.unit+" per\n"+y.name, p.decimals)
			figures = append(figures, figure{column, func(g *group) Cell { return perResult(g, p, y.of, y.none) }})
		}
	}
	s.Tables = []Table{costs, a.table("cost_per_result", "Cost of one result (sums over trials)", groups, figures...)}
	a.atEqualCost(s, groups, p)
}

// perResult is what one result cost a group.
func perResult(g *group, p price, of func(trial.Record) (int, bool), nothing string) Cell {
	spent, had, trials := 0.0, 0, 0
	for _, r := range g.records {
		if n, measured := of(r); measured {
			spent, had, trials = spent+p.spent(r.Total()), had+n, trials+1
		}
	}
	switch {
	case trials == 0:
		return notApplicable("not measured")
	case had == 0:
		return notApplicable(nothing)
	}
	c := number(spent / float64(had))
	if trials < g.planned {
		c = c.with(fmt.Sprintf("over %d of %d trials", trials, g.planned))
	}
	return c
}

// atEqualCost compares on each library what tools have found by the cost that every trial of them came to.
func (a *analysis) atEqualCost(s *Section, groups []*group, p price) {
	t := groupTable("equal_cost", "Detection at equal cost, over bugs and trials ("+p.unit+")",
		numberColumn("cost", "Equal cost", p.decimals), countColumn("found", "Bug × trial\nfound"), countColumn("found_in_all", "found in all"),
		numberColumn("mean", "Restricted mean", p.decimals), numberColumn("se", "std. error", p.decimals))
	for _, l := range a.libraries {
		equal := math.Inf(1)
		of := slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.library != l || len(paid(g, p, 0)) == 0 })
		for _, g := range of {
			for _, r := range g.records {
				equal = min(equal, p.spent(r.Total()))
			}
		}
		if len(of) == 0 || equal <= 0 {
			continue // nothing was checked, or a trial cost nothing
		}
		chart := a.foundChart("cost-", l, "cost", p.unit, "")
		for _, g := range of {
			row, curve := equalCost(g, p, equal)
			t.add(a.groupCells(g, append([]Cell{number(equal)}, row...)...)...)
			chart.addCurve(a.series(g.tool, curve...))
		}
		s.Charts = append(s.Charts, withSeries(chart)...)
	}
	s.Tables = append(s.Tables, withRows(t)...)
}

// equalCost pools the bugs and trials of a group.
func equalCost(g *group, p price, equal float64) ([]Cell, []Point) {
	if undated(g, p) {
		return slices.Repeat([]Cell{notApplicable("measured by an older bench, which did not store the cost of a test")}, 4), nil
	}
	by, all, end := paid(g, p, equal), paid(g, p, 0), 0.0
	for _, r := range g.records {
		end = max(end, p.spent(r.Total()))
	}
	_, mean, stdErr := survival(by, equal)
	return []Cell{found(by), found(all), mean, stdErr}, foundCurve(all, end)
}

// undated reports whether a detection is in the suite of a model that cost something, and nobody knows what
// it had cost by then.
func undated(g *group, p price) bool {
	return slices.ContainsFunc(g.records, func(r trial.Record) bool {
		return p.spent(r.Usage) > 0 && slices.ContainsFunc(r.Bugs, func(b trial.BugResult) bool {
			return b.Detected && len(b.First) > 0 && b.First[0].Tokens == 0
		})
	})
}

// paid is what each bug that each trial could check had cost when it was found. It is watched up to the cost of the
// trial or, if that is given, up to the limit.
func paid(g *group, p price, limit float64) []stats.Detection {
	var all []stats.Detection
	for _, r := range g.records {
		total := p.spent(r.Total())
		before, end := total-p.spent(r.Usage), total
		if limit > 0 {
			end = min(end, limit)
		}
		all = append(all, watched(r, end, func(first []trial.TestReference) float64 {
			at := total // which a sum of floating-point numbers may exceed
			for _, t := range first {
				at = min(at, before+p.by(t))
			}
			return at
		})...)
	}
	return all
}
