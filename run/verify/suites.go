package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// Options say how suites are evaluated again.
type Options struct {
	Sandbox string // where programs run, whatever the run's experiment says: one of experiments.Sandboxes
	Jobs    int    // cells worked on at once; 0 for one on each CPU
}

// Suites evaluates the suites of a run directory on this machine's builds, and compares all figures
// with the records. Nothing but the test programs is executed, and nothing outside of the run is read. A directory that is no
// run of this benchmark is a *harness.UsageError.
func Suites(ctx context.Context, e *harness.Env, path string, o Options) (checks []CellCheck, err error) {
	dir, err := os.MkdirTemp("", "bench-verify-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // test programs may run as another user
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	run, err := submission.Open(path)
	if err == nil {
		err = run.CheckCorpus(bench)
	}
	if err != nil {
		return nil, harness.Usagef("%s: %w", path, err)
	}
	known := harness.Known(bench)
	known.Tools = append(known.Tools, experiments.ToolKind{Name: exttool.Directory{}.Name()})
	source := experiments.Source{Name: path + ": experiment.yaml", Data: run.Experiment}
	exp, err := experiments.Load(source, nil, known)
	if err != nil {
		return nil, err
	}
	jobs, err := harness.Jobs(nil, o.Jobs)
	if err != nil {
		return nil, err
	}
	shop, err := e.Workshop(ctx, bench, harness.Workplace{
		Sandbox: o.Sandbox, Scratch: filepath.Join(dir, "scratch"), Cells: filepath.Join(run.Dir, "cells"), Jobs: jobs,
		Limits: workshop.TestLimits(exp.Test.Timeout),
	})
	if err != nil {
		return nil, err
	}
	v := &evaluation{Env: e, run: run, shop: shop, test: exp.Test}
	checks, err = v.all(ctx, jobs)
	return checks, errors.Join(err, shop.Close())
}

// An evaluation measures the suites of a run again.
type evaluation struct {
	*harness.Env
	run  *submission.Run
	shop *workshop.Workshop
	test experiments.Test
}

func (v *evaluation) all(ctx context.Context, jobs int) ([]CellCheck, error) {
	checks := make([]CellCheck, len(v.run.Cells))
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, c := range v.run.Cells {
		checks[i].Cell = c.Cell.ID()
		if c.Record == nil {
			checks[i].Incomplete = c.Incomplete.Kind + ": " + c.Incomplete.Message
			continue
		}
		group.Go(func() (err error) {
			checks[i].Figures, err = v.cell(ctx, c)
			return err
		})
	}
	return checks, group.Wait()
}

func (v *evaluation) cell(ctx context.Context, c results.CellData) ([]Figure, error) {
	fmt.Fprintf(v.Stderr, "measuring %s\n", c.Cell.ID())
	suite, err := results.ReadSuite(filepath.Join(c.Dir, "suite"))
	if err == nil {
		err = submission.CheckSuite(filepath.Join(c.Dir, "suite"), suite)
	}
	if err != nil {
		return nil, harness.Usagef("cell %s: %w", c.Cell.ID(), err)
	}
	i := slices.IndexFunc(v.run.Plan.Cells, func(p experiments.Cell) bool { return p.Cell == c.Cell })
	plan := v.run.Plan.Cells[i]
	now, err := v.shop.Evaluate(ctx, runner.Evaluation{
		Cell: c.Cell, Bugs: plan.Bugs, Budget: plan.Budget,
		Suite: suite, Dir: c.Dir, Test: v.test, Log: v.Log,
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return []Figure{{Name: "evaluation", Excuse: "could not be made here: " + err.Error()}}, nil
	}
	now.Kind = suite.Kind
	return compare(c.Record, now)
}
