package suspicion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Judge compares the runs of a suspicion's program on the run's own reference and on the other
// version, at least one each. A program that does not fail with its assertion on the reference, in all runs, says
// nothing.
func Judge(s trial.Suspicion, reference, other []trial.Result, earlier bool) trial.Change {
	c := trial.Change{Suspicion: s.ID, Outcome: trial.CannotRun}
	for _, r := range reference {
		if !shows(r, s) {
			c.Detail = "on the reference itself it ends with " + ending(r)
			return c
		}
	}
	first := other[0]
	for _, r := range other[1:] {
		if r.Outcome != first.Outcome {
			c.Detail = fmt.Sprintf("its runs disagree: %s, %s", ending(first), ending(r))
			return c
		}
	}
	c.Values, c.Detail = Values(first.Stdout), ending(first)
	switch {
	case shows(first, s):
		c.Outcome, c.Detail = trial.Remains, ""
		if !slices.Equal(c.Values, Values(reference[0].Stdout)) {
			c.Detail = "with other values"
		}
	case first.Outcome == trial.OK && earlier:
		c.Outcome, c.Detail = trial.Broken, "holds on the earlier version"
	case first.Outcome == trial.OK:
		c.Outcome, c.Detail = trial.Fixed, "holds"
	case !earlier && (first.Outcome == trial.Crash || first.Outcome == trial.Timeout):
		c.Outcome = trial.Broken
	}
	return c
}

// shows reports whether a run ended with the suspicion's assertion.
func shows(r trial.Result, s trial.Suspicion) bool {
	return r.Outcome == trial.Assertion && r.Assertion != nil && squeezed(r.Assertion.Expr) == squeezed(s.Assertion)
}

// ending says how a run ended.
func ending(r trial.Result) string {
	switch {
	case r.Outcome == trial.Assertion && r.Assertion != nil:
		return "another assertion: " + r.Assertion.Expr
	case r.Outcome == trial.Crash && r.Signal != 0:
		return fmt.Sprintf("a crash, signal %d", r.Signal)
	case !r.Outcome.Compiled():
		first, _, _ := strings.Cut(strings.TrimSpace(r.Diagnostic), "\n")
		return strings.TrimSpace(string(r.Outcome) + " " + first)
	}
	return string(r.Outcome)
}

// squeezed is text without blanks, which the preprocessor writes as it likes.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// ValueMark begins the lines with which a program shows a value; it may print others.
const ValueMark = "@value "

// Values are those that a program printed.
func Values(stdout string) []string {
	var list []string
	for line := range strings.Lines(stdout) {
		if v, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), ValueMark); ok {
			list = append(list, v)
		}
	}
	return list
}
