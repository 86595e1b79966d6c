package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/check/verify"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/report/render"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// verifyFlags are the flags of bench submission verify.
type verifyFlags struct {
	verify.Options
	jsonOut, receipt bool
}

func (a *app) verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "Verify a submission: its hashes, and every figure that needs no model",
		Long: `Unpacks FILE and checks every hash. Generates the suites again from transcripts and seeds,
which needs no model, measures every suite with this machine's builds, and prints which
figures are confirmed.

Exit codes: 0 every figure is confirmed; 1 a figure is wrong, or the file was changed after
packing; 2 this bench cannot verify FILE; 3 no figure is wrong, but some could not be
checked here.`,
		Example: "  bench submission verify my-tool.tar.gz\n  bench submission verify my-tool.tar.gz --receipt",
		Args:    exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := harness.CheckSandbox(f.Sandbox); err != nil {
				return err
			}
			return a.verify(c.Context(), args[0], f)
		},
	}
	c.Flags().BoolVar(&f.NoExec, "no-exec", false, "run nothing: check hashes and consistency only")
	c.Flags().BoolVar(&f.jsonOut, "json", false, "print every figure of every cell as JSON")
	c.Flags().BoolVar(&f.receipt, "receipt", false, "if every figure is confirmed, write FILE"+submission.ReceiptSuffix+" for bench leaderboard")
	c.Flags().StringVar(&f.Sandbox, "sandbox", "bwrap", "sandbox for test programs, whatever the submission used: bwrap, docker or none")
	c.Flags().IntVar(&f.Jobs, "jobs", 0, "cells to run at once (default: one per CPU)")
	return c
}

// unverifiedError ends a verification that could not decide some figures.
type unverifiedError struct{ figures, of int }

func (e unverifiedError) Error() string {
	return fmt.Sprintf("%d of %d figures could not be checked here", e.figures, e.of)
}

func (a *app) verify(ctx context.Context, file string, f verifyFlags) error {
	v, err := verify.Submission(ctx, &a.Env, file, f.Options)
	if err != nil {
		return err
	}
	if f.jsonOut {
		err = a.printJSON(v)
	} else {
		err = render.Text(a.stdout, report.Verification(v))
	}
	all := v.Figures()
	switch n, open := v.Count(submission.Differs), v.Count(submission.Undecided); {
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("%d of %d figures are wrong", n, all)
	case open > 0:
		return unverifiedError{open, all}
	case f.receipt && v.Executed:
		return v.WriteReceipt(file)
	}
	return nil
}
