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
