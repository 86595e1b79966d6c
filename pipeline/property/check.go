package property

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
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

// crashes are the kinds of failures of which the case is found by tracing.
var crashes = []string{failCrash, failSanitizer, failPerturbed}

// A failure is one thing that is wrong with a program on the reference build.
type failure struct {
	kind string
	test string // that fails; "" for the program as a whole
	text string // for the model

	failed *failedCase // if a property does not hold
}

// opinion reports whether library or test may be wrong, so that a second opinion is asked for.
func (f failure) opinion() bool {
	return f.test != "" && slices.Contains([]string{failProperty, failCrash, failSanitizer, failPerturbed}, f.kind)
}

// A checker finds out whether programs hold on the reference build.
type checker struct {
	exec    trial.Executor
	target  trial.Target
	alterer *alterer
	altered int // runs with altered returns
}

// ways are how a program must run: as it is, with other memory, and under the sanitizers.
var ways = []trial.ExecOptions{
	{Runs: 1, Stdout: true}, {Runs: 2, Stdout: true}, {Perturb: true}, {Runs: 3, Sanitize: true},
}

// amplifiedWays are those of a program that has passed all of these and now gets other seeds and larger domains: each
// once, for this takes most of a cell's time.
var amplifiedWays = []trial.ExecOptions{{Runs: 1, Stdout: true}, {Perturb: true}, {Sanitize: true}}

// maxOutput is what a program may write to its standard output, in bytes: the harness keeps 64 KiB.
const maxOutput = 32 << 10

// Check finds the failures of the items' programs. Of a program that fails, each test is run alone to see
// which ones do, and the rest without them.
func (c *checker) Check(ctx context.Context, items []*item) error {
	var todo []*version
	for _, it := range items {
		w := it.Data
		w.version = &version{id: it.ID, source: it.Source, setting: setting{without: w.leftOut}}
		it.Outcome = trial.Policy
		w.argue(it.Source)
		if w.version.static(); len(w.version.failures) == 0 {
			todo = append(todo, w.version)
		}
	}
	if err := c.run(ctx, todo, ways); err != nil {
		return err
	}
	if err := c.isolate(ctx, todo); err != nil {
		return err
	}
	if err := c.alter(ctx, items); err != nil {
		return err
	}
	for _, it := range items {
		if v := it.Data.version; v.outcome != "" {
			it.Outcome = v.outcome
		}
		for i := range it.Data.version.failures {
			f := &it.Data.version.failures[i]
			f.text = llm.Shorten(llm.Portable(strings.TrimSpace(f.text)), maxErrorBytes)
		}
	}
	return nil
}

// alter looks whether programs that hold can fail, once for each.
func (c *checker) alter(ctx context.Context, items []*item) error {
	var hold []*version
	for _, it := range items {
		if v := it.Data.version; len(v.failures) == 0 && !it.Data.sentBack {
			hold = append(hold, v)
		}
	}
	runs, err := c.alterer.check(ctx, hold)
	c.altered += runs
	return err
}

// cannotFail reports whether that is all that is wrong with a program.
func (v *version) cannotFail() bool { return len(v.failures) == 1 && v.failures[0].kind == failCannot }

// A version is one text of a program and what is known of it.
type version struct {
	id, source string
	setting    setting
	outcome    trial.Outcome // "" if it was not run
	report     report        // of the plain run
	failures   []failure
	parts      []*version // of a program that fails: each of its tests alone
	rest       *version   // without the tests that fail; nil if that does not pass, or has none
}

// static refuses what has no test or no property.
func (v *version) static() {
	switch {
	case len(v.tests()) == 0:
		v.fail(failure{kind: failNoTest, text: "The program defines no function `void test_NAME(void)`."})
	case !strings.Contains(v.source, "PROPERTY"):
		v.fail(failure{kind: failNothing, text: "The program states no PROPERTY."})
	}
}

func (v *version) fail(f failure) { v.failures = append(v.failures, f) }

// tests are those that are not left out.
func (v *version) tests() []string {
	return slices.DeleteFunc(testsOf(v.source), func(name string) bool { return slices.Contains(v.setting.without, name) })
}

// alone is the version with one of its tests.
func (v *version) alone(test string) *version {
	others := slices.DeleteFunc(testsOf(v.source), func(name string) bool { return name == test })
	return &version{id: v.id + "-" + test, source: v.source, setting: setting{without: others}}
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
		programs[i] = trial.Program{ID: v.id, Lang: c.target.Language, Source: v.setting.program(v.source)}
	}
	return trial.Execute(ctx, c.exec, programs, o)
}

// These bound an error's text and a case in a prompt.
const (
	maxErrorBytes = 3000
	maxCaseLines  = 40
)

// judge adds a failure if a run did not end well.
func (v *version) judge(r trial.Result, o trial.ExecOptions) {
	f := failure{kind: failCrash, text: r.Diagnostic}
	switch r.Outcome {
	case trial.OK:
		switch {
		case len(r.Stdout) >= maxOutput:
			v.fail(failure{failOutput, "", "The program writes to its standard output without end. Tests are silent.", nil})
		case o.Stdout && o.Runs == 1 && !v.report.checks():
			v.fail(failure{kind: failNothing, text: "The program ran to its end without checking a single PROPERTY: " +
				"every case was discarded, or no test calls lisa_check."})
		}
		return
	case trial.CompileError, trial.LinkError:
		f.kind = failCompile
	case trial.Flaky:
		f.kind = failFlaky
	case trial.Timeout:
		f.kind = failTimeout
		f.text = "The program does not end within the time limit. Let it end by count, and do less in each case."
	case trial.Assertion:
		f.kind = failProperty
		f.text = fmt.Sprintf("line %d: assertion failed: %s", r.Assertion.Line, r.Assertion.Expr)
		if report := parseReport(r.Stderr); report.failed != nil {
			f.failed, f.text = report.failed, report.failed.String()
		}
	case trial.Crash:
		f.text = strings.TrimSpace(fmt.Sprintf("The program was ended by signal %d.\n%s", r.Signal, f.text))
		if r.Signal == 0 {
			f.text = r.Diagnostic
		}
	case trial.NonzeroExit:
		f.text = strings.TrimSpace(fmt.Sprintf("The program ended with exit status %d.\n%s", r.ExitCode, f.text))
	default:
		f.text = strings.TrimSpace(string(r.Outcome) + "\n" + f.text)
	}
	switch {
	case f.kind != failCrash && f.kind != failProperty:
	case o.Perturb:
		f.kind = failPerturbed
	case o.Sanitize:
		f.kind = failSanitizer
	}
	v.fail(f)
}

// checks reports whether any property was checked.
func (r report) checks() bool {
	return slices.ContainsFunc(r.tests, func(t testReport) bool { return len(t.properties) > 0 })
}

// String tells of a failed case in a few lines.
func (c *failedCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "PROPERTY(%q, %s) does not hold.\n", c.sentence, c.condition)
	if len(c.lines) > 0 {
		b.WriteString("The smallest case found, as drawn and noted:\n")
	}
	for i, line := range c.lines {
		if i == maxCaseLines {
			b.WriteString("  …\n")
			break
		}
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// isolate finds the tests of programs that fail by running each alone, and runs what is left without them. The
// sanitizers take most of the time, so what has passed alone without them is first run together under them.
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
		if err := c.trace(ctx, v.parts); err != nil {
			return err
		}
		v.blame()
	}
	return nil
}

// withoutFailing is the version without the tests that fail alone.
func (v *version) withoutFailing() *version {
	without := slices.Clone(v.setting.without)
	for _, p := range v.parts {
		if len(p.failures) > 0 {
			without = append(without, p.tests()...)
		}
	}
	return &version{id: v.id + "-rest", source: v.source, setting: setting{without: without}}
}

// blame puts the failures of a version's parts in the place of its own. If none fails alone, they fail only
// together, and the failure of the whole stays.
func (v *version) blame() {
	var failures []failure
	for _, p := range v.parts {
		for _, f := range p.failures {
			if f.test = p.tests()[0]; f.kind == failNothing {
				f.text = "The test " + f.test +
					" checked no PROPERTY: every case was discarded, or it does not call lisa_check."
			}
			failures = append(failures, f)
		}
	}
	if len(failures) > 0 {
		v.failures = failures
	}
}

// trace finds the cases in which programs of one test crash.
func (c *checker) trace(ctx context.Context, parts []*version) error {
	for _, p := range parts {
		if len(p.failures) == 0 || !slices.Contains(crashes, p.failures[0].kind) || p.failures[0].failed != nil {
			continue
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
	}
	return nil
}

type (
	item     = genloop.Item[*work]
	question = genloop.Question[*work]
	round    = genloop.Round[*work]
)
