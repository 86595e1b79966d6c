package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/verify"
)

func (a *app) replay(c *cobra.Command) action {
	suites := c.Flags().Bool("suites", false, "evaluate the suites as they are")
	var sandbox string
	sandboxFlag(c, &sandbox, "bwrap", "sandbox for test programs of --suites, whatever the run used")
	output := a.jsonFlag(c, "print every figure of every cell as JSON, with --suites")
	jobs := c.Flags().Int("jobs", 0, "cells to run at once (default: one per CPU)")
	return func(c *cobra.Command, args []string) error {
		switch {
		case !*suites:
			return verify.Replay(c.Context(), &a.Env, args[0], args[1:], *jobs, func(d results.CellData) {
				fmt.Fprintf(a.stdout, "%s: %s, identical\n", d.Cell.ID(), trial.Count(d.Record.Usage.Programs, "program"))
			})
		case len(args) > 1:
			return harness.Usagef("--suites evaluates all cells: leave out %s", args[1])
		}
		checks, err := verify.Suites(c.Context(), &a.Env, args[0], sandbox, *jobs)
		if err != nil {
			return err
		}
		if err := output(checks, func() error { return a.printChecks(checks) }); err != nil {
			return err
		}
		return judge(checks)
	}
}

// judge is the error of an evaluation that found other figures than were recorded.
func judge(checks []verify.CellCheck) error {
	all, wrong, open := 0, 0, 0
	for _, c := range checks {
		for _, figure := range c.Figures {
			all++
			switch {
			case figure.Equal():
			case figure.Excuse != "":
				open++
			default:
				wrong++
			}
		}
	}
	switch {
	case wrong > 0:
		return fmt.Errorf("%d of %d figures are wrong", wrong, all)
	case open > 0:
		return unfinishedf("%d of %d figures vary, or could not be measured here", open, all)
	}
	return nil
}

func (a *app) printChecks(checks []verify.CellCheck) error {
	for _, c := range checks {
		different := lists.Filter(c.Figures, func(f verify.Figure) bool { return !f.Equal() })
		for _, figure := range different {
			fmt.Fprintf(a.stdout, "%s: %s: %s\n  recorded %s\n  found    %s\n", c.Cell, figure.Name,
				cmp.Or(figure.Excuse, "WRONG"), beginning(figure.Recorded), beginning(figure.Found))
		}
		equal := fmt.Sprintf("%d of %d figures are equal", len(c.Figures)-len(different), len(c.Figures))
		fmt.Fprintf(a.stdout, "%s: %s\n", c.Cell, cmp.Or(c.Incomplete, equal))
	}
	return nil
}

// beginning is as much of a figure as a terminal shows.
func beginning(figure []byte) string { return shorten(cmp.Or(string(figure), "nothing"), 300) }
