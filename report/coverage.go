package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// A coverageMetric is one of the two kinds of coverage that are reported.
type coverageMetric struct {
	metric
	short   string // of columns: "Lines"
	total   func(record) int
	reached func(trial.GrowthPoint) int
}

var coverageMetrics = []coverageMetric{
	{lineMetric, "Lines", func(r record) int { return r.Coverage.LinesTotal },
		func(p trial.GrowthPoint) int { return p.LinesCovered }},
	{branchMetric, "Branches", func(r record) int { return r.Coverage.BranchesTotal },
		func(p trial.GrowthPoint) int { return p.BranchesCovered }},
}

// coverage reports line and branch coverage of the library.
func (a *analysis) coverage(s *doc.Section) {
	columns := []column{trials}
	for _, m := range coverageMetrics {
		columns = append(columns,
			column{doc.Percent(m.Key+"_coverage", m.short+" %", 2).WithInterval(), m.Cell},
			column{doc.Number(m.Key+"_total", m.short+" in all", 0), func(g *group) doc.Cell {
				if mean := m.Cell(g); mean.Missing != "" {
					return mean
				}
				return doc.Int(m.total(lists.Filter(g.Records, covered.In)[0]))
			}})
		s.Draw(a.rows(doc.Chart{ID: "coverage-" + m.Key, Title: m.Name,
			Caption: "Mean over trials; a bar runs from the lowest to the highest trial.", XLabel: m.Name + ", %"}, "coverage", m.metric))
	}
	t := a.table("coverage", "Library coverage (mean ± standard deviation over trials, [95% interval])", a.Groups, columns)
	t.Warnings = a.emptySuites()
	s.Tables = []doc.Table{t}
}

// emptySuites names the groups with trials that made no program, whose coverage of 0 says nothing
// about what a program of the tool would cover.
func (a *analysis) emptySuites() []string {
	var warnings []string
	for _, g := range a.Groups {
		empty := g.Total(success, func(r record) int { return measured.One(r.Programs.Generated == 0) })
		if empty > 0 {
			warnings = append(warnings, fmt.Sprintf("%s on %s made no program in %d of %s and covers nothing there.",
				g.Tool, a.Label(g.Library), empty, trial.Count(len(g.Records), "trial")))
		}
	}
	return warnings
}

// rows fills a chart with a row for each group whose records have the figure.
func (a *analysis) rows(c doc.Chart, figure string, m metric) doc.Chart {
	c.Kind = doc.Rows
	for _, g := range a.Groups {
		if xs := g.Sample(m); len(xs) > 0 {
			p := doc.Point{Mean: doc.Mean(xs), Min: slices.Min(xs), Max: slices.Max(xs)}
			c.AddRow(a.Label(g.Library), a.series(g.Tool), p)
		}
	}
	if len(c.Categories) < len(a.Groups) {
		c.Caption += " Tools without " + figure + " are left out; the table says why."
	}
	return c
}

var scoreMetric = mutated.Plain(func(r record) float64 { return r.Mutation.Score })

// mutation reports which mutants the suites kill. A run that asked for none has no such section.
func (a *analysis) mutation(s *doc.Section) {
	if a.asked(mutated) {
		s.Tables = []doc.Table{a.scoreTable()}
		s.Notes = []string{"Counts are sums over trials; the score is the mean ± sample standard deviation over trials. " +
			"The interval is about the drawing of mutants, for one trial's suite; with several trials it is the widest one. " +
			"By: the oracle class of the first test that killed a mutant."}
	}
	a.unnoticed(s)
	if feedback := a.mutantFeedback(); len(feedback.Rows) > 0 {
		s.Tables = append(s.Tables, feedback)
		s.Notes = append(s.Notes, "Mutants as feedback: sums over trials of mutants that the tool was told about. "+
			"The score by default draws none of them. Shown: in a prompt, as reached but not killed so far. "+
			"Tokens: all of the cells, including those of their seeds.")
	}
}

func (a *analysis) scoreTable() doc.Table {
	share := func(of, all func(*trial.Mutation) int) func(*group) doc.Cell {
		return mutated.Share(func(r record) int { return of(r.Mutation) }, func(r record) int { return all(r.Mutation) })
	}
	all := func(m *trial.Mutation) int { return m.Mutants }
	reached := func(m *trial.Mutation) int { return m.Reached }
	killed := func(m *trial.Mutation) int { return m.Killed }
	widest := func(g *group) doc.Cell {
		low, high := 1.0, 0.0
		for _, r := range lists.Filter(g.Records, mutated.In) {
			low, high = min(low, r.Mutation.Low), max(high, r.Mutation.High)
		}
		return doc.Span(low, high)
	}
	columns := []column{
		trials,
		{doc.Estimate("mutation_score", "Score", 3), scoreMetric.Cell},
		{doc.Range("interval", "95 % interval", 3), mutated.Figure(widest)},
		{doc.Count("killed", "Killed"), share(killed, all)},
		{doc.Count("reached", "Reached"), share(reached, all)},
		{doc.Count("killed_of_reached", "Killed of reached"), share(killed, reached)},
	}
	kills := func(r record, o trial.OracleClass) bool { return mutated.In(r) && r.Mutation.KilledBy(o) > 0 }
	for _, o := range a.classesThat(kills) {
		columns = append(columns, column{doc.Number("killed_"+className(o), "By "+className(o), 0),
			mutated.Sum(func(r record) int { return r.Mutation.KilledBy(o) })})
	}
	return a.table("mutation", "Mutation score", a.Groups, append(columns, column{doc.Count("usable", "Usable tests"),
		share(func(m *trial.Mutation) int { return m.Usable }, func(m *trial.Mutation) int { return m.Tests })}))
}

// mostUnnoticed is how many rows the tables of what tests leave unnoticed have.
const mostUnnoticed = 20

// unnoticed tells, in a run of one suite, which mutants its tests reach and do not notice, and what they do not
// execute.
func (a *analysis) unnoticed(s *doc.Section) {
	if len(a.Groups) != 1 || len(a.Groups[0].Records) != 1 {
		return
	}
	place := func(file string, line int) doc.Cell { return doc.Words(fmt.Sprintf("%s:%d", file, line)) }
	r := a.Groups[0].Records[0]
	if m := r.Mutation; m != nil && len(m.Survivors) > 0 {
		t := doc.NewTable("unnoticed", "Mutants that tests reach and do not notice", doc.Text("place", "Place"),
			doc.Text("function", "Function"), doc.Text("original", "Original"), doc.Text("mutated", "Changed to"), doc.Number("tests", "Tests", 0))
		for _, v := range m.Survivors[:min(mostUnnoticed, len(m.Survivors))] {
			t.Add(place(v.File, v.Line), doc.Words(v.Function), doc.Words(v.Original), doc.Words(cmp.Or(v.Mutated, "nothing")), doc.Int(len(v.Tests)))
		}
		s.Put(t)
		s.Notes = append(s.Notes, fmt.Sprintf("%s of %d that are reached and not noticed: first of each function the one that most tests reach. "+
			"record.json has all (mutation.survivors).", trial.Count(len(t.Rows), "mutant"), len(m.Survivors)))
	}
	if r.Uncovered == nil {
		return
	}
	type missed struct {
		first    trial.Uncalled
		branches int // 0: of a function that is not called
	}
	var list []missed
	for _, b := range r.Uncovered.Branches {
		i := slices.IndexFunc(list, func(m missed) bool { return m.first.File == b.File && m.first.Function == b.Function })
		if i < 0 {
			i, list = len(list), append(list, missed{first: b.Uncalled})
		}
		list[i].branches++
	}
	slices.SortStableFunc(list, func(x, y missed) int { return y.branches - x.branches })
	list = list[:min(mostUnnoticed, len(list))]
	for _, f := range r.Uncovered.Functions[:min(mostUnnoticed, len(r.Uncovered.Functions))] {
		list = append(list, missed{first: f})
	}
	s.Put(tableOf("uncovered", "What no test executes", list, []figure[missed]{
		{doc.Text("place", "Place"), func(m missed) doc.Cell { return place(m.first.File, m.first.Line) }},
		{doc.Text("function", "Function"), func(m missed) doc.Cell { return doc.Words(m.first.Function) }},
		{doc.Text("missed", "Missed"), func(m missed) doc.Cell {
			if m.branches == 0 {
				return doc.Words("never called")
			}
			return doc.Words(fmt.Sprintf("%d of its branches", m.branches))
		}},
	}))
	s.Notes = append(s.Notes, fmt.Sprintf("%d functions are never called, and of others %d branches are not taken; the place is that of the first. "+
		"record.json has all (uncovered).", len(r.Uncovered.Functions), len(r.Uncovered.Branches)))
}

// mutantFeedback reports what came of telling tools which mutants their tests reach and do not kill; it
// has no rows if none was told of any.
func (a *analysis) mutantFeedback() doc.Table {
	drawn := func(r record) int { return r.Generation.Mutants.Mutants }
	shown := func(r record) int { return r.Generation.Mutants.Shown }
	killed := func(r record) int { return r.Generation.Mutants.KilledShown }
	tokens := func(r record) int { return int(r.Total().Tokens) }
	groups := a.Those(func(g *group) bool { return g.Total(told, drawn) > 0 })
	return a.table("mutant_feedback", "Mutants as feedback", groups, []column{
		trials,
		{doc.Count("feedback_reached", "Reached"),
			told.Share(func(r record) int { return r.Generation.Mutants.Reached }, drawn)},
		{doc.Count("feedback_killed", "Killed"),
			told.Share(func(r record) int { return r.Generation.Mutants.Killed }, drawn)},
		{doc.Count("shown", "Shown"), told.Share(shown, drawn)},
		{doc.Count("killed_shown", "Killed after\nit was shown"), told.Share(killed, shown)},
		{doc.Number("tokens", "Tokens", 0), told.Sum(tokens)},
		{doc.Number("kills_per_1000_tokens", "These per\n1,000 tokens", 3), func(g *group) doc.Cell {
			if g.Total(told, tokens) == 0 {
				return doc.NA("no tokens were counted")
			}
			return doc.Num(1000 * float64(g.Total(told, killed)) / float64(g.Total(told, tokens)))
		}},
	})
}
