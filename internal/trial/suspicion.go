package trial

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
