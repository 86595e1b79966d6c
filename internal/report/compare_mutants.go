package report

import (
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

var mutantPairColumns = append(pairColumns[:3:3],
	Column{Key: "a_killed", Name: "A kills", Kind: Count},
	Column{Key: "b_killed", Name: "B kills", Kind: Count},
	Column{Key: "only_a", Name: "only A", Kind: Number},
	Column{Key: "only_b", Name: "only B", Kind: Number},
	Column{Key: "functions", Name: "Functions\nthat differ", Kind: Number},
	Column{Key: "mcnemar_p", Name: "McNemar\np", Kind: PValue},
	Column{Key: "by_function_p", Name: "By function\np", Kind: PValue},
	Column{Key: "by_function_holm", Name: "By function\nHolm", Kind: PValue},
)

// mutantDefinitions are those of the table of mutantComparison.
var mutantDefinitions = []Definition{
	{"Kills", "Mutants that some test kills, over the trials that both tools have; each mutant counts once per trial.", ""},
	{"By function", "Two-sided p of Fisher's randomisation test on how many more mutants of each function A kills than B, with one sign per function, because mutants of a function are killed together. McNemar's p, beside it, assumes independent mutants and is too small.",
		"p = P(|Σ ±dᵢ| ≥ |Σ dᵢ|), dᵢ = mutants of function i that A kills − those that B kills"},
}

// sharedMutants counts mutants that two contenders were both run on.
type sharedMutants struct {
	mutants, a, b, onlyA, onlyB int
	differences                 []int // by function
	reason                      string
}

func (s *sharedMutants) add(o sharedMutants) {
	s.mutants, s.a, s.b, s.onlyA, s.onlyB = s.mutants+o.mutants, s.a+o.a, s.b+o.b, s.onlyA+o.onlyA, s.onlyB+o.onlyB
	s.differences = append(s.differences, o.differences...)
}

// mutantComparison compares kills, mutant by mutant, over all libraries and by library. There is no table if no two
// tools were run on the same mutants.
func (a *analysis) mutantComparison() []Table {
	// The tools come first where the first column is no row's name.
	pooled := Table{ID: "mutant_pairs", Title: "Mutants killed, tool against tool, over all libraries with common mutants", Columns: append(
		[]Column{mutantPairColumns[1], mutantPairColumns[2], {Key: "libraries", Name: "Libraries", Kind: Number}}, mutantPairColumns[3:]...)}
	split := Table{ID: "mutant_pairs_by_library", Title: "Mutants killed, tool against tool, by library", Columns: mutantPairColumns}
	for _, p := range a.pairs() {
		var all sharedMutants
		tools, libraries := []Cell{words(p.a.String()), words(p.b.String())}, 0
		for _, s := range a.subjects {
			shared := a.sharedMutants(s, p)
			if shared.reason == noPair {
				continue
			}
			split.Rows = append(split.Rows, slices.Concat([]Cell{words(a.label(s))}, tools, mutantPairRow(shared)))
			if shared.mutants > 0 {
				libraries++
				all.add(shared)
			}
		}
		if libraries > 0 {
			pooled.Rows = append(pooled.Rows, slices.Concat(tools, []Cell{whole(libraries)}, mutantPairRow(all)))
		}
	}
	if len(a.subjects) < 2 {
		pooled.Rows = nil
	}
	pooled.correct("by_function_p", "by_function_holm")
	split.correct("by_function_p", "by_function_holm")
	return a.aScreen(withRows(pooled, split))
}

// sharedMutants compares the trials that both contenders have on the same mutants of a library. Its reason is noPair
// where none was to be run on any.
func (a *analysis) sharedMutants(s subject, p pair) sharedMutants {
	gx, gy := a.group(s, p.a), a.group(s, p.b)
	if gx == nil || gy == nil || len(having(gx, mutationOf)) == 0 || len(having(gy, mutationOf)) == 0 {
		return sharedMutants{reason: noPair}
	}
	gx, gy = inBoth(gx, gy)
	shared := sharedMutants{reason: "no trial of both was run on the same mutants"}
	functions := map[string]int{}
	for _, x := range gx.records {
		for _, y := range gy.records {
			if x.Cell.Trial == y.Cell.Trial && x.Mutation != nil && y.Mutation != nil && x.Mutation.Set == y.Mutation.Set {
				shared.trial(x.Mutation, y.Mutation, functions)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		shared.differences = append(shared.differences, functions[name])
	}
	return shared
}

// trial counts the mutants of one trial of each. functions has the differences by function so far.
func (s *sharedMutants) trial(x, y *trial.Mutation, functions map[string]int) {
	s.mutants, s.a, s.b = s.mutants+x.Mutants, s.a+x.Killed, s.b+y.Killed
	both := 0
	for name, killed := range x.KilledIn {
		functions[name] += len(killed)
		for _, id := range killed {
			both += one(slices.Contains(y.KilledIn[name], id))
		}
	}
	for name, killed := range y.KilledIn {
		functions[name] -= len(killed)
	}
	s.onlyA, s.onlyB = s.onlyA+x.Killed-both, s.onlyB+y.Killed-both
}

func mutantPairRow(s sharedMutants) []Cell {
	if s.mutants == 0 {
		return slices.Repeat([]Cell{incomplete("no_pair", s.reason)}, len(mutantPairColumns)-len(pairColumns[:3]))
	}
	clustered := sure(stats.PairedRandomization(s.differences))
	p := pValue(clustered.P, clustered.MinP, "no signs of the functions that differ")
	differ := 0
	for _, d := range s.differences {
		differ += one(d != 0)
	}
	return []Cell{count(s.a, s.mutants), count(s.b, s.mutants), whole(s.onlyA), whole(s.onlyB), whole(differ),
		number(sure(stats.McNemarExact(s.onlyA, s.onlyB)).P), p, {}}
}
