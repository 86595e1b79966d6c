package report

import "github.com/lisa-bench/lisa-bench/internal/trial"

// verifications reports what the programs' assertions verify. A run without counts, such as
// one made before there were any, has no such section.
func (a *analysis) verifications() Section {
	programs := func(v *trial.Verifications) int { return v.Programs }
	assertions := func(v *trial.Verifications) int { return v.Assertions }
	counts := optional[trial.Verifications]{
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
	if !counts.asked(a) {
		return Section{}
	}
	t := a.table("verifications", "Unique verifications", a.groups, []figure{
		trialsFigure,
		{Column{Key: "auvc", Name: "AUVC", Kind: Estimate, Decimals: 2}, counts.cell((*group).auvc)},
		{Column{Key: "per_program", Name: "By program", Kind: Estimate, Decimals: 2}, counts.cell(func(g *group) Cell {
			return g.sampled(trial.PartVerifications, func(r trial.Record) (float64, bool) { return r.Verifications.PerProgram() })
		})},
		{Column{Key: "passing", Name: "Passing", Kind: Count}, counts.share(func(v *trial.Verifications) int { return v.Passing }, programs)},
		{Column{Key: "assertions", Name: "Assertions", Kind: Number}, counts.sum(assertions)},
		{Column{Key: "unique", Name: "Unique", Kind: Number}, counts.sum(func(v *trial.Verifications) int { return v.Unique })},
		{Column{Key: "repeated", Name: "Repeated", Kind: Number}, counts.sum(func(v *trial.Verifications) int { return v.Repeated })},
		{Column{Key: "tautologies", Name: "Cannot fail", Kind: Number}, counts.sum(func(v *trial.Verifications) int { return v.Tautologies })},
		{Column{Key: "contradictions", Name: "Cannot pass", Kind: Number}, counts.sum(func(v *trial.Verifications) int { return v.Contradictions })},
		{Column{Key: "structural", Name: "Structural", Kind: Count}, counts.share(func(v *trial.Verifications) int { return v.Structural }, assertions)},
		{Column{Key: "given_up", Name: "Given up", Kind: Number}, counts.sum(func(v *trial.Verifications) int { return v.GivenUp })},
	})
	return Section{
		ID: "verifications", Title: "Verifications",
		Definitions: []Definition{{
			"AUVC", "Average unique verifications count: assertions of passing programs that can fail and are not equivalent to an earlier one in the same state, by a normal form of their conditions.",
			"unique verifications of passing programs / valid seeds; By program: / generated programs",
		}},
		Tables: []Table{t},
		Notes: []string{"Counts are sums over trials; AUVC is the mean ± sample standard deviation over trials. " +
			"Structural: assertions with parts that are compared by their text. " +
			"Given up: assertions beyond the limit of work per program; they count as different from all others."},
	}
}

// auvc is the mean over trials, with what was not read.
func (g *group) auvc() Cell {
	mean := g.sampled(trial.PartVerifications, auvc)
	if total(g, verificationsOf, func(v *trial.Verifications) int { return v.Truncated }) > 0 {
		mean = mean.with("some programs are too large and were read in part")
	}
	if total(g, verificationsOf, func(v *trial.Verifications) int { return v.Unreadable }) > 0 {
		mean = mean.with("some passing programs are too large to read and count 0")
	}
	return mean
}
