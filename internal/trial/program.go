package trial

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Outcome is the verdict on one test program. The zero value is invalid, so that
// a forgotten verdict cannot pass for a good one.
type Outcome string

// The outcomes of a test program (design.md, section 2).
const (
	OK           Outcome = "ok"
	CompileError Outcome = "compile_error"
	LinkError    Outcome = "link_error"
	Crash        Outcome = "crash"        // killed by a signal, or a sanitizer report
	Assertion    Outcome = "assertion"    // a failed assert()
	Timeout      Outcome = "timeout"      // wall or CPU limit
	NonzeroExit  Outcome = "nonzero_exit" // ended by itself with a status other than 0
	Policy       Outcome = "policy"       // refused by its own tool before it was run
	Flaky        Outcome = "flaky"        // repeated runs disagreed
)

// Outcomes lists every outcome in the order in which tables print them.
var Outcomes = []Outcome{OK, CompileError, LinkError, Crash, Assertion, Timeout, NonzeroExit, Policy, Flaky}

// Compiled reports whether a program with this outcome was compiled and linked.
func (o Outcome) Compiled() bool {
	return o != "" && o != CompileError && o != LinkError && o != Policy
}

// An OracleClass says what made a test fail, so that tables never mix kinds of oracles.
type OracleClass string

// The oracle classes (design.md, section 2).
const (
	OracleSpecification OracleClass = "specification" // argued from documents
	OracleJudgement     OracleClass = "judgement"     // argued by a model, with no sentence of a document
	// OracleRepaired is an assertion that was written after its author was shown what the reference
	// build returned: it may be argued from documents, and it may be that value.
	OracleRepaired  OracleClass = "repaired_to_value"
	OracleReference OracleClass = "reference" // recorded on the reference build
	OracleCrash     OracleClass = "crash"
	OracleHang      OracleClass = "hang"
)

// A Language is the language of a library's API and of the tests written for it.
type Language string

// The languages of the benchmark's libraries.
const (
	C   Language = "c"
	CXX Language = "c++"
)

// Ext returns the file name extension of a source file, with its dot.
func (l Language) Ext() string {
	if l == CXX {
		return ".cc"
	}
	return ".c"
}

// A Program is one generated test: a complete translation unit that either defines
// main or one or more test functions `void|int NAME(void)` (see execute/testrun).
type Program struct {
	ID     string      `json:"id"` // unique within its suite, e.g. "p00017"
	Lang   Language    `json:"lang"`
	Source string      `json:"source"`
	Oracle OracleClass `json:"oracle,omitempty"` // class of its assertions; "" if it makes none
	Origin string      `json:"origin,omitempty"` // file it was taken from, if a person or an external tool wrote it
	// Refused is why the tool gave the program up without running it; "" if it did not. Such a
	// program counts as generated and is never run.
	Refused string `json:"refused,omitempty"`
}

// RepairedMark in the comment behind an assertion says that its class is OracleRepaired.
const RepairedMark = "[oracle: repaired_to_value]"

// OracleAt is the class of the assertion on a line of the program, 1-based. Line 0 stands for one
// that is not known: of a program with assertions of several classes it is the weakest.
func (p Program) OracleAt(line int) OracleClass {
	if p.Oracle != OracleSpecification || !strings.Contains(p.Source, RepairedMark) {
		return p.Oracle
	}
	n := 0
	for text := range strings.Lines(p.Source) {
		if n++; (line == 0 || n == line) && strings.Contains(text, RepairedMark) {
			return OracleRepaired
		}
	}
	return p.Oracle
}

// AssertionFailure is what a failed assert() reported.
type AssertionFailure struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Func string `json:"func,omitempty"`
	Expr string `json:"expr"`
}

// MaxStdout is how many bytes of a program's standard output a Result keeps: the first.
const MaxStdout = 64 << 10

// A Result is what happened to one program on one build.
type Result struct {
	ID         string            `json:"id"` // the program's
	Outcome    Outcome           `json:"outcome"`
	Signal     int               `json:"signal,omitempty"`
	ExitCode   int               `json:"exit_code,omitempty"`
	Assertion  *AssertionFailure `json:"assertion,omitempty"`
	Diagnostic string            `json:"diagnostic,omitempty"` // compiler, linker or sanitizer text, capped
	Stdout     string            `json:"stdout,omitempty"`     // at most MaxStdout bytes
	Stderr     string            `json:"stderr,omitempty"`     // last 64 KiB
	WallMs     float64           `json:"wall_ms"`
	CPUMs      float64           `json:"cpu_ms"`
	// Counters holds the library's raw coverage counters after the run when coverage was
	// asked for, in the order of the build's profile; never stored in a journal.
	Counters []uint64 `json:"-"`
}

// CPU is the processor time that the run took.
func (r Result) CPU() time.Duration { return time.Duration(r.CPUMs * float64(time.Millisecond)) }

// Wall is how long the run took.
func (r Result) Wall() time.Duration { return time.Duration(r.WallMs * float64(time.Millisecond)) }

// SuiteSchema is the version of suite.json.
const SuiteSchema = 1

// SuiteFile is the name of a suite's manifest in its directory.
const SuiteFile = "suite.json"

// GivenDir is the directory of Suite.Given in a suite's.
const GivenDir = "given"

// An Input is a file that a tool reads because a parameter names it, or the directory that it lies in.
type Input struct{ Param, Path string }

// A SuiteKind says what a suite consists of.
type SuiteKind string

// The kinds of suites.
const (
	KindPrograms  SuiteKind = "programs"  // C/C++ test programs
	KindCorpus    SuiteKind = "corpus"    // inputs of libFuzzer targets
	KindKnowledge SuiteKind = "knowledge" // a library's knowledge base, for other cells to use: nothing to measure
)

// A Suite is what one tool made for one library in one trial: the manifest of its
// directory.
type Suite struct {
	Schema   int           `json:"schema"`
	Kind     SuiteKind     `json:"kind"`
	Programs []SuiteEntry  `json:"programs,omitempty"`
	Inputs   []CorpusInput `json:"inputs,omitempty"`
	Files    []MadeFile    `json:"files,omitempty"` // of a knowledge base
	Given    []MadeFile    `json:"given,omitempty"` // copies of what the tool was given by its parameters: GivenDir/PARAMETER/FILE
	Stop     StopReason    `json:"stop"`
	Usage    Usage         `json:"usage"`
	Before   *Usage        `json:"before,omitempty"` // spent on the seeds that it was made from, by another cell; not in Usage

	Generation *Generation `json:"generation,omitempty"` // nil if the tool asked no model
}

// EntryID is the ID of the nth program of a suite, n from 1.
func EntryID(n int) string { return fmt.Sprintf("p%05d", n) }

// A SuiteEntry is one program of a suite.
type SuiteEntry struct {
	ID      string        `json:"id"`   // EntryID
	File    string        `json:"file"` // relative to the suite
	Lang    Language      `json:"lang"`
	Oracle  OracleClass   `json:"oracle,omitempty"`
	Origin  string        `json:"origin,omitempty"`  // as Program.Origin
	Refused string        `json:"refused,omitempty"` // as Program.Refused
	SHA256  string        `json:"sha256"`
	Elapsed time.Duration `json:"elapsed_ns"`        // ledger time at which it was added
	Tokens  int64         `json:"tokens,omitempty"`  // of models, spent by then
	Dollars float64       `json:"dollars,omitempty"` // for models, spent by then
}

// A CorpusInput is one input of a fuzzing corpus.
type CorpusInput struct {
	Target  string        `json:"target"`
	File    string        `json:"file"` // relative to the suite
	SHA256  string        `json:"sha256"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Crash   bool          `json:"crash,omitempty"` // libFuzzer kept it as a crash, hang or out-of-memory input
}

// Listed returns every file that the suite lists.
func (s Suite) Listed() []MadeFile {
	all := slices.Concat(s.Files, s.Given)
	for _, p := range s.Programs {
		all = append(all, MadeFile{File: p.File, SHA256: p.SHA256})
	}
	for _, in := range s.Inputs {
		all = append(all, MadeFile{File: in.File, SHA256: in.SHA256})
	}
	return all
}

// A MadeFile is a file of a suite: in Files and Given one that is neither program nor input.
type MadeFile struct {
	File   string `json:"file"` // relative to the suite
	SHA256 string `json:"sha256"`
}
