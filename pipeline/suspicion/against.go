package suspicion

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Comparison is what a run's candidates do on another version of the library.
type Comparison struct {
	Library string   `json:"library"`
	Edition string   `json:"edition"` // of the run
	Version string   `json:"version"` // as it was asked for; of a directory its last part
	ID      string   `json:"id"`      // pin, commit or hash of that version
	Earlier bool     `json:"earlier"` // that version is older than the run's
	Changes []Change `json:"changes"` // by rank
}

// A Change is one candidate on the other version.
type Change struct {
	Cell      string        `json:"cell"` // its ID
	Suspicion string        `json:"suspicion"`
	Rank      int           `json:"rank"`
	Verdict   ChangeVerdict `json:"verdict"`
	Values    []string      `json:"values,omitempty"` // what that version returned
	Detail    string        `json:"detail,omitempty"`
}

// A ChangeVerdict says what became of a candidate between two versions.
type ChangeVerdict string

// The verdicts.
const (
	Fixed     ChangeVerdict = "fixed"       // fails on the earlier version, holds on the later one
	Broken    ChangeVerdict = "broken"      // a regression: holds on the earlier and fails on the later one, or crashes or hangs there and not before
	Remains   ChangeVerdict = "still there" // fails on both
	CannotRun ChangeVerdict = "cannot run"  // does not compile there, ends otherwise, or its runs disagree
)

// Verdicts lists them in the order in which tables print them.
var Verdicts = []ChangeVerdict{Fixed, Broken, Remains, CannotRun}

// Judge compares the runs of a suspicion's program on the run's own reference and on the other
// version. A program that does not fail with its assertion on the reference, in all runs, says
// nothing.
func Judge(s trial.Suspicion, reference, other []trial.Result, earlier bool) Change {
	c := Change{Suspicion: s.ID, Verdict: CannotRun}
	for _, r := range reference {
		if !shows(r, s) {
			c.Detail = "on the reference itself it ends with " + ending(r)
			return c
		}
	}
	if len(reference) == 0 || len(other) == 0 {
		c.Detail = "it was not run"
		return c
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
		c.Verdict, c.Detail = Remains, ""
		if !slices.Equal(c.Values, Values(reference[0].Stdout)) {
			c.Detail = "with other values"
		}
	case first.Outcome == trial.OK && earlier:
		c.Verdict, c.Detail = Broken, "holds on the earlier version"
	case first.Outcome == trial.OK:
		c.Verdict, c.Detail = Fixed, "holds"
	case !earlier && (first.Outcome == trial.Crash || first.Outcome == trial.Timeout):
		c.Verdict = Broken
	}
	return c
}

// shows reports whether a run ended with the suspicion's assertion.
func shows(r trial.Result, s trial.Suspicion) bool {
	return r.Outcome == trial.Assertion && squeezed(r.Assertion.Expr) == squeezed(s.Assertion)
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

// comparisons is the directory of comparisons in a run.
const comparisons = "candidates"

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Save writes the comparison into a run's directory, in place of an earlier one with the same version.
func (c Comparison) Save(run string) error {
	dir := filepath.Join(run, comparisons)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := unsafe.ReplaceAllString(c.Library+"-"+c.Edition+"-"+c.Version, "-") + ".json"
	return durable.WriteJSON(filepath.Join(dir, name), c)
}

// Comparisons reads what was saved in a run's directory, in the order of the names.
func Comparisons(run string) ([]Comparison, error) {
	return durable.ReadJSON[Comparison](filepath.Join(run, comparisons, "*.json"))
}

// Of returns what became of a candidate; ok is false if the comparison is not about it.
func (c Comparison) Of(candidate Candidate) (change Change, ok bool) {
	for _, ch := range c.Changes {
		if ch.Cell == candidate.Cell.ID() && ch.Suspicion == candidate.ID {
			return ch, true
		}
	}
	return Change{}, false
}
