package trial

import "time"

// A Mutation says how many mutants of the library's reference a suite kills (package
// metrics/mutation).
type Mutation struct {
	MutantCount
	// Score is Killed / Mutants. Low and High are the ends of its 95 % interval: what the
	// drawing of mutants leaves open, and nothing of what another suite of the tool would do.
	// They are Score where all mutants were run.
	Score float64 `json:"score"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`

	Found  int `json:"found"` // mutants that the library's sources have; Mutants were drawn of these
	Tests  int `json:"tests"`
	Usable int `json:"usable"` // tests that passed on the reference in each of three runs

	ByOracle   []MutantOracle `json:"by_oracle,omitempty"`   // of what killed a mutant first
	ByOperator []MutantGroup  `json:"by_operator,omitempty"` // in the order of the operators

	// Set tells which mutants were drawn. Suites with the same one were run on the same mutants, and can
	// be compared mutant by mutant: KilledIn has the IDs of those that were killed, by function.
	Set      string           `json:"set"`
	KilledIn map[string][]int `json:"killed_in,omitempty"`

	CPU time.Duration `json:"cpu_ns"` // of all runs of tests
}

// A MutantCount counts mutants.
type MutantCount struct {
	Mutants int `json:"mutants"`
	Reached int `json:"reached"` // some test comes to their place
	Killed  int `json:"killed"`  // some test tells them from the library
}

// A MutantGroup counts the mutants of one operator.
type MutantGroup struct {
	Name string `json:"name"`
	MutantCount
}

// A MutantOracle counts the mutants that tests killed by one oracle class.
type MutantOracle struct {
	Oracle OracleClass `json:"oracle"`
	Killed int         `json:"killed"`
}

// KilledBy returns how many mutants were killed by an oracle class first.
func (m *Mutation) KilledBy(o OracleClass) int {
	for _, c := range m.ByOracle {
		if c.Oracle == o {
			return c.Killed
		}
	}
	return 0
}
