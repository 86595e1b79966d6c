package report

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// invariants tells of tools that put assertions into programs.
func (a *analysis) invariants() Section {
	sums := Table{ID: "invariants", Title: "Assertions put into seeds (sums over trials)", Columns: append(groupColumns[:3:3],
		Column{Key: "seeds", Name: "Valid seeds", Kind: Number},
		Column{Key: "finished", Name: "With assertions", Kind: Number},
		Column{Key: "assertions", Name: "Assertions", Kind: Number},
		Column{Key: "mended", Name: "Of them repaired to value", Kind: Number},
		Column{Key: "chunks", Name: "Chunks", Kind: Number},
		Column{Key: "first", Name: "Right at once", Kind: Number},
		Column{Key: "repaired", Name: "After repair", Kind: Number},
		Column{Key: "restored", Name: "Given up", Kind: Number},
		Column{Key: "suspicions", Name: "Suspicions", Kind: Number},
	)}
	parts := Table{ID: "invariant_parts", Title: "Assertions by kind and source, and what was wrong with answers (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "property", Name: "Property", Kind: Words},
		Column{Key: "value", Name: "Value", Kind: Words},
		Column{Key: "count", Name: "Count", Kind: Number},
	)}
	for _, g := range a.groups {
		var all trial.Invariants
		found, first, repaired, suspicions := false, 0, 0, 0
		for _, r := range g.records {
			if r.Generation == nil || r.Generation.Invariants == nil {
				continue
			}
			found = true
			i := r.Generation.Invariants
			all.Seeds += i.Seeds
			all.Finished += i.Finished
			all.Assertions += i.Assertions
			all.Mended += i.Mended
			all.Chunks += i.Chunks
			all.Restored += i.Restored
			suspicions += len(r.Generation.Suspicions)
			for n, chunks := range i.Repaired {
				if n == 0 {
					first += chunks
				} else {
					repaired += chunks
				}
			}
			all.Kinds, all.Sources, all.Failures = merged(all.Kinds, i.Kinds), merged(all.Sources, i.Sources), merged(all.Failures, i.Failures)
		}
		if !found {
			continue
		}
		sums.Rows = append(sums.Rows, append(a.groupCells(g), whole(all.Seeds), whole(all.Finished), whole(all.Assertions), whole(all.Mended), whole(all.Chunks),
			whole(first), whole(repaired), whole(all.Restored), whole(suspicions)))
		for _, p := range []struct {
			name   string
			counts []trial.NamedCount
		}{{"kind", all.Kinds}, {"source", all.Sources}, {"failure", all.Failures}} {
			for _, c := range p.counts {
				parts.Rows = append(parts.Rows, append(a.groupCells(g)[:2], words(p.name), words(c.Name), whole(c.Count)))
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

// merged adds counts by name, in the order of first appearance.
func merged(a, b []trial.NamedCount) []trial.NamedCount {
	a = append([]trial.NamedCount(nil), a...)
next:
	for _, c := range b {
		for i := range a {
			if a[i].Name == c.Name {
				a[i].Count += c.Count
				continue next
			}
		}
		a = append(a, c)
	}
	return a
}
