package report

import "github.com/lisa-bench/lisa-bench/internal/trial"

// mutation reports which mutants the suites kill. A run that asked for none has no such section.
func (a *analysis) mutation() Section {
	section := Section{ID: "mutation", Title: "Mutation score"}
	if mutants.asked(a) {
		section.Tables = []Table{a.scoreTable(), a.operatorTable()}
		section.Definitions = []Definition{{
			"Mutation score", "Share of small changes to the reference library that some test detects. The test must pass on the reference three times.",
			"killed / mutants",
		}}
		section.Notes = []string{"Counts are sums over trials; the score is the mean ± sample standard deviation over trials. " +
			"The interval is about the drawing of mutants, for one trial's suite; with several trials it is the widest one. " +
			"By: the oracle class of the first test that killed a mutant."}
	}
	if feedback := a.mutantFeedback(); len(feedback.Rows) > 0 {
		section.Tables, section.Notes = append(section.Tables, feedback), append(section.Notes, feedbackNote)
	}
	return section
}

var mutants = optional[trial.Mutation]{
	part: trial.PartMutation, in: mutationOf,
	corpus:  "a fuzzing corpus holds inputs, which are not run on mutants",
	unasked: "it was not run on mutants",
}

func (a *analysis) scoreTable() Table {
	all := func(m *trial.Mutation) int { return m.Mutants }
	reached := func(m *trial.Mutation) int { return m.Reached }
	killed := func(m *trial.Mutation) int { return m.Killed }
	figures := []figure{
		trialsFigure,
		{Column{Key: "mutation_score", Name: "Score", Kind: Estimate, Decimals: 3}, mutants.cell(func(g *group) Cell { return g.sampled(trial.PartMutation, mutationScore) })},
		{Column{Key: "interval", Name: "95 % interval", Kind: Range, Decimals: 3}, mutants.cell(widestInterval)},
		{Column{Key: "killed", Name: "Killed", Kind: Count}, mutants.share(killed, all)},
		{Column{Key: "reached", Name: "Reached", Kind: Count}, mutants.share(reached, all)},
		{Column{Key: "killed_of_reached", Name: "Killed of reached", Kind: Count}, mutants.share(killed, reached)},
	}
	for _, o := range a.columns(func(r trial.Record, o trial.OracleClass) bool { return r.Mutation != nil && r.Mutation.KilledBy(o) > 0 }) {
		figures = append(figures, figure{Column{Key: "killed_" + className(o), Name: "By " + className(o), Kind: Number},
			mutants.sum(func(m *trial.Mutation) int { return m.KilledBy(o) })})
	}
	return a.table("mutation", "Mutation score", a.groups, append(figures,
		figure{Column{Key: "usable", Name: "Usable tests", Kind: Count},
			mutants.share(func(m *trial.Mutation) int { return m.Usable }, func(m *trial.Mutation) int { return m.Tests })}))
}

func widestInterval(g *group) Cell {
	low, high := 1.0, 0.0
	for _, m := range having(g, mutationOf) {
		low, high = min(low, m.Low), max(high, m.High)
	}
	return span(low, high)
}

// operatorTable sums the mutants of each operator over a group's trials.
func (a *analysis) operatorTable() Table {
	t := Table{ID: "mutation_operators", Title: "Mutants by operator", Columns: append(groupColumns[:2:2],
		Column{Key: "operator", Name: "Operator", Kind: Words},
		Column{Key: "killed", Name: "Killed", Kind: Count},
		Column{Key: "reached", Name: "Reached", Kind: Count},
	)}
	for _, g := range a.groups {
		var all []trial.MutantGroup
		for _, m := range having(g, mutationOf) {
			all = append(all, m.ByOperator...)
		}
		for _, of := range grouped(all, func(o trial.MutantGroup) string { return o.Name }) {
			var sum trial.MutantCount
			for _, o := range of {
				sum.Mutants, sum.Reached, sum.Killed = sum.Mutants+o.Mutants, sum.Reached+o.Reached, sum.Killed+o.Killed
			}
			t.Rows = append(t.Rows, append(a.groupCells(g), words(of[0].Name), count(sum.Killed, sum.Mutants), count(sum.Reached, sum.Mutants)))
		}
	}
	return t
}

func mutationScore(r trial.Record) (float64, bool) {
	if r.Mutation == nil {
		return 0, false
	}
	return r.Mutation.Score, true
}
