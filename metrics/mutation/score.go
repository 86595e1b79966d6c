package mutation

import (
	"cmp"
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A Score is how many of a library's mutants a suite kills. Mutants of which the compiler makes
// the code of the library, or of another mutant, do not count.
type Score struct {
	Count
	// Value is Killed / Mutants. Low and High are the ends of its 95 % interval: what the
	// drawing of mutants leaves open, and nothing of what another suite of the tool would do.
	// They are Value where all mutants were run.
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`

	Found      int `json:"found"`      // mutants that the library's sources have
	Drawn      int `json:"drawn"`      // of these; Mutants + Equivalent + Duplicate
	Compared   int `json:"compared"`   // of Drawn: held against the compiler's code of the library and the others
	Equivalent int `json:"equivalent"` // of Compared: the same code as the library's
	Duplicate  int `json:"duplicate"`  // of Compared: the same code as another mutant's
	Tests      int `json:"tests"`
	Usable     int `json:"usable"` // tests that passed on the reference every time

	ByOracle   []OracleCount `json:"by_oracle,omitempty"`
	ByOperator []Group       `json:"by_operator,omitempty"`
	ByFile     []Group       `json:"by_file,omitempty"`
}

// A Count counts mutants.
type Count struct {
	Mutants int `json:"mutants"`
	Reached int `json:"reached"` // some test comes to their place
	Killed  int `json:"killed"`  // some test tells them from the library
}

// KilledOfReached returns Killed / Reached; 0 if none was reached.
func (c Count) KilledOfReached() float64 {
	if c.Reached == 0 {
		return 0
	}
	return float64(c.Killed) / float64(c.Reached)
}

func (c *Count) add(v Verdict) {
	c.Mutants++
	if v.Reached > 0 {
		c.Reached++
	}
	if len(v.Killers) > 0 {
		c.Killed++
	}
}

// A Group counts the mutants of one operator or file.
type Group struct {
	Name string `json:"name"`
	Count
}

// An OracleCount counts mutants by what killed them first.
type OracleCount struct {
	Oracle trial.OracleClass `json:"oracle"`
	Killed int               `json:"killed"`
}

// score sums a result up.
func score(lib *Library, drawn []Mutant, res *Result) Score {
	s := Score{Tests: len(res.Tests), Found: lib.Found - lib.Refused, Drawn: len(drawn)}
	for _, t := range res.Tests {
		if t.Usable {
			s.Usable++
		}
	}
	for _, m := range drawn {
		switch {
		case m.Equivalent:
			s.Equivalent++
		case m.Duplicates != 0:
			s.Duplicate++
		}
		if m.Compared {
			s.Compared++
		}
	}
	oracles := map[trial.OracleClass]int{}
	operators, files := map[string]*Count{}, map[string]*Count{}
	for _, v := range res.Mutants {
		s.add(v)
		countIn(operators, string(v.Operator)).add(v)
		countIn(files, v.File).add(v)
		if len(v.Killers) > 0 {
			oracles[v.Oracle]++
		}
	}
	s.Value, s.Low, s.High = proportion(s.Killed, s.Mutants, s.population())
	s.ByOperator, s.ByFile = groups(operators), groups(files)
	slices.SortFunc(s.ByOperator, func(a, b Group) int {
		return slices.Index(Operators, Operator(a.Name)) - slices.Index(Operators, Operator(b.Name))
	})
	for o, n := range oracles {
		s.ByOracle = append(s.ByOracle, OracleCount{o, n})
	}
	slices.SortFunc(s.ByOracle, func(a, b OracleCount) int { return cmp.Compare(a.Oracle, b.Oracle) })
	return s
}

// population returns how many mutants that count the sources have, by the share of them among
// those that were drawn.
func (s *Score) population() int {
	if s.Drawn == 0 {
		return 0
	}
	return int(math.Round(float64(s.Mutants) * float64(s.Found) / float64(s.Drawn)))
}

func countIn(m map[string]*Count, name string) *Count {
	if m[name] == nil {
		m[name] = &Count{}
	}
	return m[name]
}

func groups(m map[string]*Count) []Group {
	var all []Group
	for name, c := range m {
		all = append(all, Group{name, *c})
	}
	slices.SortFunc(all, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// proportion returns k/n and its 95 % interval by Wilson (1927) for n draws without replacement
// out of population: the correction for a finite population makes n draws worth
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
