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
		Long: `Writes batch scripts into the run directory, below slurm/, and submits them: a job
that fetches and builds what cells share, job arrays with a task for each cell that is not
done, and a job that makes the report. The run directory, the cache and bench itself must
be seen at the same place by every node.

It is the same run as that of bench run: cells that were finished by hand are not
submitted, tasks that were ended go on where they were, and the same command submits what
is left. docs/howto/clusters.md has the rest.`,
		Example: "  bench submit --engine slurm quickstart --dir /shared/runs/quickstart --partition long\n" +
			"  bench submit --engine slurm quickstart --sbatch=--account=lab --launcher 'apptainer exec /shared/bench.sif' --dry-run",
		Args: exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error { return a.submit(c.Context(), args[0], f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "", "scheduler: slurm (required)")
	flags.StringVar(&f.dir, "dir", "", "run directory (default results/runs/NAME)")
	flags.StringArrayVar(&f.set, "set", nil, "override a key of the experiment (may be repeated)")
	flags.StringVar(&f.profile, "profile", "", "profile of the experiment, e.g. quick")
	flags.StringVar(&f.partition, "partition", "", "partition to submit to (default: the cluster's)")
	flags.StringArrayVar(&f.options, "sbatch", nil, "option for every sbatch, e.g. --sbatch=--account=lab (may be repeated)")
	flags.StringVar(&f.setup, "setup", "", "file of shell lines for the start of every job, e.g. module load")
	flags.StringVar(&f.launcher, "launcher", "", "words before bench in every job, e.g. 'apptainer exec bench.sif'")
	flags.StringVar(&f.prepare, "prepare", "job", "where what cells share is built: in a job, or here before anything is submitted")
	flags.IntVar(&f.cpus, "cpus", 1, "CPUs of a task: test programs that it runs at a time")
	flags.IntVar(&f.mem, "mem", -1, "memory of a task in MiB; 0 leaves it to Slurm, -1 is 2 GiB and what a test program may have for each CPU")
	flags.IntVar(&f.perTask, "per-task", 1, "cells of a task, one after the other")
	flags.IntVar(&f.maxRunning, "max-running", 0, "tasks at once, e.g. to share an API's rate limit (default: as many as Slurm finds room for)")
	flags.IntVar(&f.retries, "retries", 5, "how often a task that was cut off is queued again")
	flags.DurationVar(&f.generation, "generation", time.Hour, "time for the generation of a cell without a budget in seconds")
	flags.DurationVar(&f.evaluation, "evaluation", time.Hour, "time for the evaluation of a cell")
	flags.DurationVar(&f.limit, "time", 0, "time limit of a cell, in place of budget and --evaluation")
	flags.DurationVar(&f.prepareTime, "prepare-time", 4*time.Hour, "time limit of the job that prepares")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write the scripts and submit nothing")
	return c
}

// check refuses flags before anything is read.
func (f *submitFlags) check() error {
	switch {
	case f.engine == "":
		return harness.Usagef("--engine is needed; there is: slurm")
	case f.engine != engines[0]:
		return lisabench.NewUnknownError("engine", f.engine, engines)
	case f.prepare != "job" && f.prepare != "here":
		return harness.Usagef("--prepare %q is neither job nor here", f.prepare)
	case f.cpus < 1, f.perTask < 1, f.mem < -1, f.maxRunning < 0, f.retries < 0:
		return harness.Usagef("--cpus and --per-task are at least 1, --mem at least -1, --max-running and --retries at least 0")
	case f.generation <= 0 || f.evaluation <= 0 || f.prepareTime <= 0 || f.limit < 0:
		return harness.Usagef("--generation, --evaluation, --time and --prepare-time are longer than 0")
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
		fmt.Fprintf(a.stdout, "every cell is done: nothing to submit; `bench report %s` makes the report\n", f.dir)
		return nil
	}
	for _, c := range exp.Plan().Cells {
		if todo[c.Cell.ID()] {
			request.Cells = append(request.Cells, slurm.Cell{ID: c.Cell.ID(), Limit: f.timeLimit(c.Budget)})
		}
	}
	if exp.LLM != nil && f.maxRunning == 0 {
		fmt.Fprintln(a.Stderr, "bench: each task keeps llm.limits by itself: share the limits of your API among the tasks with --max-running (docs/howto/clusters.md)")
	}
	return a.handOver(ctx, client, request, exp, bench, f)
}

// handOver prepares here if asked to, and submits.
func (a *app) handOver(ctx context.Context, client slurm.Client, request slurm.Request, exp *experiments.Experiment, bench *lisabench.Bench, f submitFlags) error {
	if f.dryRun {
		const slurmDefault = 1001 // MaxArraySize of slurm.conf(5)
		scripts, err := slurm.Write(request, slurmDefault)
		if err == nil {
			fmt.Fprintf(a.stdout, "%d cells, nothing is submitted; the scripts are in %s\n", len(request.Cells), scripts)
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
	fmt.Fprintf(a.stdout, "%d cells submitted: %s\n`bench status %s` tells how far they are\n", len(request.Cells), jobs, f.dir)
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
