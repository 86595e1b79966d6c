package report

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// verifications reports what the programs' assertions verify. A run without counts, such as
// one made before there were any, has no such section.
func (a *analysis) verifications() Section {
	counted := false
	t := Table{ID: "verifications", Title: "Unique verifications", Columns: append(groupColumns[:3:3],
		Column{Key: "auvc", Name: "AUVC", Kind: Estimate, Decimals: 2},
		Column{Key: "per_program", Name: "By program", Kind: Estimate, Decimals: 2},
		Column{Key: "passing", Name: "Passing", Kind: Count},
		Column{Key: "assertions", Name: "Assertions", Kind: Number},
		Column{Key: "unique", Name: "Unique", Kind: Number},
		Column{Key: "repeated", Name: "Repeated", Kind: Number},
		Column{Key: "tautologies", Name: "Cannot fail", Kind: Number},
		Column{Key: "contradictions", Name: "Cannot pass", Kind: Number},
		Column{Key: "structural", Name: "Structural", Kind: Count},
		Column{Key: "given_up", Name: "Given up", Kind: Number},
	)}
	for _, g := range a.groups {
		row, any := g.verifications()
		counted = counted || any
		t.Rows = append(t.Rows, append(a.groupCells(g), row...))
	}
	if !counted {
		return Section{}
	}
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

// verifications returns the cells of a group, and whether any of its trials says something of
// verifications.
func (g *group) verifications() (row []Cell, any bool) {
	const columns = 10
	fill := func(c Cell) []Cell {
		for range columns {
			row = append(row, c)
		}
		return row
	}
	if g.kind() == trial.KindCorpus {
		return fill(notApplicable("a fuzzing corpus holds inputs, which assert nothing")), false
	}
	var sum trial.Verifications
	lack, why := g.lacks(trial.PartVerifications)
	any = lack > 0
	trials := 0
	for _, r := range g.records {
		v := r.Verifications
		if v == nil {
			continue
		}
		any = true
		trials++
		sum.Programs += v.Programs
		sum.Passing += v.Passing
		sum.Unique += v.Unique
		sum.Assertions += v.Assertions
		sum.Repeated += v.Repeated
		sum.Tautologies += v.Tautologies
		sum.Contradictions += v.Contradictions
		sum.Structural += v.Structural
		sum.GivenUp += v.GivenUp
		sum.Truncated += v.Truncated
		sum.Unreadable += v.Unreadable
	}
	switch {
	case trials == 0 && lack > 0:
		return fill(lacking(why)), true
	case trials == 0 && len(g.records) > 0:
		return fill(notApplicable("values recorded on the reference build are not counted, nor are assertions of drivers given as objects")), any
	case trials == 0:
		return fill(g.reason()), any
	case sum.Programs == 0:
		return fill(notApplicable("no program was generated")), any
	}
	mean := g.sampled(trial.PartVerifications, auvc)
	perProgram := g.sampled(trial.PartVerifications, func(r trial.Record) (float64, bool) { return r.Verifications.PerProgram() })
	if sum.Truncated > 0 {
		mean = mean.with("some programs are too large and were read in part")
	}
	if sum.Unreadable > 0 {
		mean = mean.with("some passing programs are too large to read and count 0")
	}
	return []Cell{mean, perProgram, count(sum.Passing, sum.Programs), whole(sum.Assertions), whole(sum.Unique), whole(sum.Repeated),
		whole(sum.Tautologies), whole(sum.Contradictions), count(sum.Structural, sum.Assertions), whole(sum.GivenUp)}, any
}
