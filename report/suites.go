package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const noPrograms = "a fuzzing corpus holds inputs, not programs to compile"

func generated(p *trial.ProgramCounts) int { return p.Generated }
func compiled(p *trial.ProgramCounts) int  { return p.Compiled }
func executed(p *trial.ProgramCounts) int  { return p.Executed }

func auvc(r trial.Record) (float64, bool) { return r.Verifications.AUVC() }

// programShare is a percentage of a record's programs, where it has any.
func programShare(part func(*trial.ProgramCounts) int) value {
	return func(r trial.Record) (float64, bool) {
		if r.Programs == nil || r.Programs.Generated == 0 {
			return 0, false
		}
		return 100 * float64(part(r.Programs)) / float64(r.Programs.Generated), true
	}
}

// rate is a success rate of a group, which a fuzzing corpus has not.
func rate(m metric) func(*group) Cell {
	return func(g *group) Cell {
		lack, _ := g.lacks(trial.PartSuccess)
		switch {
		case g.kind() == trial.KindCorpus:
			return notApplicable(noPrograms)
		case len(g.records) > lack && total(g, programsOf, generated) == 0:
			return notApplicable("no program was generated")
		}
		return m.cell(g)
	}
}

// programTotal sums a count of programs over trials.
func programTotal(part func(*trial.ProgramCounts) int) func(*group) Cell {
	return func(g *group) Cell {
		n, why := g.lacks(trial.PartSuccess)
		switch {
		case g.kind() == trial.KindCorpus:
			return notApplicable(noPrograms)
		case len(g.records) == 0:
			return g.reason()
		case n == len(g.records):
			return lacking(why)
		}
		c := whole(total(g, programsOf, part))
		if n > 0 {
			c = c.with(g.left(len(g.records)-n, trial.PartSuccess))
		}
		return c
	}
}

// outcomeTotal is how many programs had an outcome.
func outcomeTotal(o trial.Outcome) func(*group) Cell {
	return programTotal(func(p *trial.ProgramCounts) int { return p.Outcomes[o] })
}

func percentColumn(key, name string, decimals int) Column {
	return estimateColumn(key, name, decimals).in("pct")
}

// overview is the one table to read: a line per library and tool.
func (a *analysis) overview(s *Section) {
	s.Tables = []Table{a.table("overview", "Results at a glance (mean ± standard deviation over trials)", a.groups,
		trialsFigure,
		figure{percentColumn("csr", "CSR %", 1), rate(csrMetric)},
		figure{percentColumn("esr", "ESR %", 1), rate(esrMetric)},
		figure{percentColumn("line_coverage", "Lines %", 1), lineMetric.cell},
		figure{percentColumn("branch_coverage", "Branches %", 1), branchMetric.cell},
		figure{countColumn("bugs_detected", "Bugs"), a.detectedBugs},
	)}
	complete, planned, gaps := 0, 0, 0
	for _, g := range a.groups {
		complete += len(g.records)
		planned += g.planned
		for _, r := range g.records {
			gaps += one(len(r.Gaps()) > 0)
		}
	}
	text := fmt.Sprintf("%d of %d planned cells are complete (a cell is a tool, a library and a trial).", complete, planned)
	if gaps > 0 {
		text += fmt.Sprintf(" The records of %d lack a part, which no figure includes.", gaps)
	}
	s.Notes = []string{text}
}

// success reports how many generated programs compile and run.
func (a *analysis) success(s *Section) {
	rates := a.table("success", "Success rates of generated programs", a.groups,
		trialsFigure,
		figure{numberColumn("generated", "Generated", 0), programTotal(generated)},
		figure{numberColumn("compiled", "Compiled", 0), programTotal(compiled)},
		figure{numberColumn("executed", "Executed", 0), programTotal(executed)},
		figure{percentColumn("csr", "CSR %", 2).withInterval(), rate(csrMetric)},
		figure{percentColumn("esr", "ESR %", 2).withInterval(), rate(esrMetric)},
	)
	var figures []figure
	for _, o := range trial.Outcomes {
		figures = append(figures, figure{numberColumn(string(o), strings.ReplaceAll(string(o), "_", " "), 0), outcomeTotal(o)})
	}
	outcomes := a.table("outcomes", "Programs by outcome on the reference build (sums over trials)", a.programSuites(), figures...)
	outcomes.Spread = "outcome"
	failures := a.testTable("failures", "First programs of each cell that do not pass on the reference build, without false alarms", "Failing program",
		func(r trial.Record) []trial.TestReference { return r.Failures })
	s.Tables = slices.Concat([]Table{rates, outcomes}, withRows(failures))
	s.Notes = []string{"Counts are sums over complete trials; rates are means ± sample standard deviation over trials, " +
		"with a bootstrap interval [BCa, 95%] for three trials or more."}
}

// programSuites are the groups whose suites are programs.
func (a *analysis) programSuites() []*group {
	return a.those(func(g *group) bool { return g.kind() == trial.KindPrograms })
}

// rules says what each tool lost to the rules of what a test is: docs/explanation/lisa.md argues them.
func (a *analysis) rules(s *Section) {
	lost := func(g *trial.Generation) []trial.NamedCount { return g.Lost }
	s.Tables = withRows(a.table("lost", "Programs rejected by the rules for tests (sums over trials)", a.programSuites(),
		figure{numberColumn("generated", "Generated", 0), programTotal(generated)},
		figure{numberColumn("unequal", "Differs\nbetween runs", 0), outcomeTotal(trial.Flaky)},
		figure{numberColumn("endless", "Out of\ntime", 0), outcomeTotal(trial.Timeout)},
		figure{numberColumn("refused", "Refused\nunrun", 0), outcomeTotal(trial.Policy)},
		figure{textColumn("rules", "By rule"), func(g *group) Cell {
			var by []string
			for _, c := range named(g, generationOf, lost) {
				by = append(by, fmt.Sprintf("%s %d", c.Name, c.Count))
			}
			return words(strings.Join(by, ", "))
		}},
	))
}

// verifications reports what the programs' assertions verify. A run without counts has no such section.
func (a *analysis) verifications(s *Section) {
	type counts = trial.Verifications
	programs := func(v *counts) int { return v.Programs }
	assertions := func(v *counts) int { return v.Assertions }
	part := optional[counts]{
		part: trial.PartVerifications, in: verificationsOf,
		corpus:  "a fuzzing corpus holds inputs, which assert nothing",
		unasked: "values recorded on the reference build are not counted",
		empty: func(g *group) string {
			if total(g, verificationsOf, programs) == 0 {
				return "no program was generated"
			}
			return ""
		},
	}
	if !part.asked(a) {
		return
	}
	perProgram := func(r trial.Record) (float64, bool) { return r.Verifications.PerProgram() }
	s.Tables = []Table{a.table("verifications", "Unique verifications", a.groups,
		trialsFigure,
		figure{estimateColumn("auvc", "AUVC", 2), part.cell(auvcCell)},
		figure{estimateColumn("per_program", "By program", 2),
			part.cell(func(g *group) Cell { return g.sampled(trial.PartVerifications, perProgram) })},
		figure{countColumn("passing", "Passing"), part.share(func(v *counts) int { return v.Passing }, programs)},
		figure{numberColumn("assertions", "Assertions", 0), part.sum(assertions)},
		figure{numberColumn("unique", "Unique", 0), part.sum(func(v *counts) int { return v.Unique })},
		figure{numberColumn("repeated", "Repeated", 0), part.sum(func(v *counts) int { return v.Repeated })},
		figure{numberColumn("tautologies", "Cannot fail", 0), part.sum(func(v *counts) int { return v.Tautologies })},
		figure{numberColumn("contradictions", "Cannot pass", 0), part.sum(func(v *counts) int { return v.Contradictions })},
		figure{countColumn("structural", "Structural"), part.share(func(v *counts) int { return v.Structural }, assertions)},
		figure{numberColumn("given_up", "Given up", 0), part.sum(func(v *counts) int { return v.GivenUp })},
	)}
	s.Notes = []string{"Counts are sums over trials; AUVC is the mean ± sample standard deviation over trials. " +
		"Structural: assertions with parts that are compared by their text. " +
		"Given up: assertions on so much that samples which agree prove nothing; they count as different from all others."}
}

// auvcCell is the mean over trials, with what was not read.
func auvcCell(g *group) Cell {
	mean := auvcMetric.cell(g)
	if total(g, verificationsOf, func(v *trial.Verifications) int { return v.Truncated }) > 0 {
		mean = mean.with("some programs are too large and were read in part")
	}
	if total(g, verificationsOf, func(v *trial.Verifications) int { return v.Unreadable }) > 0 {
		mean = mean.with("some passing programs are too large to read and count 0")
	}
	return mean
}
