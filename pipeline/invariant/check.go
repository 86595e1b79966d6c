package invariant

import (
	"context"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// The kinds of failures of a version of a chunk.
const (
	failNoCode    = "no program" // the answer holds none
	failCompile   = "compile error"
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
	syntax    straightline.Checker
	observers map[string]bool
	exec      trial.Executor
	dir       string
	whole     bool // seeds are one chunk each
}

func newChecker(c *toolchain.Compiler, job trial.Job, spec *apispec.Spec, dir string) *checker {
	return &checker{
		syntax: straightline.New(c, job.Target, spec), observers: observerNames(spec), exec: job.Exec, dir: dir,
	}
}

// Check fills the failures of the programs' latest versions, or their assertions.
func (c *checker) Check(ctx context.Context, items []*item) error {
	var todo []*attempt
	for _, it := range items {
		if a := it.Data.last; a.failure == nil {
			todo = append(todo, a)
		}
	}
	if err := c.examine(ctx, todo, 1); err != nil {
		return err
	}
	return c.values(ctx, todo)
}

// examine looks at programs and then runs, each way, those that have no failure.
func (c *checker) examine(ctx context.Context, attempts []*attempt, runs int) error {
	if err := c.look(ctx, attempts); err != nil {
		return err
	}
	for _, o := range trial.Ways(trial.ExecOptions{Runs: runs}) {
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
			a.valid = a.valid || a.failure == nil
		}
	}
	return nil
}

// look checks the policy and compares programs with their seeds; of a seed it keeps the reading.
func (c *checker) look(ctx context.Context, attempts []*attempt) error {
	units := make([]toolchain.Unit, len(attempts))
	for i, a := range attempts {
		units[i] = toolchain.Unit{ID: a.program.unit, Lang: a.program.seed.Lang, Source: a.source}
	}
	if len(units) == 0 {
		return nil
	}
	reports, err := c.syntax.Check(ctx, c.dir, units)
	if err != nil {
		return err
	}
	for i, a := range attempts {
		p, parsed := a.program, reports[i].Program
		now := &reading{a.source, parsed}
		switch {
		case parsed == nil && p.base == nil:
			a.failure = &failure{kind: failCompile}
			continue
		case parsed == nil:
			continue // running it says what is wrong
		case parsed.Unreadable:
			a.failure = &failure{kind: failSequence, text: "the program is too large to be compared with the one before"}
			continue
		case p.base == nil:
			p.base, p.parts = now, splitProgram(a.source, reports[i], c.whole)
		default:
			var why string
			if a.assertions, why = compare(p.base, now, c.observers); why != "" {
				a.failure = &failure{kind: failSequence, text: why}
			}
		}
		if broken := reports[i].Violations; a.failure == nil && len(broken) > 0 {
			a.failure = &failure{kind: failPolicy, text: straightline.Reason(broken)}
		}
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
		f.assertion = a.failed(r.Assertion)
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

// failed finds the assertion that a run reports, by its line, which is that of the macro's last
// token; where several are on it, by its text, in which the preprocessor may write other blanks.
func (a *attempt) failed(f *trial.AssertionFailure) (found *assertion) {
	for i := range a.assertions {
		switch d := &a.assertions[i]; {
		case f.Line < d.first || d.last < f.Line:
		case plain(f.Expr) == d.condition:
			return d
		case found == nil:
			found = d
		}
	}
	return found
}

// prepare reads and splits the seeds of programs, and finds out which are valid, which the plain
// runs say, and of these which are fit for assertions: those that pass every way.
func (c *checker) prepare(ctx context.Context, programs []*program, runs int) (valid []*program, err error) {
	attempts := make([]*attempt, len(programs))
	for i, p := range programs {
		attempts[i] = &attempt{program: p, source: withIncludes(p.seed.Source)}
	}
	if err := c.examine(ctx, attempts, runs); err != nil {
		return nil, err
	}
	for _, a := range attempts {
		a.program.ready = a.failure == nil
		if a.valid {
			valid = append(valid, a.program)
		}
	}
	return valid, nil
}
