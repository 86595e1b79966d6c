package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exec/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/run/slurm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// engines are the schedulers that bench submit knows.
var engines = []string{"slurm"}

// submitFlags are the flags of bench submit.
type submitFlags struct {
	engine, dir, partition, setup, launcher, prepare, profile string
	set, options                                              []string
	cpus, mem, perTask, maxRunning, retries                   int
	evaluation, generation, limit, prepareTime                time.Duration
	dryRun                                                    bool
}

func (a *app) submitCommand() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit --engine slurm EXPERIMENT",
		Short: "Run an experiment's cells on a Slurm cluster",
		Long: `Writes batch scripts to RUN/slurm and submits them: one job that fetches and builds the
libraries, job arrays with a task per unfinished cell, and one job that writes the report.
Every node must see the run directory, the cache and bench itself under the same paths.

The run is the same as with bench run. Finished cells are not submitted, interrupted tasks
resume, and running the command again submits what is left (docs/howto/clusters.md).`,
		Example: "  bench submit --engine slurm quickstart --dir /shared/runs/quickstart --partition long\n" +
			"  bench submit --engine slurm quickstart --sbatch=--account=lab --launcher 'apptainer exec /shared/bench.sif' --dry-run",
		Args: exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error { return a.submit(c.Context(), args[0], f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "", "scheduler: slurm (required)")
	flags.StringVar(&f.dir, "dir", "", "write the run to `DIR` (default results/runs/NAME)")
	flags.StringArrayVar(&f.set, "set", nil, "override a key of the experiment: `KEY=VALUE`, e.g. trials=1 (repeatable)")
	flags.StringVar(&f.profile, "profile", "", "`PROFILE` of the experiment, e.g. quick (see bench list experiments)")
	flags.StringVar(&f.partition, "partition", "", "`PARTITION` to submit to (default: the cluster's)")
	flags.StringArrayVar(&f.options, "sbatch", nil, "pass `OPTION` to every sbatch, e.g. --sbatch=--account=lab (repeatable)")
	flags.StringVar(&f.setup, "setup", "", "`FILE` with shell lines to start every job with, e.g. module load")
	flags.StringVar(&f.launcher, "launcher", "", "`WORDS` to put before bench in every job, e.g. 'apptainer exec bench.sif'")
	flags.StringVar(&f.prepare, "prepare", "job", "where to build the libraries: in a job, or here before submitting")
	flags.IntVar(&f.cpus, "cpus", 1, "CPUs of a task, which runs one test program per CPU")
	flags.IntVar(&f.mem, "mem", -1, "memory of a task in MiB; 0: Slurm's default; -1: 2 GiB plus a test program's limit per CPU")
	flags.IntVar(&f.perTask, "per-task", 1, "cells of a task, run one after the other")
	flags.IntVar(&f.maxRunning, "max-running", 0, "most tasks at once, e.g. to share an API's rate limit (default: no limit)")
	flags.IntVar(&f.retries, "retries", 5, "how often to requeue a task that was cut off")
	flags.DurationVar(&f.generation, "generation", time.Hour, "time limit for generating a cell that has no time budget")
	flags.DurationVar(&f.evaluation, "evaluation", time.Hour, "time limit for evaluating a cell")
	flags.DurationVar(&f.limit, "time", 0, "time limit of a cell, instead of budget plus --evaluation")
	flags.DurationVar(&f.prepareTime, "prepare-time", 4*time.Hour, "time limit of the job that builds the libraries")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write the scripts, but submit nothing")
	return c
}

// check refuses flags before anything is read.
func (f *submitFlags) check() error {
	switch {
	case f.engine == "":
		return harness.Usagef("--engine slurm is required")
	case f.engine != engines[0]:
		return lisabench.NewUnknownError("engine", f.engine, engines)
	case f.prepare != "job" && f.prepare != "here":
		return lisabench.NewUnknownError("place to prepare", f.prepare, []string{"here", "job"})
	case f.cpus < 1, f.perTask < 1, f.mem < -1, f.maxRunning < 0, f.retries < 0:
		return harness.Usagef("--cpus and --per-task must be at least 1, --mem at least -1, --max-running and --retries at least 0")
	case f.generation <= 0 || f.evaluation <= 0 || f.prepareTime <= 0 || f.limit < 0:
		return harness.Usagef("--generation, --evaluation, --time and --prepare-time must be greater than 0")
	}
	return nil
}

func (a *app) submit(ctx context.Context, name string, f submitFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	exp, err := harness.Load(bench, name, f.profile, f.set)
	if err != nil {
		return err
	}
	if f.dir == "" {
		f.dir = defaultDir(exp)
	}
	request, err := a.request(exp, f)
	if err != nil {
		return err
	}
	client := slurm.Client{Env: a.Environ}
	if !f.dryRun {
		if err := client.Queued(ctx, request.Run); err != nil {
			return &harness.UsageError{Err: err}
		}
	}
	todo, err := a.openForSubmit(exp, request.Run)
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		fmt.Fprintf(a.stdout, "every cell is done, nothing to submit; for the report: bench report %s\n", f.dir)
		return nil
	}
	for _, c := range exp.Plan().Cells {
		if todo[c.Cell.ID()] {
			request.Cells = append(request.Cells, slurm.Cell{ID: c.Cell.ID(), Limit: f.timeLimit(c.Budget)})
		}
	}
	if exp.LLM != nil && f.maxRunning == 0 {
		fmt.Fprintln(a.Stderr, "bench: llm.limits applies to each task separately; use --max-running to stay within the limits of your API (docs/howto/clusters.md)")
	}
	return a.handOver(ctx, client, request, exp, bench, f)
}

// handOver prepares here if asked to, and submits.
func (a *app) handOver(ctx context.Context, client slurm.Client, request slurm.Request, exp *experiments.Experiment, bench *lisabench.Bench, f submitFlags) error {
	if f.dryRun {
		const slurmDefault = 1001 // MaxArraySize of slurm.conf(5)
		scripts, err := slurm.Write(request, slurmDefault)
		if err == nil {
			fmt.Fprintf(a.stdout, "%s, nothing submitted; the scripts are in %s\n", trial.Count(len(request.Cells), "cell"), scripts)
		}
		return err
	}
	if f.prepare == "here" {
		jobs, err := harness.Jobs(exp, 0)
		if err != nil {
			return err
		}
		var unprepared unpreparedError
		err = a.prepare(ctx, &harness.Execution{Bench: bench, Experiment: exp, Dir: f.dir, Jobs: jobs})
		if err != nil && !errors.As(err, &unprepared) {
			return err
		}
	}
	jobs, err := client.Submit(ctx, request)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s submitted: %s\nto see their progress: bench status %s\n", trial.Count(len(request.Cells), "cell"), jobs, f.dir)
	return nil
}

// request is the part of what is submitted that does not depend on the run's state.
func (a *app) request(exp *experiments.Experiment, f submitFlags) (r slurm.Request, err error) {
	r = slurm.Request{
		Name: exp.Name, CPUs: f.cpus, MemoryMiB: f.mem, PerTask: f.perTask, MaxRunning: f.maxRunning,
		Retries: f.retries, Options: f.options,
	}
	if r.Dir, err = os.Getwd(); err != nil {
		return r, err
	}
	if f.mem < 0 {
		r.MemoryMiB = 2048 + f.cpus*int(sandbox.DefaultLimits.MemoryBytes>>20)
	}
	if r.Run, err = filepath.Abs(f.dir); err != nil {
		return r, err
	}
	r.Experiment = filepath.Join(r.Run, "experiment.yaml")
	if f.partition != "" {
		r.Options = append([]string{"--partition=" + f.partition}, r.Options...)
	}
	if f.prepare == "job" {
		r.PrepareTime = f.prepareTime
	}
	if f.setup != "" {
		text, err := os.ReadFile(f.setup)
		if err != nil {
			return r, harness.Usagef("--setup: %w", err)
		}
		r.Setup = strings.TrimSpace(string(text))
	}
	r.Bench, err = a.benchWords(f.launcher)
	return r, err
}

// benchWords starts this program with its global flags, from any directory.
func (a *app) benchWords(launcher string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cache, err := a.CachePath()
	if err != nil {
		return "", err
	}
	words := []string{slurm.Quote(self), "--cache", slurm.Quote(cache)}
	for _, f := range []struct{ flag, dir string }{{"--bench-dir", a.Bench}, {"--llvm", a.LLVM}} {
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

// openForSubmit makes the directory this experiment's, and returns the cells that are not done, or whose records lack a part.
func (a *app) openForSubmit(exp *experiments.Experiment, dir string) (todo map[string]bool, err error) {
	store, err := results.Join(dir, a.Holder())
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
	status, err := results.ReadStatus(dir, plannedCells(exp.Plan()), a.Now())
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
func (f *submitFlags) timeLimit(b trial.Budget) time.Duration {
	if f.limit > 0 {
		return f.limit
	}
	switch {
	case b.Wall > 0:
		return b.Wall + f.evaluation
	case b.CPU > 0 || b.Time > 0:
		return 2*cmp.Or(b.CPU, b.Time) + f.evaluation
	}
	return f.generation + f.evaluation
}
