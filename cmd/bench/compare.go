package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) compareCommand() *cobra.Command {
	var chosen func() (printer, error)
	c := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: what changed, and is it more than chance?",
		Long: `Compares each tool in the first run (A) with the same tool in the second (B). Coverage is
compared over trials and bugs in pairs, with the same tests and intervals as in a report.
Also lists the bugs that only one of the runs detects, and how the two were set up differently.`,
		Example: "  bench compare results/runs/quickstart /tmp/try\n  bench compare before after --format html > changes.html",
		Args:    exactArgs("RUN", "RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			print, err := chosen()
			if err != nil {
				return err
			}
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			var sides [2]report.NamedRun
			for i, dir := range args {
				run, err := measured.Read(dir, bench, harness.Stages)
				if err != nil {
					return err
				}
				sides[i] = report.NamedRun{Name: filepath.Clean(dir), Run: run}
			}
			if sides[0].Name == sides[1].Name {
				return harness.Usagef("%s is named twice: name two runs", sides[0].Name)
			}
			doc, err := report.CompareRuns(sides[0], sides[1])
			if err != nil {
				return &harness.UsageError{Err: err}
			}
			return print(a.stdout, doc)
		},
	}
	chosen = formatFlags(c, printers, "text")
	return c
}
