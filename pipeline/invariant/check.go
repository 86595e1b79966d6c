package invariant

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
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

func newChecker(c *toolchain.Compiler, job trial.Job, spec *apispec.Spec) *checker {
	return &checker{
		syntax: straightline.New(c, job.Target, spec), observers: observerNames(spec),
		exec: job.Exec, dir: filepath.Join(job.Dir, "syntax"),
	}
}

// Check fills the failures of the programs' latest versions, or their assertions.
func (c *checker) Check(ctx context.Context, items []*item) error {
	var todo, failing []*attempt
	for _, it := range items {
		if a := it.Data.last; a.failure == nil {
			todo = append(todo, a)
		}
	}
	if err := c.examine(ctx, todo, 1); err != nil {
		return err
	}
	for _, a := range todo {
		if a.failure != nil && a.failure.assertion != nil && len(operands(a)) > 0 {
			failing = append(failing, a)
		}
	}
	// Once more, with the values of the operands printed before the assertion.
	results, err := c.execute(ctx, failing, instrumented, trial.ExecOptions{Stdout: true})
	for i := range results {
		for _, value := range suspicion.Values(results[i].Stdout) {
			failing[i].failure.values = append(failing[i].failure.values, llm.Shorten(value, 200))
		}
	}
	return err
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

// examine looks at programs and then runs, each way, those that have no failure.
func (c *checker) examine(ctx context.Context, attempts []*attempt, runs int) error {
	if err := c.look(ctx, attempts); err != nil {
		return err
	}
	for _, o := range trial.Ways(trial.ExecOptions{Runs: runs}) {
		todo := slices.DeleteFunc(slices.Clone(attempts), func(a *attempt) bool { return a.failure != nil })
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
		p, read := a.program, reports[i].Program
		now, why := &reading{a.source, read}, ""
		switch {
		case read == nil && p.base == nil:
			a.failure = &failure{kind: failCompile}
		case read == nil: // running it says what is wrong
		case read.Unreadable:
			why = "the program is too large to be compared with the one before"
		case p.base == nil:
			p.base, p.parts = now, splitProgram(a.source, reports[i], c.whole)
		default:
			a.assertions, why = compare(p.base, now, c.observers)
		}
		if broken := reports[i].Violations; why != "" {
			a.failure = &failure{kind: failSequence, text: why}
		} else if len(broken) > 0 {
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
	how := ""
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
		f.kind, f.assertion = failAssertion, a.failed(r.Assertion)
		f.text = fmt.Sprintf("line %d: assertion failed: %s", r.Assertion.Line, r.Assertion.Expr)
	case trial.Crash:
		how = fmt.Sprintf("signal %d\n", r.Signal)
	case trial.NonzeroExit:
		how = fmt.Sprintf("exit status %d\n", r.ExitCode)
	default:
		how = string(r.Outcome) + "\n"
	}
	f.text = strings.TrimSpace(how + f.text)
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

// instrumented is the program of an attempt with the values printed.
func instrumented(a *attempt) string {
	at := a.failure.assertion.begin
	return "#include <stdio.h>\n" + a.source[:at] + strings.Join(operands(a), "") + a.source[at:]
}

// maxValues bounds the operands of one assertion that are shown.
const maxValues = 12

// quoting makes text what it is in a C format string.
var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "?", `\?`)

// operands are statements that print the parts of the failing condition that have a value of their
// own and are no constants, the smaller ones first, as they are evaluated.
func operands(a *attempt) []string {
	var list []string
	var visit func(n *cprog.Node)
	visit = func(n *cprog.Node) {
		switch n.Kind {
		case "UnaryExprOrTypeTraitExpr":
			return
		case "DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "CallExpr", "CXXMemberCallExpr":
			text := spelled(a.source, n)
			format, value := printed(n.Type.Desugared)
			if text == "" || format == "" || len(list) == maxValues {
				break
			}
			statement := fmt.Sprintf("printf(\"%s%s = %s\\n\", %s); fflush(stdout);\n    ",
				suspicion.ValueMark, quoting.Replace(text), format, strings.ReplaceAll(value, "$", text))
			if !slices.Contains(list, statement) {
				list = append(list, statement)
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(a.failure.assertion.node)
	slices.Reverse(list) // of p->n, first p
	return list
}

// spelled is the text of an expression among the arguments of a macro; "" if it is not all
// written there.
func spelled(source string, n *cprog.Node) string {
	b, e := n.Begin.Macro, n.End.Macro
	if b == nil || e == nil || b.File != cprog.Main || e.File != cprog.Main || b.Offset > e.Offset || int(e.Offset+e.Len) > len(source) {
		return ""
	}
	text := plain(source[b.Offset : e.Offset+e.Len])
	if strings.Count(text, "(") != strings.Count(text, ")") {
		return ""
	}
	return text
}

// printed says how a value of a type is printed, with $ for its text: never where a pointer points to.
func printed(t string) (format, value string) {
	t = strings.TrimSpace(strings.ReplaceAll(strings.TrimSuffix(t, "const"), "const ", ""))
	var size int
	switch n, _ := fmt.Sscanf(t, "char[%d]", &size); {
	case n == 1:
		return fmt.Sprintf(`\"%%.%ds\"`, min(size, 60)), "$"
	case t == "char *":
		return `\"%.60s\"`, `($) ? (const char *)($) : "NULL"`
	case strings.HasSuffix(t, "*"):
		return "%s", `($) ? "not NULL" : "NULL"`
	case t == "float", t == "double":
		return "%.17g", "(double)($)"
	case slices.Contains([]string{"char", "short", "int", "long", "long long"}, strings.TrimPrefix(t, "unsigned ")):
		if strings.HasPrefix(t, "unsigned ") {
			return "%llu", "(unsigned long long)($)"
		}
		return "%lld", "(long long)($)"
	case t == "signed char", t == "bool", t == "_Bool", strings.HasPrefix(t, "enum "):
		return "%lld", "(long long)($)"
	}
	return "", ""
}
