package toolcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
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

	programs []trial.Program     // that the tool left first
	seen     exttool.Observation // of the last generation
	failure  error               // of the tool in it, but the end of its budget
}

func (c *check) all(ctx context.Context) (findings []Finding, err error) {
	for _, k := range []struct {
		name  string
		model bool // says something only about tools that ask a model
		run   func(context.Context, *Finding) error
	}{
		{"leaves programs", false, c.leaves},
		{"programs in C or C++", false, c.dialects},
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
		c.failure = nil
		err := k.run(ctx, &f)
		if ctx.Err() != nil {
			return findings, context.Cause(ctx)
		}
		if err != nil {
			return findings, err
		}
		if c.failure != nil {
			f.Problems = append([]string{problem(c.failure)}, f.Problems...)
		}
		findings = append(findings, c.advised(f))
		if i := len(findings); i == 1 && len(c.programs) == 0 || i == 2 && len(findings[0].Problems) > 0 {
			break // everything else would only say so again
		}
	}
	return findings, nil
}

// leaves wants a first program.
func (c *check) leaves(ctx context.Context, f *Finding) error {
	g, err := c.generate(ctx, trial.Budget{Programs: 3, Wall: firstWall})
	if err != nil || c.failure != nil {
		return err
	}
	c.programs = g.programs
	switch {
	case len(g.programs) == 0 && g.err == nil:
		f.problemf("it ended with status 0 and left no program: list each in %s, or leave .c, .cc, .cpp or .cxx files in $LISA_BENCH_OUT", exttool.SuiteFile)
	case len(g.programs) == 0:
		f.problemf("it left no program in %s: list each in %s as soon as it is finished", firstWall, exttool.SuiteFile)
	case !c.seen.Incremental:
		f.Notes = append(f.Notes, "it writes no "+exttool.SuiteFile+": in a run its programs count only if it ends by itself before its budget does")
	}
	return nil
}

// stops wants a command that counts its programs itself. In a run it is ended all the same.
func (c *check) stops(ctx context.Context, f *Finding) error {
	const programs = 2
	g, err := c.generate(ctx, trial.Budget{Programs: programs}, func(g *generation) { g.grace = grace })
	switch {
	case err != nil || g.err != nil:
		return err
	case c.seen.Listed > programs+1 && c.seen.Ended:
		f.problemf("it listed %d programs with a budget of %d, and then ended", c.seen.Listed, programs)
	case c.seen.Listed > programs+1:
		f.problemf("it listed %d programs with a budget of %d, and had to be ended", c.seen.Listed, programs)
	case !c.seen.Ended:
		f.Notes = append(f.Notes, fmt.Sprintf("it was still at work %s after its budget was used up, and was ended: nothing is lost by that", grace))
	}
	return nil
}

// deterministic wants the same programs for the same seed and answers.
func (c *check) deterministic(ctx context.Context, f *Finding) error {
	first, err := c.generate(ctx, trial.Budget{Programs: 3})
	if err != nil || c.failure != nil {
		return err
	}
	again, err := c.generate(ctx, trial.Budget{Programs: 3})
	if err == nil && c.failure == nil && first.text() != again.text() {
		f.problemf("the same seed and answers gave another suite:\n%s\nafter\n%s", again.text(), first.text())
	}
	return err
}

// callsBudget wants programs of what was paid for, and no request more.
func (c *check) callsBudget(ctx context.Context, f *Finding) error {
	g, err := c.generate(ctx, trial.Budget{LLMCalls: 2})
	if err == nil && c.failure == nil && len(g.programs) == 0 {
		f.problemf("the tool left no program")
	}
	return err
}

func (c *check) cancelledAtWork(ctx context.Context, f *Finding) error {
	return c.cancelled(ctx, f, func(g *generation, cancel func()) { g.added = cancel })
}

func (c *check) cancelledAsking(ctx context.Context, f *Finding) error {
	return c.cancelled(ctx, f, func(g *generation, cancel func()) { g.asked = func() { cancel(); <-g.ended } })
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
	c.failure = nil // it was cancelled
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
func (c *check) confined(ctx context.Context, f *Finding) error {
	g, err := c.generate(ctx, trial.Budget{Programs: 2})
	if err != nil || c.failure != nil {
		return err
	}
	for _, name := range g.touched {
		f.problemf("the tool wrote %s", name)
	}
	if strings.Contains(g.text()+strings.Join(g.prompts, "\n"), secret) {
		f.problemf("the tool read what it was not given")
	}
	return nil
}
