package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/harness"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// evaluateFlags are the flags of bench evaluate.
type evaluateFlags struct {
	library, suite, edition, bugs, dir, oracle, sandbox string
	includes                                            []string
	timeout                                             time.Duration
	repeats                                             int
	jsonOut                                             bool
}

func (a *app) evaluateCommand() *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate --library LIBRARY --suite DIR",
		Short: "Score a directory of tests that nobody here generated",
		Long: `Scores every .c, .cc, .cpp and .cxx file in DIR as one test program each, with
the metrics of bench run: compile and execution success, library coverage, false
alarms and detected bugs. A file defines main, or test functions "void NAME(void)" or
"int NAME(void)" (those whose name starts with "test"; a non-zero int fails). The
directory itself is an include directory.`,
		Example: "  bench evaluate --library zlib --suite ~/zlib/test",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			bench, exp, err := f.experiment(a)
			if err != nil {
				return err
			}
			for _, dir := range f.includes {
				if err := harness.CheckDir("--include", dir); err != nil {
					return err
				}
			}
			if err := harness.CheckDir("--suite", f.suite); err != nil {
				return err
			}
			suite, err := filepath.Abs(f.suite)
			if err != nil {
				return err
			}
			tool := exttool.Directory{Path: suite, Oracle: trial.OracleClass(f.oracle)}
			if _, err := tool.Files(); err != nil {
				return &harness.UsageError{Err: err}
			}
			x := &harness.Execution{Bench: bench, Experiment: exp, Dir: f.dir, Jobs: 1, Tool: tool, Includes: []string{suite}}
			for _, dir := range f.includes {
				abs, err := filepath.Abs(dir)
				if err != nil {
					return err
				}
				x.Includes = append(x.Includes, abs)
			}
			if x.Dir == "" {
				if x.Dir, err = os.MkdirTemp("", "bench-evaluate-"); err != nil {
					return err
				}
			}
			summary, err := a.Execute(c.Context(), x)
			if err != nil {
				return err
			}
			return a.finish(x, summary, f.jsonOut)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.library, "library", "", "library under test (required)")
	flags.StringVar(&f.suite, "suite", "", "directory of tests (required)")
	flags.StringVar(&f.edition, "edition", string(lisabench.Debian), "edition: debian or upstream")
	flags.StringVar(&f.bugs, "bugs", experiments.BugsAvailable, "bugs to look for: available, protocol or none")
	flags.StringVar(&f.sandbox, "sandbox", "bwrap", "where test programs run: bwrap, docker or none")
	flags.StringVar(&f.dir, "dir", "", "run directory (default: a temporary one)")
	flags.StringVar(&f.oracle, "oracle", string(trial.OracleSpecification), "what the tests' assertions are: specification or reference")
	flags.StringArrayVar(&f.includes, "include", nil, "another directory that the tests include from (may be repeated)")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "wall time of one test")
	flags.IntVar(&f.repeats, "repeats", 3, "runs that must agree before a bug counts as detected")
	flags.BoolVar(&f.jsonOut, "json", false, "print the summary as JSON instead of tables")
	return c
}

// experiment is the one that evaluating a directory amounts to.
func (f evaluateFlags) experiment(a *app) (*lisabench.Bench, *experiments.Experiment, error) {
	switch {
	case f.library == "":
		return nil, nil, harness.Usagef("--library LIBRARY is needed; `bench list libraries` shows them")
	case f.suite == "":
		return nil, nil, harness.Usagef("--suite DIR is needed: a directory of test files")
	case f.oracle != string(trial.OracleSpecification) && f.oracle != string(trial.OracleReference):
		return nil, nil, harness.Usagef("--oracle %q is neither specification nor reference", f.oracle)
	}
	if err := harness.CheckSandbox(f.sandbox); err != nil {
		return nil, nil, err
	}
	bench, err := a.LoadBench()
	if err != nil {
		return nil, nil, err
	}
	// The one tool is the directory; its budget is never reached, for its programs are counted already.
	src := experiments.Source{Name: "bench evaluate", Data: fmt.Appendf(nil,
		"name: evaluate\ntrials: 1\nsandbox: %q\nbudget: {programs: 1000000}\ntest: {timeout: %s, repeats: %d}\n"+
			"libraries:\n  - {name: %q, edition: %q, bugs: %q}\ntools:\n  - name: suite\n",
		f.sandbox, f.timeout, f.repeats, f.library, f.edition, f.bugs)}
	k := harness.Known(bench)
	k.Tools = []experiments.ToolKind{{Name: exttool.Directory{}.Name()}}
	exp, err := experiments.Load(src, nil, k)
	var config *experiments.Error
	if errors.As(err, &config) { // its lines are those of a file that the user does not have
		var texts []string
		for _, p := range config.Problems {
			texts = append(texts, p.Text)
		}
		err = harness.Usagef("%s", strings.Join(texts, "\n"))
	}
	return bench, exp, err
}
