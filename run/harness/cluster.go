package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/slurm"
)

// A Submission says how an experiment is run on a Slurm cluster. Of the request the caller sets what a task may
// use, PrepareTime and Options; Submit fills in the rest.
type Submission struct {
	slurm.Request
	RunDir      string
	Partition   string // "" for the cluster's
	SetupFile   string // with shell lines that every job starts with; "" for none
	Launcher    string // words before bench in every job
	PrepareHere bool   // fetch and build here, and not in a job

	Generation, Evaluation time.Duration // of a cell, where its budget does not say
	CellLimit              time.Duration // of a cell, in place of its budget plus Evaluation; 0 for that
}

// Submitted is what was handed to Slurm.
type Submitted struct {
	Cells int        // 0: every cell is done
	Jobs  slurm.Jobs // of a dry run, only where its scripts are
}

// Submit hands the cells of an experiment to Slurm that are not done, or whose records lack a part.
func (e *Env) Submit(ctx context.Context, bench *lisabench.Bench, exp *experiments.Experiment, s Submission) (done Submitted, err error) {
	if err := s.complete(e, exp); err != nil {
		return done, err
	}
	client := slurm.Client{Env: e.Environ}
	if !s.DryRun {
		if err := client.Queued(ctx, s.Run); err != nil {
			return done, &UsageError{err}
		}
	}
	if s.Cells, err = s.unfinished(e, exp); err != nil {
		return done, err
	}
	if done.Cells = len(s.Cells); done.Cells == 0 {
		return done, nil
	}
	if s.PrepareHere && !s.DryRun {
		jobs, err := Jobs(exp, 0)
		if err != nil {
			return done, err
		}
		failed, err := e.Prepare(ctx, &Execution{Bench: bench, Experiment: exp, Dir: s.RunDir, Jobs: jobs})
		if err != nil {
			return done, err
		}
		for _, f := range failed { // their cells will try again
			fmt.Fprintf(e.Stderr, "bench: %v\n", f)
		}
	}
	done.Jobs, err = client.Submit(ctx, s.Request)
	return done, err
}

// complete fills in the part of the request that does not depend on the run's state.
func (s *Submission) complete(e *Env, exp *experiments.Experiment) (err error) {
	s.Name = exp.Name
	if s.Dir, err = os.Getwd(); err != nil {
		return err
	}
	if s.Run, err = filepath.Abs(s.RunDir); err != nil {
		return err
	}
	s.Experiment = filepath.Join(s.Run, "experiment.yaml")
	if s.MemoryMiB < 0 {
		s.MemoryMiB = 2048 + s.CPUs*int(sandbox.DefaultLimits.MemoryBytes>>20)
	}
	if s.Partition != "" {
		s.Options = append([]string{"--partition=" + s.Partition}, s.Options...)
	}
	if s.PrepareHere {
		s.PrepareTime = 0
	}
	if s.SetupFile != "" {
		text, err := os.ReadFile(s.SetupFile)
		if err != nil {
			return Usagef("--setup: %w", err)
		}
		s.Setup = strings.TrimSpace(string(text))
	}
	// This program with its global flags, from any directory.
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cache, err := e.CachePath()
	if err != nil {
		return err
	}
	s.Bench = strings.TrimLeft(s.Launcher+" ", " ") + slurm.Quote(self)
	for _, f := range [][2]string{{"--cache", cache}, {"--bench-dir", e.Bench}, {"--llvm", e.LLVM}} {
		if f[1] == "" {
			continue
		}
		dir, err := filepath.Abs(f[1])
		if err != nil {
			return err
		}
		s.Bench += " " + f[0] + " " + slurm.Quote(dir)
	}
	return nil
}

// unfinished makes the directory this experiment's, and returns the cells that are not done, or whose records lack a part.
func (s *Submission) unfinished(e *Env, exp *experiments.Experiment) (todo []slurm.Cell, err error) {
	store, err := results.Join(s.Run, e.Holder())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	resolved, err := exp.YAML()
	if err != nil {
		return nil, err
	}
	if err := store.Start(resolved, nil); err != nil {
		return nil, err
	}
	plan := exp.Plan()
	status, err := results.ReadStatus(s.Run, plannedCells(plan))
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, c := range status.Cells {
		done[c.Cell] = c.State == results.Done && len(c.Gaps) == 0
	}
	for _, c := range plan.Cells {
		if !done[c.ID()] {
			todo = append(todo, slurm.Cell{ID: c.ID(), Limit: s.timeLimit(c.Budget)})
		}
	}
	return todo, nil
}

// timeLimit is how long a cell may take: what its budget allows, and its evaluation. A CPU
// second takes up to two of wall time, compilers included, on a task's CPUs.
func (s *Submission) timeLimit(b trial.Budget) time.Duration {
	return cmp.Or(s.CellLimit, cmp.Or(b.Wall, 2*cmp.Or(b.CPU, b.Time), s.Generation)+s.Evaluation)
}

// A Status is how far a run is, and how long it goes on.
type Status struct {
	*results.Status
	Left *runner.Forecast `json:"left_ns"` // nil if not known

	Forecast runner.Forecast `json:"-"`
	Jobs     *slurm.Jobs     `json:"-"` // nil if none were submitted
}

// ReadStatus reads a run that may have been planned only.
func (e *Env) ReadStatus(dir string) (*Status, error) {
	path := filepath.Join(dir, "experiment.yaml")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = results.NotARun(dir, "experiment.yaml")
	}
	if err != nil {
		return nil, err
	}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(text, &exp); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	plan := exp.Plan()
	s := &Status{}
	if s.Status, err = results.ReadStatus(dir, plannedCells(plan)); err != nil {
		return nil, err
	}
	if s.Forecast = runner.Foretell(plan, s.Status, e.Now()); s.Forecast > 0 {
		s.Left = &s.Forecast
	}
	s.Jobs, err = slurm.ReadJobs(dir)
	return s, err
}

func plannedCells(plan experiments.Plan) (cells []results.PlannedCell) {
	for _, c := range plan.Cells {
		cells = append(cells, results.PlannedCell{Cell: c.Cell})
	}
	return cells
}
