package trial

import (
	"fmt"
	"strings"
	"time"
)

// RecordSchema is the version of record.json.
const RecordSchema = 3

// A Record is everything measured of one complete cell. It is made of parts: each has a value, or a
// reason why it could not be measured. What cannot exist has neither, such as the programs of a
// fuzzing corpus.
type Record struct {
	Schema    int             `json:"schema"`
	Key       string          `json:"key"` // hash of everything that can change the result
	Cell      Cell            `json:"cell"`
	Answers   string          `json:"answers,omitempty"` // who answered the tool's model: base URL of an endpoint, or provider and directory
	Kind      SuiteKind       `json:"kind"`
	Stop      StopReason      `json:"stop"`
	Usage     Usage           `json:"usage"`
	Before    *Usage          `json:"before,omitempty"`   // as Suite.Before
	Programs  *ProgramCounts  `json:"programs,omitempty"` // nil for a fuzzing corpus
	Inputs    int             `json:"inputs,omitempty"`   // of a fuzzing corpus
	Coverage  *Coverage       `json:"coverage,omitempty"`
	Uncovered *Uncovered      `json:"uncovered,omitempty"` // nil if no mutants were asked for
	Growth    []GrowthPoint   `json:"growth,omitempty"`
	Bugs      []BugResult     `json:"bugs,omitempty"`
	Alarms    []TestReference `json:"alarms,omitempty"`   // false alarms, first ones by program order
	Failures  []TestReference `json:"failures,omitempty"` // other programs that do not pass on the reference build, first ones by program order
	Flags     []Flag          `json:"flags,omitempty"`    // reasons to look at the suite, each with a note
	Notes     []string        `json:"notes,omitempty"`    // cautions that every renderer prints

	Verifications *Verifications `json:"verifications,omitempty"` // nil for a fuzzing corpus

	Mutation *Mutation `json:"mutation,omitempty"` // nil if it was not asked for, and for a fuzzing corpus

	Generation *Generation `json:"generation,omitempty"` // nil if the tool asked no model

	// Missing has the reasons of parts without a value, but for PartDetections: each bug has its own.
	Missing map[Part]Reason `json:"missing,omitempty"`
}

// Total is what the suite cost, the seeds that another cell made included.
func (r *Record) Total() Usage {
	if r.Before == nil {
		return r.Usage
	}
	return r.Usage.Plus(*r.Before)
}

// ProgramCounts counts a suite's programs by their outcome on the reference build.
type ProgramCounts struct {
	Generated   int             `json:"generated"`
	Compiled    int             `json:"compiled"`     // CSR numerator
	Executed    int             `json:"executed"`     // ESR numerator: outcome ok
	FalseAlarms int             `json:"false_alarms"` // fail by assertion on the reference build
	Outcomes    map[Outcome]int `json:"outcomes"`
}

// CSR returns how many of the programs compile, in percent; ok is false when there are no programs.
func (p *ProgramCounts) CSR() (pct float64, ok bool) { return percent(p.Compiled, p.Generated) }

// ESR returns how many of the programs run, in percent; ok is false when there are no programs.
func (p *ProgramCounts) ESR() (pct float64, ok bool) { return percent(p.Executed, p.Generated) }

// Verifications counts what the assertions of a suite's programs verify (AUVC; the paper,
// sec:eval-metrics). All but Seeds and Programs are of the programs that pass on the reference build.
type Verifications struct {
	Seeds      int `json:"seeds"`    // T_total: valid seeds of the cell; of a tool that has no seeds, its programs
	Programs   int `json:"programs"` // all of the suite
	Passing    int `json:"passing"`  // T_pass: outcome ok on the reference build
	Unique     int `json:"unique"`   // sum of U(t)
	Assertions int `json:"assertions"`
	// The other assertions: equivalent to an earlier one, cannot fail, cannot pass.
	Repeated       int `json:"repeated"`
	Tautologies    int `json:"tautologies"`
	Contradictions int `json:"contradictions"`
	// Of the assertions, those understood whole and those with a part that is compared by its text.
	Translated int `json:"translated"`
	Structural int `json:"structural"`
	GivenUp    int `json:"given_up"`             // assertions beyond the work that is done for one program
	Truncated  int `json:"truncated,omitempty"`  // programs of which only a part was read
	Unreadable int `json:"unreadable,omitempty"` // passing programs that are too large to be read; they count 0
}

// AUVC returns the average unique verifications count, Unique over Seeds; ok is false when
// nothing was counted or there are no seeds.
func (v *Verifications) AUVC() (mean float64, ok bool) { return v.mean(func() int { return v.Seeds }) }

// PerProgram is Unique over Programs, as AUVC.
func (v *Verifications) PerProgram() (mean float64, ok bool) {
	return v.mean(func() int { return v.Programs })
}

// SetSeeds sets Seeds from what the tool tells of its seeds, if it tells of any.
func (v *Verifications) SetSeeds(g *Generation) {
	switch {
	case v == nil:
	case g != nil && g.Invariants != nil:
		v.Seeds = g.Invariants.Seeds
	default:
		v.Seeds = v.Programs
	}
}

func (v *Verifications) mean(total func() int) (float64, bool) {
	if v == nil || total() == 0 {
		return 0, false
	}
	return float64(v.Unique) / float64(total()), true
}

// Coverage is library coverage as llvm-cov counts it.
type Coverage struct {
	LinesCovered     int `json:"lines_covered"`
	LinesTotal       int `json:"lines_total"`
	BranchesCovered  int `json:"branches_covered"`
	BranchesTotal    int `json:"branches_total"`
	FunctionsCovered int `json:"functions_covered"`
	FunctionsTotal   int `json:"functions_total"`
	RegionsCovered   int `json:"regions_covered"`
	RegionsTotal     int `json:"regions_total"`
}

// Uncovered is what no test executes, in the order of the sources.
type Uncovered struct {
	Functions []Uncalled `json:"functions,omitempty"`
	Branches  []Untaken  `json:"branches,omitempty"` // of functions that are called
}

// An Uncalled is a function that no test calls.
type Uncalled struct {
	File     string `json:"file"` // relative to the library's tree
	Line     int    `json:"line"` // 1-based
	Function string `json:"function"`
}

// An Untaken is a condition that is never true, or never false.
type Untaken struct {
	Uncalled
	Column int  `json:"column"` // 1-based
	Never  bool `json:"never"`  // the value that it never has
}

// LineCovPct returns line coverage in percent, 0..100; ok is false when there are no lines.
func (c Coverage) LineCovPct() (pct float64, ok bool) { return percent(c.LinesCovered, c.LinesTotal) }

// BranchCovPct returns branch coverage in percent, 0..100; ok is false when there are no branches.
func (c Coverage) BranchCovPct() (pct float64, ok bool) {
	return percent(c.BranchesCovered, c.BranchesTotal)
}

func percent(n, of int) (float64, bool) {
	if of == 0 {
		return 0, false
	}
	return 100 * float64(n) / float64(of), true
}

// A GrowthPoint is cumulative coverage after a number of programs (or inputs).
type GrowthPoint struct {
	Programs        int           `json:"programs"`
	Elapsed         time.Duration `json:"elapsed_ns"`
	Tokens          int64         `json:"tokens,omitempty"`  // as SuiteEntry.Tokens
	Dollars         float64       `json:"dollars,omitempty"` // as SuiteEntry.Dollars
	LinesCovered    int           `json:"lines_covered"`
	BranchesCovered int           `json:"branches_covered"`
}

// A BugResult is what a suite's tests do on one bug.
type BugResult struct {
	Bug      string  `json:"bug"`
	Detected bool    `json:"detected"`
	Missing  *Reason `json:"missing,omitempty"` // why the bug could not be checked; the rest is then empty
	Tests    int     `json:"tests"`             // programs or inputs that detect it
	// Why tests that fail do not count, as Exclusion has it.
	Flaky          int `json:"flaky,omitempty"`
	DependsOnBuild int `json:"depends_on_build,omitempty"`
	DoesNotReach   int `json:"does_not_reach,omitempty"`

	Untried int             `json:"untried,omitempty"` // not run any more after several had hung: Tests is a lower bound
	Oracles []OracleClass   `json:"oracles,omitempty"` // of all detecting tests, sorted
	First   []TestReference `json:"first,omitempty"`   // the first few detecting tests
	Nearest []TestReference `json:"nearest,omitempty"` // if none detects it: the first few tests that execute what the bug changes
	Classes []ClassCount    `json:"classes,omitempty"` // detecting tests by oracle class, in the order of Oracles
	Failed  []FailedLine    `json:"failed,omitempty"`  // of each detecting test of class specification, the assertion that failed
	Fuzzed  *Fuzzed         `json:"fuzzed,omitempty"`  // what a fuzzer spent on the buggy build; nil for other tools
	Steps   *BugSteps       `json:"steps,omitempty"`   // how far the bug came on its way to a test that fails; nil if nobody asked
}

// BugSteps says how far a bug came. It follows the model of Ammann and Offutt (Introduction to Software Testing, 2nd
// ed., section 2.1: reached, infected, propagated, revealed), as far as it shows outside of the library. It
// counts tests that pass on the build without the bug; each step's are among the step's before. Revealed are
// BugResult.Tests.
type BugSteps struct {
	Reached    int     `json:"reached"`              // execute a function that the bug changes, or as Anywhere says
	Propagated int     `json:"propagated"`           // of these, get another value through the API than without the bug, or end otherwise
	Unobserved int     `json:"unobserved,omitempty"` // of these, tests whose values cannot be observed
	Why        string  `json:"why,omitempty"`        // why no test's can, "" if some can
	Anywhere   string  `json:"anywhere,omitempty"`   // why every test counts as one that reaches it, "" if not
	Missing    *Reason `json:"missing,omitempty"`    // why the steps are not known; the rest is then empty
}

// Step returns the last step that a bug came to.
func (b BugResult) Step() Step {
	switch {
	case b.Detected:
		return Revealed
	case b.Steps == nil || b.Steps.Missing != nil:
		return UnknownStep
	case b.Steps.Propagated > 0:
		return Propagated
	case b.Steps.Reached > 0:
		return Reached
	}
	return NotReached
}

// A Step is how far a bug came.
type Step int

// The steps, in their order.
const (
	UnknownStep Step = iota
	NotReached
	Reached
	Propagated
	Revealed
)

// Fuzzed is what fuzzing the buggy build of one bug took, its harnesses together.
type Fuzzed struct {
	Execs int64         `json:"execs"`
	Wall  time.Duration `json:"wall_ns"`
}

// A ClassCount counts detecting tests of one oracle class.
type ClassCount struct {
	Oracle OracleClass `json:"oracle"`
	Tests  int         `json:"tests"`
}

// A FailedLine is where the assertion is that failed in a test.
type FailedLine struct {
	Test string `json:"test"` // its ID
	Line int    `json:"line"` // 1-based; that of the assertion's last token
	Expr string `json:"expr"`
}

// A TestReference points at a test and says how it failed.
type TestReference struct {
	ID        string            `json:"id"`
	File      string            `json:"file"`             // relative to the cell directory
	Origin    string            `json:"origin,omitempty"` // as Program.Origin
	Outcome   Outcome           `json:"outcome"`
	Oracle    OracleClass       `json:"oracle,omitempty"`
	Signal    int               `json:"signal,omitempty"`
	Assertion *AssertionFailure `json:"assertion,omitempty"`
	Elapsed   time.Duration     `json:"elapsed_ns"`
	Tokens    int64             `json:"tokens,omitempty"`  // as SuiteEntry.Tokens
	Dollars   float64           `json:"dollars,omitempty"` // as SuiteEntry.Dollars
	Detail    string            `json:"detail,omitempty"`
}

// An Incomplete says why a cell has no record.
type Incomplete struct {
	Cell    Cell   `json:"cell"`
	Kind    string `json:"kind"` // source, build, tool, evaluate, missing_harness, missing_tool, tool_… (package exttool), disk, interrupted
	Message string `json:"message"`
}

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

// An Exclusion says why a test that passes without a bug and fails with it does not count as a detection.
type Exclusion string

// The exclusions.
const (
	IsFlaky        Exclusion = "flaky"            // it ends otherwise from run to run
	DependsOnBuild Exclusion = "depends_on_build" // it fails on builds that behave as the reference and are not it
	DoesNotReach   Exclusion = "does_not_reach"   // it executes nothing that the bug changes
	ForgedCoverage Exclusion = "forged_coverage"  // it writes to the coverage counters itself
)

// A Flag is a reason to look at a suite. What is flagged counts neither as a detection nor, with ForgedCoverage, as
// coverage.
type Flag struct {
	Kind  Exclusion `json:"kind"`
	Tests int       `json:"tests"`           // how many
	First []string  `json:"first,omitempty"` // IDs of the first few
	Bugs  []string  `json:"bugs,omitempty"`  // on whose builds it was seen
}

// String is the note that a report prints.
func (f Flag) String() string {
	what := map[Exclusion]string{
		DependsOnBuild: "depends on the build: fails on builds that behave as the reference and are not it",
		IsFlaky:        "flaky: ends otherwise from run to run",
		DoesNotReach:   "fails on the build with a bug without executing what the bug changes",
		ForgedCoverage: "writes to the coverage counters itself: covers and detects nothing",
	}[f.Kind]
	return fmt.Sprintf("not counted: %s (%s), %s", Count(f.Tests, "test"), strings.Join(f.First, ", "), what)
}
