package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// invariants tells of tools that put assertions into programs, and lists the candidates.
func (a *analysis) invariants() (Section, error) {
	sums := Table{ID: "invariants", Title: "Assertions put into seeds (sums over trials)", Columns: append(groupColumns[:3:3],
		Column{Key: "seeds", Name: "Valid seeds", Kind: Number},
		Column{Key: "finished", Name: "With assertions", Kind: Number},
		Column{Key: "assertions", Name: "Assertions", Kind: Number},
		Column{Key: "chunks", Name: "Chunks", Kind: Number},
		Column{Key: "first", Name: "Right at once", Kind: Number},
		Column{Key: "repaired", Name: "After repair", Kind: Number},
		Column{Key: "restored", Name: "Given up", Kind: Number},
		Column{Key: "candidates", Name: "Candidates", Kind: Number},
	)}
	parts := Table{ID: "invariant_parts", Title: "Assertions by kind and source, and what was wrong with answers (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "property", Name: "Property", Kind: Words},
		Column{Key: "value", Name: "Value", Kind: Words},
		Column{Key: "count", Name: "Count", Kind: Number},
	)}
	for _, g := range a.groups {
		var all trial.Invariants
		found, first, repaired := false, 0, 0
		for _, r := range g.records {
			if r.Generation == nil || r.Generation.Invariants == nil {
				continue
			}
			found = true
			i := r.Generation.Invariants
			all.Seeds += i.Seeds
			all.Finished += i.Finished
			all.Assertions += i.Assertions
			all.Chunks += i.Chunks
			all.Restored += i.Restored
			all.Candidates = append(all.Candidates, i.Candidates...)
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
		sums.Rows = append(sums.Rows, append(a.groupCells(g), whole(all.Seeds), whole(all.Finished), whole(all.Assertions), whole(all.Chunks),
			whole(first), whole(repaired), whole(all.Restored), whole(len(all.Candidates))))
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
		return Section{}, nil
	}
	tables := []Table{sums, parts}
	if c := a.candidates(); len(c.Rows) > 0 {
		tables = append(tables, c)
	}
	return Section{
		ID: "invariants", Title: "Invariants",
		Definitions: []Definition{
			{"Valid seed", "A program without assertions that keeps the policy and runs on the reference build.", ""},
			{"Candidate", "An invariant that still failed on the reference build after repair: a person decides whether it or the library is wrong. It is in no test and in no other figure.", ""},
		},
		Tables: tables,
	}, nil
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

// candidates lists what a person has to look at.
func (a *analysis) candidates() Table {
	t := Table{ID: "candidates", Title: "Candidates for a person: invariants that fail on the reference build", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "trial", Name: "Trial", Kind: Number},
		{Key: "program", Name: "Program", Kind: Words},
		{Key: "step", Name: "Step", Kind: Number},
		{Key: "assertion", Name: "Assertion", Kind: Words, Wide: true},
		{Key: "values", Name: "Values", Kind: Words, Wide: true},
		{Key: "passage", Name: "Supporting passage", Kind: Words, Wide: true},
		{Key: "repairs", Name: "Repairs", Kind: Words, Wide: true},
		{Key: "reproducer", Name: "Reproducer", Kind: Words},
	}}
	for _, g := range a.groups {
		for _, r := range g.records {
			if r.Generation == nil || r.Generation.Invariants == nil {
				continue
			}
			for _, c := range r.Generation.Invariants.Candidates {
				t.Rows = append(t.Rows, []Cell{words(a.label(g.subject)), words(g.contender.String()), whole(r.Cell.Trial),
					words(trial.EntryID(c.Program)), whole(c.Chunk), words("assert(" + c.Assertion + ")"), words(strings.Join(c.Values, ", ")),
					words(passage(c)), words(history(c)), words("sh cells/" + r.Cell.ID() + "/" + c.Reproducer)})
			}
		}
	}
	return t
}

// passage is what supports a candidate, as far as the model said.
func passage(c trial.Candidate) string {
	switch {
	case c.Passage != "":
		return fmt.Sprintf("%s: “%s” (%s)", c.Contract, c.Passage, c.Place)
	case c.Remark != "":
		return "none; the model says: " + c.Remark
	}
	return "none"
}

// history is one line about the versions of a candidate's chunk.
func history(c trial.Candidate) string {
	var parts []string
	for _, h := range c.History {
		part := h.Failure
		if h.Assertion != "" {
			part += ": " + h.Assertion
		}
		if len(parts) == 0 || parts[len(parts)-1] != part {
			parts = append(parts, part)
		}
	}
	return fmt.Sprintf("%d versions: %s", len(c.History), strings.Join(parts, "; then "))
}
