package measured

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Failure says in one line what a test reported.
func Failure(t trial.TestReference) string {
	var parts []string
	if f := t.Assertion; f != nil {
		parts = append(parts, fmt.Sprintf("assert(%s) at %s:%d", f.Expr, f.File, f.Line))
	}
	if t.Signal != 0 {
		parts = append(parts, fmt.Sprintf("signal %d", t.Signal))
	}
	if t.Detail != "" {
		parts = append(parts, trial.Brief(t.Detail))
	}
	return strings.Join(parts, "; ")
}

var lineDirective = regexp.MustCompile(`^\s*#\s*(?:line\s+)?(\d+)`)

// LineOf returns the line of a source, from 1, that has a failed assertion; 0 if there is none. "#line" can give
// several lines the number that the failure names. Of these, LineOf takes the first that has the beginning of the
// assertion, or else the last.
func LineOf(source string, f trial.AssertionFailure) int {
	number, found := 1, 0
	begin := strings.TrimSpace(f.Expr[:min(len(f.Expr), 12)])
	for i, text := range strings.Split(source, "\n") {
		if m := lineDirective.FindStringSubmatch(text); m != nil {
			number, _ = strconv.Atoi(m[1])
			continue
		}
		if number == f.Line {
			if found = i + 1; strings.Contains(text, begin) {
				return found
			}
		}
		number++
	}
	return found
}
