package main

import (
	"cmp"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// evaluateFlags are the flags of bench evaluate.
type evaluateFlags struct {
	harness.Suite
	jsonOut  bool
	full     bool
	against  string
	mutation string
	among    string
}

func (a *app) evaluateCommand() *cobra.Command {
	var f evaluateFlags
	c := &cobra.Command{
		Use:   "evaluate --library LIBRARY --suite DIR [--build COMMAND] | --test FILE",
		Short: "Score a directory of tests from any source",
		Long: `Scores your tests with the metrics of bench run: compile and execution success, coverage
of the library, false alarms and detected bugs. Each C or C++ file in DIR is one test program if
it defines main, tests of GoogleTest, or functions such as "void test_x(void)", or "int
test_x(void)", where a non-zero result is a failure. Functions of other files, and of those of
--with, are linked where a test needs them; so are GoogleTest, Check and cmocka where they are
installed.

--build runs a command that makes the suite, as an external tool does (docs/howto/adding-a-tool.md).
Words that begin with ./ are files of DIR. --mutation also runs the passing tests on mutants of the
library, that is, small changes which a test should notice (--json lists what is not noticed).
--test and --bugs together run one test against one bug.`,
		Example: "  bench evaluate --library zlib --suite ~/zlib/test\n  bench evaluate --library cJSON --test p00094.c --bugs cjson-5 --oracle reference\n" +
			"  bench evaluate --library zlib --suite examples/tools/own-tests --build ./build.sh\n" +
			"  bench evaluate --library cJSON --suite mytests --against recorded",
		Args: takes("no arguments: --suite names a directory of tests, --test one file", func(n int) bool { return n == 0 }),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.setMutants(); err != nil {
				return err
			}
			if f.against != "" { // a wrong name is told before anything is done
				dir, _, err := findRun(f.against)
				if err == nil {
					_, err = results.Load(dir)
				}
				if err != nil {
					return err
				}
			}
			x, err := a.SuiteExecution(f.Suite)
			if err != nil {
				return err
			}
			if f.Dir == "" {
				defer func() { _ = os.RemoveAll(x.Dir) }()
			}
			summary, err := a.Execute(c.Context(), x)
			if err != nil {
				return err
			}
			if f.against == "" {
				return a.finish(x, summary, f.jsonOut, f.full, f.Dir != "")
			}
			d, err := against(x.Bench, cmp.Or(f.Tests, f.Test), x.Dir, f.against)
			if err != nil {
				return err
			}
			if err := a.show(d, f.full, afterEvaluate[0]); err != nil {
				return err
			}
			return a.complete(x.Dir, summary)
		},
	}
	a.evaluationFlags(c)
	flags := c.Flags()
	flags.StringVar(&f.Library, "library", "", "`LIBRARY` under test (required)")
	flags.StringVar(&f.Tests, "suite", "", "`DIR` of tests (required unless --test is given)")
	flags.StringVar(&f.Test, "test", "", "one test `FILE`, instead of --suite")
	flags.StringVar(&f.Build, "build", "", "`COMMAND` that makes the suite, such as ./build.sh for a file of DIR; it runs in the sandbox")
	flags.StringVar(&f.Edition, "edition", string(lisabench.Debian), "edition: debian, debian-fresh or upstream")
	flags.StringVar(&f.Bugs, "bugs", experiments.BugsAvailable, "bugs to look for: available, protocol, since:DATE (of the fix), none, or IDs separated by commas")
	sandboxFlag(c, &f.Sandbox, "bwrap", "sandbox for test programs")
	flags.StringVar(&f.Dir, "dir", "", "keep the run and its report in `DIR`")
	choiceFlag(c, &f.Oracle, "oracle", string(trial.OracleSpecification),
		"where the expected values come from, documents or recorded",
		string(trial.OracleSpecification), string(trial.OracleReference))
	flags.StringArrayVar(&f.Extras.Includes, "include", nil, "add `DIR` to the include path of the tests (repeatable)")
	flags.StringArrayVar(&f.Extras.Helpers, "with", nil, "link `FILE` in C or C++ with the tests that need it, such as unity.c (repeatable)")
	flags.StringArrayVar(&f.Extras.Defines, "define", nil, "define `NAME[=VALUE]` in the tests (repeatable)")
	flags.StringArrayVar(&f.Extras.Std, "std", nil, "`STANDARD` of the tests, such as c99 or c++20 (repeatable)")
	flags.DurationVar(&f.Timeout, "timeout", 30*time.Second, "time limit of one test")
	flags.IntVar(&f.Repeats, "repeats", 3, "runs of each test; all must fail for a bug to count as detected")
	flags.StringVar(&f.mutation, "mutation", "", "also run the tests on this `NUMBER` of mutants of the library, or all")
	flags.Lookup("mutation").NoOptDefVal = strconv.Itoa(mutation.DefaultSample)
	flags.StringVar(&f.among, "among", "", "run on the mutants whose IDs, as in the JSON, are in `FILE`, with blanks between them")
	flags.StringVar(&f.against, "against", "", "compare with the `RUN` of a directory, or with recorded: the tools that come with the project, on the same bugs")
	flags.BoolVar(&f.Explain, "explain", false, "also show how close the tests come to each bug: reached, propagated, revealed")
	fullFlag(c, &f.full)
	flags.BoolVar(&f.jsonOut, "json", false, "print the result and all records as JSON (docs/reference/json.md)")
	c.MarkFlagsMutuallyExclusive("json", "against")
	c.MarkFlagsMutuallyExclusive("mutation", "among")
	return c
}

// afterEvaluate lists the next commands if the run was not kept.
var afterEvaluate = []string{"the same with --full prints all tables, with --dir DIR it keeps them as a page",
	"the same with --against recorded compares with LISA and the baselines"}

// setMutants reads --mutation and --among.
func (f *evaluateFlags) setMutants() (err error) {
	switch {
	case f.among != "":
		text, err := os.ReadFile(f.among)
		if err != nil {
			return harness.Usagef("--among: %v", err)
		}
		f.Among = strings.Join(strings.Fields(string(text)), " ")
		ids, err := experiments.Test{Among: f.Among}.MutantIDs()
		if f.Mutants = len(ids); f.Mutants == 0 {
			return harness.Usagef("--among %s: %v", f.among, cmp.Or(err, errors.New("it names no mutant")))
		}
	case f.mutation == "all":
		f.Mutants = experiments.AllMutants
	case f.mutation != "":
		if f.Mutants, err = strconv.Atoi(f.mutation); err != nil || f.Mutants <= 0 {
			return harness.Usagef("--mutation=%s: must be a number above 0, or all", f.mutation)
		}
	}
	return nil
}
