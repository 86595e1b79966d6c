package trial

import (
	"context"
	"time"
)

// A Mutant is a small change to the reference build's sources that a test should notice.
type Mutant struct {
	ID       int
	File     string // relative to the library's tree
	Line     int    // 1-based
	Source   string // the line, without the blanks around it
	Original string // text in it, on one line
	Mutated  string // what stands there instead; "" for nothing
	Function string
	// APIs are the public functions that lead to Function, by their canonical names, the nearest first.
	APIs []string
}

// A MutantRunner runs programs on mutants of the reference build, for a tool whose variant asks for
// them. They are made of the reference alone, and none of them is among those that a mutation score draws by
// default (package metrics/mutation). Safe for concurrent use.
type MutantRunner interface {
	// Mutants returns all that programs can be run on, by ID.
	Mutants(ctx context.Context) ([]Mutant, error)
	// RunMutants runs programs on the mutants with these IDs, in their order, and stops with a mutant at the
	// first program that kills it. A program that does not pass on the reference reaches and kills nothing.
	RunMutants(ctx context.Context, programs []Program, ids []int) (MutantRuns, error)
}

// MutantRuns are what programs do to mutants.
type MutantRuns struct {
	Reached []MutantReach `json:"reached,omitempty"` // the others are reached by no program
	CPU     time.Duration `json:"cpu_ns"`            // of all runs
}

// A MutantReach is a mutant to whose place some program comes.
type MutantReach struct {
	ID       int   `json:"id"`
	Programs []int `json:"programs"`         // indexes of those that come there
	Killed   bool  `json:"killed,omitempty"` // one of these fails on it, and on the reference none
}

// MutantFeedback says what became of the mutants that a tool was told of.
type MutantFeedback struct {
	Mutants int `json:"mutants"` // that programs were run on
	Reached int `json:"reached"` // by some program
	Killed  int `json:"killed"`  // by some program
	Shown   int `json:"shown"`   // in a prompt, as reached and not killed
	// KilledShown are those of Shown that a later program killed.
	KilledShown int `json:"killed_shown"`
}
