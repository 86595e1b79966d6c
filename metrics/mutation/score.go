package mutation

import (
	"cmp"
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// add counts one more mutant.
func add(c *trial.MutantCount, v MutantVerdict) {
	c.Mutants++
	if v.Reached > 0 {
		c.Reached++
	}
	if len(v.Killers) > 0 {
		c.Killed++
	}
}

// score sums a result up.
func score(lib *MutableLibrary, drawn []Mutant, res *Result) trial.Mutation {
	s := trial.Mutation{Tests: len(res.Tests), Found: lib.Found - lib.Refused}
	for _, t := range res.Tests {
		s.CPU += t.CPU
		if t.Usable {
			s.Usable++
		}
	}
	s.Set = keyOf(lib.schema("").Tree.Key, drawn)[:16]
	s.KilledIn = map[string][]int{}
	oracles := map[trial.OracleClass]int{}
	operators, files := map[string]*trial.MutantCount{}, map[string]*trial.MutantCount{}
	for _, v := range res.Mutants {
		add(&s.MutantCount, v)
		add(countIn(operators, string(v.Operator)), v)
		add(countIn(files, v.File), v)
		if len(v.Killers) > 0 {
			s.KilledIn[v.Function] = append(s.KilledIn[v.Function], v.ID)
			oracles[v.Oracle]++
		}
	}
	s.Score, s.Low, s.High = proportion(s.Killed, s.Mutants, s.Found)
	s.ByOperator, s.ByFile = groups(operators), groups(files)
	slices.SortFunc(s.ByOperator, func(a, b trial.MutantGroup) int {
		return slices.Index(allOperators, Operator(a.Name)) - slices.Index(allOperators, Operator(b.Name))
	})
	for o, n := range oracles {
		s.ByOracle = append(s.ByOracle, trial.MutantOracle{Oracle: o, Killed: n})
	}
	slices.SortFunc(s.ByOracle, func(a, b trial.MutantOracle) int { return cmp.Compare(a.Oracle, b.Oracle) })
	return s
}

func countIn(m map[string]*trial.MutantCount, name string) *trial.MutantCount {
	if m[name] == nil {
		m[name] = &trial.MutantCount{}
	}
	return m[name]
}

func groups(m map[string]*trial.MutantCount) []trial.MutantGroup {
	var all []trial.MutantGroup
	for name, c := range m {
		all = append(all, trial.MutantGroup{Name: name, MutantCount: *c})
	}
	slices.SortFunc(all, func(a, b trial.MutantGroup) int { return cmp.Compare(a.Name, b.Name) })
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
	i, err := stats.Wilson(int(math.Round(value*worth)), int(math.Round(worth)), 0.95)
	if err != nil {
		panic(err) // k is at most n: a programming error
	}
	return value, min(i.Low, value), max(i.High, value)
}
