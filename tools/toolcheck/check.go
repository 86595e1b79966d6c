package toolcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
	"github.com/lisa-bench/lisa-bench/tools/toolcall"
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

// in has a call of the tool run by a function, in directories that are gone afterwards. The error is of the check
// and not of the tool.
func (c *check) in(b trial.Budget, grace time.Duration, run func(*toolcall.Call, toolcall.Generate)) error {
	root, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	g, err := toolcall.New(root, c.library, target, b, answer)
	if err != nil {
		return err
	}
	g.Job.Params = c.params
	run(g, func(ctx context.Context, job trial.Job, models *llm.Models) (trial.StopReason, error) {
		command := &exttool.Command{
			Spec: c.spec, Sandbox: c.Sandbox, CC: c.Tools.Clang.Path, CXX: c.Tools.ClangXX.Path, Models: models,
			Bounds: bounds, Grace: grace, Observe: func(o exttool.Observation) { c.seen = o },
		}
		return command.Generate(ctx, job)
	})
	return nil
}

// call calls the tool once.
func (c *check) call(ctx context.Context, b trial.Budget, grace time.Duration) (g *toolcall.Call, err error) {
	err = c.in(b, grace, func(made *toolcall.Call, tool toolcall.Generate) {
		g = made
		g.Run(ctx, tool)
		c.failure = g.Failed()
	})
	return g, err
}

// leaves wants a first program.
func (c *check) leaves(ctx context.Context, f *Finding) error {
	g, err := c.call(ctx, trial.Budget{Programs: 3, Wall: firstWall}, 0)
	if err != nil {
		return err
	}
	c.programs = g.Suite.Programs
	if c.failure != nil {
		return nil
	}
	switch {
	case len(c.programs) == 0 && g.Err == nil:
		f.problemf("it ended with status 0 and left no program: list each in %s, or leave .c, .cc, .cpp or .cxx files in $LISA_BENCH_OUT", exttool.SuiteFile)
	case len(c.programs) == 0:
		f.problemf("it left no program in %s: list each in %s as soon as it is finished", firstWall, exttool.SuiteFile)
	case !c.seen.Incremental:
		f.Notes = append(f.Notes, "it writes no "+exttool.SuiteFile+": in a run its programs count only if it ends by itself before its budget does")
	}
	return nil
}

// stops wants a command that counts its programs itself. In a run it is ended all the same.
func (c *check) stops(ctx context.Context, f *Finding) error {
	const programs = 2
	g, err := c.call(ctx, trial.Budget{Programs: programs}, grace)
	switch {
	case err != nil || g.Err != nil:
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
	first, err := c.call(ctx, trial.Budget{Programs: 3}, 0)
	if err != nil || c.failure != nil {
		return err
	}
	again, err := c.call(ctx, trial.Budget{Programs: 3}, 0)
	if err == nil && c.failure == nil && first.Suite.Text() != again.Suite.Text() {
		f.problemf("the same seed and answers gave another suite:\n%s\nafter\n%s", again.Suite.Text(), first.Suite.Text())
	}
	return err
}

// callsBudget wants programs of what was paid for, and no request more.
func (c *check) callsBudget(ctx context.Context, f *Finding) error {
	g, err := c.call(ctx, trial.Budget{LLMCalls: 2}, 0)
	if err == nil && c.failure == nil && len(g.Suite.Programs) == 0 {
		f.problemf("the tool left no program")
	}
	return err
}

func (c *check) cancelledAtWork(ctx context.Context, f *Finding) error {
	return c.cancelled(ctx, f, func(g *toolcall.Call, cancel func()) { g.Suite.Added = cancel })
}

func (c *check) cancelledAsking(ctx context.Context, f *Finding) error {
	return c.cancelled(ctx, f, (*toolcall.Call).HoldAsking)
}

// cancelled cancels a call when something happens, and wants it to be gone soon.
func (c *check) cancelled(ctx context.Context, f *Finding, when func(g *toolcall.Call, cancel func())) error {
	return c.in(trial.Budget{Programs: 1000}, 0, func(g *toolcall.Call, tool toolcall.Generate) {
		took, was := g.RunCancelled(ctx, tool, func(cancel func()) { when(g, cancel) })
		switch {
		case !was:
			f.problemf("the tool ended before it was cancelled: %s, %v", g.Stop, g.Err)
		case took > endWithin:
			f.problemf("the tool goes on %s after it was cancelled", took.Round(time.Second))
		}
	})
}

// confined looks for files outside the tool's directory, and for what the tool was not told.
func (c *check) confined(ctx context.Context, f *Finding) error {
	g, err := c.call(ctx, trial.Budget{Programs: 2}, 0)
	if err != nil || c.failure != nil {
		return err
	}
	for _, name := range g.Touched {
		f.problemf("the tool wrote %s", name)
	}
	if g.Peeked() {
		f.problemf("the tool read what it was not given")
	}
	return nil
}
