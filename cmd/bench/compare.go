package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) compare(c *cobra.Command) action {
	chosen, full := formatFlags(c, printers, ""), fullFlag(c)
	return func(_ *cobra.Command, args []string) error {
		if filepath.Clean(args[0]) == filepath.Clean(args[1]) {
			return harness.Usagef("%s is named twice: name two runs", filepath.Clean(args[0]))
		}
		doc, err := a.against(args[0], args[0], args[1])
		if err != nil {
			return err
		}
		if print := chosen(); print != nil {
			return print(a.stdout, doc)
		}
		return a.show(doc, *full, fmt.Sprintf("bench compare %s %s --full", args[0], args[1]))
	}
}

// recordedName stands for what comes with the project, instead of a run directory: recordedDir, from a checkout.
const recordedName = "recorded"

var recordedDir = filepath.Join("recordings", "scored", recordedName)

// findRun returns the directory of a run that a user names; recordedName stands for what comes with the project, unless
// a directory has that name.
func findRun(name string) (dir string, recorded bool, err error) {
	if _, err := os.Stat(name); name != recordedName || !errors.Is(err, fs.ErrNotExist) {
		return name, false, nil
	}
	if _, err := os.Stat(recordedDir); err != nil {
		return "", false, harness.Usagef("there is no directory %s with the scored run that comes with the project: "+
			"start in a clone of its repository, or name a run directory instead of %s", recordedDir, recordedName)
	}
	return recordedDir, true, nil
}

// against compares the run in a directory with another. Of what is recorded it takes each tool as it is by default, on
// the libraries of the first run.
func (a *app) against(name, dir, other string) (*doc.Document, error) {
	otherDir, recorded, err := findRun(other)
	if err != nil {
		return nil, err
	}
	first, err := a.readRun(dir)
	if err != nil {
		return nil, err
	}
	second, err := a.readRun(otherDir)
	if err != nil {
		return nil, err
	}
	if recorded {
		second = second.Only(func(c trial.Cell) bool {
			return c.Variant == trial.DefaultVariant && slices.ContainsFunc(first.Planned, func(o trial.Cell) bool {
				return measured.LibraryOf(o) == measured.LibraryOf(c)
			})
		})
	}
	d, err := report.CompareRuns(report.NamedRun{Name: filepath.Clean(name), Run: first},
		report.NamedRun{Name: filepath.Clean(other), Run: second})
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	return d, nil
}
