package toolcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/exec/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/tools/exttool"
	"github.com/lisa-bench/lisa-bench/internal/tools/tooltest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// limit is how long a whole check may take.
const limit = 5 * time.Minute

const (
	firstWall = time.Minute      // for the first programs
	grace     = 10 * time.Second // to end by itself in, when the budget is used up
)

// bounds are tighter than a run's: a check does not wait for long.
var bounds = exttool.Bounds{OutputBytes: 64 << 20, OutputFiles: 5_000, Idle: 30 * time.Second}

// errLate is why a check ended early.
var errLate = fmt.Errorf("the check took more than %s: the tool is to make three programs for a library of five functions", limit)

// A Checker checks commands.
type Checker struct {
	Sandbox  sandbox.Executor
	Tools    *toolchain.Tools
	Compiler *toolchain.Compiler
	Limit    time.Duration // 0 means Limit
}

// Check holds a tool with the parameters of one variant against the contract. Findings without problems
// say that it conforms. An error means that the check itself could not be made.
func (k Checker) Check(ctx context.Context, spec experiments.ToolSpec, params map[string]any) ([]tooltest.Finding, error) {
	library, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(library)
	if err := buildLibrary(ctx, k.Tools, library); err != nil {
		return nil, err
	}
	c := &check{Checker: k, spec: spec, library: library}
	c.subject = tooltest.Subject{Source: library, Target: target, New: c.tool, Params: params, Finite: true}
	if spec.Model {
		c.subject.Answer = answer
	}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(k.Limit, limit), errLate)
	defer cancel()
	findings, err := c.all(limited)
	if errors.Is(err, errLate) {
		return append(findings, tooltest.Finding{Check: "ends in time", Problems: []string{err.Error()}}), nil
	}
	return findings, err
}

// A check is one under way.
type check struct {
	Checker
	spec    experiments.ToolSpec
	library string
	subject tooltest.Subject
	grace   time.Duration
	seen    exttool.Observation // of the last generation
}

// tool makes the command for one generation.
func (c *check) tool(_ tooltest.T, models *llm.Models) tooltest.Generator {
	return exttool.NewCommand(exttool.Command{
		Spec: c.spec, Sandbox: c.Sandbox, Models: models, CC: c.Tools.Clang.Path, CXX: c.Tools.ClangXX.Path,
		Bounds: bounds, Grace: c.grace, Observe: func(o exttool.Observation) { c.seen = o },
	})
}

func (c *check) all(ctx context.Context) ([]tooltest.Finding, error) {
	var programs []trial.Program
	var failed error
	first := tooltest.One(ctx, "leaves programs", func(t tooltest.T) { programs, failed = c.leaves(t) })
	first = c.advised(first, failed)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(programs) > 0 && !c.seen.Incremental {
		first.Notes = append(first.Notes, "it writes no "+exttool.SuiteFile+": in a run its programs count only if it ends by itself before its budget does")
	}
	findings := []tooltest.Finding{first}
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
	findings = append(findings, c.stops(ctx))
	if ctx.Err() != nil {
		return findings[:2], context.Cause(ctx)
	}
	c.grace = 0
	rest, err := tooltest.Check(ctx, c.subject)
	for _, f := range rest {
		if strings.HasPrefix(f.Check, "cancelled while it runs") {
			f.Check = "cancelled at work"
		}
		findings = append(findings, c.advised(f, nil))
	}
	return findings, err
}

// leaves wants a first program, and returns what the generation ended with besides.
func (c *check) leaves(t tooltest.T) ([]trial.Program, error) {
	e := c.subject.Generate(t, trial.Budget{Programs: 3, Wall: firstWall})
	switch {
	case e.Err != nil && !errors.Is(e.Err, trial.ErrBudget):
		t.Error(problem(e.Err))
	case len(e.Programs) == 0 && e.Err == nil:
		t.Errorf("it ended with status 0 and left no program: list each in %s, or leave .c, .cc, .cpp or .cxx files in $LISA_BENCH_OUT", exttool.SuiteFile)
	case len(e.Programs) == 0:
		t.Errorf("it left no program in %s: list each in %s as soon as it is finished", firstWall, exttool.SuiteFile)
	}
	return e.Programs, e.Err
}

// stops wants a command that counts its programs itself. In a run it is ended all the same.
func (c *check) stops(ctx context.Context) tooltest.Finding {
	c.grace = grace
	var failed error
	f := tooltest.One(ctx, "stops at its budget", func(t tooltest.T) {
		const programs = 2
		e := c.subject.Generate(t, trial.Budget{Programs: programs})
		switch {
		case e.Err != nil:
			failed = e.Err
			t.Error(problem(e.Err))
		case c.seen.Listed > programs+1:
			t.Errorf("it listed %d programs with a budget of %d, and %s", c.seen.Listed, programs, map[bool]string{true: "then ended", false: "had to be ended"}[c.seen.Ended])
		}
	})
	if len(f.Problems) == 0 && !c.seen.Ended && ctx.Err() == nil {
		f.Notes = append(f.Notes, fmt.Sprintf("it was still at work %s after its budget was used up, and was ended: nothing is lost by that", grace))
	}
	return c.advised(f, failed)
}
