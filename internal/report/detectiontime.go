package report

import (
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// detectionTime reports how long detection takes, where every cell had the same time: a bug that a
// trial did not find is censored at the budget.
func (a *analysis) detectionTime() Section {
	if !a.run.Timed || len(a.run.Bugs) == 0 {
		return Section{}
	}
	s := Section{ID: "detection_time", Title: "Time to detection", Definitions: []Definition{
		{"Time to detection", "When the first detecting test was added to the suite, on the clock of the cell's generation. A fuzzer's sessions on buggy builds come after the generation, so what they find counts as found after the budget.", ""},
		{"Restricted mean", "Mean time until detection or the end of the budget, whichever is first: the area under the Kaplan–Meier curve. A bug not found within the budget counts with the full budget.", "∫ S(t) dt from 0 to the budget"},
		{"Median", "The time by which half of the bugs, over trials, are found (Kaplan and Meier 1958).", ""},
	}}
	t := Table{ID: "detection_time", Title: "Time to detection, over bugs and trials (seconds)", Columns: append(groupColumns[:2:2],
		Column{Key: "found", Name: "Bug × trial found\nin the budget", Kind: Count},
		Column{Key: "budget", Name: "Budget", Kind: Number, Unit: "s", Decimals: 1},
		Column{Key: "median", Name: "Median", Kind: Number, Unit: "s", Decimals: 1},
		Column{Key: "mean", Name: "Restricted mean", Kind: Number, Unit: "s", Decimals: 1},
		Column{Key: "se", Name: "std. error", Kind: Number, Unit: "s", Decimals: 1},
	)}
	for _, subj := range a.subjects {
		chart := Chart{
			ID: "detection-" + Slug(a.label(subj)), Title: a.label(subj) + ": bugs found over time", Kind: Steps, Library: a.label(subj),
			Caption: "Share of bugs × trials found by then (1 − Kaplan–Meier). A fuzzer's curve continues after the budget, with its sessions on the buggy builds.", XLabel: "seconds", YLabel: "found, %",
		}
		for _, g := range a.groupsOf(subj) {
			if len(a.bugs[subj.library]) == 0 {
				continue
			}
			row, curve := a.survivalRow(g)
			t.Rows = append(t.Rows, append(a.groupCells(g), row...))
			if len(curve) > 0 {
				chart.Series = append(chart.Series, a.series(g.contender, curve...))
			}
		}
		s.Charts = append(s.Charts, withSeries(chart)...)
	}
	if len(s.Charts) == 0 {
		return Section{} // no cell has a limit in seconds and bugs to find
	}
	t.Warnings = []string{"Bugs of a library and trials of a tool are assumed independent; otherwise the standard error is too small."}
	s.Tables = []Table{t}
	return s
}

// survivalRow pools the bugs and trials of a group.
func (a *analysis) survivalRow(g *group) ([]Cell, []Point) {
	missing := func(c Cell) ([]Cell, []Point) { return []Cell{c, c, c, c, c}, nil }
	if c := a.detectedBugs(g); c.Missing != "" {
		return missing(c)
	}
	budget := time.Duration(0)
	for _, r := range g.records {
		if twoClocks(r) {
			return missing(notApplicable("measured by an older bench, which used two clocks for a fuzzer's findings"))
		}
		w := a.run.Budgets[r.Cell.ID()].Limit()
		if w <= 0 {
			return missing(notApplicable("the budget is not in seconds of wall or model and processor time"))
		}
		if budget == 0 || w < budget {
			budget = w
		}
	}
	times := detections(g, budget, budget)
	r := sure(stats.KaplanMeier(times, budget.Seconds()))
	curve := r
	if g.kind() == trial.KindCorpus {
		longest := budget + budget/time.Duration(len(a.bugs[g.subject.library]))
		curve = sure(stats.KaplanMeier(detections(g, budget, longest), longest.Seconds()))
	}
	return []Cell{found(times), number(budget.Seconds()), maybe(r.Median, "fewer than half were found"),
		maybe(r.RestrictedMean, "not observed up to the budget"), maybe(r.RestrictedMeanStdErr, "undefined")}, foundCurve(curve)
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
			at := max(earliest(first), time.Millisecond)
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

func earliest(tests []trial.TestReference) time.Duration {
	first := tests[0].Elapsed
	for _, t := range tests {
		first = min(first, t.Elapsed)
	}
	return first
}

// foundCurve is 1 − S in percent, from 0 to the horizon.
func foundCurve(r stats.SurvivalResult) []Point {
	points := []Point{exactly(0, 0)}
	last := 0.0
	for _, s := range r.Steps {
		last = 100 * (1 - s.Survival)
		points = append(points, exactly(s.Time, last))
	}
	return append(points, exactly(r.Horizon, last))
}
