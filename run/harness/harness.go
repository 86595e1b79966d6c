// Package harness connects the other packages for the commands. It loads the benchmark and the experiments,
// finds the toolchain, manages the cache, opens the tools and models that an experiment names, and executes it.
// It consumes an Env (settings of the process) and produces run directories. Wrong settings are a *UsageError.
// It prints only progress.
package harness

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// An Env is all that the harness knows of the process that it runs in.
type Env struct {
	Cache string // directory of sources and builds; "" for the default below Getenv's home
	Bench string // directory of libraries and bugs that is laid over those built in; "" for none
	LLVM  string // directory that is searched first for LLVM's programs; "" for none

	// Select is "off" where every test is run on every bug's build, "on" or "" where those are that execute a function
	// that differs there.
	Select string

	// Remember says that results of earlier evaluations are used, and those of this one kept.
	Remember bool

	Getenv  func(string) string
	Environ []string // for git and apt, which have settings of the user's in it
	Now     func() time.Time
	Log     *slog.Logger
	Stderr  io.Writer      // for progress
	Screen  *runner.Screen // the terminal that Stderr is; nil if it is none, or cannot move its cursor

	cacheReady bool // it was found to be writable, and was swept
}

// A UsageError is a wrong flag, argument or configuration.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef is fmt.Errorf for a *UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// LoadBench returns the benchmark: what is built in, and what e.Bench lays over it.
func (e *Env) LoadBench() (*lisabench.Bench, error) {
	files := lisabench.Embedded()
	if e.Bench != "" {
		over, err := lisabench.Over(files, e.Bench)
		if err != nil {
			return nil, Usagef("--bench-dir: %w", err)
		}
		files = over
	}
	return lisabench.Load(files)
}

// checkDir refuses the value of a flag that is not a directory.
func checkDir(flag, dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Usagef("%s %s: no such directory", flag, dir)
	case err != nil:
		return Usagef("%s: %w", flag, err)
	case !info.IsDir():
		return Usagef("%s %s: not a directory", flag, dir)
	}
	return nil
}
