package trial

// A Generation is what a tool that asks a model tells of how it worked. It holds no clock:
// the same seed and answers give the same Generation.
type Generation struct {
	Answers []AnswerCount     `json:"answers,omitempty"` // by stage, then outcome
	First   Attempts          `json:"first"`             // programs as the model first wrote them
	Final   Attempts          `json:"final"`             // the same after repair
	Repairs int               `json:"repairs"`           // attempts at repair
	Rounds  []GenerationRound `json:"rounds,omitempty"`
	Rules   []MinedRule       `json:"rules,omitempty"`
	Passes  []Pass            `json:"passes,omitempty"` // in their order; the same programs in each
	Lost    []NamedCount      `json:"lost,omitempty"`   // programs of the suite that a rule of a test refused (package straightline), by the rule; one may break several
	Notes   []string          `json:"notes,omitempty"`  // cautions about how the tool worked

	Invariants *Invariants `json:"invariants,omitempty"` // nil if the tool has no such stage
	Properties *Properties `json:"properties,omitempty"` // nil if the tool writes none

	Mutants *MutantFeedback `json:"mutants,omitempty"` // nil if the tool was told of none

	Suspicions []Suspicion `json:"suspicions,omitempty"` // in the order in which they were found
}

// An AnswerCount counts one stage's answers with one outcome (llm.Outcomes).
type AnswerCount struct {
	Stage   string `json:"stage"`
	Outcome string `json:"outcome"`
	Count   int    `json:"count"`
}

// Attempts counts programs by how far they came when the tool itself tried them.
type Attempts struct {
	Programs int `json:"programs"` // all: the denominator of the tool's own success rates
	Refused  int `json:"refused"`  // break the tool's policy; never run
	Compiled int `json:"compiled"`
	Executed int `json:"executed"` // ran to their end without an error
}

// Add counts a program with the outcome o.
func (a *Attempts) Add(o Outcome) {
	a.Programs++
	if o == Policy {
		a.Refused++
	}
	if o.Compiled() {
		a.Compiled++
	}
	if o == OK {
		a.Executed++
	}
}

// A GenerationRound is one round of prompts, with the state of the feedback after it. The
// counts of N-grams, programs, tokens and dollars are of all rounds so far.
type GenerationRound struct {
	Round    int      `json:"round"` // 1-based
	APIs     []string `json:"apis"`  // the combination that was asked for
	First    Attempts `json:"first"` // of this round
	Final    Attempts `json:"final"`
	NewGrams int      `json:"new_grams"` // found first in this round
	Grams    int      `json:"grams"`     // distinct N-grams
	Alpha    float64  `json:"alpha"`     // exponent of the condensation, 0..1
	Programs int      `json:"programs"`  // in the suite
	Tokens   int64    `json:"tokens"`
	Dollars  float64  `json:"dollars"`
}

// A MinedRule is a project rule that a tool made of errors that kept coming back.
type MinedRule struct {
	Round     int      `json:"round"` // after which it holds
	Signature string   `json:"signature"`
	Programs  []string `json:"programs"` // that failed with it, in order
	Text      string   `json:"text"`
	Origin    string   `json:"origin"` // model, or template where the model's answer was no rule
}

// A Pass is one step by which a tool mends its programs, with how many compile after it. The first
// is the programs as the model wrote them.
type Pass struct {
	Name     string `json:"name"`
	Compiled int    `json:"compiled"`
	Programs int    `json:"programs"`
}
