package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/check/verify"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

func (a *app) replayCommand() *cobra.Command {
	var jobs int
	c := &cobra.Command{
		Use:   "replay RUN [CELL...]",
		Short: "Generate suites again from recorded answers, and compare",
		Long: `Generates the suites of a run again from the recorded answers of its models, measures them
again, and fails on the first difference. No model is asked. Replays all cells of tools
that ask models, or only the cells named.

How many programs a cell with a time budget makes depends on the machine. For such
a cell, replay compares the programs and not the figures.`,
		Example: "  bench replay results/runs/my\n  bench replay results/runs/my lisa.default.cJSON.debian.1",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactArgs("RUN")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return verify.Replay(c.Context(), &a.Env, args[0], args[1:], jobs, func(d results.CellData) {
				fmt.Fprintf(a.stdout, "%s: %s, identical\n", d.Cell.ID(), trial.Count(d.Record.Usage.Programs, "program"))
			})
		},
	}
	c.Flags().IntVar(&jobs, "jobs", 0, "cells to run at once (default: one per CPU)")
	return c
}
