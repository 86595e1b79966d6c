package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) compareCommand() *cobra.Command {
	var chosen func() (printer, error)
	var full bool
	c := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: what changed, and is it more than chance?",
		Long: `Compares each tool in the first run (A) with the same tool in the second (B); if they have
none in common, all tools of A with all of B. Coverage is compared over trials and bugs in
pairs, with the same tests and intervals as in a report. Also lists the bugs that only one of
the runs detects, and how the two were set up differently. Prints the answer; --full prints
all tables.

The run "recorded" is what comes with the project: LISA, the baselines and random generation
from recorded answers, each as it is by default. What is not in results/runs/recorded or
recorded-bugs yet is run there first, for the libraries of the other run: minutes at the
first time, then seconds.`,
		Example: "  bench compare results/runs/quickstart /tmp/try\n  bench compare before after --format html > changes.html\n" +
			"  bench compare my-scored-suite recorded",
		Args: exactArgs("RUN", "RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			print, err := chosen()
			if err != nil {
				return err
			}
			if filepath.Clean(args[0]) == filepath.Clean(args[1]) {
				return harness.Usagef("%s is named twice: name two runs", filepath.Clean(args[0]))
			}
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			doc, err := a.against(c.Context(), bench, args[0], args[0], args[1])
			if err != nil {
				return err
			}
			if print != nil {
				return print(a.stdout, doc)
			}
			return a.show(doc, full, fmt.Sprintf("bench compare %s %s --full", args[0], args[1]))
		},
	}
	chosen = formatFlags(c, printers, "")
	fullFlag(c, &full)
	return c
}

// recordedName names the experiment of all recorded answers, and its run, with which other runs are compared.
const recordedName = "recorded"

// against compares the run in a directory with another, or with what is recorded on the same libraries.
func (a *app) against(ctx context.Context, bench *lisabench.Bench, name, dir, other string) (*doc.Document, error) {
	run, err := measured.Read(dir, bench, harness.Stages)
	if err != nil {
		return nil, err
	}
	shared := func(c trial.Cell) bool { // each tool as it is by default, on the run's libraries
		return c.Variant == trial.DefaultVariant &&
			slices.ContainsFunc(run.Planned, func(o trial.Cell) bool { return measured.LibraryOf(o) == measured.LibraryOf(c) })
	}
	otherDir := other
	if _, err := os.Stat(other); err != nil && other == recordedName {
		if otherDir, err = a.runRecorded(ctx, bench, shared); err != nil {
			return nil, err
		}
	}
	second, err := measured.Read(otherDir, bench, harness.Stages)
	if err != nil {
		return nil, err
	}
	if otherDir != other {
		second = second.Only(shared)
	}
	d, err := report.CompareRuns(report.NamedRun{Name: filepath.Clean(name), Run: run},
		report.NamedRun{Name: filepath.Clean(other), Run: second})
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	return d, nil
}

// runRecorded runs the chosen cells of the recorded answers that are not done yet, and returns the directory of their
// run. That is the run of the whole experiment if it exists, and else a run without mutants, which take most of the
// time and are not compared.
func (a *app) runRecorded(ctx context.Context, bench *lisabench.Bench, chosen func(trial.Cell) bool) (string, error) {
	dir, set := filepath.Join("results", "runs", recordedName), []string(nil)
	if _, err := os.Stat(dir); err != nil {
		dir, set = dir+"-bugs", []string{"test.mutants=0", "test.explain=false"}
	}
	exp, err := harness.Load(bench, recordedName, "", set)
	if err != nil {
		return "", err
	}
	x := &harness.Execution{Bench: bench, Experiment: exp, Dir: dir, Choice: chosen, Reuse: true}
	if x.Jobs, err = harness.Jobs(exp, 0); err != nil {
		return "", err
	}
	fmt.Fprintf(a.Stderr, "recorded suites, in %s: those that are not there yet are made and scored now, minutes each\n", x.Dir)
	_, err = a.Execute(ctx, x)
	return x.Dir, err
}
