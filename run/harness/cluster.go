package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
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
	todo, err := e.unfinished(exp, s.Run)
	if err != nil {
		return done, err
	}
	for _, c := range exp.Plan().Cells {
		if todo[c.Cell.ID()] {
			s.Cells = append(s.Cells, slurm.Cell{ID: c.Cell.ID(), Limit: s.timeLimit(c.Budget)})
		}
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
	if s.MemoryMiB < 0 {
		s.MemoryMiB = 2048 + s.CPUs*int(sandbox.DefaultLimits.MemoryBytes>>20)
	}
	if s.Run, err = filepath.Abs(s.RunDir); err != nil {
		return err
	}
	s.Experiment = filepath.Join(s.Run, "experiment.yaml")
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
	s.Bench, err = e.words(s.Launcher)
	return err
}

// words starts this program with its global flags, from any directory.
func (e *Env) words(launcher string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cache, err := e.CachePath()
	if err != nil {
		return "", err
	}
	words := []string{slurm.Quote(self), "--cache", slurm.Quote(cache)}
	for _, f := range []struct{ flag, dir string }{{"--bench-dir", e.Bench}, {"--llvm", e.LLVM}} {
		if f.dir == "" {
			continue
		}
		dir, err := filepath.Abs(f.dir)
		if err != nil {
			return "", err
		}
		words = append(words, f.flag, slurm.Quote(dir))
	}
	if launcher != "" {
		words = append([]string{launcher}, words...)
	}
	return strings.Join(words, " "), nil
}

// unfinished makes the directory this experiment's, and returns the cells that are not done, or whose records lack a part.
func (e *Env) unfinished(exp *experiments.Experiment, dir string) (todo map[string]bool, err error) {
	store, err := results.Join(dir, e.Holder())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	resolved, err := exp.YAML()
	if err != nil {
		return nil, err
	}
	if err := store.Start(resolved); err != nil {
		return nil, err
	}
	status, err := results.ReadStatus(dir, plannedCells(exp.Plan()))
	if err != nil {
		return nil, err
	}
	todo = map[string]bool{}
	for _, c := range status.Cells {
		if c.State != results.Done || len(c.Gaps) > 0 {
			todo[c.Cell] = true
		}
	}
	return todo, nil
}

// timeLimit is how long a cell may take: what its budget allows, and its evaluation. A CPU
// second takes up to two of wall time, compilers included, on a task's CPUs.
func (s *Submission) timeLimit(b trial.Budget) time.Duration {
	switch {
	case s.CellLimit > 0:
		return s.CellLimit
	case b.Wall > 0:
		return b.Wall + s.Evaluation
	case b.CPU > 0 || b.Time > 0:
		return 2*cmp.Or(b.CPU, b.Time) + s.Evaluation
	}
	return s.Generation + s.Evaluation
}
