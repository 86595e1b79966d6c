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

// leaderboardFlags are the flags of bench leaderboard.
type leaderboardFlags struct {
	set       string
	libraries []string
	trials    int
}

func (a *app) leaderboardCommand() *cobra.Command {
	var f leaderboardFlags
	var chosen func() printer
	c := &cobra.Command{
		Use:   "leaderboard RUN...",
		Short: "Rank the tools of runs by the bugs they detect",
		Long: `Reads run directories, and ranks their tools on the same set of bugs. A tool needs a record
for every library, bug and trial of the set; the others are listed with the reason. Figures are
taken as recorded: bench replay RUN --suites tells
whether they are true. Pairs are tested by McNemar's exact test, Holm-corrected.

Exit codes: 0 all ranked, 3 some refused.`,
		Example: "  bench leaderboard submissions/*\n  bench leaderboard results/runs/mine other --set debian-protocol --trials 5 --format html > board.html",
		Args:    takes("RUN...", func(n int) bool { return n > 0 }),
		RunE: func(c *cobra.Command, args []string) error {
			return a.leaderboard(args, f, chosen())
		},
	}
	c.Flags().StringVar(&f.set, "set", submission.Sets[0], "`SET` of libraries and bugs to rank by: "+strings.Join(submission.Sets, ", "))
	c.Flags().StringSliceVar(&f.libraries, "library", nil, "rank by this `LIBRARY` of the set only (repeatable)")
	c.Flags().IntVar(&f.trials, "trials", 3, "number of trials to rank by; further trials are ignored")
	of := maps.Clone(printers)
	of["csv"] = func(w io.Writer, d *doc.Document) error { return printOnly(d, leaderboard.Data, w) }
	chosen = formatFlags(c, of, "text")
	return c
}

func (a *app) leaderboard(runs []string, f leaderboardFlags, print printer) error {
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	set, err := submission.NewSet(bench, f.set, f.libraries, f.trials)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	entries, refused := submission.Enter(runs, set, bench)
	if err := print(a.stdout, leaderboard.Rank(set, bench.Version, entries, refused)); err != nil {
		return err
	}
	if len(refused) > 0 {
		return unfinishedf("%d %s not ranked; the table says why",
			len(refused), trial.Form(len(refused), "run or tool is", "runs or tools are"))
	}
	return nil
}
