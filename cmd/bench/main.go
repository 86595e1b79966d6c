// Command bench reproduces, ablates and extends the evaluation of LISA. It builds
// libraries with re-introduced historical bugs, runs test generators on them under one
// budget, and measures what their tests are worth. `bench help` lists the commands,
// README.md shows them.
package main

import (
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
	"golang.org/x/term"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
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
		is[*results.Refusal](err):
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
		RunE:          help,

		PersistentPreRun: func(*cobra.Command, []string) { a.Log = a.logger() },
	}
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.Cache, "cache", "", "`DIR` for sources and builds (default: lisa-bench in the user's cache directory)")
	flags.StringVar(&a.Bench, "bench-dir", "", "`DIR` with more libraries and bugs, which may replace built-in ones")
	flags.StringVar(&a.LLVM, "llvm", "", "`DIR` with the LLVM 19 programs, searched first")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log every step to stderr")
	a.addCommands(root)
	root.SetHelpCommandGroupID(groups[3])
	root.SetCompletionCommandGroupID(groups[3])
	return root
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
