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
	Skew     float64  `json:"skew"`      // coefficient of variation of the normalised energies
	Alpha    float64  `json:"alpha"`     // exponent of the condensation, 0..1
	Gini     float64  `json:"gini"`      // of the energies, 0..1
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

// Invariants tells how a tool put assertions into programs that ran without them.
type Invariants struct {
	Seeds    int `json:"seeds"`    // valid ones: they run on the reference build, T_total of AUVC
	Unfit    int `json:"unfit"`    // of Seeds, those that fail under the sanitizers or with perturbed memory: left as they are
	Unsplit  int `json:"unsplit"`  // of Seeds, those whose steps cannot be told apart: one chunk each
	Finished int `json:"finished"` // of Seeds, those that ended with at least one assertion

	Chunks     int   `json:"chunks"`             // asked for
	Unchanged  int   `json:"unchanged"`          // came back without an assertion
	Restored   int   `json:"restored"`           // went back to what they were
	Repaired   []int `json:"repaired,omitempty"` // chunks accepted after that many repairs; the first element is 0 repairs
	Assertions int   `json:"assertions"`         // in the finished programs

	Failures []NamedCount `json:"failures,omitempty"` // of answers, by what was wrong
	Kinds    []NamedCount `json:"kinds,omitempty"`    // assertions by kind of invariant, as the model named it
	Sources  []NamedCount `json:"sources,omitempty"`  // assertions by the source of the contract they cite

	Mended int `json:"mended,omitempty"` // of Assertions, those that were written after a prompt had shown what the reference returned: OracleRepaired

	Asserted []Asserted `json:"asserted,omitempty"` // the assertions of the finished programs, in their order
}

// Asserted says what kind of invariant an assertion of a finished program is, and what it rests on.
type Asserted struct {
	Program  int    `json:"program"` // number in the suite, 1-based
	First    int    `json:"first"`   // lines that it takes, 1-based
	Last     int    `json:"last"`
	Kind     string `json:"kind"`               // as in Kinds
	Source   string `json:"source"`             // as in Sources
	Contract string `json:"contract,omitempty"` // that it cites
	Mended   bool   `json:"mended,omitempty"`   // as in Invariants.Mended
}

// A NamedCount counts things of one name.
type NamedCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Properties tells how a tool wrote property tests.
type Properties struct {
	Planned int `json:"planned"` // programs that its plan asks for
	Asked   int `json:"asked"`   // of Planned

	Exclusions []NamedCount `json:"exclusions,omitempty"` // cases left out on the reference build, by name
	Failures   []NamedCount `json:"failures,omitempty"`   // of checked programs and their tests, by what was wrong
	Verdicts   []NamedCount `json:"verdicts,omitempty"`   // second opinions, by what they hold for wrong
}

// A Suspicion is an assertion argued from documents that failed on the reference build: either the
// assertion misreads them, or the library breaks them. A tool keeps every one (package suspicion), whatever its repair
// makes of the assertion in the suite. It is never counted as a detection. The tool, library and
// edition are those of its cell.
type Suspicion struct {
	ID      string `json:"id"`      // within its cell, e.g. s001
	Program string `json:"program"` // file of the shortest program found that shows it, with a main; relative to the cell directory
	Script  string `json:"script"`  // compiles that and runs it; relative to the cell directory
	Line    int    `json:"line"`    // of the assertion in Program, 1-based
	Place   string `json:"place"`   // where the tool wanted it, e.g. "p00007, step 3"

	Assertion string   `json:"assertion"`        // its condition
	Kind      string   `json:"kind,omitempty"`   // of invariant, as the tool names it
	Values    []string `json:"values,omitempty"` // what the reference returned: operands when it failed, "name = value"

	Argument string `json:"argument,omitempty"` // why the tool asserted it, in its words
	Contract string `json:"contract,omitempty"` // id in the knowledge base, if one was cited
	Sentence string `json:"sentence,omitempty"` // of a document, that supports it; "" if none is known
	Document string `json:"document,omitempty"` // where the sentence is

	Insisted int     `json:"insisted,omitempty"` // later answers that kept it, though told that it fails
	Fate     Fate    `json:"fate,omitempty"`
	Opinion  Opinion `json:"opinion"`
}

// A Fate is what became of a suspicion's assertion in the suite.
type Fate string

// The fates of assertions.
const (
	FateMended  Fate = "mended"  // the tool wrote another one, or none, in its place
	FateRemoved Fate = "removed" // it was taken out, for no repair mended it
	FateKept    Fate = "kept"    // it stayed, and its test fails
)

// An Opinion is a second judgement of a suspicion, by a model that saw only documents and the outcome.
type Opinion struct {
	Verdict OpinionVerdict `json:"verdict"`
	Why     string         `json:"why,omitempty"` // in the model's words; of an unasked one, why it was not asked
}

// An OpinionVerdict says whether the documents promise what a suspicion asserts.
type OpinionVerdict string

// The verdicts of opinions.
const (
	Upheld    OpinionVerdict = "upheld"    // they do: the library breaks them
	Contested OpinionVerdict = "contested" // they do not, or can be read otherwise
	Unasked   OpinionVerdict = "unasked"
)

// A Comparison is what a run's suspicions do on another version of the library.
type Comparison struct {
	Library string   `json:"library"`
	Edition string   `json:"edition"` // of the run
	Version string   `json:"version"` // as it was asked for; of a directory its last part
	ID      string   `json:"id"`      // pin, commit or hash of that version
	Earlier bool     `json:"earlier"` // that version is older than the run's
	Changes []Change `json:"changes"` // by rank
}

// A Change is one suspicion on the other version.
type Change struct {
	Cell      string        `json:"cell"` // its ID
	Suspicion string        `json:"suspicion"`
	Rank      int           `json:"rank"`
	Outcome   ChangeOutcome `json:"verdict"`
	Values    []string      `json:"values,omitempty"` // what that version returned
	Detail    string        `json:"detail,omitempty"`
}

// A ChangeOutcome says what became of a suspicion between two versions.
type ChangeOutcome string

// The outcomes.
const (
	Fixed     ChangeOutcome = "fixed"       // fails on the earlier version, holds on the later one
	Broken    ChangeOutcome = "broken"      // a regression: holds on the earlier and fails on the later one, or crashes or hangs there and not before
	Remains   ChangeOutcome = "still there" // fails on both
	CannotRun ChangeOutcome = "cannot run"  // does not compile there, ends otherwise, or its runs disagree
)

// ChangeOutcomes lists them in the order in which tables print them.
var ChangeOutcomes = []ChangeOutcome{Fixed, Broken, Remains, CannotRun}

// Of returns what became of a suspicion of a cell; ok is false if the comparison is not about it.
func (c Comparison) Of(cell Cell, suspicion string) (change Change, ok bool) {
	for _, ch := range c.Changes {
		if ch.Cell == cell.ID() && ch.Suspicion == suspicion {
			return ch, true
		}
	}
	return Change{}, false
}
