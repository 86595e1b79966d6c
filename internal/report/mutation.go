package report

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mutation reports which mutants the suites kill. A run that asked for none has no such section.
func (a *analysis) mutation() Section {
	t := Table{ID: "mutation", Title: "Mutation score", Columns: append(groupColumns[:3:3],
		Column{Key: "mutation_score", Name: "Score", Kind: Estimate, Decimals: 3},
		Column{Key: "interval", Name: "95 % interval", Kind: Range, Decimals: 3},
		Column{Key: "killed", Name: "Killed", Kind: Count},
		Column{Key: "reached", Name: "Reached", Kind: Count},
		Column{Key: "killed_of_reached", Name: "Killed of reached", Kind: Count},
	)}
	classes := a.columns(func(r trial.Record, o trial.OracleClass) bool { return r.Mutation != nil && r.Mutation.KilledBy(o) > 0 })
	for _, o := range classes {
		t.Columns = append(t.Columns, Column{Key: "killed_" + className(o), Name: "By " + className(o), Kind: Number})
	}
	t.Columns = append(t.Columns, Column{Key: "equivalent", Name: "Equivalent", Kind: Count}, Column{Key: "usable", Name: "Usable tests", Kind: Count})
	operators := Table{ID: "mutation_operators", Title: "Mutants by operator", Columns: append(groupColumns[:2:2],
		Column{Key: "operator", Name: "Operator", Kind: Words},
		Column{Key: "killed", Name: "Killed", Kind: Count},
		Column{Key: "reached", Name: "Reached", Kind: Count},
	)}
	asked := false
	for _, g := range a.groups {
		row, any := g.mutation(classes)
		asked = asked || any
		t.Rows = append(t.Rows, append(a.groupCells(g), row...))
		for _, o := range g.mutantOperators() {
			operators.Rows = append(operators.Rows, append(a.groupCells(g)[:2:2], words(o.Name), count(o.Killed, o.Mutants), count(o.Reached, o.Mutants)))
		}
	}
	section := Section{ID: "mutation", Title: "Mutation score"}
	if asked {
		section.describeScore(t, operators)
	}
	if feedback := a.mutantFeedback(); len(feedback.Rows) > 0 {
		section.Tables, section.Notes = append(section.Tables, feedback), append(section.Notes, feedbackNote)
	}
	if len(section.Tables) == 0 {
		return Section{}
	}
	return section
}

// describeScore puts the tables of the score in.
func (s *Section) describeScore(tables ...Table) {
	s.Tables = tables
	s.Definitions = []Definition{{
		"Mutation score", "Share of small changes to the reference library that some test detects. The test must pass on the reference three times.",
		"killed / mutants, without those that compile to the same code",
	}}
	s.Notes = []string{"Counts are sums over trials; the score is the mean ± sample standard deviation over trials. " +
		"The interval is about the drawing of mutants, for one trial's suite; with several trials it is the widest one. " +
		"By: the oracle class of the first test that killed a mutant. Equivalent: drawn mutants that do not count, because they compile to the same code as the library or another mutant."}
}

// mutation returns the cells of a group, and whether any of its trials was run on mutants.
func (g *group) mutation(classes []trial.OracleClass) (row []Cell, any bool) {
	fill := func(c Cell) []Cell { return slices.Repeat([]Cell{c}, 5+len(classes)+2) }
	if g.kind() == trial.KindCorpus {
		return fill(notApplicable("a fuzzing corpus holds inputs, which are not run on mutants")), false
	}
	var sum trial.Mutation
	killed := map[trial.OracleClass]int{}
	lack, why := g.lacks(trial.PartMutation)
	trials, low, high := 0, 1.0, 0.0
	for _, r := range g.records {
		m := r.Mutation
		if m == nil {
			continue
		}
		trials++
		sum.Mutants, sum.Reached, sum.Killed = sum.Mutants+m.Mutants, sum.Reached+m.Reached, sum.Killed+m.Killed
		sum.Drawn, sum.Tests, sum.Usable = sum.Drawn+m.Drawn, sum.Tests+m.Tests, sum.Usable+m.Usable
		low, high = min(low, m.Low), max(high, m.High)
		for _, o := range classes {
			killed[o] += m.KilledBy(o)
		}
	}
	switch {
	case trials == 0 && lack > 0:
		return fill(lacking(why)), true
	case trials == 0 && len(g.records) > 0:
		return fill(notApplicable("it was not run on mutants")), false
	case trials == 0:
		return fill(g.reason()), false
	}
	score := g.sampled(trial.PartMutation, mutationScore)
	row = []Cell{score, span(low, high), count(sum.Killed, sum.Mutants), count(sum.Reached, sum.Mutants), count(sum.Killed, sum.Reached)}
	for _, o := range classes {
		row = append(row, whole(killed[o]))
	}
	return append(row, count(sum.Drawn-sum.Mutants, sum.Drawn), count(sum.Usable, sum.Tests)), true
}

// mutantOperators sums the mutants of each operator over the group's trials.
func (g *group) mutantOperators() []trial.MutantGroup {
	var order []string
	sums := map[string]trial.MutantCount{}
	for _, r := range g.records {
		if r.Mutation == nil {
			continue
		}
		for _, o := range r.Mutation.ByOperator {
			s, known := sums[o.Name]
			if !known {
				order = append(order, o.Name)
			}
			sums[o.Name] = trial.MutantCount{Mutants: s.Mutants + o.Mutants, Reached: s.Reached + o.Reached, Killed: s.Killed + o.Killed}
		}
	}
	all := make([]trial.MutantGroup, 0, len(order))
	for _, name := range order {
		all = append(all, trial.MutantGroup{Name: name, MutantCount: sums[name]})
	}
	return all
}

func mutationScore(r trial.Record) (float64, bool) {
	if r.Mutation == nil {
		return 0, false
	}
	return r.Mutation.Score, true
}
