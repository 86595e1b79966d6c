package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/results"
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

The run "recorded" comes with the project (recordings/scored, in a clone of the repository):
LISA, the baselines and random generation from recorded answers, as bench run recorded scored
them. Of each tool its default is compared, on the libraries of the first run.`,
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
			doc, err := against(bench, args[0], args[0], args[1])
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

// recordedName stands for what comes with the project, instead of a run directory: recordedDir, from a checkout.
const recordedName = "recorded"

var recordedDir = filepath.Join("recordings", "scored", recordedName)

// isRecorded reports whether a user means what comes with the project: no directory has that name.
func isRecorded(run string) bool {
	_, err := os.Stat(run)
	return run == recordedName && errors.Is(err, fs.ErrNotExist)
}

// checkRun refuses a name that is not one of a run, before anything is done for a comparison with it.
func checkRun(run string) error {
	if isRecorded(run) {
		return checkRecorded()
	}
	_, err := results.Load(run)
	return err
}

// checkRecorded refuses a directory that is no clone.
func checkRecorded() error {
	if _, err := os.Stat(recordedDir); err != nil {
		return harness.Usagef("there is no directory %s with the scored run that comes with the project: "+
			"start in a clone of its repository, or name a run directory instead of %s", recordedDir, recordedName)
	}
	return nil
}

// against compares the run in a directory with another, or with what is recorded on the same libraries.
func against(bench *lisabench.Bench, name, dir, other string) (*doc.Document, error) {
	first, err := measured.Read(dir, bench, harness.Stages)
	if err != nil {
		return nil, err
	}
	second, err := readOther(bench, other, first)
	if err != nil {
		return nil, err
	}
	d, err := report.CompareRuns(report.NamedRun{Name: filepath.Clean(name), Run: first},
		report.NamedRun{Name: filepath.Clean(other), Run: second})
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	return d, nil
}

// readOther reads what a run is compared with: of what is recorded, each tool as it is by default, on the run's libraries.
func readOther(bench *lisabench.Bench, other string, run measured.Run) (measured.Run, error) {
	if !isRecorded(other) {
		return measured.Read(other, bench, harness.Stages)
	}
	if err := checkRecorded(); err != nil {
		return measured.Run{}, err
	}
	recorded, err := measured.Read(recordedDir, bench, harness.Stages)
	return recorded.Only(func(c trial.Cell) bool {
		return c.Variant == trial.DefaultVariant && slices.ContainsFunc(run.Planned, func(o trial.Cell) bool {
			return measured.LibraryOf(o) == measured.LibraryOf(c)
		})
	}), err
}
