package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// leaderboardFlags are the flags of bench leaderboard.
type leaderboardFlags struct {
	set, format string
	libraries   []string
	trials      int
}

func (a *app) leaderboardCommand() *cobra.Command {
	var f leaderboardFlags
	c := &cobra.Command{
		Use:   "leaderboard DIR",
		Short: "Rank the submissions in a directory by the bugs they detect",
		Long: `Reads every *` + submission.Extension + ` file in DIR, checks its hashes, and ranks the contenders that have
records for the whole set: every library, bug and trial. The others are listed with the
reason. Letters join the contenders that McNemar's exact test on the bugs does not tell
apart (Holm-corrected).

Exit codes: 0 all are ranked, 3 some are refused.`,
		Example: "  bench leaderboard submissions/\n  bench leaderboard submissions/ --set debian-protocol --trials 5 --format html > board.html",
		Args:    exactArgs("DIR"),
		RunE:    func(c *cobra.Command, args []string) error { return a.leaderboard(args[0], f) },
	}
	c.Flags().StringVar(&f.set, "set", submission.Sets[0], "libraries and bugs to rank on: "+strings.Join(submission.Sets, ", "))
	c.Flags().StringSliceVar(&f.libraries, "library", nil, "rank on this library of the set only (may be repeated)")
	c.Flags().IntVar(&f.trials, "trials", 3, "trials to rank on; further ones are left out")
	c.Flags().StringVar(&f.format, "format", "text", "print text, markdown, csv, json or html")
	return c
}

// refusedError ends a leaderboard that some submissions are not on.
type refusedError struct{ refused int }

func (e refusedError) Error() string {
	return fmt.Sprintf("%d submissions or contenders are not ranked; the table says why", e.refused)
}

func (a *app) leaderboard(dir string, f leaderboardFlags) error {
	write := printers[f.format]
	if f.format == "csv" {
		write = func(w io.Writer, d *report.Document) error { return printOnly(d, report.LeaderboardData, w) }
	}
	if write == nil {
		return lisabench.NewUnknownError("format", f.format, []string{"text", "markdown", "csv", "json", "html"})
	}
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
		return harness.Usagef("%s: no file *%s in it: `bench submission pack RUN` makes them", dir, submission.Extension)
	}
	doc, err := report.Leaderboard(set, bench.Version, entries, refused)
	if err != nil {
		return err
	}
	if err := write(a.stdout, doc); err != nil {
		return err
	}
	if len(refused) > 0 {
		return refusedError{len(refused)}
	}
	return nil
}
