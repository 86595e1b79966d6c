// Package verify repeats finished work and compares it with the record: the suites of a run from its transcripts
// (Replay), and the evaluation of its suites (Suites), of a run directory or of one that somebody handed in. It asks
// no model. It refuses runs without transcripts, and files that are no runs of this benchmark.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Replay makes the cells of a run again from their transcripts, measures them again, and compares the suites and all
// figures with the records. names are ids of cells; none means all that have a transcript. Up to jobs cells are worked
// on at once; 0 leaves that to the run's experiment.
func Replay(ctx context.Context, e *harness.Env, dir string, names []string, jobs int) (checks []CellCheck, err error) {
	run, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	data, err := results.Load(run)
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	source := experiments.Source{Name: filepath.Join(run, "experiment.yaml"), Data: data.Experiment}
	exp, err := experiments.Load(source, nil, harness.Known(bench))
	if err != nil {
		return nil, err
	}
	cells, err := replayable(data, names)
	if err != nil {
		return nil, err
	}
	made := filepath.Join(run, "cells")
	fromTranscripts(exp, made)
	x := &harness.Execution{Bench: bench, Experiment: exp, Made: made, Choice: func(c trial.Cell) bool {
		return slices.ContainsFunc(cells, func(d results.CellData) bool { return d.Cell == c })
	}}
	if x.Jobs, err = harness.Jobs(exp, jobs); err != nil {
		return nil, err
	}
	if x.Dir, err = os.MkdirTemp("", "bench-replay-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(x.Dir)) }()
	if _, err := e.Execute(ctx, x); err != nil {
		return nil, err
	}
	again, err := results.Load(x.Dir)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		i := slices.IndexFunc(again.Cells, func(d results.CellData) bool { return d.Cell == c.Cell })
		figures, err := replayed(c, again.Cells[i])
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Cell.ID(), err)
		}
		checks = append(checks, CellCheck{Cell: c.Cell.ID(), Figures: figures})
	}
	return checks, nil
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

// fromTranscripts makes an experiment take its answers from the cells of a run, whatever the
// time that takes.
func fromTranscripts(exp *experiments.Experiment, cells string) {
	if exp.LLM != nil {
		c := *exp.LLM
		c.Provider, c.Dir, c.BaseURL, c.APIKeyEnv = llm.ProviderReplay, cells, "", ""
		exp.LLM = &c
	}
	*exp = *exp.WithBudgets(trial.Budget.Untimed)
}

// replayed returns the figures of a cell with those of its replay, the suite first. If that is another one, or its
// length depends on a clock, it is the only figure.
func replayed(was, now results.CellData) ([]Figure, error) {
	suite := Figure{Name: "suite"}
	if now.Record == nil {
		var err error
		suite.Found, err = json.Marshal(fmt.Sprintf("incomplete: %s: %s", now.Incomplete.Kind, now.Incomplete.Message))
		return []Figure{suite}, err
	}
	before, err := results.ReadSuite(filepath.Join(was.Dir, "suite"))
	if err != nil {
		return nil, err
	}
	after, err := results.ReadSuite(filepath.Join(now.Dir, "suite"))
	if err != nil {
		return nil, err
	}
	timed := slices.Contains([]trial.StopReason{trial.StopTime, trial.StopWall, trial.StopCPU}, before.Stop)
	why := otherwise(before, after)
	if why == "" && !timed && before.Stop != after.Stop {
		why = fmt.Sprintf("the run stopped for %s, the replay for %s", before.Stop, after.Stop)
	}
	if why != "" {
		suite.Found, err = json.Marshal(why)
	}
	if why != "" || timed {
		return []Figure{suite}, err
	}
	figures, err := compare(was.Record, now.Record)
	return append([]Figure{suite}, figures...), err
}

// otherwise says what a suite has that its replay has not, "" if there is nothing. A replay may have more.
func otherwise(before, after trial.Suite) string {
	for i, p := range before.Programs {
		if i >= len(after.Programs) {
			return fmt.Sprintf("the replay has %d programs, the run %d", len(after.Programs), len(before.Programs))
		}
		q := after.Programs[i]
		if p.SHA256 != q.SHA256 || p.Refused != q.Refused || p.Oracle != q.Oracle || p.Lang != q.Lang {
			return fmt.Sprintf("program %s differs", p.ID)
		}
	}
	if !slices.Equal(before.Files, after.Files) {
		return fmt.Sprintf("the replay made %v, the run %v", after.Files, before.Files)
	}
	return ""
}
