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

	// Survivors are the mutants that are reached and not killed, the most telling first.
	Survivors []Survivor `json:"survivors,omitempty"`

	CPU time.Duration `json:"cpu_ns"` // of all runs of tests
}

// A Survivor is a mutant that tests reach and none notices.
type Survivor struct {
	ID       int      `json:"id"`   // as in KilledIn
	File     string   `json:"file"` // relative to the library's tree
	Line     int      `json:"line"` // 1-based
	Function string   `json:"function"`
	Original string   `json:"original"` // source text, on one line
	Mutated  string   `json:"mutated"`  // what stands there instead; "" for nothing
	Tests    []string `json:"tests"`    // IDs of those that reach it
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
