package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// Suites evaluates the suites of a run directory on this machine's builds, and compares all figures with the records.
// Programs run in that sandbox, whatever the run's experiment says, and up to jobs cells are worked on at once, 0 for
// one on each CPU. Nothing but the test programs is executed, and nothing outside of the run is read. A directory that
// is no run of this benchmark is a *harness.UsageError.
func Suites(ctx context.Context, e *harness.Env, path, sandbox string, jobs int) (checks []CellCheck, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	run, err := submission.Open(path, bench)
	if err != nil {
		return nil, harness.Usagef("%s: %w", path, err)
	}
	if jobs, err = harness.Jobs(nil, jobs); err != nil {
		return nil, err
	}
	checks = make([]CellCheck, len(run.Cells))
	return checks, e.InWorkshop(ctx, bench, harness.Workplace{
		Sandbox: sandbox, Cells: filepath.Join(run.Dir, "cells"), Jobs: jobs, Limits: workshop.TestLimits(run.Plan.Test.Timeout),
	}, func(shop *workshop.Workshop) error {
		var group errgroup.Group
		group.SetLimit(jobs)
		for i, c := range run.Cells {
			checks[i].Cell = c.Cell.ID()
			if c.Record == nil {
				checks[i].Incomplete = c.Incomplete.Kind + ": " + c.Incomplete.Message
				continue
			}
			group.Go(func() (err error) {
				fmt.Fprintf(e.Stderr, "measuring %s\n", c.Cell.ID())
				p := slices.IndexFunc(run.Plan.Cells, func(p experiments.Cell) bool { return p.Cell == c.Cell })
				checks[i].Figures, err = evaluated(ctx, shop, c, runner.Evaluation{Cell: run.Plan.Cells[p], Dir: c.Dir, Test: run.Plan.Test, Log: e.Log})
				return err
			})
		}
		return group.Wait()
	})
}

// evaluated evaluates the suite of a cell again and compares its figures.
func evaluated(
	ctx context.Context, shop *workshop.Workshop, c results.CellData, e runner.Evaluation,
) ([]Figure, error) {
	suite, err := submission.ReadSuite(filepath.Join(c.Dir, "suite"))
	if err != nil {
		return nil, harness.Usagef("cell %s: %w", c.Cell.ID(), err)
	}
	e.Suite = suite
	now, err := shop.Evaluate(ctx, e)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return []Figure{{Name: "evaluation", Excuse: "could not be made here: " + err.Error()}}, nil
	}
	now.Kind = suite.Kind
	return compare(c.Record, now), nil
}
