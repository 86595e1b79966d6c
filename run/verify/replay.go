// Package verify repeats finished work and compares it with the record: the suites of a run from its transcripts
// (Replay), and the evaluation of its suites (Suites), of a run directory or of one that somebody handed in. It asks
// no model. It refuses runs without transcripts, and files that are no runs of this benchmark.
package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// Replay makes the cells of a run again from their transcripts, and measures them again. Of
// every cell that is the same it calls same; the first that is not is the error. names are ids
// of cells; none means all that have a transcript. Up to jobs cells are worked on at once; 0
// leaves that to the run's experiment.
func Replay(ctx context.Context, e *harness.Env, dir string, names []string, jobs int, same func(results.CellData)) (err error) {
	run, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	data, err := results.Load(run)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	bench, err := e.LoadBench()
	if err != nil {
		return err
	}
	exp, err := experiments.Load(experiments.Source{Name: filepath.Join(run, "experiment.yaml"), Data: data.Experiment}, nil, harness.Known(bench))
	if err != nil {
		return err
	}
	cells, err := replayable(data, names)
	if err != nil {
		return err
	}
	made := filepath.Join(run, "cells")
	if exp.LLM != nil {
		c := *exp.LLM
		c.Provider, c.Dir, c.BaseURL, c.APIKeyEnv = llm.ProviderReplay, made, "", ""
		exp.LLM = &c
	}
	exp.ChangeBudgets(trial.Budget.Untimed) // whatever the time that the answers take
	x := &harness.Execution{Bench: bench, Experiment: exp, Made: made, Choice: func(c trial.Cell) bool {
		return slices.ContainsFunc(cells, func(d results.CellData) bool { return d.Cell == c })
	}}
	if x.Jobs, err = harness.Jobs(exp, jobs); err != nil {
		return err
	}
	if x.Dir, err = os.MkdirTemp("", "bench-replay-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(x.Dir)) }()
	if _, err := e.Execute(ctx, x); err != nil {
		return err
	}
	again, err := results.Load(x.Dir)
	if err != nil {
		return err
	}
	for _, c := range cells {
		i := slices.IndexFunc(again.Cells, func(d results.CellData) bool { return d.Cell == c.Cell })
		if err := sameCell(c, again.Cells[i]); err != nil {
			return fmt.Errorf("cell %s: %w", c.Cell.ID(), err)
		}
		same(c)
	}
	return nil
}

// replayable returns the finished cells with a transcript, or those of them that are named.
func replayable(data *results.Data, names []string) ([]results.CellData, error) {
	var cells []results.CellData
	var known []string
	for _, c := range data.Cells {
		if _, err := os.Stat(filepath.Join(c.Dir, llm.TranscriptFile)); err != nil || c.Record == nil {
			continue
		}
		known = append(known, c.Cell.ID())
		if len(names) == 0 || slices.Contains(names, c.Cell.ID()) {
			cells = append(cells, c)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, lisabench.NewUnknownError("finished cell with a transcript", name, known)
		}
	}
	if len(cells) == 0 {
		return nil, harness.Usagef("%s: no finished cell has a transcript: nothing to replay", data.Dir)
	}
	return cells, nil
}

// sameCell returns the first difference between a cell and its replay.
func sameCell(was, now results.CellData) error {
	if now.Record == nil {
		return fmt.Errorf("the replay is incomplete: %s: %s", now.Incomplete.Kind, now.Incomplete.Message)
	}
	had := was.Record.Gaps()
	gaps := slices.DeleteFunc(now.Record.Gaps(), func(g trial.Gap) bool {
		return slices.ContainsFunc(had, func(o trial.Gap) bool { return o.Name() == g.Name() })
	})
	if len(gaps) > 0 {
		return fmt.Errorf("the replay could not measure %s", trial.DescribeGaps(gaps))
	}
	before, err := results.ReadSuite(filepath.Join(was.Dir, "suite"))
	if err != nil {
		return err
	}
	after, err := results.ReadSuite(filepath.Join(now.Dir, "suite"))
	if err != nil {
		return err
	}
	if err := sameSuite(before, after); err != nil {
		return err
	}
	switch before.Stop {
	case trial.StopTime, trial.StopWall, trial.StopCPU: // how long it is depends on the machine
		return nil
	case after.Stop:
		return sameRecord(was.Record, now.Record)
	}
	return fmt.Errorf("the run stopped for %s, the replay for %s", before.Stop, after.Stop)
}

// sameSuite returns the first program of a suite that its replay has not. A replay may have more.
func sameSuite(before, after trial.Suite) error {
	for i, p := range before.Programs {
		if i >= len(after.Programs) {
			return fmt.Errorf("the replay has %d programs, the run %d", len(after.Programs), len(before.Programs))
		}
		if q := after.Programs[i]; p.SHA256 != q.SHA256 || p.Refused != q.Refused || p.Oracle != q.Oracle || p.Lang != q.Lang {
			return fmt.Errorf("program %s differs", p.ID)
		}
	}
	if !slices.Equal(before.Files, after.Files) {
		return fmt.Errorf("the replay made %v, the run %v", after.Files, before.Files)
	}
	return nil
}

// sameRecord compares the parts that both have, but for times and for the key, which knows of the
// budget.
func sameRecord(was, now *trial.Record) error {
	was, now = results.Common(results.Untimed(was), results.Untimed(now))
	was.Key, now.Key, was.Answers, now.Answers = "", "", "", ""
	before, after := fields(was), fields(now)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !bytes.Equal(before[name], after[name]) {
			return fmt.Errorf("%s of record.json differs: %.300s in the run, %.300s in the replay", name, before[name], after[name])
		}
	}
	return nil
}
