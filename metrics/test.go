package metrics

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A test is one program of a suite with what is known of it.
type test struct {
	trial.Program
	entry trial.SuiteEntry

	ending   ending    // on the reference build
	executed execution // on the coverage build
	key      string    // of its content; "" if that is not known, and nothing is stored of it
}

func (t *test) passes() bool { return t.ending.Outcome == trial.OK }

// limit is the processor time that the test may take on builds with a bug.
func (t *test) limit() time.Duration { return testrun.PatienceWithBugs.Limit(t.ending.CPU) }

// tests are a suite's programs. They are known by their content, whose hash is "" where it is not known.
func tests(entries []trial.SuiteEntry, programs []trial.Program, content func(trial.Program) string) []*test {
	list := make([]*test, len(programs))
	for i, p := range programs {
		list[i] = &test{Program: p, entry: entries[i]}
		if content == nil {
			continue
		}
		if hash := content(p); hash != "" {
			list[i].key = store.Key(hash, p.ID, p.Oracle) // the ID is in what a failing program prints
		}
	}
	return list
}

func programsOf(tests []*test) []trial.Program {
	programs := make([]trial.Program, len(tests))
	for i, t := range tests {
		programs[i] = t.Program
	}
	return programs
}

// where returns the elements of a list for which keep is true.
func where[T any](list []T, keep func(T) bool) (kept []T) {
	for _, t := range list {
		if keep(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// An ending is how a test ended on a build: its result without its output.
type ending struct {
	Outcome   trial.Outcome           `json:"outcome"`
	Signal    int                     `json:"signal,omitempty"`
	CPU       time.Duration           `json:"cpu_ns,omitempty"` // of one that passes
	Assertion *trial.AssertionFailure `json:"assertion,omitempty"`
	Detail    string                  `json:"detail,omitempty"`
	// Chance: another run may end otherwise, so that this one is not stored.
	Chance bool `json:"-"`
}

func endingOf(r trial.Result) ending {
	const most = 2000 // characters of a diagnostic that are worth keeping for a report
	detail := r.Diagnostic
	if r.Outcome == trial.NonzeroExit && detail == "" {
		detail = lastWords(r)
	}
	if len(detail) > most {
		detail = detail[:most] + "…" // a copy, which does not hold the whole
	}
	e := ending{Outcome: r.Outcome, Signal: r.Signal, Assertion: r.Assertion, Detail: strings.ToValidUTF8(detail, "\ufffd"), Chance: byChance(r)}
	switch r.Outcome {
	case trial.OK:
		e.CPU = r.CPU()
	case trial.Timeout: // which limit ended it depends on the machine's load
		e.Signal = 0
	}
	return e
}

// lastWords is how a program ended by itself: its status, and the last lines that it printed.
func lastWords(r trial.Result) string {
	const most = 5 // lines
	text := strings.TrimSpace(r.Stderr)
	if text == "" {
		text = strings.TrimSpace(r.Stdout)
	}
	words := fmt.Sprintf("exit status %d", r.ExitCode)
	if text == "" {
		return words + ", and it printed nothing"
	}
	lines := strings.Split(text, "\n")
	return words + ": " + strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// byChance reports whether a program may end otherwise another time: it was seen to, or it was stopped at the wall
// limit without being at work most of the time, as others may have had the processor.
func byChance(r trial.Result) bool {
	return r.Outcome == trial.Flaky ||
		r.Outcome == trial.Timeout && r.Signal != int(syscall.SIGXCPU) && r.CPUMs <= 0.8*r.WallMs
}

// oracle is what made the test fail. A crash or a hang is an oracle of its own, whatever the test asserts; a failed
// assertion has the class of its line.
func (t *test) oracle(e ending) trial.OracleClass {
	switch e.Outcome {
	case trial.Crash:
		return trial.OracleCrash
	case trial.Timeout:
		return trial.OracleHang
	case trial.CompileError, trial.LinkError, trial.Policy:
		return "" // it never came to its assertions
	}
	line := 0
	if e.Assertion != nil {
		line = e.Assertion.Line
	}
	return t.OracleAt(line)
}

// reference describes how the test failed.
func (t *test) reference(e ending) trial.TestReference {
	return trial.TestReference{
		ID: t.entry.ID, File: "suite/" + t.entry.File, Origin: t.entry.Origin, Outcome: e.Outcome, Oracle: t.oracle(e), Signal: e.Signal,
		Assertion: e.Assertion, Elapsed: t.entry.Elapsed.Round(time.Millisecond),
		Tokens: t.entry.Tokens, Dollars: t.entry.Dollars, Detail: e.Detail,
	}
}
