package toolcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// limit is how long a whole check may take.
const limit = 5 * time.Minute

const (
	firstWall = time.Minute      // for the first programs
	grace     = 10 * time.Second // to end by itself in, when the budget is used up
	endWithin = 10 * time.Second // to be gone in, when it is cancelled
)

// bounds are tighter than a run's: a check does not wait for long.
var bounds = exttool.Bounds{OutputBytes: 64 << 20, OutputFiles: 5_000, Idle: 30 * time.Second}

// errLate is why a check ended early.
var errLate = fmt.Errorf("the check took more than %s: the tool is to make three programs for a library of five functions", limit)

// A Finding is how one check ended.
type Finding struct {
	Check    string   `json:"check"`
	Problems []string `json:"problems,omitempty"` // none if the tool passes
	Skipped  string   `json:"skipped,omitempty"`  // why the check says nothing about the tool
	Change   []string `json:"change,omitempty"`   // what to do about the problems
	Said     []string `json:"said,omitempty"`     // the first lines that the tool printed
	Notes    []string `json:"notes,omitempty"`    // what its builder may want to know
}

func (f *Finding) problemf(format string, args ...any) {
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// A Checker checks commands.
type Checker struct {
	Sandbox  sandbox.Executor
	Tools    *toolchain.Tools
	Compiler *toolchain.Compiler
	Limit    time.Duration // 0 means limit
}

// Check holds a tool with the parameters of one variant against the contract. Findings without problems
// say that it conforms. An error means that the check itself could not be made.
func (k Checker) Check(ctx context.Context, spec experiments.ToolSpec, params map[string]any) ([]Finding, error) {
	library, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(library)
	if err := buildLibrary(ctx, k.Tools, library); err != nil {
		return nil, err
	}
	c := &check{Checker: k, spec: spec, library: library, params: params}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(k.Limit, limit), errLate)
	defer cancel()
	findings, err := c.all(limited)
	if errors.Is(err, errLate) {
		return append(findings, Finding{Check: "ends in time", Problems: []string{err.Error()}}), nil
	}
	return findings, err
}

// A check is one under way.
type check struct {
	Checker
	spec    experiments.ToolSpec
	library string
	params  map[string]any
	grace   time.Duration
	seen    exttool.Observation // of the last generation
}

func (c *check) all(ctx context.Context) ([]Finding, error) {
	first := Finding{Check: "leaves programs"}
	programs, err := c.leaves(ctx, &first)
	if err != nil {
		return nil, err
	}
	findings := []Finding{first}
	if len(programs) == 0 {
		return findings, nil // everything else would only say so again
	}
	dialects, err := c.dialects(ctx, programs)
	if err != nil {
		return findings, err
	}
	findings = append(findings, c.advised(dialects, nil))
	if len(first.Problems) > 0 {
		return findings, nil // and here it would do so in other words
	}
	for _, k := range []struct {
		name  string
		model bool // says something only about tools that ask a model
		run   func(context.Context, *Finding) (failed, err error)
	}{
		{"stops at its budget", false, c.stops},
		{"deterministic under replay", false, c.deterministic},
		{"calls budget", true, c.callsBudget},
		{"cancelled at work", false, c.cancelledAtWork},
		{"cancelled while it asks", true, c.cancelledAsking},
		{"leaves everything else alone", false, c.confined},
	} {
		f := Finding{Check: k.name}
		if k.model && !c.spec.Model {
			f.Skipped = "the tool asks no model"
			findings = append(findings, f)
			continue
		}
		failed, err := k.run(ctx, &f)
		if ctx.Err() != nil {
			return findings, context.Cause(ctx)
		}
		if err != nil {
			return findings, err
		}
		if failed != nil {
			f.problemf("%s", problem(failed))
		}
		findings = append(findings, c.advised(f, failed))
	}
	return findings, nil
}

// leaves wants a first program.
func (c *check) leaves(ctx context.Context, f *Finding) ([]trial.Program, error) {
	g, err := c.generate(ctx, trial.Budget{Programs: 3, Wall: firstWall})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case g.failed() != nil:
		f.problemf("%s", problem(g.err))
	case len(g.programs) == 0 && g.err == nil:
		f.problemf("it ended with status 0 and left no program: list each in %s, or leave .c, .cc, .cpp or .cxx files in $LISA_BENCH_OUT", exttool.SuiteFile)
	case len(g.programs) == 0:
		f.problemf("it left no program in %s: list each in %s as soon as it is finished", firstWall, exttool.SuiteFile)
	case !c.seen.Incremental:
		f.Notes = append(f.Notes, "it writes no "+exttool.SuiteFile+": in a run its programs count only if it ends by itself before its budget does")
	}
	*f = c.advised(*f, g.err)
	return g.programs, nil
}

// stops wants a command that counts its programs itself. In a run it is ended all the same.
func (c *check) stops(ctx context.Context, f *Finding) (failed, err error) {
	const programs = 2
	c.grace = grace
	g, err := c.generate(ctx, trial.Budget{Programs: programs})
	c.grace = 0
	switch {
	case err != nil || g.err != nil:
		return g.err, err
	case c.seen.Listed > programs+1:
		f.problemf("it listed %d programs with a budget of %d, and %s", c.seen.Listed, programs, map[bool]string{true: "then ended", false: "had to be ended"}[c.seen.Ended])
	case !c.seen.Ended:
		f.Notes = append(f.Notes, fmt.Sprintf("it was still at work %s after its budget was used up, and was ended: nothing is lost by that", grace))
	}
	return nil, nil
}

// deterministic wants the same programs for the same seed and answers.
func (c *check) deterministic(ctx context.Context, f *Finding) (failed, err error) {
	var suites [2]string
	for i := range suites {
		g, err := c.generate(ctx, trial.Budget{Programs: 3})
		if err != nil || g.failed() != nil {
			return g.failed(), err
		}
		suites[i] = g.text()
	}
	if suites[0] != suites[1] {
		f.problemf("the same seed and answers gave another suite:\n%s\nafter\n%s", suites[1], suites[0])
	}
	return nil, nil
}

// callsBudget wants programs of what was paid for, and no request more.
func (c *check) callsBudget(ctx context.Context, f *Finding) (failed, err error) {
	g, err := c.generate(ctx, trial.Budget{LLMCalls: 2})
	if err != nil || g.failed() != nil {
		return g.failed(), err
	}
	if len(g.programs) == 0 {
		f.problemf("the tool left no program")
	}
	return nil, nil
}

func (c *check) cancelledAtWork(ctx context.Context, f *Finding) (failed, err error) {
	return nil, c.cancelled(ctx, f, func(g *generation, cancel func()) { g.added = cancel })
}

func (c *check) cancelledAsking(ctx context.Context, f *Finding) (failed, err error) {
	return nil, c.cancelled(ctx, f, func(g *generation, cancel func()) { g.asked = func() { cancel(); <-g.ended } })
}

// cancelled cancels a generation when something happens, and wants it to be gone soon.
func (c *check) cancelled(ctx context.Context, f *Finding, when func(g *generation, cancel func())) error {
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	var since time.Time
	g, err := c.generate(working, trial.Budget{Programs: 1000}, func(g *generation) {
		when(g, func() {
			if since.IsZero() {
				since = time.Now()
			}
			cancel()
		})
	})
	switch took := time.Since(since); {
	case err != nil:
		return err
	case since.IsZero():
		f.problemf("the tool ended before it was cancelled: %s, %v", g.stop, g.err)
	case took > endWithin:
		f.problemf("the tool goes on %s after it was cancelled", took.Round(time.Second))
	}
	return nil
}

// confined looks for files outside the tool's directory, and for what the tool was not told.
func (c *check) confined(ctx context.Context, f *Finding) (failed, err error) {
	g, err := c.generate(ctx, trial.Budget{Programs: 2})
	if err != nil || g.failed() != nil {
		return g.failed(), err
	}
	for _, name := range g.touched {
		f.problemf("the tool wrote %s", name)
	}
	told := append(slices.Clone(g.prompts), g.text())
	if slices.ContainsFunc(told, func(text string) bool { return strings.Contains(text, secret) }) {
		f.problemf("the tool read what it was not given")
	}
	return nil, nil
}
