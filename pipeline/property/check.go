package property

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// The kinds of failures of a program.
const (
	failCompile   = "compile error"
	failNoTest    = "no test"     // it defines none
	failNothing   = "no property" // a test, or the whole program, checks none
	failProperty  = "property"    // does not hold on the reference build
	failCrash     = "crash"       // or another bad end
	failSanitizer = "sanitizer"   // only under ASan and UBSan
	failPerturbed = "other memory"
	failTimeout   = "endless"
	failFlaky     = "unstable"
	failOutput    = "output"      // it writes without end
	failCannot    = "cannot fail" // whatever the library does
)

// A failure is one thing that is wrong with a program on the reference build.
type failure struct {
	kind string
	test string // that fails; "" for the program as a whole
	text string // for the model

	failed *failedCase // if a property does not hold
}

// crash reports whether the case that it happens in is found by tracing.
func (f failure) crash() bool {
	return f.failed == nil && slices.Contains([]string{failCrash, failSanitizer, failPerturbed}, f.kind)
}

// opinion reports whether library or test may be wrong, so that a second opinion is asked for.
func (f failure) opinion() bool {
	return f.test != "" && (f.crash() || f.failed != nil || f.kind == failProperty)
}

// A version is one text of a program and what is known of it.
type version struct {
	id, source string
	setting
	only     string        // the one test that is not left out, of a part
	outcome  trial.Outcome // "" if it was not run
	report   report        // of the plain run
	failures []failure
	parts    []*version // of a program that fails: each of its tests alone
	rest     *version   // without the tests that fail; nil if that does not pass, or has none
}

func (v *version) fail(kind, text string, failed *failedCase) {
	v.failures = append(v.failures, failure{kind, v.only, text, failed})
}

// cannotFail reports whether that is all that is wrong with a program.
func (v *version) cannotFail() bool { return len(v.failures) == 1 && v.failures[0].kind == failCannot }

// tests are those that are not left out.
func (v *version) tests() []string {
	return slices.DeleteFunc(testsOf(v.source), func(name string) bool { return slices.Contains(v.without, name) })
}

// alone is the version with one of its tests.
func (v *version) alone(test string) *version {
	part := &version{id: v.id + "-" + test, source: v.source, setting: v.setting, only: test}
	part.without = slices.DeleteFunc(testsOf(v.source), func(name string) bool { return name == test })
	return part
}

// A checker finds out whether programs hold on the reference build.
type checker struct {
	exec      trial.Executor
	target    trial.Target
	functions []interpose.Function // whose returns can be altered: none of a library in C++
	most      int                  // alterations of one program; 0: none
}

// ways are how a program must run: as it is, with other memory, and under the sanitizers.
var ways = []trial.ExecOptions{
	{Runs: 1, Stdout: true}, {Runs: 2, Stdout: true}, {Perturb: true}, {Runs: 3, Sanitize: true},
}

// amplifiedWays are those of a program that has passed all of these and now gets other seeds and larger domains: each
// once, for this takes most of a cell's time.
var amplifiedWays = []trial.ExecOptions{{Runs: 1, Stdout: true}, {Perturb: true}, {Sanitize: true}}

// These bound an error's text in a prompt, and what a program may write to its standard output, in bytes: the harness
// keeps 64 KiB.
const (
	maxErrorBytes = 3000
	maxOutput     = 32 << 10
)

// Check finds the failures of the items' programs. Of a program that fails, each test is run alone to see
// which ones do, and the rest without them. Of one that holds it is looked, once, whether it can fail.
func (c *checker) Check(ctx context.Context, items []*item) error {
	var todo []*version
	for _, it := range items {
		v := &version{id: it.ID, source: it.Source, setting: setting{without: it.Data.leftOut}}
		it.Data.version, it.Outcome = v, trial.Policy
		it.Data.argue(it.Source)
		switch {
		case len(v.tests()) == 0:
			v.fail(failNoTest, "The program defines no function `void test_NAME(void)`.", nil)
		case !strings.Contains(v.source, "PROPERTY"):
			v.fail(failNothing, "The program states no PROPERTY.", nil)
		default:
			todo = append(todo, v)
		}
	}
	if err := c.run(ctx, todo, ways); err != nil {
		return err
	}
	if err := c.isolate(ctx, todo); err != nil {
		return err
	}
	for _, it := range items {
		v := it.Data.version
		it.Outcome = cmp.Or(v.outcome, it.Outcome)
		if len(v.failures) == 0 && !it.Data.sentBack {
			if err := c.alter(ctx, v); err != nil {
				return err
			}
		}
		for i := range v.failures {
			f := &v.failures[i]
			f.text = llm.Shorten(llm.Portable(strings.TrimSpace(f.text)), maxErrorBytes)
		}
	}
	return nil
}

// run runs versions every way, as long as they pass.
func (c *checker) run(ctx context.Context, versions []*version, ways []trial.ExecOptions) error {
	todo := slices.Clone(versions)
	for n, o := range ways {
		results, err := c.execute(ctx, todo, o)
		if err != nil {
			return err
		}
		for i, v := range todo {
			v.outcome = results[i].Outcome
			if n == 0 {
				v.report = parseReport(results[i].Stderr)
			}
			v.judge(results[i], o)
		}
		todo = slices.DeleteFunc(todo, func(v *version) bool { return len(v.failures) > 0 })
	}
	return nil
}

func (c *checker) execute(ctx context.Context, versions []*version, o trial.ExecOptions) ([]trial.Result, error) {
	programs := make([]trial.Program, len(versions))
	for i, v := range versions {
		programs[i] = trial.Program{ID: v.id, Lang: c.target.Language, Source: v.program(v.source)}
	}
	return trial.Execute(ctx, c.exec, programs, o)
}

// judge adds a failure if a run did not end well.
func (v *version) judge(r trial.Result, o trial.ExecOptions) {
	kind, text := failCrash, r.Diagnostic
	var failed *failedCase
	switch r.Outcome {
	case trial.OK:
		switch {
		case len(r.Stdout) >= maxOutput:
			v.fail(failOutput, "The program writes to its standard output without end. Tests are silent.", nil)
		case !o.Stdout || o.Runs != 1 || len(v.report.properties()) > 0:
		case v.only != "":
			v.fail(failNothing, "The test "+v.only+
				" checked no PROPERTY: every case was discarded, or it does not call lisa_check.", nil)
		default:
			v.fail(failNothing, "The program ran to its end without checking a single PROPERTY: "+
				"every case was discarded, or no test calls lisa_check.", nil)
		}
		return
	case trial.CompileError, trial.LinkError:
		kind = failCompile
	case trial.Flaky:
		kind = failFlaky
	case trial.Timeout:
		kind = failTimeout
		text = "The program does not end within the time limit. Let it end by count, and do less in each case."
	case trial.Assertion:
		kind, failed = failProperty, parseReport(r.Stderr).failed
		if text = fmt.Sprintf("line %d: assertion failed: %s", r.Assertion.Line, r.Assertion.Expr); failed != nil {
			text = failed.String()
		}
	case trial.Crash:
		if r.Signal != 0 {
			text = strings.TrimSpace(fmt.Sprintf("The program was ended by signal %d.\n%s", r.Signal, text))
		}
	case trial.NonzeroExit:
		text = strings.TrimSpace(fmt.Sprintf("The program ended with exit status %d.\n%s", r.ExitCode, text))
	default:
		text = strings.TrimSpace(string(r.Outcome) + "\n" + text)
	}
	if kind == failCrash || kind == failProperty {
		if o.Perturb {
			kind = failPerturbed
		} else if o.Sanitize {
			kind = failSanitizer
		}
	}
	v.fail(kind, text, failed)
}

// isolate finds the tests of programs that fail by running each alone, and runs what is left without them. The
// sanitizers take most of the time, so what has passed alone without them is first run together under them. If no test
// fails alone, they fail only together, and the failure of the whole stays.
func (c *checker) isolate(ctx context.Context, versions []*version) error {
	for _, v := range versions {
		if len(v.failures) == 0 || v.failures[0].kind == failCompile || v.failures[0].kind == failTimeout {
			continue
		}
		for _, name := range v.tests() {
			v.parts = append(v.parts, v.alone(name))
		}
		sanitized := len(ways) - 1
		for _, some := range [][]trial.ExecOptions{ways[:sanitized], ways[sanitized:]} {
			passing := slices.DeleteFunc(slices.Clone(v.parts), func(p *version) bool { return len(p.failures) > 0 })
			if err := c.run(ctx, passing, some); err != nil {
				return err
			}
			rest := v.withoutFailing()
			if n := len(rest.tests()); n == 0 || n == len(v.tests()) {
				continue
			}
			if err := c.run(ctx, []*version{rest}, ways); err != nil {
				return err
			}
			if len(rest.failures) == 0 {
				v.rest = rest
				break
			}
		}
		var failures []failure
		for _, p := range v.parts {
			if err := c.trace(ctx, p); err != nil {
				return err
			}
			failures = append(failures, p.failures...)
		}
		if len(failures) > 0 {
			v.failures = failures
		}
	}
	return nil
}

// withoutFailing is the version without the tests that fail alone.
func (v *version) withoutFailing() *version {
	rest := &version{id: v.id + "-rest", source: v.source, setting: v.setting}
	rest.without = slices.Clone(v.without)
	for _, p := range v.parts {
		if len(p.failures) > 0 {
			rest.without = append(rest.without, p.only)
		}
	}
	return rest
}

// trace finds the case in which a program of one test crashes.
func (c *checker) trace(ctx context.Context, p *version) error {
	if len(p.failures) == 0 || !p.failures[0].crash() {
		return nil
	}
	traced := *p
	traced.setting.trace = true
	results, err := c.execute(ctx, []*version{&traced}, trial.ExecOptions{Sanitize: true})
	if err != nil {
		return err
	}
	f := &p.failures[0]
	if d := strings.TrimSpace(results[0].Diagnostic); d != "" && !strings.Contains(f.text, d) {
		f.text += "\n" + d
	}
	if lines := lastCase(results[0].Stderr); len(lines) > 0 {
		f.text = "It happens in this case:\n  " + strings.Join(lines, "\n  ") + "\n" + f.text
	}
	return nil
}

// An alteration is statements around the call of one function.
type alteration struct {
	function      interpose.Function
	before, after string
}

// alterations of the functions that a program calls: another number of each function, then nothing done by each.
func (c *checker) alterations(source string) []alteration {
	words := word.FindAllString(source, -1)
	var numbers, nothing []alteration
	for _, f := range c.functions {
		if !slices.ContainsFunc(f.Names, func(name string) bool { return slices.Contains(words, name) }) {
			continue
		}
		switch f.Function.Result.Kind {
		case apispec.Int, apispec.Float, apispec.Bool:
			numbers = append(numbers, alteration{f, "", fmt.Sprintf("%s = !%[1]s;\n", interpose.Result)})
			nothing = append(nothing, alteration{f, "return 0;\n", ""})
		case apispec.Void:
			if !f.Ends() {
				nothing = append(nothing, alteration{f, "return;\n", ""})
			}
		}
	}
	list := slices.Concat(numbers, nothing)
	return list[:min(len(list), c.most)]
}

// together is how many alterations are tried at once: most programs notice one of the first.
const together = 4

const unnoticed = "The program was run %d times on a library of which one function, each time another, returned a " +
	"wrong number or did nothing. No PROPERTY noticed. Compare the results themselves with values that do not come " +
	"from the same calls."

// alter adds a failure to a version that notices none of its alterations. It is for C only.
func (c *checker) alter(ctx context.Context, v *version) error {
	tried := 0
	altered := v.setting
	altered.large = true
	for group := range slices.Chunk(c.alterations(v.source), together) {
		var programs []trial.Program
		for _, a := range group {
			source := interpose.Program(altered.program(v.source), []interpose.Function{a.function}, c.target.Headers, "",
				func(int) (string, string) { return a.before, a.after })
			id := fmt.Sprintf("%s-alt%02d", v.id, tried)
			programs = append(programs, trial.Program{ID: id, Lang: trial.C, Source: source})
			tried++
		}
		results, err := trial.Execute(ctx, c.exec, programs, trial.ExecOptions{})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(results, func(r trial.Result) bool { return r.Outcome == trial.Assertion }) {
			return nil
		}
	}
	if tried > 0 {
		v.fail(failCannot, fmt.Sprintf(unnoticed, tried), nil)
	}
	return nil
}
