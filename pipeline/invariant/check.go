package invariant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// The kinds of failures of a version of a chunk.
const (
	failNoCode    = "no program"      // the answer holds none
	failCompile   = "compile error"   //
	failSequence  = "sequence"        // other statements than assertions were added, changed or deleted
	failPolicy    = "policy"          // of straight lines
	failAssertion = "assertion"       // fails on the reference build
	failCrash     = "crash"           // or another bad end
	failSanitizer = "sanitizer"       // under ASan and UBSan
	failPerturbed = "other memory"    // with another heap fill and stack layout
	failFlaky     = "unstable result" // runs disagree
)

// A failure is why a version of a chunk is not accepted.
type failure struct {
	kind      string
	text      string     // what the compiler, the sanitizers or the comparison say
	assertion *assertion // that failed, if one did
	values    []string   // of its operands, "name = value"
}

// A checker finds out whether programs with assertions are what they should be.
type checker struct {
	compiler  *toolchain.Compiler
	syntax    straightline.Checker
	observers map[string]bool
	exec      trial.Executor
	dir       string
}

func newChecker(c *toolchain.Compiler, job trial.Job, spec *apispec.Spec, dir string) *checker {
	return &checker{compiler: c, syntax: straightline.New(c, job.Target, spec), observers: observerNames(spec), exec: job.Exec, dir: dir}
}

// Check fills the failures of the programs' latest versions, or the versions where they have none.
func (c *checker) Check(ctx context.Context, items []*item) error {
	var todo []*attempt
	for _, it := range items {
		if a := it.Data.last; a.failure == nil {
			todo = append(todo, a)
		}
	}
	if err := c.static(ctx, todo); err != nil {
		return err
	}
	for _, o := range trial.Ways(trial.ExecOptions{Runs: 1}) {
		if err := c.run(ctx, todo, o); err != nil {
			return err
		}
	}
	return c.values(ctx, todo)
}

// read reads the programs of attempts.
func (c *checker) read(ctx context.Context, attempts []*attempt) ([]toolchain.Compiled, []straightline.Report, error) {
	if len(attempts) == 0 {
		return nil, nil, nil
	}
	units := make([]toolchain.Unit, len(attempts))
	for i, a := range attempts {
		units[i] = toolchain.Unit{ID: a.program.unit, Lang: a.program.seed.Lang, Source: a.source}
	}
	read, err := c.compiler.Read(ctx, c.dir, c.syntax.Flags, units)
	if err != nil {
		return nil, nil, err
	}
	reports, err := c.syntax.Report(read, units)
	return read, reports, err
}

// static compares programs with their seeds and checks the policy.
func (c *checker) static(ctx context.Context, attempts []*attempt) error {
	read, reports, err := c.read(ctx, attempts)
	if err != nil {
		return err
	}
	for i, a := range attempts {
		if !read[i].OK {
			continue // running it says what is wrong
		}
		p, err := read[i].Program()
		if err != nil {
			return err
		}
		if p.Unreadable {
			a.failure = &failure{kind: failSequence, text: "the program is too large to be compared with the one before"}
			continue
		}
		added, why := compare(a.program.base, &tree{a.source, p.Tree}, c.observers)
		switch {
		case why != "":
			a.failure = &failure{kind: failSequence, text: why}
		case len(reports[i].Violations) > 0:
			a.failure = &failure{kind: failPolicy, text: straightline.Reason(reports[i].Violations)}
		default:
			a.version = versionOf(a.source, p, added)
		}
	}
	return nil
}

// versionOf finds the assertions among additions in a program's text.
func versionOf(source string, p *cprog.Program, added []addition) version {
	v := version{source: source}
	for _, f := range p.Tests() {
		v.tests = append(v.tests, f.Decl.Name)
	}
	for _, d := range added {
		if !d.assertion {
			continue
		}
		if a, ok := assertionAt(source, d.begin); ok {
			a.node = d.condition
			v.assertions = append(v.assertions, a)
		}
	}
	return v
}

// run runs what has no failure yet one way.
func (c *checker) run(ctx context.Context, attempts []*attempt, o trial.ExecOptions) error {
	var todo []*attempt
	for _, a := range attempts {
		if a.failure == nil {
			todo = append(todo, a)
		}
	}
	results, err := c.execute(ctx, todo, func(a *attempt) string { return a.source }, o)
	if err != nil {
		return err
	}
	for i, a := range todo {
		a.failure = describe(a, results[i], o)
	}
	return nil
}

// execute runs a text of each attempt.
func (c *checker) execute(ctx context.Context, attempts []*attempt, source func(*attempt) string, o trial.ExecOptions) ([]trial.Result, error) {
	programs := make([]trial.Program, len(attempts))
	for i, a := range attempts {
		programs[i] = trial.Program{ID: a.program.unit, Lang: a.program.seed.Lang, Source: source(a)}
	}
	return trial.Execute(ctx, c.exec, programs, o)
}

// maxErrorBytes bounds an error's text in a prompt.
const maxErrorBytes = 3000

// describe makes a failure of a result; nil if the program passed.
func describe(a *attempt, r trial.Result, o trial.ExecOptions) *failure {
	f := &failure{kind: failCrash, text: llm.Shorten(strings.TrimSpace(r.Diagnostic), maxErrorBytes)}
	switch r.Outcome {
	case trial.OK:
		return nil
	case trial.CompileError, trial.LinkError:
		f.kind = failCompile
		return f
	case trial.Flaky:
		f.kind = failFlaky
		return f
	case trial.Assertion:
		f.kind = failAssertion
		f.text = fmt.Sprintf("line %d: assertion failed: %s", r.Assertion.Line, r.Assertion.Expr)
		f.assertion = a.version.at(r.Assertion)
	case trial.Crash:
		f.text = strings.TrimSpace(fmt.Sprintf("signal %d\n%s", r.Signal, f.text))
	case trial.NonzeroExit:
		f.text = strings.TrimSpace(fmt.Sprintf("exit status %d\n%s", r.ExitCode, f.text))
	default:
		f.text = strings.TrimSpace(string(r.Outcome) + "\n" + f.text)
	}
	switch { // it passed the ways before
	case o.Perturb:
		f.kind = failPerturbed
	case o.Sanitize:
		f.kind = failSanitizer
	}
	return f
}

// at finds the assertion that a run reports: the line is that of the macro's last token.
func (v version) at(f *trial.AssertionFailure) *assertion {
	for i := range v.assertions {
		if a := &v.assertions[i]; a.first <= f.Line && f.Line <= a.last && plain(f.Expr) == a.condition {
			return a
		}
	}
	for i := range v.assertions { // the preprocessor writes some blanks otherwise
		if a := &v.assertions[i]; a.first <= f.Line && f.Line <= a.last {
			return a
		}
	}
	return nil
}

// prepare reads the seeds' trees, splits them, and finds out which are fit for assertions:
// those that pass every way. It returns how many are valid, which the plain runs say.
func (c *checker) prepare(ctx context.Context, programs []*program, runs int, one bool) (valid []*program, err error) {
	var attempts []*attempt
	for _, p := range programs {
		p.source = withIncludes(p.seed.Source)
		attempts = append(attempts, &attempt{program: p, source: p.source})
	}
	read, reports, err := c.read(ctx, attempts)
	if err != nil {
		return nil, err
	}
	for i, a := range attempts {
		base, err := read[i].Program()
		if err != nil {
			return nil, err
		}
		if !read[i].OK || base.Unreadable {
			a.failure = &failure{kind: failCompile}
			continue
		}
		p := a.program
		p.base, p.parts = &tree{p.source, base.Tree}, splitProgram(p.source, reports[i], one)
		if len(reports[i].Violations) > 0 {
			a.failure = &failure{kind: failPolicy}
		}
	}
	for n, o := range trial.Ways(trial.ExecOptions{Runs: runs}) {
		if err := c.run(ctx, attempts, o); err != nil {
			return nil, err
		}
		attempts = slices.DeleteFunc(attempts, func(a *attempt) bool { return a.failure != nil })
		if n == 0 {
			for _, a := range attempts {
				valid = append(valid, a.program)
			}
		}
	}
	for _, a := range attempts {
		a.program.ready = true
	}
	return valid, nil
}
