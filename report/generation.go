package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// generation reports how the tools that ask a model worked: what repair changed, what the
// answers were, and which rules were mined.
func (a *analysis) generation(s *Section) {
	asking := a.those(func(g *group) bool { return len(having(g, generationOf)) > 0 })
	if len(asking) == 0 {
		return
	}
	s.Tables = slices.Concat([]Table{a.repairTable(asking)}, withRows(a.passTable(asking)), []Table{a.answerTable(asking)}, withRows(a.ruleTable(asking)))
}

// attempted is a percentage of the programs that a tool tried.
func attempted(of func(*trial.Generation) trial.Attempts, part func(trial.Attempts) int) func(*group) Cell {
	return metric{of: func(r trial.Record) (float64, bool) {
		if r.Generation == nil || of(r.Generation).Programs == 0 {
			return 0, false
		}
		return 100 * float64(part(of(r.Generation))) / float64(of(r.Generation).Programs), true
	}}.cell
}

func (a *analysis) repairTable(asking []*group) Table {
	figures := []figure{
		trialsFigure,
		{numberColumn("programs", "Programs", 0), func(g *group) Cell {
			n := total(g, generationOf, func(g *trial.Generation) int { return g.First.Programs })
			waiting := n - total(g, generationOf, func(g *trial.Generation) int { return g.Final.Programs })
			if waiting > 0 {
				return whole(n).with(fmt.Sprintf("%d of them were waiting for their repair when the budget ended and are in no suite", waiting))
			}
			return whole(n)
		}},
		{numberColumn("repairs", "Repairs", 0), sum(generationOf, func(g *trial.Generation) int { return g.Repairs })},
	}
	for _, rate := range []struct {
		key, name string
		part      func(trial.Attempts) int
	}{
		{"csr", "CSR % at first", func(x trial.Attempts) int { return x.Compiled }},
		{"esr", "ESR % at first", func(x trial.Attempts) int { return x.Executed }},
		{"refused", "Break the policy % at first", func(x trial.Attempts) int { return x.Refused }},
	} {
		figures = append(figures,
			figure{percentColumn("first_"+rate.key, rate.name, 1), attempted(func(g *trial.Generation) trial.Attempts { return g.First }, rate.part)},
			figure{percentColumn("final_"+rate.key, "after repair", 1), attempted(func(g *trial.Generation) trial.Attempts { return g.Final }, rate.part)})
	}
	return a.table("repair", "Success rates before and after repair (mean ± standard deviation over trials)", asking, figures...)
}

func (a *analysis) answerTable(asking []*group) Table {
	t := groupTable("answers", "Answers of the model by outcome (sums over trials)",
		textColumn("stage", "Stage"), textColumn("outcome", "Outcome"), numberColumn("answers", "Answers", 0))
	for _, g := range asking {
		var all []trial.AnswerCount
		for _, gen := range having(g, generationOf) {
			all = append(all, gen.Answers...)
		}
		for _, of := range grouped(all, func(c trial.AnswerCount) [2]string { return [2]string{c.Stage, c.Outcome} }) {
			n := 0
			for _, c := range of {
				n += c.Count
			}
			t.add(a.groupCells(g, words(of[0].Stage), words(strings.ReplaceAll(of[0].Outcome, "_", " ")), whole(n))...)
		}
	}
	return t
}

func (a *analysis) ruleTable(asking []*group) Table {
	t := groupTable("mined_rules", "Rules mined from recurring errors", numberColumn("trial", "Trial", 0), numberColumn("round", "From round", 0),
		numberColumn("failures", "Failures", 0), wideColumn("error", "Error"), wideColumn("rule", "Rule"), textColumn("origin", "Worded by"))
	for _, g := range asking {
		for _, r := range g.records {
			if r.Generation == nil {
				continue
			}
			for _, m := range r.Generation.Rules {
				t.add(a.groupCells(g, whole(r.Cell.Trial), whole(m.Round), whole(len(m.Programs)), words(m.Signature), words(m.Text), words(m.Origin))...)
			}
		}
	}
	return t
}

// passTable reports how many of a tool's programs compile after each of its post-processing
// passes, one row for a pass; no row where no tool has passes.
func (a *analysis) passTable(asking []*group) Table {
	t := groupTable("passes", "Programs that compile after each post-processing pass (mean ± standard deviation over trials)",
		trialsFigure.Column, textColumn("after", "After"), numberColumn("compiled", "Compiled", 0), numberColumn("programs", "of", 0),
		percentColumn("csr", "CSR %", 1), estimateColumn("gain", "Gain, points", 1).in("points"))
	for _, g := range asking {
		var names []string
		for _, gen := range having(g, generationOf) {
			for _, p := range gen.Passes {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
		for i, name := range names {
			gain := notApplicable("it is the first pass")
			if i > 0 {
				gain = g.sampled("", func(r trial.Record) (float64, bool) {
					x, ok := afterPass(name)(r)
					y, both := afterPass(names[i-1])(r)
					return x - y, ok && both
				})
			}
			t.add(a.groupCells(g, trialsFigure.of(g), words(name),
				whole(total(g, generationOf, func(g *trial.Generation) int { return passOf(g, name).Compiled })),
				whole(total(g, generationOf, func(g *trial.Generation) int { return passOf(g, name).Programs })),
				g.sampled("", afterPass(name)), gain)...)
		}
	}
	return t
}

// afterPass is the percentage that compiles after a pass; a record without programs has none.
func afterPass(name string) value {
	return func(r trial.Record) (float64, bool) {
		if r.Generation == nil || passOf(r.Generation, name).Programs == 0 {
			return 0, false
		}
		p := passOf(r.Generation, name)
		return 100 * float64(p.Compiled) / float64(p.Programs), true
	}
}

func passOf(g *trial.Generation, name string) trial.Pass {
	i := slices.IndexFunc(g.Passes, func(p trial.Pass) bool { return p.Name == name })
	if i < 0 {
		return trial.Pass{}
	}
	return g.Passes[i]
}
