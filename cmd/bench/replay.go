package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/verify"
)

// replayFlags are the flags of bench replay.
type replayFlags struct {
	suites  bool
	output  printing
	sandbox string
	jobs    int
}

func (a *app) replayCommand() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use:   "replay RUN [CELL...]",
		Short: "Generate suites again from recorded answers, or evaluate suites again, and compare",
		Long: `Generates the suites of a run again from the recorded answers of its models, measures them
again, and fails on the first difference. No model is asked. Replays all cells of tools
that ask models, or only the cells named. Of a cell with a budget in seconds only the programs
are compared: how many there are depends on the machine.

--suites generates nothing: it evaluates every suite as it is and compares all figures. RUN
may then be one that somebody else made; its test programs run in the sandbox of --sandbox.

Exit codes: 0 all is equal; 1 a figure is wrong; 2 RUN cannot be read; 3 nothing is wrong,
but some figures vary or could not be measured here.`,
		Example: "  bench replay results/runs/my\n  bench replay results/runs/my lisa.default.cJSON.debian.1\n  bench replay other --suites",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || f.suites {
				return exactArgs("RUN")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.suites {
				return a.replaySuites(c.Context(), args[0], f)
			}
			return verify.Replay(c.Context(), &a.Env, args[0], args[1:], f.jobs, func(d results.CellData) {
				fmt.Fprintf(a.stdout, "%s: %s, identical\n", d.Cell.ID(), trial.Count(d.Record.Usage.Programs, "program"))
			})
		},
	}
	c.Flags().BoolVar(&f.suites, "suites", false, "evaluate the suites as they are")
	sandboxFlag(c, &f.sandbox, "bwrap", "sandbox for test programs of --suites, whatever the run used")
	f.output = a.jsonFlag(c, "print every figure of every cell as JSON, with --suites")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "cells to run at once (default: one per CPU)")
	return c
}

func (a *app) replaySuites(ctx context.Context, run string, f replayFlags) error {
	checks, err := verify.Suites(ctx, &a.Env, run, f.sandbox, f.jobs)
	if err != nil {
		return err
	}
	if err := f.output(checks, func() error { return a.printChecks(checks) }); err != nil {
		return err
	}
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
