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

// mutantComparison compares kills, mutant by mutant.
func (a *analysis) mutantComparison() []Table {
	return a.pairTables(pairing{id: "mutant_pairs", title: "Mutants killed, tool against tool", over: "over all libraries with common mutants",
		columns: mutantPairColumns, of: a.sharedMutants, row: mutantPairRow, tests: []string{"by_function"}})
}

// sharedMutants compares the trials that both contenders have on the same mutants of a library. Its reason is noPair
// where none was to be run on any.
func (a *analysis) sharedMutants(s subject, p pair) shared {
	gx, gy := a.group(s, p.a), a.group(s, p.b)
	if gx == nil || gy == nil || len(having(gx, mutationOf)) == 0 || len(having(gy, mutationOf)) == 0 {
		return shared{reason: noPair}
	}
	gx, gy = inBoth(gx, gy)
	both := shared{reason: "no trial of both was run on the same mutants"}
	functions := map[string]int{}
	for _, x := range gx.records {
		for _, y := range gy.records {
			if x.Cell.Trial == y.Cell.Trial && x.Mutation != nil && y.Mutation != nil && x.Mutation.Set == y.Mutation.Set {
				both.trial(x.Mutation, y.Mutation, functions)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		both.differences = append(both.differences, functions[name])
	}
	return both
}

// trial counts the mutants of one trial of each. functions has the differences by function so far.
func (s *shared) trial(x, y *trial.Mutation, functions map[string]int) {
	s.n, s.a, s.b = s.n+x.Mutants, s.a+x.Killed, s.b+y.Killed
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

func mutantPairRow(s shared) []Cell {
	if s.n == 0 {
		return slices.Repeat([]Cell{incomplete("no_pair", s.reason)}, len(mutantPairColumns)-len(pairColumns))
	}
	clustered := sure(stats.PairedRandomization(s.differences))
	p := pValue(clustered.P, clustered.MinP, "no signs of the functions that differ")
	differ := 0
	for _, d := range s.differences {
		differ += one(d != 0)
	}
	return []Cell{count(s.a, s.n), count(s.b, s.n), whole(s.onlyA), whole(s.onlyB), whole(differ),
		number(sure(stats.McNemarExact(s.onlyA, s.onlyB)).P), p, {}}
}
