package trial

import (
	"context"
	"fmt"
	"log/slog"
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
