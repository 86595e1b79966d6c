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
		Short: "Verify a submission: its hashes, then every figure that needs no model",
		Long: `Unpacks FILE, checks every hash, makes suites again where that needs no model (from the
transcript, or from the seed), measures every suite anew with this machine's builds, and
says figure by figure what holds.

Exit codes: 0 every figure holds; 1 a figure does not, or the file was changed after
packing; 2 FILE is no submission that this bench can verify; 3 nothing is refuted, but
some figures could not be decided here.`,
		Example: "  bench submission verify my-tool.tar.gz --receipt",
		Args:    exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := harness.CheckSandbox(f.Sandbox); err != nil {
				return err
			}
			return a.verify(c.Context(), args[0], f)
		},
	}
	c.Flags().BoolVar(&f.NoExec, "no-exec", false, "check hashes and consistency only; run nothing")
	c.Flags().BoolVar(&f.jsonOut, "json", false, "print JSON, with every figure of every cell")
	c.Flags().BoolVar(&f.receipt, "receipt", false, "if everything holds, note it in FILE"+submission.ReceiptSuffix+" for bench leaderboard")
	c.Flags().StringVar(&f.Sandbox, "sandbox", "bwrap", "where the programs run, whatever the submission says: bwrap, docker or none")
	c.Flags().IntVar(&f.Jobs, "jobs", 0, "cells worked on at once (default: one for each CPU)")
	return c
}

// unverifiedError ends a verification that could not decide some figures.
type unverifiedError struct{ figures, of int }

func (e unverifiedError) Error() string {
	return fmt.Sprintf("%d of %d figures could not be decided here", e.figures, e.of)
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
		return fmt.Errorf("%d of %d figures do not hold", n, all)
	case open > 0:
		return unverifiedError{open, all}
	case f.receipt && v.Executed:
		return v.WriteReceipt(file)
	}
	return nil
}
