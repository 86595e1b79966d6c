package harness

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// Suspicions returns the suspicions of a run directory, ranked.
func Suspicions(run string) ([]results.RankedSuspicion, error) {
	data, err := results.Load(run)
	if err != nil {
		return nil, err
	}
	return results.RankSuspicions(data.Records(), func(c trial.Cell, file string) (string, error) {
		text, err := os.ReadFile(filepath.Join(run, "cells", c.ID(), file))
		return string(text), err
	})
}

// An Against says on which version suspicions are run.
type Against struct {
	Version string // an edition, a commit or tag of the upstream, or a directory of source
	Earlier bool   // it is older than the run's own
	Sandbox string // one of experiments.Sandboxes
	Runs    int    // of each program on each of both versions
	Timeout time.Duration
}

// Compare runs suspicions of one library and edition on their reference and on another version, each
// stand-alone, and saves the comparison in the run's directory. It returns it with the shared library of that
// version.
func (e *Env) Compare(ctx context.Context, run string, list []results.RankedSuspicion, a Against) (c trial.Comparison, sharedLib string, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return c, "", err
	}
	err = e.inWorkshop(ctx, bench, Workplace{Sandbox: a.Sandbox, Limits: workshop.TestLimits(a.Timeout)}, func(shop *workshop.Workshop) error {
		cell := list[0].Cell
		lib, err := shop.Open(ctx, cell.Library, lisabench.Edition(cell.Edition))
		if err != nil {
			return err
		}
		c = trial.Comparison{Library: cell.Library, Edition: cell.Edition, Version: filepath.Base(a.Version), Earlier: a.Earlier, Changes: make([]trial.Change, len(list))}
		b, id, err := lib.Other(ctx, a.Version)
		if err != nil {
			return err
		}
		c.ID, sharedLib = id, b.SharedLib
		work, wctx := errgroup.WithContext(ctx)
		work.SetLimit(shop.Workers)
		for i, s := range list {
			work.Go(func() (err error) {
				c.Changes[i], err = change(wctx, lib, b, filepath.Join(run, "cells", s.Cell.ID()), s, a)
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		return results.SaveComparison(run, c)
	})
	return c, sharedLib, err
}

// change runs one suspicion on both versions.
func change(ctx context.Context, lib *workshop.OpenLibrary, other *libbuild.Build, dir string, s results.RankedSuspicion, a Against) (trial.Change, error) {
	text, err := os.ReadFile(filepath.Join(dir, s.Program))
	if err != nil {
		return trial.Change{}, err
	}
	p := trial.Program{ID: s.ID, Lang: lib.Spec.Language, Source: string(text)}
	var ran [2][]trial.Result
	for i, b := range []*libbuild.Build{lib.Plain, other} {
		if ran[i], err = lib.Engine.Plain(ctx, b, p, testrun.PlainOptions{Runs: a.Runs, Stdout: true}); err != nil {
			return trial.Change{}, err
		}
	}
	c := suspicion.Judge(s.Suspicion, ran[0], ran[1], a.Earlier)
	c.Cell, c.Rank = s.Cell.ID(), s.Rank
	return c, nil
}

// ByLibrary groups suspicions by library and edition, in the order of rank.
func ByLibrary(list []results.RankedSuspicion) [][]results.RankedSuspicion {
	return lists.Group(list, func(s results.RankedSuspicion) [2]string {
		return [2]string{s.Cell.Library, s.Cell.Edition}
	})
}
