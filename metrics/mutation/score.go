package mutation

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// score sums up what a suite does to the drawn mutants.
func score(lib *MutableLibrary, drawn []Mutant, verdicts []MutantVerdict, programs []trial.Program) trial.Mutation {
	s := trial.Mutation{Tests: len(programs), Found: lib.Found - lib.Refused, KilledIn: map[string][]int{},
		Set: store.Key(lib.schema("").Tree.Key, drawn)[:16]}
	oracles, operators := map[trial.OracleClass]int{}, map[string]*trial.MutantCount{}
	for _, v := range verdicts {
		of := operators[v.Operator]
		if of == nil {
			of = &trial.MutantCount{}
			operators[v.Operator] = of
		}
		for _, c := range []*trial.MutantCount{&s.MutantCount, of} {
			c.Mutants++
			if len(v.Reachers) > 0 {
				c.Reached++
			}
			if v.Killer != "" {
				c.Killed++
			}
		}
		if v.Killer != "" {
			s.KilledIn[v.Function] = append(s.KilledIn[v.Function], v.ID)
			oracles[v.Oracle]++
		}
	}
	s.Score, s.Low, s.High = proportion(s.Killed, s.Mutants, s.Found)
	s.Survivors = survivors(verdicts, programs)
	for _, o := range operatorNames {
		if c := operators[o]; c != nil {
			s.ByOperator = append(s.ByOperator, trial.MutantGroup{Name: o, MutantCount: *c})
		}
	}
	for _, o := range slices.Sorted(maps.Keys(oracles)) {
		s.ByOracle = append(s.ByOracle, trial.MutantOracle{Oracle: o, Killed: oracles[o]})
	}
	return s
}

// survivors lists the mutants that are reached and not killed. First comes of each function the one
// that most tests reach, then of each the next, so that the head of the list tells of many functions.
func survivors(verdicts []MutantVerdict, programs []trial.Program) []trial.Survivor {
	var all []trial.Survivor
	for _, v := range verdicts {
		if len(v.Reachers) > 0 && v.Killer == "" {
			s := trial.Survivor{ID: v.ID, File: v.File, Line: v.Line, Function: v.Function, Original: v.Original, Mutated: v.Mutated}
			for _, i := range v.Reachers {
				s.Tests = append(s.Tests, programs[i].ID)
			}
			all = append(all, s)
		}
	}
	byReach := func(a, b trial.Survivor) int { return cmp.Compare(len(b.Tests), len(a.Tests)) }
	slices.SortStableFunc(all, byReach)
	turn, seen := map[int]int{}, map[string]int{}
	for _, s := range all {
		turn[s.ID] = seen[s.File+" "+s.Function]
		seen[s.File+" "+s.Function]++
	}
	slices.SortStableFunc(all, func(a, b trial.Survivor) int { return cmp.Or(cmp.Compare(turn[a.ID], turn[b.ID]), byReach(a, b)) })
	return all
}

// proportion returns k/n and its 95 % interval by Wilson (1927) for n draws without replacement
// out of population. The correction for a finite population makes n draws worth
// n(N−1)/(N−n) (Cochran, Sampling Techniques, section 2.6). The draws follow functions, which
// makes the interval too wide rather than too narrow.
func proportion(k, n, population int) (value, low, high float64) {
	if n == 0 {
		return 0, 0, 1
	}
	value = float64(k) / float64(n)
	if n >= population {
		return value, value, value
	}
	worth := float64(n) * float64(population-1) / float64(population-n)
	i := stats.Wilson(int(math.Round(value*worth)), int(math.Round(worth)), 0.95)
	return value, min(i.Low, value), max(i.High, value)
}
