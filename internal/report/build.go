package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Build makes the report of a run. Equal runs give equal documents.
func Build(run Run) (d *Document, err error) {
	defer end("report of "+run.Experiment, &err)
	a, err := analyse(run)
	if err != nil {
		return nil, err
	}
	d = &Document{Schema: documentSchema, Title: Clean(run.Experiment), Command: Clean(run.Command), Remake: "bench report . --only"}
	for _, s := range a.subjects {
		d.Libraries = append(d.Libraries, Clean(a.label(s)))
	}
	for _, c := range a.contenders {
		d.Tools = append(d.Tools, Clean(c.String()))
	}
	for _, s := range []Section{
		a.answer(), a.overview(), a.success(), a.rules(), a.verifications(), a.coverage(), a.mutation(), a.bugDetection(), a.matrix(), a.steps(), a.standIn(), a.oracles(), a.memory(),
		a.invariants(), a.suspicions(), a.ablation(), a.comparison(), a.detectionTime(), a.cost(), a.growth(), a.generation(), a.unfinished(), a.provenance(),
	} {
		if len(s.Tables)+len(s.Charts)+len(s.Notes) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
	a.mark(d)
	d.Data = append(a.observations(), a.data...)
	d.Details = a.details
	return d, nil
}

// broken is an error in the making of a document: a figure of a record with which nothing can be
// computed. It goes up to where the document is begun, through builders that would only pass it on.
type broken struct{ error }

// sure returns v, or ends the making of the document.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(broken{err})
	}
	return v
}

// end returns what is broken as the error of what was made.
func end(what string, err *error) {
	switch f := recover().(type) {
	case nil:
	case broken:
		*err = fmt.Errorf("%s: %w", what, f.error)
	default:
		panic(f)
	}
}

// The columns of a table with rows for groups.
var groupColumns = []Column{
	{Key: "library", Name: "Library", Kind: Words},
	{Key: "tool", Name: "Tool", Kind: Words},
}

func (a *analysis) groupCells(g *group) []Cell {
	return []Cell{words(a.label(g.subject)), words(g.contender.String())}
}

// reason explains why a group has no value at all, from its first missing cell, in one
// line: the table of incomplete cells has the rest.
func (g *group) reason() Cell {
	if len(g.missing) == 0 {
		return incomplete("not_measured", "not measured in any trial")
	}
	return incomplete(g.missing[0].Kind, shortly(g.missing[0].Message))
}

// shortly is a message that is short enough to stand under each table. Another is said once, in the
// table of incomplete cells or of missing parts.
func shortly(message string) string {
	const most = 90 // characters
	if line := firstLine(message); len([]rune(line)) <= most {
		return line
	}
	return `see "Incomplete cells and notes" for the reason`
}

// firstLine cuts a message at its first line's end, or where it is too long for a footnote.
func firstLine(message string) string {
	const most = 300 // characters
	line, _, more := strings.Cut(message, "\n")
	if r := []rune(line); len(r) > most {
		line, more = string(r[:most]), true
	}
	if more {
		line += " …"
	}
	return line
}

// lacks counts the group's records without a part, and returns the reason of the first.
func (g *group) lacks(p trial.Part) (n int, why trial.Reason) {
	for _, r := range g.records {
		if reason, ok := r.Missing[p]; ok {
			if n == 0 {
				why = reason
			}
			n++
		}
	}
	return n, why
}

// left says of a figure over only some of a group's trials which these are.
func (g *group) left(trials int, p trial.Part) string {
	over := fmt.Sprintf("over %d of %d trials; ", trials, g.planned)
	switch n, why := g.lacks(p); {
	case n > 0:
		return Clean(fmt.Sprintf("%s%d without it: %s", over, n, firstLine(why.String())))
	case len(g.missing) == 0:
		return over + "the others have no value"
	}
	return over + "the others are incomplete"
}

// sampled is the estimate over the trials for which value has an answer, of that part of a record.
// Without any, the reason stands in its place; with only some, a footnote says how many.
func (g *group) sampled(p trial.Part, value func(trial.Record) (float64, bool)) Cell {
	xs := g.sample(value)
	if len(xs) == 0 {
		if n, why := g.lacks(p); n > 0 {
			return lacking(why)
		}
		return g.reason()
	}
	c := estimate(xs)
	if len(xs) < g.planned {
		c = c.with(g.left(len(xs), p))
	}
	return c
}

// programShare is a sampled percentage of a suite's programs, which a fuzzing corpus has not.
func (g *group) programShare(part func(*trial.ProgramCounts) int) Cell {
	if g.kind() == trial.KindCorpus {
		return notApplicable("a fuzzing corpus holds inputs, not programs to compile")
	}
	lack, _ := g.lacks(trial.PartSuccess)
	if len(g.records) > lack && total(g, programsOf, generated) == 0 {
		return notApplicable("no program was generated")
	}
	return g.sampled(trial.PartSuccess, shareOf(part))
}

// shareOf is a percentage of a record's programs, where it has any.
func shareOf(part func(*trial.ProgramCounts) int) func(trial.Record) (float64, bool) {
	return func(r trial.Record) (float64, bool) {
		if r.Programs == nil || r.Programs.Generated == 0 {
			return 0, false
		}
		return 100 * float64(part(r.Programs)) / float64(r.Programs.Generated), true
	}
}

func generated(p *trial.ProgramCounts) int { return p.Generated }
func compiled(p *trial.ProgramCounts) int  { return p.Compiled }
func executed(p *trial.ProgramCounts) int  { return p.Executed }

func auvc(r trial.Record) (float64, bool) { return r.Verifications.AUVC() }

// overview is the one table to read: a line per library and tool.
func (a *analysis) overview() Section {
	t := a.table("overview", "Results at a glance (mean ± standard deviation over trials)", a.groups, []figure{
		trialsFigure,
		{Column{Key: "csr", Name: "CSR %", Kind: Estimate, Unit: "pct", Decimals: 1}, func(g *group) Cell { return g.programShare(compiled) }},
		{Column{Key: "esr", Name: "ESR %", Kind: Estimate, Unit: "pct", Decimals: 1}, func(g *group) Cell { return g.programShare(executed) }},
		{Column{Key: "line_coverage", Name: "Lines %", Kind: Estimate, Unit: "pct", Decimals: 1}, func(g *group) Cell { return g.sampled(trial.PartCoverage, linePct) }},
		{Column{Key: "branch_coverage", Name: "Branches %", Kind: Estimate, Unit: "pct", Decimals: 1}, func(g *group) Cell { return g.sampled(trial.PartCoverage, branchPct) }},
		{Column{Key: "bugs_detected", Name: "Bugs", Kind: Count}, a.detectedBugs},
	})
	return Section{ID: "overview", Title: "Overview", Tables: []Table{t}, Notes: []string{a.completeness()}}
}

func (a *analysis) completeness() string {
	complete, planned, gaps := 0, 0, 0
	for _, g := range a.groups {
		complete += len(g.records)
		planned += g.planned
		for _, r := range g.records {
			if len(r.Gaps()) > 0 {
				gaps++
			}
		}
	}
	text := fmt.Sprintf("%d of %d planned cells are complete (a cell is a tool, a library and a trial).", complete, planned)
	if gaps > 0 {
		text += fmt.Sprintf(" The records of %d lack a part, which no figure includes.", gaps)
	}
	return text
}
