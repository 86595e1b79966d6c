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

// afterEvaluate lists the next commands if the run was not kept.
var afterEvaluate = []string{"the same with --full prints all tables, with --dir DIR it keeps them as a page",
	"the same with --against recorded compares with LISA and the baselines"}

func (a *app) evaluate(c *cobra.Command) action {
	var s harness.Suite
	a.evaluationFlags(c)
	flags := c.Flags()
	flags.StringVar(&s.Library, "library", "", "`LIBRARY` under test (required)")
	flags.StringVar(&s.Tests, "suite", "", "`DIR` of tests (required unless --test is given)")
	flags.StringVar(&s.Test, "test", "", "one test `FILE`, instead of --suite")
	flags.StringVar(&s.Build, "build", "",
		"`COMMAND` that makes the suite, such as ./build.sh for a file of DIR; it runs in the sandbox")
	flags.StringVar(&s.Edition, "edition", string(lisabench.Debian), "edition: debian, debian-fresh or upstream")
	flags.StringVar(&s.Bugs, "bugs", experiments.BugsAvailable,
		"bugs to look for: available, protocol, since:DATE (of the fix), none, or IDs separated by commas")
	sandboxFlag(c, &s.Sandbox, "bwrap", "sandbox for test programs")
	flags.StringVar(&s.Dir, "dir", "", "keep the run and its report in `DIR`")
	choiceFlag(c, &s.Oracle, "oracle", string(trial.OracleSpecification),
		"where the expected values come from, documents or recorded",
		string(trial.OracleSpecification), string(trial.OracleReference))
	flags.StringArrayVar(&s.Extras.Includes, "include", nil, "add `DIR` to the include path of the tests (repeatable)")
	flags.StringArrayVar(&s.Extras.Helpers, "with", nil,
		"link `FILE` in C or C++ with the tests that need it, such as unity.c (repeatable)")
	flags.StringArrayVar(&s.Extras.Defines, "define", nil, "define `NAME[=VALUE]` in the tests (repeatable)")
	flags.StringArrayVar(&s.Extras.Std, "std", nil, "`STANDARD` of the tests, such as c99 or c++20 (repeatable)")
	flags.DurationVar(&s.Timeout, "timeout", 30*time.Second, "time limit of one test")
	flags.IntVar(&s.Repeats, "repeats", 3, "runs of each test; all must fail for a bug to count as detected")
	mutants := flags.String("mutation", "", "also run the tests on this `NUMBER` of mutants of the library, or all")
	flags.Lookup("mutation").NoOptDefVal = strconv.Itoa(mutation.DefaultSample)
	among := flags.String("among", "",
		"run on the mutants whose IDs, as in the JSON, are in `FILE`, with blanks between them")
	with := flags.String("against", "", "compare with the `RUN` of a directory, or with recorded: "+
		"the tools that come with the project, on the same bugs")
	flags.BoolVar(&s.Explain, "explain", false, "also show how close the tests come to each bug: reached, propagated, revealed")
	full := fullFlag(c)
	asJSON := flags.Bool("json", false, "print the result and all records as JSON (docs/reference/json.md)")
	c.MarkFlagsMutuallyExclusive("json", "against")
	c.MarkFlagsMutuallyExclusive("mutation", "among")
	return func(c *cobra.Command, _ []string) error {
		if err := setMutants(&s, *mutants, *among); err != nil {
			return err
		}
		if *with != "" { // a wrong name is told before anything is done
			dir, _, err := findRun(*with)
			if err == nil {
				_, err = results.Load(dir)
			}
			if err != nil {
				return err
			}
		}
		x, err := a.SuiteExecution(s)
		if err != nil {
			return err
		}
		if s.Dir == "" {
			defer func() { _ = os.RemoveAll(x.Dir) }()
		}
		summary, err := a.Execute(c.Context(), x)
		if err != nil {
			return err
		}
		if *with == "" {
			return a.finish(x, summary, *asJSON, *full, s.Dir != "")
		}
		d, err := a.against(cmp.Or(s.Tests, s.Test), x.Dir, *with)
		if err != nil {
			return err
		}
		if err := a.show(d, *full, afterEvaluate[0]); err != nil {
			return err
		}
		return a.complete(x.Dir, summary)
	}
}

// setMutants reads --mutation and --among.
func setMutants(s *harness.Suite, number, among string) (err error) {
	switch {
	case among != "":
		text, err := os.ReadFile(among)
		if err != nil {
			return harness.Usagef("--among: %v", err)
		}
		s.Among = strings.Join(strings.Fields(string(text)), " ")
		ids, err := experiments.Test{Among: s.Among}.MutantIDs()
		if s.Mutants = len(ids); s.Mutants == 0 {
			return harness.Usagef("--among %s: %v", among, cmp.Or(err, errors.New("it names no mutant")))
		}
	case number == "all":
		s.Mutants = experiments.AllMutants
	case number != "":
		if s.Mutants, err = strconv.Atoi(number); err != nil || s.Mutants <= 0 {
			return harness.Usagef("--mutation=%s: must be a number above 0, or all", number)
		}
	}
	return nil
}
