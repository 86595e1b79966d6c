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
)

// The metrics by which tools are compared, beside those of bugs.
var (
	csrMetric = metric{Key: "csr", Name: "CSR", Unit: "points", Part: success,
		Of: func(r record) (float64, bool) { return r.Programs.CSR() }}
	esrMetric = metric{Key: "esr", Name: "ESR", Unit: "points", Part: success,
		Of: func(r record) (float64, bool) { return r.Programs.ESR() }}
	lineMetric = metric{Key: "line", Name: "Lines covered", Unit: "points", Part: covered,
		Of: func(r record) (float64, bool) { return r.Coverage.LineCovPct() }}
	branchMetric = metric{Key: "branch", Name: "Branches covered", Unit: "points", Part: covered,
		Of: func(r record) (float64, bool) { return r.Coverage.BranchCovPct() }}
	auvcMetric = metric{Key: "auvc", Name: "AUVC", Unit: "verifications per test", Part: counted,
		Of: func(r record) (float64, bool) { return r.Verifications.AUVC() }}
)

// overview is the one table to read: a line per library and tool.
func (a *analysis) overview(s *doc.Section) {
	s.Put(a.table("overview", "Results at a glance (mean ± standard deviation over trials)", a.Groups,
		trials,
		column{doc.Percent("csr", "CSR %", 1), csrMetric.Cell},
		column{doc.Percent("esr", "ESR %", 1), esrMetric.Cell},
		column{doc.Percent("line_coverage", "Lines %", 1), lineMetric.Cell},
		column{doc.Percent("branch_coverage", "Branches %", 1), branchMetric.Cell},
		column{doc.Count("bugs_detected", "Bugs"), a.detectedBugs},
	))
	planned, gaps := 0, 0
	for _, g := range a.Groups {
		planned += g.Planned
		gaps += g.Total(always, func(r record) int { return measured.One(len(r.Gaps()) > 0) })
	}
	text := fmt.Sprintf("%d of %d planned cells %s complete (a cell is a tool, a library and a trial).",
		len(a.Run.Cells), planned, trial.Form(len(a.Run.Cells), "is", "are"))
	if gaps > 0 {
		text += fmt.Sprintf(" The records of %d lack a part, which no figure includes.", gaps)
	}
	s.Notes = []string{text}
}

// success reports how many generated programs compile and run.
func (a *analysis) success(s *doc.Section) {
	programs := func(of func(*trial.ProgramCounts) int) func(*group) doc.Cell {
		return success.Sum(func(r record) int { return of(r.Programs) })
	}
	var outcomes []column
	for _, o := range trial.Outcomes {
		outcomes = append(outcomes, column{doc.Number(string(o), strings.ReplaceAll(string(o), "_", " "), 0),
			programs(func(p *trial.ProgramCounts) int { return p.Outcomes[o] })})
	}
	byOutcome := a.table("outcomes", "Programs by outcome on the reference build (sums over trials)",
		a.Those(func(g *group) bool { return g.Kind() == trial.KindPrograms }), outcomes...)
	byOutcome.Spread = "outcome"
	s.Put(a.table("success", "Success rates of generated programs", a.Groups,
		trials,
		column{doc.Number("generated", "Generated", 0), programs(func(p *trial.ProgramCounts) int { return p.Generated })},
		column{doc.Number("compiled", "Compiled", 0), programs(func(p *trial.ProgramCounts) int { return p.Compiled })},
		column{doc.Number("executed", "Executed", 0), programs(func(p *trial.ProgramCounts) int { return p.Executed })},
		column{doc.Percent("csr", "CSR %", 2).WithInterval(), csrMetric.Cell},
		column{doc.Percent("esr", "ESR %", 2).WithInterval(), esrMetric.Cell},
	), byOutcome, a.testTable("failures", "First programs of each cell that do not pass on the reference build, "+
		"without false alarms",
		"Failing program", func(r record) []trial.TestReference { return r.Failures }))
	s.Notes = []string{"Counts are sums over complete trials; rates are means ± sample standard deviation over trials, " +
		"with a bootstrap interval [BCa, 95%] for three trials or more."}
}

// asked reports whether a suite of programs has a part, or a reason why it has not.
func (a *analysis) asked(p part) bool {
	return slices.ContainsFunc(a.Groups, func(g *group) bool {
		return g.Kind() != trial.KindCorpus && (len(g.Lacks(p)) > 0 || g.Has(p))
	})
}

// verifications reports what the programs' assertions verify. A run without counts has no such section.
func (a *analysis) verifications(s *doc.Section) {
	if !a.asked(counted) {
		return
	}
	count := func(of func(*trial.Verifications) int) func(record) int {
		return func(r record) int { return of(r.Verifications) }
	}
	sum := func(of func(*trial.Verifications) int) func(*group) doc.Cell { return counted.Sum(count(of)) }
	assertions := count(func(v *trial.Verifications) int { return v.Assertions })
	perProgram := metric{Part: counted, Of: func(r record) (float64, bool) { return r.Verifications.PerProgram() }}
	auvc := func(g *group) doc.Cell { // with what was not read
		mean := auvcMetric.Cell(g)
		if g.Total(counted, func(r record) int { return r.Verifications.Truncated + r.Verifications.Unreadable }) > 0 {
			mean = mean.With("some programs are too large and were read in part, or not and count 0")
		}
		return mean
	}
	s.Put(a.table("verifications", "Unique verifications", a.Groups,
		trials,
		column{doc.Estimate("auvc", "AUVC", 2), auvc},
		column{doc.Estimate("per_program", "By program", 2), perProgram.Cell},
		column{doc.Count("passing", "Passing"), counted.Share(count(func(v *trial.Verifications) int { return v.Passing }),
			count(func(v *trial.Verifications) int { return v.Programs }))},
		column{doc.Number("assertions", "Assertions", 0), counted.Sum(assertions)},
		column{doc.Number("unique", "Unique", 0), sum(func(v *trial.Verifications) int { return v.Unique })},
		column{doc.Number("repeated", "Repeated", 0), sum(func(v *trial.Verifications) int { return v.Repeated })},
		column{doc.Number("tautologies", "Cannot fail", 0), sum(func(v *trial.Verifications) int { return v.Tautologies })},
		column{doc.Number("contradictions", "Cannot pass", 0),
			sum(func(v *trial.Verifications) int { return v.Contradictions })},
		column{doc.Count("structural", "Structural"),
			counted.Share(count(func(v *trial.Verifications) int { return v.Structural }), assertions)},
		column{doc.Number("given_up", "Given up", 0), sum(func(v *trial.Verifications) int { return v.GivenUp })},
	))
	s.Notes = []string{"Counts are sums over trials; AUVC is the mean ± sample standard deviation over trials. " +
		"Structural: assertions with parts that are compared by their text. " +
		"Given up: assertions on so much that samples which agree prove nothing; they count as different from all others."}
}

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
		columns = append(columns, column{doc.Percent(m.Key+"_coverage", m.short+" %", 2).WithInterval(), m.Cell},
			column{doc.Number(m.Key+"_total", m.short+" in all", 0),
				covered.Figure(func(records []record) doc.Cell { return doc.Int(m.total(records[0])) })})
		s.Draw(a.rows("coverage-"+m.Key, m.Name, "", m.metric))
	}
	t := a.table("coverage", "Library coverage (mean ± standard deviation over trials, [95% interval])", a.Groups,
		columns...)
	for _, g := range a.Groups { // a coverage of 0 says nothing about what a program of the tool would cover
		if empty := g.Total(success, func(r record) int { return measured.One(r.Programs.Generated == 0) }); empty > 0 {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s on %s made no program in %d of %s and covers nothing there.",
				g.Tool, a.Label(g.Library), empty, trial.Count(len(g.Records), "trial")))
		}
	}
	s.Put(t)
}

// rows is a chart with a row for each group whose records have the figure.
func (a *analysis) rows(id, title, of string, m metric) doc.Chart {
	c := doc.Chart{ID: id, Title: title, Kind: doc.Rows, XLabel: title + ", %",
		Caption: of + "Mean over trials; a bar runs from the lowest to the highest trial."}
	for _, g := range a.Groups {
		if xs := g.Sample(m); len(xs) > 0 {
			c.AddRow(a.Label(g.Library), a.series(g.Tool), over(0, xs))
		}
	}
	if len(c.Categories) < len(a.Groups) {
		c.Caption += " Tools without a figure are left out; the table says why."
	}
	return c
}

// mutation reports which mutants the suites kill. A run that asked for none has no such section.
func (a *analysis) mutation(s *doc.Section) {
	if a.asked(mutated) {
		s.Put(a.scoreTable())
		s.Notes = []string{"Counts are sums over trials; the score is the mean ± sample standard deviation over trials. " +
			"The interval is about the drawing of mutants, for one trial's suite; with several trials it is the widest one. " +
			"By: the oracle class of the first test that killed a mutant."}
	}
	if len(a.Groups) == 1 && len(a.Groups[0].Records) == 1 {
		unnoticed(s, a.Groups[0].Records[0])
	}
	if feedback := a.mutantFeedback(); len(feedback.Rows) > 0 {
		s.Put(feedback)
		s.Notes = append(s.Notes, "Mutants as feedback: sums over trials of mutants that the tool was told about. "+
			"The score by default draws none of them. Shown: in a prompt, as reached but not killed so far. "+
			"Tokens: all of the cells, including those of their seeds.")
	}
}

func (a *analysis) scoreTable() doc.Table {
	all := func(r record) int { return r.Mutation.Mutants }
	reached := func(r record) int { return r.Mutation.Reached }
	killed := func(r record) int { return r.Mutation.Killed }
	columns := []column{
		trials,
		{doc.Estimate("mutation_score", "Score", 3), mutated.Mean(func(r record) float64 { return r.Mutation.Score })},
		{doc.Range("interval", "95 % interval", 3), mutated.Figure(func(records []record) doc.Cell {
			low, high := 1.0, 0.0
			for _, r := range records {
				low, high = min(low, r.Mutation.Low), max(high, r.Mutation.High)
			}
			return doc.Span(low, high)
		})},
		{doc.Count("killed", "Killed"), mutated.Share(killed, all)},
		{doc.Count("reached", "Reached"), mutated.Share(reached, all)},
		{doc.Count("killed_of_reached", "Killed of reached"), mutated.Share(killed, reached)},
	}
	kills := func(r record, o trial.OracleClass) bool { return mutated.In(r) && r.Mutation.KilledBy(o) > 0 }
	for _, o := range a.classesThat(kills) {
		columns = append(columns, column{doc.Number("killed_"+className(o), "By "+className(o), 0),
			mutated.Sum(func(r record) int { return r.Mutation.KilledBy(o) })})
	}
	return a.table("mutation", "Mutation score", a.Groups, append(columns, column{doc.Count("usable", "Usable tests"),
		mutated.Share(func(r record) int { return r.Mutation.Usable }, func(r record) int { return r.Mutation.Tests })})...)
}

// mostUnnoticed is how many rows the tables of what tests leave unnoticed have.
const mostUnnoticed = 20

// unnoticed tells of one suite which mutants its tests reach and do not notice, and what they do not execute.
func unnoticed(s *doc.Section, r record) {
	place := func(file string, line int) doc.Cell { return doc.Words(fmt.Sprintf("%s:%d", file, line)) }
	if m := r.Mutation; m != nil && len(m.Survivors) > 0 {
		t := doc.NewTable("unnoticed", "Mutants that tests reach and do not notice", doc.Text("place", "Place"),
			doc.Text("function", "Function"), doc.Text("original", "Original"), doc.Text("mutated", "Changed to"),
			doc.Number("tests", "Tests", 0))
		for _, v := range m.Survivors[:min(mostUnnoticed, len(m.Survivors))] {
			t.Add(place(v.File, v.Line), doc.Words(v.Function), doc.Words(v.Original), doc.Words(cmp.Or(v.Mutated, "nothing")),
				doc.Int(len(v.Tests)))
		}
		s.Put(t)
		s.Notes = append(s.Notes, fmt.Sprintf("%s of %d that are reached and not noticed: first of each function the one "+
			"that most tests reach. "+
			"record.json has all (mutation.survivors).", trial.Count(len(t.Rows), "mutant"), len(m.Survivors)))
	}
	if r.Uncovered == nil {
		return
	}
	t := doc.NewTable("uncovered", "What no test executes", doc.Text("place", "Place"), doc.Text("function", "Function"),
		doc.Text("missed", "Missed"))
	byFunction := lists.Group(r.Uncovered.Branches, func(b trial.Untaken) [2]string {
		return [2]string{b.File,
			b.Function}
	})
	slices.SortStableFunc(byFunction, func(x, y []trial.Untaken) int { return len(y) - len(x) })
	for _, of := range byFunction[:min(mostUnnoticed, len(byFunction))] {
		t.Add(place(of[0].File, of[0].Line), doc.Words(of[0].Function), doc.Words(fmt.Sprintf("%d of its branches", len(of))))
	}
	for _, f := range r.Uncovered.Functions[:min(mostUnnoticed, len(r.Uncovered.Functions))] {
		t.Add(place(f.File, f.Line), doc.Words(f.Function), doc.Words("never called"))
	}
	s.Put(t)
	s.Notes = append(s.Notes, fmt.Sprintf("%d functions are never called, and of others %d branches are not taken; the "+
		"place is that of the first. "+
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
	return a.table("mutant_feedback", "Mutants as feedback", groups,
		trials,
		column{doc.Count("feedback_reached", "Reached"),
			told.Share(func(r record) int { return r.Generation.Mutants.Reached }, drawn)},
		column{doc.Count("feedback_killed", "Killed"), told.Share(func(r record) int { return r.Generation.Mutants.Killed },
			drawn)},
		column{doc.Count("shown", "Shown"), told.Share(shown, drawn)},
		column{doc.Count("killed_shown", "Killed after\nit was shown"), told.Share(killed, shown)},
		column{doc.Number("tokens", "Tokens", 0), told.Sum(tokens)},
	)
}
