package sandbox

import (
	"bytes"
	"regexp"
	"strconv"
	"syscall"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Classify turns a verdict's facts into a result. It depends on nothing else.
//
//   - timeout: killed at the wall or CPU limit;
//   - assertion: SIGABRT after the C library's message of a failed assert();
//   - crash: any other signal, or the sanitizers' exit status in a sanitized process;
//   - nonzero_exit: any other status but 0.
func Classify(v Ending) trial.Result {
	r := trial.Result{
		Signal:   int(v.Signal),
		ExitCode: v.ExitCode,
		Stdout:   string(v.Stdout),
		Stderr:   string(v.Stderr),
		WallMs:   float64(v.Wall.Microseconds()) / 1000,
		CPUMs:    float64(v.CPU.Microseconds()) / 1000,
		Counters: v.Counters,
	}
	switch {
	case v.LoadError != "":
		r.Outcome, r.Diagnostic = trial.LinkError, v.LoadError
	case v.TimedOut:
		r.Outcome = trial.Timeout
	case v.Signal == syscall.SIGABRT:
		r.Outcome = trial.Crash
		if a, ok := parseAssertion(v.Stderr); ok {
			r.Outcome, r.Assertion = trial.Assertion, &a
		}
	case v.Signal != 0:
		r.Outcome = trial.Crash
	case v.ExitCode == SanitizerExit && v.Flavour == Sanitized:
		r.Outcome, r.Diagnostic = trial.Crash, sanitizerReport(v.Stderr)
	case v.ExitCode != 0:
		r.Outcome = trial.NonzeroExit
	default:
		r.Outcome = trial.OK
	}
	return r
}

// assertionLine is glibc's message (assert/assert.c, "%s%s%s:%u: %s%sAssertion `%s' failed.\n"):
//
//	program: file:line: function: Assertion `expression' failed.
//
// The function of a C++ program holds blanks and colons, and an expression may span lines.
// What the program wrote before on the same line stands in front. A file has no colon.
var assertionLine = regexp.MustCompile("(?s)([^\n]*): Assertion `(.*?)' failed\\.\n")

var assertionPlace = regexp.MustCompile(`^(?:.*?: )?([^:]+):(\d+)(?:: (.*))?$`)

// parseAssertion finds the last failed assertion that stderr reports: SIGABRT follows at once.
func parseAssertion(stderr []byte) (trial.AssertionFailure, bool) {
	all := assertionLine.FindAllSubmatch(stderr, -1)
	if all == nil {
		return trial.AssertionFailure{}, false
	}
	m := all[len(all)-1]
	place := assertionPlace.FindSubmatch(m[1])
	if place == nil {
		return trial.AssertionFailure{}, false
	}
	line, err := strconv.Atoi(string(place[2]))
	if err != nil {
		return trial.AssertionFailure{}, false
	}
	return trial.AssertionFailure{File: string(place[1]), Line: line, Func: string(place[3]), Expr: string(m[2])}, true
}

// maxReport is how much of a sanitizer's report is a diagnostic.
const maxReport = 4 << 10

// reportStart is the first line of a sanitizer's report.
var reportStart = regexp.MustCompile(`(?m)^(==\d+==ERROR: |.*: runtime error: )`)

// sanitizerReport cuts the report out of stderr. Process ids are no part of it.
func sanitizerReport(stderr []byte) string {
	at := reportStart.FindIndex(stderr)
	if at == nil {
		return ""
	}
	report := stderr[at[0]:]
	report = report[:min(len(report), maxReport)]
	return string(bytes.TrimSpace(pidMark.ReplaceAll(report, nil)))
}

var pidMark = regexp.MustCompile(`(?m)^==\d+==`)
