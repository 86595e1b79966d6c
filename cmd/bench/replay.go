package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/check/verify"
	"github.com/lisa-bench/lisa-bench/results"
)

func (a *app) replayCommand() *cobra.Command {
	var jobs int
	c := &cobra.Command{
		Use:   "replay RUN [CELL...]",
		Short: "Make suites again from recorded answers, and compare",
		Long: `Makes the suites of a run again, from the answers of models that its transcripts hold,
measures them again, and fails on the first difference. Nothing is asked of a model. All
cells of tools that ask models are replayed, or those named.

A cell with a budget in seconds made as many programs as the machine was fast: of such a
cell the programs are compared and not the figures.`,
		Example: "  bench replay results/runs/my\n  bench replay results/runs/my lisa.default.cJSON.debian.1",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exactArgs("RUN")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return verify.Replay(c.Context(), &a.Env, args[0], args[1:], jobs, func(d results.CellData) {
				fmt.Fprintf(a.stdout, "%s: %d programs, the same\n", d.Cell.ID(), d.Record.Usage.Programs)
			})
		},
	}
	c.Flags().IntVar(&jobs, "jobs", 0, "cells worked on at once (default: the CPUs)")
	return c
}
