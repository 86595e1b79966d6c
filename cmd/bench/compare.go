package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
)

func (a *app) compareCommand() *cobra.Command {
	var format string
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs: what changed, and whether it is more than chance",
		Long: `Compares each tool in the first run (A) with itself in the second (B): coverage over
trials, bugs in pairs, with the tests and intervals of a report; the bugs whose verdict
changed; and what was different about the runs.`,
		Example: "  bench compare results/runs/quickstart /tmp/try\n  bench compare before after --format html > changes.html",
		Args:    exactArgs("RUN", "RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			printer := printers[format]
			if printer == nil {
				return lisabench.NewUnknownError("format", format, []string{"text", "markdown", "json", "html"})
			}
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			var sides [2]report.NamedRun
			for i, dir := range args {
				run, err := report.Read(dir, bench, harness.Stages)
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
			return printer(a.stdout, doc)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "print text, markdown, json or html")
	c.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	return c
}
