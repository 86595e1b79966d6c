package main

import (
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// leaderboardFlags are the flags of bench leaderboard.
type leaderboardFlags struct {
	set       string
	libraries []string
	trials    int
}

func (a *app) leaderboardCommand() *cobra.Command {
	var f leaderboardFlags
	var chosen func() (printer, error)
	c := &cobra.Command{
		Use:   "leaderboard DIR",
		Short: "Rank the submissions in a directory by the bugs they detect",
		Long: `Reads every *` + submission.Extension + ` file in DIR, checks its hashes, and ranks the contenders. A contender
needs a record for every library, bug and trial of the set; the others are listed with the
reason. Contenders that share a letter do not differ significantly (McNemar's exact test
on the bugs, Holm-corrected).

Exit codes: 0 all ranked, 3 some refused.`,
		Example: "  bench leaderboard submissions/\n  bench leaderboard submissions/ --set debian-protocol --trials 5 --format html > board.html",
		Args:    exactArgs("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			print, err := chosen()
			if err != nil {
				return err
			}
			return a.leaderboard(args[0], f, print)
		},
	}
	c.Flags().StringVar(&f.set, "set", submission.Sets[0], "`SET` of libraries and bugs to rank by: "+strings.Join(submission.Sets, ", "))
	c.Flags().StringSliceVar(&f.libraries, "library", nil, "rank by this `LIBRARY` of the set only (repeatable)")
	c.Flags().IntVar(&f.trials, "trials", 3, "number of trials to rank by; further trials are ignored")
	of := maps.Clone(printers)
	of["csv"] = func(w io.Writer, d *report.Document) error { return printOnly(d, report.LeaderboardData, w) }
	chosen = formatFlags(c, of, "text")
	return c
}

// refusedError ends a leaderboard that some submissions are not on.
type refusedError struct{ refused int }

func (e refusedError) Error() string {
	return fmt.Sprintf("%d submissions or contenders are not ranked; the table says why", e.refused)
}

func (a *app) leaderboard(dir string, f leaderboardFlags, print printer) error {
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	set, err := submission.NewSet(bench, f.set, f.libraries, f.trials)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	if err := harness.CheckDir("DIR", dir); err != nil {
		return err
	}
	entries, refused, err := submission.Enter(dir, set, bench)
	if err != nil {
		return err
	}
	if len(entries)+len(refused) == 0 {
		return harness.Usagef("%s: no *%s file in it; to make one: bench submission pack RUN", dir, submission.Extension)
	}
	doc, err := report.Leaderboard(set, bench.Version, entries, refused)
	if err != nil {
		return err
	}
	if err := print(a.stdout, doc); err != nil {
		return err
	}
	if len(refused) > 0 {
		return refusedError{len(refused)}
	}
	return nil
}
