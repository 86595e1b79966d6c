// Command bench reproduces, ablates and extends the evaluation of LISA. It builds
// libraries with re-introduced historical bugs, runs test generators on them under one
// budget, and measures what their tests are worth. `bench help` lists the commands,
// README.md shows them.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1   // the harness broke
	exitUsage       = 2   // wrong flags or configuration
	exitIncomplete  = 3   // finished, with incomplete cells or records that lack a part
	exitInterrupted = 130 // Ctrl-C or SIGTERM
)

func main() { os.Exit(mainExit(time.Now)) }

// mainExit is main with a clock; the tests have others.
func mainExit(now func() time.Time) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second Ctrl-C does not wait for what the first one asked for
	width, colour := terminal(os.Stdout, os.Getenv)
	env := environment{args: os.Args[1:], stdout: os.Stdout, width: width, colour: colour, Env: harness.Env{
		Stderr: os.Stderr, Getenv: os.Getenv, Environ: os.Environ(), Now: now,
	}}
	if term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb" {
		env.Screen = &runner.Screen{Terminal: os.Stderr}
		env.Stderr = env.Screen
	}
	return run(ctx, env)
}

// environment is all that the commands know of the process they run in.
type environment struct {
	args   []string
	stdout io.Writer
	width  int  // of an answer, in columns: the terminal's, at most answerWidth
	colour bool // stdout is a terminal, and NO_COLOR is not set
	harness.Env
}

// answerWidth is the width of an answer, unless the terminal is narrower.
const answerWidth = 80

// terminal returns how wide to write to a file, and whether to write in colour.
func terminal(f *os.File, getenv func(string) string) (width int, colour bool) {
	if !term.IsTerminal(int(f.Fd())) {
		return answerWidth, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 { // it may not know
		width = answerWidth
	}
	return min(width, answerWidth), getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, env environment) int {
	env.stdout, env.Stderr = render.Printable(env.stdout), render.Printable(env.Stderr)
	a := &app{environment: env}
	root := a.rootCommand()
	root.SetArgs(env.args)
	root.SetOut(env.stdout)
	root.SetErr(env.Stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code := exitCode(ctx, err)
	if code == exitInterrupted && !errors.Is(err, runner.ErrInterrupted) {
		err = errors.New("interrupted") // whatever the error says, it is what being cut short looks like
	}
	fmt.Fprintf(env.Stderr, "bench: %v\n", err)
	return code
}

// An unfinishedError ends a command that did its work but for a part, which the words name.
type unfinishedError struct{ error }

func unfinishedf(format string, args ...any) error {
	return unfinishedError{fmt.Errorf(format, args...)}
}

func exitCode(ctx context.Context, err error) int {
	switch {
	case ctx.Err() != nil || errors.Is(err, runner.ErrInterrupted):
		return exitInterrupted
	case strings.HasPrefix(err.Error(), "if any flags in the group"): // which cobra says without a type of its own
		return exitUsage
	case is[*harness.UsageError](err), is[*lisabench.UnknownError](err), is[*experiments.Error](err), is[*lisabench.InvalidError](err),
		is[*results.DifferentError](err), is[*results.MismatchError](err), is[*results.NotARunError](err):
		return exitUsage
	case is[unfinishedError](err):
		return exitIncomplete
	}
	return exitFailure
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// app holds what the commands share.
type app struct {
	environment
	verbose bool
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "bench",
		Version:       harness.Version(),
		Short:         "Benchmark test generators on functional bugs in C and C++ libraries",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRun: func(*cobra.Command, []string) { a.Log = a.logger() },
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown := noSuchCommand(root, c.Flags().Args()); c == root && unknown != nil { // whose flag it is
			return unknown
		}
		if strings.Contains(err.Error(), "missing unit in duration") {
			err = fmt.Errorf("%w: write seconds as in 30s", err)
		}
		return harness.Usagef("%w%s (see: %s --help)", err, nearestFlag(c, err), c.CommandPath())
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.Cache, "cache", "", "`DIR` for sources and builds (default: lisa-bench in the user's cache directory)")
	flags.StringVar(&a.Bench, "bench-dir", "", "`DIR` with more libraries and bugs, which may replace built-in ones")
	flags.StringVar(&a.LLVM, "llvm", "", "`DIR` with the LLVM 19 programs, searched first")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log every step to stderr")
	root.AddCommand(a.runCommand(), a.submitCommand(), a.statusCommand(), a.planCommand(), a.listCommand(), a.validateCommand(), a.mineCommand(),
		a.evaluateCommand(), a.knowledgeCommand(), a.reportCommand(), a.compareCommand(), a.suspicionsCommand(), a.replayCommand(), a.paperCommand(),
		a.toolCommand(), a.bugCommand(), a.libraryCommand(), a.answerCommand(), a.leaderboardCommand(), a.schemaCommand(), a.doctorCommand())
	setHelp(root)
	return root
}

// nearestFlag says which flag of a command was probably meant by an unknown one.
func nearestFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	nearest := lisabench.NewUnknownError("flag", unknown.GetSpecifiedName(), known).Nearest
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean --%s?", nearest)
}

// evaluationFlags are the switches of the commands that evaluate suites, for their short cuts.
func (a *app) evaluationFlags(c *cobra.Command) {
	fresh := c.Flags().Bool("fresh", false, "ignore the results of earlier evaluations, and store none")
	c.PreRun = func(*cobra.Command, []string) { a.Remember = !*fresh }
	c.Flags().StringVar(&a.Select, "select", "on", "run a test on a buggy build only if it executes a function that the bug changes (on), or always (off); the same bugs")
}

// experimentFlags are the flags of the commands that take an experiment.
type experimentFlags struct {
	set     []string
	profile string
	only    []string
	scale   float64
}

func (f *experimentFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.set, "set", nil, "override a key of the experiment: `KEY=VALUE`, e.g. trials=1 (repeatable)")
	c.Flags().StringVar(&f.profile, "profile", "", "`PROFILE` of the experiment, e.g. quick (see bench list experiments)")
	c.Flags().StringArrayVar(&f.only, "only", nil, "run only this part of the experiment, which can grow later: `libraries=NAMES`, e.g. libraries=zlib,cJSON")
	c.Flags().Float64Var(&f.scale, "scale", 1, "multiply every budget by `FACTOR`, e.g. 0.1; a later run with more goes on from there")
}

// maxScale is the largest factor of --scale: a larger one is a typing error.
const maxScale = 1000

// load loads an experiment with the flags.
func (f *experimentFlags) load(a *app, name string) (*lisabench.Bench, *experiments.Experiment, error) {
	bench, err := a.LoadBench()
	if err != nil {
		return nil, nil, err
	}
	exp, err := harness.Load(bench, name, f.profile, f.set)
	if err != nil {
		return nil, nil, err
	}
	for _, only := range f.only {
		if err := exp.Only(only); err != nil {
			return nil, nil, &harness.UsageError{Err: err}
		}
	}
	if f.scale <= 0 || f.scale > maxScale {
		return nil, nil, harness.Usagef("--scale %g: give a factor above 0 and at most %d", f.scale, maxScale)
	}
	if f.scale != 1 {
		exp = exp.WithBudgets(func(b trial.Budget) trial.Budget { return b.Scale(f.scale) })
	}
	return bench, exp, nil
}

// group makes a command that only has others below it.
func group(c *cobra.Command, below ...*cobra.Command) *cobra.Command {
	c.Args = noSuchCommand
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(below...)
	return c
}

// noSuchCommand refuses the arguments of the root command: cobra has found no command in them.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			known = append(known, sub.Name())
		}
	}
	return lisabench.NewUnknownError("command", args[0], known)
}

// exactArgs is cobra.ExactArgs with an error that says what the arguments are.
func exactArgs(names ...string) cobra.PositionalArgs {
	return takes(cmp.Or(strings.Join(names, " "), "no arguments"), func(n int) bool { return n == len(names) })
}

// takes refuses a number of arguments that does not fit, with an error that says what the arguments are.
func takes(names string, fits func(n int) bool) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if fits(len(args)) {
			return nil
		}
		got := "none"
		if len(args) > 0 {
			got = fmt.Sprintf("%d: %s", len(args), strings.Join(args, " "))
		}
		return harness.Usagef("%s takes %s; got %s (see: %[1]s --help)", c.CommandPath(), names, got)
	}
}

// warn tells of what a command does without.
func (a *app) warn(err error) { fmt.Fprintf(a.Stderr, "bench: warning: %v\n", err) }

// logger writes to stderr: warnings only, unless --verbose.
func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: level}))
}
