package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// shownCells is how many cells of a kind bench status lists; --json has all.
const shownCells = 15

func (a *app) status(c *cobra.Command) action {
	output := a.jsonFlag(c, "print every cell as JSON")
	return func(_ *cobra.Command, args []string) error {
		status, err := a.ReadStatus(args[0])
		if err != nil {
			return err
		}
		return output(status, func() error { return a.printStatus(status) })
	}
}

func (a *app) printStatus(s *harness.Status) error {
	fmt.Fprintf(a.stdout, "%d of %d cells done, %d running, %d incomplete, %d waiting\n", s.Done, s.Planned, s.Running, s.Incomplete, s.Waiting)
	if s.Gaps > 0 {
		fmt.Fprintf(a.stdout, "%d of the cells done have an incomplete record; `bench run` measures what is missing\n", s.Gaps)
	}
	fmt.Fprintf(a.stdout, "used so far: %s\n", s.Usage)
	if s.Running > 0 {
		fmt.Fprintf(a.stdout, "%s, with %s at once\n", s.Forecast, trial.Count(s.Running, "cell"))
	}
	if s.Jobs != nil {
		fmt.Fprintf(a.stdout, "Slurm: %s\n", s.Jobs)
	}
	running := lists.Filter(s.Cells, func(c results.CellStatus) bool { return c.State == results.Running })
	var rows [][]string
	for _, c := range running[:min(shownCells, len(running))] {
		since := ""
		if c.Since != nil {
			since = a.Now().Sub(*c.Since).Round(time.Second).String()
		}
		rows = append(rows, []string{c.Cell, cmp.Or(c.Stage, "starting"), since, c.Usage.String(), c.Holder})
	}
	err := a.printTable([]string{"Running", "Stage", "For", "Used", "By"}, rows)
	if more := len(running) - len(rows); more > 0 {
		fmt.Fprintf(a.stdout, "%d more: use --json\n", more)
	}
	// Each reason once, with one of its cells.
	incomplete := lists.Filter(s.Cells, func(c results.CellStatus) bool { return c.State == results.Incomplete })
	slices.SortStableFunc(incomplete, func(x, y results.CellStatus) int { return strings.Compare(x.Kind, y.Kind) })
	rows = nil
	for _, of := range lists.Group(incomplete, func(c results.CellStatus) string { return c.Kind }) {
		rows = append(rows, []string{of[0].Kind, fmt.Sprint(len(of)), of[0].Cell, shorten(of[0].Message, 120)})
	}
	return errors.Join(err, a.printTable([]string{"Incomplete", "Cells", "Example", "Reason"}, rows))
}
