package sequence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A recurring error is a signature and the programs that failed with it. Of one that keeps coming back a project rule is
// mined (paper, sec:error-detection-repair, Detection).
type recurring struct {
	signature string
	programs  []string  // ids
	failures  []failure // the first few, for the prompt
	asked     bool
}

// A failure is a program with its error's text.
type failure struct{ Program, Text string }

// maxFailures bounds the programs that a prompt for a rule shows.
const maxFailures = 3

// recur counts a failed program.
func (p *policy) recur(it *item) {
	sig := it.Data.error.signature
	i := slices.IndexFunc(p.errors, func(e *recurring) bool { return e.signature == sig })
	if i < 0 {
		i, p.errors = len(p.errors), append(p.errors, &recurring{signature: sig})
	}
	e := p.errors[i]
	e.programs = append(e.programs, it.ID)
	if len(e.failures) < maxFailures {
		e.failures = append(e.failures, failure{strings.TrimRight(it.Source, "\n"), it.Data.error.text})
	}
}

// mine adds the rule that a model made of an error. An answer that is no rule is replaced by
// the error itself.
func (p *policy) mine(round int, e *recurring, a llm.Answer) {
	rule := trial.MinedRule{Round: round, Signature: e.signature, Programs: e.programs, Origin: "model"}
	if rule.Text = parseRule(llm.Said(a.Text)); rule.Text == "" {
		rule.Text, rule.Origin = "Avoid what fails with: "+e.signature, "template"
	}
	p.mined = append(p.mined, rule)
}

// maxRule is the longest rule in characters; the prompt asks for fewer.
const maxRule = 300

var ruleLine = regexp.MustCompile(`(?m)^[*\s>-]*RULE:\s*(.+?)[*\s]*$`)

// parseRule returns the rule of an answer, or "" if it has none that fits a prompt's line.
func parseRule(text string) string {
	m := ruleLine.FindStringSubmatch(text)
	if m == nil || len(m[1]) > maxRule || strings.ContainsAny(m[1], "\r\x00") {
		return ""
	}
	return strings.TrimRight(m[1], " .") + "."
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// A programError is what a failed program is told of its failure.
type programError struct {
	kind      string // e.g. "compile error"
	code      string // e.g. "signal 11 (SIGSEGV)"; "" if there is none
	text      string // compiler, linker, sanitizer or assertion text; "" if there is none
	signature string // the same for errors that a rule could prevent together
}

// maxErrorBytes bounds an error's text in a prompt.
const maxErrorBytes = 3000

// describe makes an error of a result; report is the sanitizers' about a program that crashed.
func describe(r trial.Result, report string) programError {
	e := programError{kind: strings.ReplaceAll(string(r.Outcome), "_", " ")}
	switch r.Outcome {
	case trial.CompileError, trial.LinkError:
		e.text = r.Diagnostic
		e.signature = e.kind + ": " + normalize(firstError(r.Diagnostic))
	case trial.Crash:
		e.code, e.text = fmt.Sprintf("signal %d", r.Signal), report
		e.signature = e.kind + ": " + crashSite(report, e.code)
	case trial.NonzeroExit:
		e.code = fmt.Sprintf("exit status %d", r.ExitCode)
		e.signature = e.kind + ": " + e.code
	case trial.Assertion:
		e.text = fmt.Sprintf("%s:%d: %s: assertion failed: %s", r.Assertion.File, r.Assertion.Line, r.Assertion.Func, r.Assertion.Expr)
		e.signature = e.kind + ": " + normalize(r.Assertion.Expr)
	default: // timeout, flaky
		e.text = r.Diagnostic
		e.signature = e.kind
	}
	e.text = llm.Shorten(llm.Portable(e.text), maxErrorBytes)
	return e
}

var (
	errorLine = regexp.MustCompile(`(?m)^.*?(?:fatal error|error|undefined reference to|undefined symbol)\b:?\s*(.*)$`)
	digits    = regexp.MustCompile(`\b(0x[0-9a-fA-F]+|\d+)\b`)
	frame     = regexp.MustCompile(`(?m)^\s*#\d+ 0x[0-9a-f]+ in (\S+)`)
	sanitizer = regexp.MustCompile(`(?m)(AddressSanitizer|UndefinedBehaviorSanitizer): ([\w-]+)|runtime error: (.*)$`)
)

// firstError returns the message of a diagnostic's first error.
func firstError(diagnostic string) string {
	if m := errorLine.FindStringSubmatch(diagnostic); m != nil {
		return m[1]
	}
	first, _, _ := strings.Cut(strings.TrimSpace(diagnostic), "\n")
	return first
}

// normalize drops numbers, which differ between programs with one error.
func normalize(message string) string {
	return llm.Shorten(oneLine(digits.ReplaceAllString(message, "N")), 200)
}

// crashSite names what a sanitizer found and the innermost function of a program or library in
// its trace, or else the signal.
func crashSite(report, code string) string {
	m := sanitizer.FindStringSubmatch(report)
	if m == nil {
		return code
	}
	what := m[2]
	if what == "" {
		what = normalize(m[3])
	}
	for _, f := range frame.FindAllStringSubmatch(report, -1) {
		if !strings.HasPrefix(f[1], "__") {
			return what + " in " + f[1]
		}
	}
	return what
}
