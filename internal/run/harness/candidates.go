package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/run/subject"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
	"github.com/lisa-bench/lisa-bench/results"
)

// Candidates returns the candidates of a run directory, ranked.
func Candidates(run string) ([]results.RankedSuspicion, error) {
	data, err := results.Load(run)
	if err != nil {
		return nil, err
	}
	var records []trial.Record
	for _, c := range data.Cells {
		if c.Record != nil {
			records = append(records, *c.Record)
		}
	}
	return results.RankSuspicions(records, func(c trial.Cell, file string) (string, error) {
		text, err := os.ReadFile(filepath.Join(run, "cells", c.ID(), file))
		return string(text), err
	})
}

// An Against says on which version candidates are run.
type Against struct {
	Version string // an edition, a commit or tag of the upstream, or a directory of source
	Earlier bool   // it is older than the run's own
	Sandbox string // one of experiments.Sandboxes
	Runs    int    // of each program on each of both versions
	Timeout time.Duration
}

// Compare runs candidates of one library and edition on their reference and on another version, each
// stand-alone, and saves the comparison in the run's directory. It returns it with the build of that
// version.
func (e *Env) Compare(ctx context.Context, run string, list []results.RankedSuspicion, a Against) (c trial.Comparison, b *libbuild.Build, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return c, nil, err
	}
	cache, err := e.cacheDir()
	if err != nil {
		return c, nil, err
	}
	scratch, err := os.MkdirTemp(cache, durable.TempPrefix+"candidates-")
	if err != nil {
		return c, nil, err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // the sandbox's user reads from it
		return c, nil, err
	}
	shop, err := e.Workshop(ctx, bench, Workplace{Sandbox: a.Sandbox, Scratch: scratch, Jobs: 1, Limits: subject.TestLimits(a.Timeout)})
	if err != nil {
		return c, nil, err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	cell := list[0].Cell
	lib, err := shop.Open(ctx, cell.Library, lisabench.Edition(cell.Edition))
	if err != nil {
		return c, nil, err
	}
	c = trial.Comparison{Library: cell.Library, Edition: cell.Edition, Version: filepath.Base(a.Version), Earlier: a.Earlier, Changes: make([]trial.Change, len(list))}
	if b, c.ID, err = lib.Other(ctx, a.Version); err != nil {
		return c, nil, err
	}
	work, wctx := errgroup.WithContext(ctx)
	work.SetLimit(shop.Workers)
	for i, candidate := range list {
		work.Go(func() (err error) {
			c.Changes[i], err = change(wctx, lib, b, filepath.Join(run, "cells", candidate.Cell.ID()), candidate, a)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return c, nil, err
	}
	return c, b, results.SaveComparison(run, c)
}

// change runs one candidate on both versions.
func change(ctx context.Context, lib *subject.OpenLibrary, other *libbuild.Build, dir string, candidate results.RankedSuspicion, a Against) (trial.Change, error) {
	text, err := os.ReadFile(filepath.Join(dir, candidate.Program))
	if err != nil {
		return trial.Change{}, err
	}
	p := trial.Program{ID: candidate.ID, Lang: lib.Spec.Language, Source: string(text)}
	var ran [2][]trial.Result
	for i, b := range []*libbuild.Build{lib.Plain, other} {
		if ran[i], err = lib.Engine.Plain(ctx, b, p, testrun.PlainOptions{Runs: a.Runs, Stdout: true}); err != nil {
			return trial.Change{}, err
		}
	}
	c := suspicion.Judge(candidate.Suspicion, ran[0], ran[1], a.Earlier)
	c.Cell, c.Rank = candidate.Cell.ID(), candidate.Rank
	return c, nil
}

// Subjects returns the libraries in their editions that candidates are of, in the order of rank.
func Subjects(list []results.RankedSuspicion) [][]results.RankedSuspicion {
	var parts [][]results.RankedSuspicion
next:
	for _, c := range list {
		for i, part := range parts {
			if first := part[0].Cell; first.Library == c.Cell.Library && first.Edition == c.Cell.Edition {
				parts[i] = append(slices.Clip(part), c)
				continue next
			}
		}
		parts = append(parts, []results.RankedSuspicion{c})
	}
	return parts
}
