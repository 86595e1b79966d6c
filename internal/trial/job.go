package trial

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"
)

// DefaultVariant is a tool with nothing changed: the baseline of its other variants.
const DefaultVariant = "default"

// A Cell names the unit of work, of resume and of distribution.
type Cell struct {
	Tool    string `json:"tool"`
	Variant string `json:"variant"`
	Library string `json:"library"`
	Edition string `json:"edition"`
	Trial   int    `json:"trial"` // 1-based
	Seed    Seed   `json:"seed"`
}

// ID is the cell's directory name and its name in logs and tables.
func (c Cell) ID() string {
	return fmt.Sprintf("%s.%s.%s.%s.%d", c.Tool, c.Variant, c.Library, c.Edition, c.Trial)
}

// A FuzzTarget is one official libFuzzer harness of a library.
type FuzzTarget struct {
	Name       string   `json:"name"`
	Source     string   `json:"source"` // absolute path; unmodified
	IncludeDir []string `json:"include_dirs,omitempty"`
	Defines    []string `json:"defines,omitempty"`
	Seeds      []string `json:"seeds,omitempty"` // absolute paths of files and directories
	Dictionary string   `json:"dictionary,omitempty"`
	Options    []string `json:"options,omitempty"`    // libFuzzer flags of the project's .options file
	Executable string   `json:"executable,omitempty"` // absolute; the harness linked with libFuzzer and the reference build
	Missing    string   `json:"missing,omitempty"`    // why it cannot be had here; the rest is then empty
}

// A Target is everything a tool may know of the library it tests: the reference build,
// its headers and documents. It holds no history, no bug and nothing later than the pin.
type Target struct {
	Library      string       `json:"library"`
	Language     Language     `json:"language"`
	Description  string       `json:"description"`
	Headers      []string     `json:"headers"`      // as written in #include <...>
	IncludeDirs  []string     `json:"include_dirs"` // absolute
	Defines      []string     `json:"defines,omitempty"`
	ExcludedAPIs []string     `json:"excluded_apis,omitempty"`
	SourceDir    string       `json:"source_dir"` // the library's tree as tools may see it
	SharedLib    string       `json:"shared_lib"` // the reference build
	StaticLib    string       `json:"static_lib,omitempty"`
	LinkLibs     []string     `json:"link_libs,omitempty"` // for a link with StaticLib, e.g. -lm
	Documents    []string     `json:"documents"`           // relative to SourceDir
	Rules        []Rule       `json:"rules,omitempty"`
	FuzzTargets  []FuzzTarget `json:"fuzz_targets,omitempty"` // for a tool that Needs them
}

// Needs are the builds that a tool uses beside the plain reference build. They are made before its
// budget begins, and for no other tool.
type Needs struct {
	Sanitizer   bool // ExecOptions.Sanitize
	FuzzTargets bool // Target.FuzzTargets
	Mutants     bool // Job.Mutants
	Coverage    bool // Job.Coverage
}

// A Rule tells the writer of a test program how the library wants to be used.
type Rule struct {
	ID   string   `json:"id"`
	Text string   `json:"text"`           // an instruction
	APIs []string `json:"apis,omitempty"` // that it is about; empty: the whole library
}

// ExecOptions says how an Executor runs programs.
type ExecOptions struct {
	// Runs is how often each program is run; results that disagree are Flaky. 0 means 1.
	Runs int
	// Sanitize runs on the ASan+UBSan build instead of the plain one.
	Sanitize bool
	// Perturb runs with another heap fill pattern, address layout (MALLOC_PERTURB_, stack offset) and
	// date, to expose values that depend on uninitialised memory, addresses or the calendar.
	Perturb bool
	// Stdout keeps each program's standard output in its result.
	Stdout bool
}

// Ways are how a program must run that is to be relied upon: as o says, with other memory, and under
// the sanitizers.
func Ways(o ExecOptions) []ExecOptions {
	perturbed, sanitized := o, o
	perturbed.Perturb, sanitized.Sanitize = true, true
	return []ExecOptions{o, perturbed, sanitized}
}

// An Executor compiles programs and runs them on the reference build, in a sandbox.
// results[i] belongs to programs[i]. An error means that the harness broke, never that
// a program is bad.
type Executor interface {
	Run(ctx context.Context, programs []Program, o ExecOptions) (results []Result, err error)
}

// Execute runs programs, if there are any, and returns as many results, or an error.
func Execute(ctx context.Context, e Executor, programs []Program, o ExecOptions) ([]Result, error) {
	if len(programs) == 0 {
		return nil, nil
	}
	results, err := e.Run(ctx, programs, o)
	if err == nil && len(results) != len(programs) {
		err = fmt.Errorf("executor returned %d results for %d programs", len(results), len(programs))
	}
	return results, err
}

// A SuiteWriter takes a tool's finished programs in order. Add charges one program to the
// ledger. After a restart the same programs must come in the same order; those already
// kept are not written again.
type SuiteWriter interface {
	Add(p Program) error
}

// A CorpusWriter takes the inputs of a fuzzer's suite. AddInput copies the file at path
// into the suite, under the target's corpus or, for an input that libFuzzer kept as a
// crash, hang or out-of-memory input, under its crashes. The name is that of its content. elapsed is the
// ledger time at which the input was found, 0 for a seed. Adding the same content to a
// target again changes nothing, so a resumed tool simply adds everything. Nothing is charged.
type CorpusWriter interface {
	AddInput(target, path string, elapsed time.Duration, crash bool) error
}

// An IncompleteError is a tool's reason for leaving no suite that is not a fault of the
// harness, such as an official fuzz harness that does not exist. The runner records the
// cell as incomplete with this kind and message.
type IncompleteError struct {
	Kind    string // as Incomplete.Kind
	Message string
	Err     error // the cause, if an error is; a full disk stops the whole run
}

func (e *IncompleteError) Error() string { return e.Kind + ": " + e.Message }

func (e *IncompleteError) Unwrap() error { return e.Err }

// A Job is one cell's work as its tool sees it.
type Job struct {
	Target Target
	Params map[string]any // the variant's, validated by the tool
	Seed   Seed
	Dir    string // the tool's own scratch directory, kept with the cell; nothing else may be written
	Exec   Executor
	// Mutants is nil but for a tool that Needs them.
	Mutants MutantRunner
	// Coverage is nil but for a tool that Needs it.
	Coverage CoverageRunner
	Suite    SuiteWriter
	Corpus   CorpusWriter // instead of Suite, for a tool that leaves a fuzzing corpus
	Models   ModelAccess
	Ledger   *Ledger
	Log      *slog.Logger
	// Generation is filled by a tool that asks a model.
	Generation *Generation
}

// Identity is what the requests to a model depend on beside the model's own settings: the tool, its
// version, the library, the seed and every parameter.
func (j Job) Identity(tool, version string) map[string]string {
	id := map[string]string{
		"tool": tool, "version": version, "library": j.Target.Library, "seed": strconv.FormatUint(uint64(j.Seed), 10),
	}
	for name, v := range j.Params {
		id["param "+name] = fmt.Sprint(v)
	}
	return id
}

// ModelAccess is what a tool needs to open a session with the models of its run.
type ModelAccess struct {
	Cell       string // the cell's ID
	Model      string // that the cell asks; "" for the experiment's
	Transcript string // absolute path of the file that keeps every answer
	Fresh      func() // to be called before anything is asked that the transcript does not have
}

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

// A CoverageRunner tells what programs execute of the reference build, for a tool that Needs it. Safe for
// concurrent use.
type CoverageRunner interface {
	// Cover returns what the programs execute together; with uncovered, also what they leave out. A program that
	// was run before is not run again.
	Cover(ctx context.Context, programs []Program, uncovered bool) (Covered, error)
}

// Covered is what programs execute together.
type Covered struct {
	Coverage  Coverage      `json:"coverage"`
	Uncovered *Uncovered    `json:"uncovered,omitempty"` // nil unless it was asked for
	CPU       time.Duration `json:"cpu_ns"`              // of the runs that this took
}

// A Seed is the single number from which every random choice of a cell is made.
type Seed uint64

// Stream returns the random stream of that name. Streams of different names are
// independent, so that drawing more from one never shifts another.
func (s Seed) Stream(name string) *rand.Rand {
	return rand.New(rand.NewChaCha8(s.digest(name)))
}

// Derive returns the seed of a named part, for parts that have streams of their own.
func (s Seed) Derive(name string) Seed {
	d := s.digest(name)
	return Seed(binary.LittleEndian.Uint64(d[:8]))
}

func (s Seed) digest(name string) [32]byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s))
	return sha256.Sum256(append(b, name...))
}

// Key names what is made from some parts: the SHA-256, in hexadecimal, of their JSON, which has the keys of maps sorted.
// Parts are values that come from YAML and JSON.
func Key(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("trial: key of %v: %v", parts, err))
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}
