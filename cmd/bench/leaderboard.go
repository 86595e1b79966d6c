package main

import (
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/leaderboard"
	"github.com/lisa-bench/lisa-bench/results/submission"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) leaderboard(c *cobra.Command) action {
	name := c.Flags().String("set", submission.Sets[0],
		"`SET` of libraries and bugs to rank by: "+strings.Join(submission.Sets, ", "))
	libraries := c.Flags().StringSlice("library", nil, "rank by this `LIBRARY` of the set only (repeatable)")
	trials := c.Flags().Int("trials", 3, "number of trials to rank by; further trials are ignored")
	of := maps.Clone(printers)
	of["csv"] = func(w io.Writer, d *doc.Document) error { return printOnly(d, leaderboard.Data, w) }
	chosen := formatFlags(c, of, "text")
	return func(_ *cobra.Command, runs []string) error {
		bench, err := a.LoadBench()
		if err != nil {
			return err
		}
		set, err := submission.NewSet(bench, *name, *libraries, *trials)
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		entries, refused := submission.Enter(runs, set, bench)
		if err := chosen()(a.stdout, leaderboard.Rank(set, bench.Version, entries, refused)); err != nil {
			return err
		}
		if len(refused) > 0 {
			return unfinishedf("%d %s not ranked; the table says why",
				len(refused), trial.Form(len(refused), "run or tool is", "runs or tools are"))
		}
		return nil
	}
}
