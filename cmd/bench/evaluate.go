package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
)

// evaluateFlags are the flags of bench evaluate.
type evaluateFlags struct {
	harness.Suite
	jsonOut  bool
	mutation bool
	mutants  string
}

func (a *app) evaluateCommand() *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate --library LIBRARY --suite DIR [--build COMMAND] | --test FILE",
		Short: "Score a directory of test programs from any source",
		Long: `Scores every .c, .cc, .cpp and .cxx file in DIR as one test program each, with
the metrics of bench run: compile and execution success, library coverage, false
alarms and detected bugs. A file defines main, or test functions "void NAME(void)" or
"int NAME(void)" (those whose name starts with "test"; a non-zero int fails). The
directory itself is an include directory. With --build, a command of the directory
makes the suite, as an external tool does: it leaves programs, harnesses with inputs
or objects with command lines in $LISA_BENCH_OUT (docs/howto/adding-a-tool.md). So a
library's own tests are scored (examples/tools/own-tests). With --mutation the tests that pass are also
run on mutants of the library: small changes that a test should notice. With --test
and --bug, runs just that test against just that bug.`,
		Example: "  bench evaluate --library zlib --suite ~/zlib/test\n  bench evaluate --library cJSON --test p00094.c --bug cjson-5 --oracle reference\n" +
			"  bench evaluate --library zlib --suite examples/tools/own-tests --build ./build.sh",
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.setMutants(c.Flags().Changed("mutants")); err != nil {
				return err
			}
			x, err := a.SuiteExecution(f.Suite)
			if err != nil {
				return err
			}
			summary, err := a.Execute(c.Context(), x)
			if err != nil {
				return err
			}
			return a.finish(x, summary, f.jsonOut)
		},
	}
	a.evaluationFlags(c)
	flags := c.Flags()
	flags.StringVar(&f.Library, "library", "", "library under test (required)")
	flags.StringVar(&f.Tests, "suite", "", "directory of tests (required, or --test)")
	flags.StringVar(&f.Test, "test", "", "one test file, in place of --suite")
	flags.StringVar(&f.Build, "build", "", "command that makes the suite, in the sandbox; ./ is the suite's directory")
	flags.StringVar(&f.Edition, "edition", string(lisabench.Debian), "edition: debian or upstream")
	flags.StringVar(&f.Bugs, "bugs", experiments.BugsAvailable, "bugs to look for: available, protocol, none, or ids with commas between them")
	flags.StringVar(&f.Bugs, "bug", experiments.BugsAvailable, "one bug to look for: the same as --bugs")
	c.MarkFlagsMutuallyExclusive("bug", "bugs")
	flags.StringVar(&f.Sandbox, "sandbox", "bwrap", "where test programs run: bwrap, docker or none")
	flags.StringVar(&f.Dir, "dir", "", "run directory (default: a temporary one)")
	flags.StringVar(&f.Oracle, "oracle", string(trial.OracleSpecification), "what the tests' assertions are: specification or reference")
	flags.StringArrayVar(&f.Includes, "include", nil, "another directory that the tests include from (may be repeated)")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Second, "wall time of one test")
	flags.IntVar(&f.Repeats, "repeats", 3, "runs that must agree before a bug counts as detected")
	flags.BoolVar(&f.mutation, "mutation", false, "run the tests on mutants of the library as well")
	flags.StringVar(&f.mutants, "mutants", strconv.Itoa(mutation.DefaultSample), "how many mutants, or all; implies --mutation")
	flags.BoolVar(&f.Explain, "explain", false, "also say how far each bug comes: reached by a test, propagated to a value that it gets, revealed")
	flags.BoolVar(&f.jsonOut, "json", false, "print the outcome with every record as JSON instead of tables (docs/reference/json.md)")
	return c
}

// setMutants reads --mutation and --mutants, which may have been given.
func (f *evaluateFlags) setMutants(given bool) (err error) {
	switch {
	case !f.mutation && !given:
	case f.mutants == "all":
		f.Mutants = experiments.AllMutants
	default:
		if f.Mutants, err = strconv.Atoi(f.mutants); err != nil || f.Mutants <= 0 {
			return harness.Usagef("--mutants %q is neither a number above 0 nor all", f.mutants)
		}
	}
	return nil
}
