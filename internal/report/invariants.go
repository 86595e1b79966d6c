package report

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// invariants tells of tools that put assertions into programs.
func (a *analysis) invariants() Section {
	accepted := func(repaired bool) func(*trial.Invariants) int {
		return func(i *trial.Invariants) (n int) {
			for repairs, chunks := range i.Repaired {
				if repaired == (repairs > 0) {
					n += chunks
				}
			}
			return n
		}
	}
	made := a.those((*group).invariants)
	sums := a.table("invariants", "Assertions put into seeds (sums over trials)", made, []figure{
		trialsFigure,
		{Column{Key: "seeds", Name: "Valid seeds", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Seeds })},
		{Column{Key: "finished", Name: "With assertions", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Finished })},
		{Column{Key: "assertions", Name: "Assertions", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Assertions })},
		{Column{Key: "mended", Name: "Of them repaired to value", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Mended })},
		{Column{Key: "chunks", Name: "Chunks", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Chunks })},
		{Column{Key: "first", Name: "Right at once", Kind: Number}, sum(invariantsOf, accepted(false))},
		{Column{Key: "repaired", Name: "After repair", Kind: Number}, sum(invariantsOf, accepted(true))},
		{Column{Key: "restored", Name: "Given up", Kind: Number}, sum(invariantsOf, func(i *trial.Invariants) int { return i.Restored })},
		{Column{Key: "suspicions", Name: "Suspicions", Kind: Number}, sum(generationOf, func(g *trial.Generation) int { return len(g.Suspicions) * one(g.Invariants != nil) })},
	})
	parts := Table{ID: "invariant_parts", Title: "Assertions by kind and source, and what was wrong with answers (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "property", Name: "Property", Kind: Words},
		Column{Key: "value", Name: "Value", Kind: Words},
		Column{Key: "count", Name: "Count", Kind: Number},
	)}
	for _, g := range made {
		for _, p := range []struct {
			name string
			of   func(*trial.Invariants) []trial.NamedCount
		}{
			{"kind", func(i *trial.Invariants) []trial.NamedCount { return i.Kinds }},
			{"source", func(i *trial.Invariants) []trial.NamedCount { return i.Sources }},
			{"failure", func(i *trial.Invariants) []trial.NamedCount { return i.Failures }},
		} {
			for _, c := range named(g, invariantsOf, p.of) {
				parts.Rows = append(parts.Rows, append(a.groupCells(g), words(p.name), words(c.Name), whole(c.Count)))
			}
		}
	}
	if len(sums.Rows) == 0 {
		return Section{}
	}
	return Section{
		ID: "invariants", Title: "Invariants",
		Definitions: []Definition{
			{"Valid seed", "A program without assertions that follows the policy and runs on the reference build.", ""},
			{"Repaired to value", "An assertion written after the repair prompt had shown what the reference build returned. It may be based on documents or on that value, so it has its own oracle class.", ""},
			suspicionDefinition,
		},
		Tables: []Table{sums, parts},
	}
}
