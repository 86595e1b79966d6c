// Package toolcheck checks an external command against the contract in docs/howto/adding-a-tool.md. It takes a
// tool's block and returns findings for its author: whether the command writes programs at all, and in which
// language, whether it does the same again, ends when it is told to, and leaves everything else alone. The command works
// on a library of five functions, with a model that answers from a script. A command that cannot be started is an error.
package toolcheck

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
	"github.com/lisa-bench/lisa-bench/tools/toolcall"
)

const (
	wall      = time.Minute      // of a call, in which the tool is to make three programs for a library of five functions
	endWithin = 10 * time.Second // to be gone in, when it is cancelled
)

// bounds are tighter than a run's: a check does not wait for long.
var bounds = exttool.Bounds{OutputBytes: 64 << 20, OutputFiles: 5_000, Idle: wall}

// A Finding is how one check ended.
type Finding struct {
	Check    string
	Problems []string // none if the tool passes
	Skipped  string   // why the check says nothing about the tool
	Change   []string // what to do about the problems
	Said     []string // the first lines that the tool printed
	Notes    []string // what its builder may want to know
}

func (f *Finding) problemf(format string, args ...any) {
	f.Problems = append(f.Problems, fmt.Sprintf(format, args...))
}

// A Checker checks commands.
type Checker struct {
	Sandbox  sandbox.Executor
	Tools    *toolchain.Tools
	Compiler *toolchain.Compiler
	Wall     time.Duration // of each call of the tool; 0 means a minute
}

// Check holds a tool with the parameters of one variant against the contract. Findings without problems
// say that it conforms. An error means that the check itself could not be made.
func (k Checker) Check(ctx context.Context, spec experiments.ToolSpec, params map[string]any) (findings []Finding, err error) {
	c := &check{Checker: k, spec: spec, params: params}
	c.Wall = cmp.Or(k.Wall, wall)
	if c.library, err = os.MkdirTemp("", "bench-check-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.library)
	if err := buildLibrary(ctx, k.Tools, c.library); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name  string
		model bool // says something only about tools that ask a model
		run   func(context.Context, *Finding) error
	}{
		{"leaves programs", false, c.leaves},
		{"programs in C or C++", false, c.dialects},
		{replay, false, c.deterministic},
		{callsBudget, true, c.callsBudget},
		{"cancelled at work", false, c.cancelled(func(g *toolcall.Call, cancel func()) { g.Suite.Added = cancel })},
		{"cancelled while it asks", true, c.cancelled((*toolcall.Call).HoldAsking)},
		{alone, false, c.leftAlone},
	} {
		f := Finding{Check: s.name}
		if s.model && !spec.Model {
			f.Skipped = "the tool asks no model"
			findings = append(findings, f)
			continue
		}
		c.said, c.failure = "", nil
		err := s.run(ctx, &f)
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

// A check is one under way.
type check struct {
	Checker
	spec    experiments.ToolSpec
	library string
	params  map[string]any

	programs []trial.Program // that the tool left in its first call
	first    string          // all of the suite that it left then
	touched  []string        // what it wrote elsewhere, and
	peeked   bool            // whether it shows what it was not given
	said     string          // in the last call
	failure  error           // of the tool in it, but the end of its budget
}

// in has a call of the tool run by a function, in directories that are gone afterwards. The error is of the check
// and not of the tool.
func (c *check) in(b trial.Budget, run func(*toolcall.Call, toolcall.Generate)) error {
	root, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	b.Wall = c.Wall
	g, err := toolcall.New(root, c.library, target, b, answer)
	if err != nil {
		return err
	}
	g.Job.Params = c.params
	run(g, func(ctx context.Context, job trial.Job, models *llm.Models) (trial.StopReason, error) {
		command := &exttool.Command{
			Spec: c.spec, Sandbox: c.Sandbox, CC: c.Tools.Clang.Path, CXX: c.Tools.ClangXX.Path, Models: models,
			Bounds: bounds, Heard: func(said string) { c.said = said },
		}
		return command.Generate(ctx, job)
	})
	return nil
}

// call calls the tool once, and has a function look at what it left.
func (c *check) call(ctx context.Context, b trial.Budget, look func(*toolcall.Call)) error {
	return c.in(b, func(g *toolcall.Call, tool toolcall.Generate) {
		g.Run(ctx, tool)
		if c.failure = g.Failed(); c.failure == nil {
			look(g)
		} else if c.first == "" {
			c.programs = g.Suite.Programs // up to there, which can be looked at
		}
	})
}

var three = trial.Budget{Programs: 3}

// leaves wants a first program.
func (c *check) leaves(ctx context.Context, f *Finding) error {
	return c.call(ctx, three, func(g *toolcall.Call) {
		c.programs, c.first, c.touched, c.peeked = g.Suite.Programs, g.Suite.Text(), g.Touched, g.Peeked()
		_, err := os.Stat(filepath.Join(g.Job.Dir, "out", exttool.SuiteFile))
		switch {
		case len(g.Suite.Programs) == 0 && g.Err == nil:
			f.problemf("it ended with status 0 and left no program: list each in %s, or leave .c, .cc, .cpp or .cxx files in $LISA_BENCH_OUT", exttool.SuiteFile)
		case len(g.Suite.Programs) == 0:
			f.problemf("it left no program in %s: list each in %s as soon as it is finished", c.Wall, exttool.SuiteFile)
		case err != nil:
			f.Notes = append(f.Notes, "it writes no "+exttool.SuiteFile+": in a run its programs count only if it ends by itself before its budget does")
		}
	})
}

// dialects looks whether programs are in the language that their names say, and define something to run.
// A program that does not compile is the tool's result and no breach of the contract, unless none does.
func (c *check) dialects(ctx context.Context, f *Finding) error {
	dir, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var own, other []toolchain.Unit
	for i, p := range c.programs {
		own = append(own, toolchain.Unit{ID: fmt.Sprintf("own%d", i), Lang: p.Lang, Source: p.Source})
		other = append(other, toolchain.Unit{ID: fmt.Sprintf("other%d", i), Lang: otherwise[p.Lang], Source: p.Source})
	}
	flags := toolchain.Flags{IncludeDirs: []string{c.library}, Extra: []string{"-w"}}
	read, err := c.Compiler.Read(ctx, dir, flags, slices.Concat(own, other))
	if err != nil {
		return err
	}
	broken := 0
	for i, p := range c.programs {
		switch {
		case read[i].OK:
			program, err := read[i].Program()
			if err != nil {
				return err
			}
			if len(program.Entries()) == 0 {
				f.problemf("%s defines neither main nor a function such as void test_add(void)", p.Origin)
			}
		case read[len(own)+i].OK:
			is := otherwise[p.Lang]
			f.problemf("%s is %s: name it with %s", p.Origin, strings.ToUpper(string(is)), is.Ext())
		default:
			broken++
			_, why, _ := strings.Cut(read[i].Diagnostics, "error: ")
			why, _, _ = strings.Cut(why, "\n")
			f.Notes = append(f.Notes, fmt.Sprintf("%s does not compile: %s", p.Origin, why))
		}
	}
	if broken == len(c.programs) {
		f.problemf("none of its programs compiles")
		f.Change = append(f.Change, "compile each as the manifest says before you list it: $LISA_BENCH_CC $LISA_BENCH_CFLAGS x.c $LISA_BENCH_LDLIBS; x.cc with $LISA_BENCH_CXX")
	}
	return nil
}

var otherwise = map[trial.Language]trial.Language{trial.C: trial.CXX, trial.CXX: trial.C}

// deterministic wants the same programs for the same seed and answers.
func (c *check) deterministic(ctx context.Context, f *Finding) error {
	return c.call(ctx, three, func(g *toolcall.Call) {
		if again := g.Suite.Text(); again != c.first {
			f.problemf("the same seed and answers gave another suite:\n%s\nafter\n%s", again, c.first)
		}
	})
}

// callsBudget wants programs of what was paid for, and no request more.
func (c *check) callsBudget(ctx context.Context, f *Finding) error {
	return c.call(ctx, trial.Budget{LLMCalls: 2}, func(g *toolcall.Call) {
		if len(g.Suite.Programs) == 0 {
			f.problemf("the tool left no program")
		}
	})
}

// cancelled cancels a call when something happens, and wants it to be gone soon.
func (c *check) cancelled(when func(g *toolcall.Call, cancel func())) func(context.Context, *Finding) error {
	return func(ctx context.Context, f *Finding) error {
		return c.in(trial.Budget{Programs: 1000}, func(g *toolcall.Call, tool toolcall.Generate) {
			took, was := g.RunCancelled(ctx, tool, func(cancel func()) { when(g, cancel) })
			switch {
			case !was:
				f.problemf("the tool ended before it was cancelled: %s, %v", g.Stop, g.Err)
			case took > endWithin:
				f.problemf("the tool goes on %s after it was cancelled", took.Round(time.Second))
			}
		})
	}
}

// leftAlone tells of files outside the tool's directory, and of what the tool was not told, in its first call.
func (c *check) leftAlone(_ context.Context, f *Finding) error {
	for _, name := range c.touched {
		f.problemf("the tool wrote %s", name)
	}
	if c.peeked {
		f.problemf("the tool read what it was not given")
	}
	return nil
}
