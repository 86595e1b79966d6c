package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// An Execution is one experiment in one run directory.
type Execution struct {
	Bench      *lisabench.Bench
	Experiment *experiments.Experiment
	Dir        string                // of the run
	Jobs       int                   // cells worked on at once; at least 1
	Scratch    string                // parent of the directory for compiled tests; "" for one in Dir
	Tool       runner.Tool           // in place of those that the experiment names; nil for them
	Extras     testrun.Extras        // of Tool's programs
	Made       string                // directory of another run's cells, which these use; "" for their own run's
	Reuse      bool                  // cells that other runs in Dir's parent have completed
	Choice     func(trial.Cell) bool // cells to work on, of a run that others work on as well; nil for all
}

// Execute works on the cells of x that are not done, and says how they ended.
func (e *Env) Execute(ctx context.Context, x *Execution) (summary runner.Summary, err error) {
	err = x.with(ctx, e, false, func(options runner.Options, _ *workshop.Workshop) error {
		summary, err = runner.Run(ctx, options)
		return err
	})
	return summary, err
}

// Prepare writes x's manifest, and fetches and builds what its cells share. It returns the
// libraries for which that failed.
func (e *Env) Prepare(ctx context.Context, x *Execution) (failed []error, err error) {
	err = x.with(ctx, e, true, func(options runner.Options, shop *workshop.Workshop) error {
		failed, err = runner.Prepare(ctx, options, shop.Warm)
		return err
	})
	return failed, err
}

// with opens the run directory and a workshop, calls do, and closes both.
func (x *Execution) with(ctx context.Context, e *Env, prepare bool, do func(runner.Options, *workshop.Workshop) error) (err error) {
	dir, err := filepath.Abs(x.Dir)
	if err != nil {
		return err
	}
	// The run is this process' alone, unless it works on chosen cells. What cells share may be built while others work on
	// theirs.
	open := results.Open
	if x.Choice != nil {
		open = results.Join
	}
	store, err := open(dir, e.Holder())
	var locked *results.LockedError
	if prepare && errors.As(err, &locked) {
		store, err = results.Join(dir, e.Holder())
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	scratch, err := x.makeScratch(dir, x.Choice == nil && !prepare)
	if err != nil {
		return fmt.Errorf("directory for compiled tests: %w", err)
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(scratch))
		_ = os.Remove(filepath.Join(dir, "scratch")) // unless others work in it
	}()
	// A directory belongs to an experiment once there is something to run it with.
	shop, err := e.Workshop(ctx, x.Bench, Workplace{
		Sandbox: x.Experiment.Sandbox, Scratch: scratch, Cells: filepath.Join(dir, "cells"), Jobs: x.Jobs,
		Limits: workshop.TestLimits(x.Experiment.Test.Timeout), Extras: x.Extras, KeyEnv: keyEnv(x.Experiment),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	tools := []runner.Tool{x.Tool}
	if x.Tool == nil {
		if tools, err = x.tools(ctx, e, shop); err != nil {
			return err
		}
	}
	if err := x.start(e, store); err != nil {
		return err
	}
	return do(runner.Options{
		Plan: x.Experiment.Plan(), Store: store, Manifest: x.manifest(e, shop), Tools: tools, Only: x.Choice, Made: x.Made, Reuse: x.Reuse,
		Workshop: shop, Jobs: x.Jobs, Now: e.Now, Log: e.Log, Progress: runner.NewProgress(e.Stderr, e.Screen),
	}, shop)
}

// start stores the experiment. A run that can grow into it grows.
func (x *Execution) start(e *Env, store *results.Run) error {
	resolved, err := x.Experiment.YAML()
	if err != nil {
		return err
	}
	err = store.Start(resolved)
	var different *results.DifferentError
	if !errors.As(err, &different) {
		return err
	}
	var was experiments.Experiment
	if text, err := store.Experiment(); err != nil {
		return err
	} else if yaml.Unmarshal(text, &was) != nil {
		return different
	}
	growth, no := experiments.Grown(was.Plan(), x.Experiment.Plan())
	if no != nil {
		different.Why = no.Error()
		return different
	}
	if err := store.Grow(resolved); err != nil {
		return err
	}
	if growth != "" {
		fmt.Fprintf(e.Stderr, "%s grows: %s; what is there stays\n", x.Dir, growth)
	}
	return nil
}

// keyEnv is the variable in which an experiment expects the key of its endpoint; "" if it has none.
func keyEnv(exp *experiments.Experiment) string {
	if exp.LLM == nil {
		return ""
	}
	return exp.LLM.APIKeyEnv
}

// Jobs returns how many cells are worked on at once: as many as the flag --jobs says, else the
// experiment, else one for each CPU.
func Jobs(exp *experiments.Experiment, flag int) (int, error) {
	if flag < 0 {
		return 0, Usagef("--jobs %d: must be at least 1", flag)
	}
	if exp != nil {
		flag = cmp.Or(flag, exp.Jobs)
	}
	return cmp.Or(flag, runtime.NumCPU()), nil
}

// makeScratch makes the directory for compiled tests. One that has the run alone clears away what was left there.
func (x *Execution) makeScratch(dir string, alone bool) (made string, err error) {
	parent := filepath.Join(dir, "scratch")
	if alone {
		if err := os.RemoveAll(parent); err != nil {
			return "", err
		}
	}
	if x.Scratch != "" {
		if parent, err = filepath.Abs(x.Scratch); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	if made, err = os.MkdirTemp(parent, "bench-"); err != nil {
		return "", err
	}
	return made, os.Chmod(made, 0o755) // test programs may run as another user
}

// Holder tells others who holds the run's lock.
func (e *Env) Holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	who := fmt.Sprintf("pid %d on %s", os.Getpid(), host)
	if job := e.Getenv("SLURM_JOB_ID"); job != "" {
		who += ", Slurm job " + job
	}
	return who
}
