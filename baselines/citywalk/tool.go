// Package citywalk re-implements CITYWALK (ACM TOSEM 2025, arXiv 2501.16155). A model writes one
// test file for each public function of the library, from a prompt that holds what a programmer
// would look up first.
//
// It consumes a trial.Job: the library's own sources as tools may see them (no tests, no history),
// its public headers, its documents, and models. It produces one test program for each focal
// function, in the order of the headers, until all are done or the budget ends.
//
//	Target ──focal.go (clang's AST)──▶ focal functions ──prompt.go──▶ one request each
//	  │ config.go   words of build files                                 │ answer
//	  │ crossfile.go  what the function calls, in other files            ▼
//	  │ intent.go   documents by meaning, code by exact call   syntax.go ▸ fixes.go ▸ one model round
//	                                                                     │ a test file, compiling or not
//	                                                                     ▼ Suite
//
// A file that does not compile in the end stays in the suite: it belongs to the denominator of the
// compile success rate. One that compiles and fails when it runs is never repaired. A repair would
// copy what the library does into the assertions. docs/explanation/baselines.md says what is the
// paper's, what was adapted, and what the paper leaves open.
package citywalk

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// A Tool is CITYWALK.
type Tool struct {
	Compiler *toolchain.Compiler // reads the headers and the library's sources
	Models   *llm.Models
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "citywalk" }

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string { return []string{stageTest, stageFix} }

// Version changes whenever the same seed and answers may give another suite or other prompts.
func (t *Tool) Version() string { return "2" }

// Generate fills the job's suite with one test file for each focal function, until all are done or
// the budget is used up.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	book, missing, err := t.read(ctx, job.Target, o)
	if err != nil {
		return "", err
	}
	if err := book.findGoogleTest(ctx, job.Exec); err != nil {
		return "", err
	}
	return genloop.Session(ctx, t.Models, job, job.Identity(t.Name(), t.Version()), func(model *llm.Session) (trial.StopReason, error) {
		p := &policy{workbook: book, job: job}
		loop := &genloop.Loop[draft]{
			Job: job, Model: model, Prompts: prompts, Checker: p, Policy: p, Stages: []string{stageTest, stageFix},
		}
		if o.Fixing {
			loop.Repairs = 1
		}
		stop, err := loop.Run(ctx)
		g := loop.Generation()
		g.Passes, g.Notes = p.passes(g.Final.Programs), p.notes(missing)
		*job.Generation = g
		return stop, err
	})
}

// read looks at the library. missing are the functions without a definition.
func (t *Tool) read(ctx context.Context, target trial.Target, o options) (book *workbook, missing []string, err error) {
	spec, err := apispec.Load(ctx, t.Compiler, target)
	if err != nil {
		return nil, nil, err
	}
	p, err := readProject(target.SourceDir)
	if err != nil {
		return nil, nil, fmt.Errorf("citywalk: sources of %s: %w", target.Library, err)
	}
	focals, missing, err := p.focals(ctx, t.Compiler, target, spec)
	if err != nil {
		return nil, nil, err
	}
	if len(focals) == 0 {
		return nil, nil, fmt.Errorf("citywalk: no public function of %s is defined in %s", target.Library, target.SourceDir)
	}
	known := focals
	if focals, err = chosen(focals, o.Functions); err != nil {
		return nil, nil, fmt.Errorf("citywalk: %w", err)
	}
	config, err := p.readConfiguration(target.Library)
	return &workbook{target: target, options: o, project: p, config: config, focals: focals, known: known}, missing, err
}

// notes tell what a reader of the results must know.
func (p *policy) notes(missing []string) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if p.options.Intentions {
		add("citywalk retrieves documents by their words (BM25, k1 %g, b %g).", bm25K1, bm25B)
	}
	if n := len(p.options.Functions); n > 0 {
		add("citywalk tests only the %d functions that the parameter functions names.", n)
	}
	if n := len(missing); n > 0 {
		add("citywalk does not test %d public functions whose definition is not in the library's tree: %s.", n, strings.Join(missing, ", "))
	}
	if p.googleTest() {
		add("citywalk writes GoogleTest files; one with a failed EXPECT is one failed test.")
	}
	return list
}

// options are the parameters of a variant (trial.Parameter): the parts of the paper's ablation, each on by default,
// and which functions.
type options struct {
	Configuration bool     `param:"configuration" doc:"Configuration dependencies in the prompt."`
	CrossFile     bool     `param:"cross_file" doc:"Cross-file data dependencies in the prompt."`
	Intentions    bool     `param:"intentions" doc:"Documents and usages in the prompt."`
	Guidelines    bool     `param:"guidelines" doc:"Language-specific guidelines in the prompt."`
	Fixing        bool     `param:"fixing" doc:"The three post-processing passes."`
	Functions     []string `param:"functions" doc:"The focal functions by their names, in C++ qualified; a name stands for all of its overloads. Default: every public function. The order is that of the headers all the same."`
}

// defaultOptions are the tool as its authors describe it.
func defaultOptions() options {
	return options{Configuration: true, CrossFile: true, Intentions: true, Guidelines: true, Fixing: true}
}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out of
// range.
func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("citywalk: %w", err)
	}
	return o, nil
}

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (*Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

// chosen are the focal functions with those names; all without any.
func chosen(all []*focal, names []string) ([]*focal, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(f *focal) bool { return f.name == name }) {
			return nil, fmt.Errorf("functions: %s is no focal function: give names as the headers have them, in C++ with namespace and class", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f *focal) bool { return !slices.Contains(names, f.name) }), nil
}

// A configuration is what is known of how a library is compiled: the paper's configuration dependencies.
type configuration struct {
	Standard   string   // of the language, e.g. C++17; "" if it is not known
	Libraries  []string // third-party ones
	GoogleTest bool     // the build links its tests with GoogleTest
}

//go:embed configuration.yaml
var configurations []byte

// mentionsGoogleTest finds a mention that is no comment of CMake's.
var mentionsGoogleTest = regexp.MustCompile(`(?im)^[^#\n]*\bgtest(_main)?\b`)

// readConfiguration takes the configuration of one of the benchmark's libraries from a list, and looks
// whether the CMakeLists.txt of the root or of its test directories mentions GoogleTest.
func (p *project) readConfiguration(library string) (configuration, error) {
	var known map[string]configuration
	if err := yaml.Unmarshal(configurations, &known); err != nil {
		return configuration{}, fmt.Errorf("citywalk: configuration.yaml: %w", err)
	}
	c := known[library]
	for _, f := range []string{"CMakeLists.txt", "test/CMakeLists.txt", "tests/CMakeLists.txt"} {
		c.GoogleTest = c.GoogleTest || mentionsGoogleTest.MatchString(p.text[f])
	}
	return c, nil
}

// failureReport ends a file of GoogleTest, whose programs report failures through their exit status: with it they
// report them as failed assertions, which the metrics of every tool count.
//
//go:embed harness/googletest.cc
var failureReport string

var includesGoogleTest = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]gtest/gtest\.h[>"]`)

// googleTest reports whether test files are GoogleTest's: the library's own build offers it.
func (w *workbook) googleTest() bool { return w.target.Language == trial.CXX && w.config.GoogleTest }

// program is the test file as it is compiled and kept in the suite.
func (w *workbook) program(source string) string {
	if w.googleTest() && includesGoogleTest.MatchString(source) {
		return source + failureReport
	}
	return source
}

// findGoogleTest is an error if GoogleTest is needed and not installed.
func (w *workbook) findGoogleTest(ctx context.Context, exec trial.Executor) error {
	if !w.googleTest() {
		return nil
	}
	source := w.program("#include <gtest/gtest.h>\nTEST(GoogleTest, IsInstalled) {}\n")
	program := trial.Program{ID: "googletest", Lang: trial.CXX, Source: source}
	results, err := exec.Run(ctx, []trial.Program{program}, trial.ExecOptions{})
	if err == nil && results[0].Outcome != trial.OK {
		err = fmt.Errorf("citywalk: GoogleTest does not work: %s", results[0].Diagnostic)
	}
	return err
}
