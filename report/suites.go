package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// The metrics by which tools are compared.
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
	bugsMetric = metric{Key: "bugs", Name: "Bugs detected", Unit: "bugs", Part: measured.Detected, Of: detectedIn}
)

// programs sums a count of programs over trials.
func programs(of func(*trial.ProgramCounts) int) func(*group) doc.Cell {
	return success.Sum(func(r record) int { return of(r.Programs) })
}

// outcome is how many programs had an outcome.
func outcome(o trial.Outcome) func(*group) doc.Cell {
	return programs(func(p *trial.ProgramCounts) int { return p.Outcomes[o] })
}

// overview is the one table to read: a line per library and tool.
func (a *analysis) overview(s *doc.Section) {
	s.Tables = []doc.Table{a.table("overview", "Results at a glance (mean ± standard deviation over trials)", a.Groups,
		[]column{
			trials,
			{doc.Percent("csr", "CSR %", 1), csrMetric.Cell},
			{doc.Percent("esr", "ESR %", 1), esrMetric.Cell},
			{doc.Percent("line_coverage", "Lines %", 1), lineMetric.Cell},
			{doc.Percent("branch_coverage", "Branches %", 1), branchMetric.Cell},
			{doc.Count("bugs_detected", "Bugs"), a.detectedBugs},
		})}
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
	var outcomes []column
	for _, o := range trial.Outcomes {
		outcomes = append(outcomes, column{doc.Number(string(o), strings.ReplaceAll(string(o), "_", " "), 0), outcome(o)})
	}
	programSuites := a.Those(func(g *group) bool { return g.Kind() == trial.KindPrograms })
	byOutcome := a.table("outcomes", "Programs by outcome on the reference build (sums over trials)", programSuites,
		outcomes)
	byOutcome.Spread = "outcome"
	s.Tables = []doc.Table{
		a.table("success", "Success rates of generated programs", a.Groups, []column{
			trials,
			{doc.Number("generated", "Generated", 0), programs(func(p *trial.ProgramCounts) int { return p.Generated })},
			{doc.Number("compiled", "Compiled", 0), programs(func(p *trial.ProgramCounts) int { return p.Compiled })},
			{doc.Number("executed", "Executed", 0), programs(func(p *trial.ProgramCounts) int { return p.Executed })},
			{doc.Percent("csr", "CSR %", 2).WithInterval(), csrMetric.Cell},
			{doc.Percent("esr", "ESR %", 2).WithInterval(), esrMetric.Cell},
		}),
		byOutcome,
	}
	s.Put(a.testTable("failures", "First programs of each cell that do not pass on the reference build, without false alarms",
		"Failing program", func(r record) []trial.TestReference { return r.Failures }))
	s.Notes = []string{"Counts are sums over complete trials; rates are means ± sample standard deviation over trials, " +
		"with a bootstrap interval [BCa, 95%] for three trials or more."}
}

// asked reports whether a suite of programs has a part, or a reason why it has not.
func (a *analysis) asked(p part) bool {
	return len(a.Those(func(g *group) bool {
		lack, _ := g.Lacks(p)
		return g.Kind() != trial.KindCorpus && (lack > 0 || g.Has(p))
	})) > 0
}

// verifications reports what the programs' assertions verify. A run without counts has no such section.
func (a *analysis) verifications(s *doc.Section) {
	if !a.asked(counted) {
		return
	}
	sum := func(of func(*trial.Verifications) int) func(*group) doc.Cell {
		return counted.Sum(func(r record) int { return of(r.Verifications) })
	}
	share := func(of, all func(*trial.Verifications) int) func(*group) doc.Cell {
		return counted.Share(func(r record) int { return of(r.Verifications) }, func(r record) int { return all(r.Verifications) })
	}
	programs := func(v *trial.Verifications) int { return v.Programs }
	assertions := func(v *trial.Verifications) int { return v.Assertions }
	perProgram := metric{Part: counted, Of: func(r record) (float64, bool) { return r.Verifications.PerProgram() }}
	s.Tables = []doc.Table{a.table("verifications", "Unique verifications", a.Groups, []column{
		trials,
		{doc.Estimate("auvc", "AUVC", 2), auvcCell},
		{doc.Estimate("per_program", "By program", 2), perProgram.Cell},
		{doc.Count("passing", "Passing"), share(func(v *trial.Verifications) int { return v.Passing }, programs)},
		{doc.Number("assertions", "Assertions", 0), sum(assertions)},
		{doc.Number("unique", "Unique", 0), sum(func(v *trial.Verifications) int { return v.Unique })},
		{doc.Number("repeated", "Repeated", 0), sum(func(v *trial.Verifications) int { return v.Repeated })},
		{doc.Number("tautologies", "Cannot fail", 0), sum(func(v *trial.Verifications) int { return v.Tautologies })},
		{doc.Number("contradictions", "Cannot pass", 0), sum(func(v *trial.Verifications) int { return v.Contradictions })},
		{doc.Count("structural", "Structural"), share(func(v *trial.Verifications) int { return v.Structural }, assertions)},
		{doc.Number("given_up", "Given up", 0), sum(func(v *trial.Verifications) int { return v.GivenUp })},
	})}
	s.Notes = []string{"Counts are sums over trials; AUVC is the mean ± sample standard deviation over trials. " +
		"Structural: assertions with parts that are compared by their text. " +
		"Given up: assertions on so much that samples which agree prove nothing; they count as different from all others."}
}

// auvcCell is the mean over trials, with what was not read.
func auvcCell(g *group) doc.Cell {
	mean := auvcMetric.Cell(g)
	if g.Total(counted, func(r record) int { return r.Verifications.Truncated }) > 0 {
		mean = mean.With("some programs are too large and were read in part")
	}
	if g.Total(counted, func(r record) int { return r.Verifications.Unreadable }) > 0 {
		mean = mean.With("some passing programs are too large to read and count 0")
	}
	return mean
}
