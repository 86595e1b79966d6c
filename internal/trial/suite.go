package trial

import (
	"fmt"
	"slices"
	"time"
)

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
