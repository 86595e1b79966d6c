package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) submit(c *cobra.Command) action {
	var f struct {
		harness.Submission
		experimentFlags
		engine, prepare string
	}
	flags := c.Flags()
	choiceFlag(c, &f.engine, "engine", "", "scheduler (required)", "slurm")
	flags.StringVar(&f.RunDir, "dir", "", "write the run to `DIR` (default results/runs/NAME)")
	f.add(c)
	flags.StringVar(&f.Partition, "partition", "", "`PARTITION` to submit to (default: the cluster's)")
	flags.StringArrayVar(&f.Options, "sbatch", nil, "pass `OPTION` to every sbatch, e.g. --sbatch=--account=lab (repeatable)")
	flags.StringVar(&f.SetupFile, "setup", "", "`FILE` with shell lines to start every job with, e.g. module load")
	flags.StringVar(&f.Launcher, "launcher", "", "`WORDS` to put before bench in every job, e.g. 'apptainer exec bench.sif'")
	choiceFlag(c, &f.prepare, "prepare", "job",
		"where to build the libraries, in a job, or here before submitting", "job", "here")
	flags.IntVar(&f.CPUs, "cpus", 1, "CPUs of a task, which runs one test program per CPU")
	flags.IntVar(&f.MemoryMiB, "mem", -1, "memory of a task in MiB; 0: Slurm's default; -1: 2 GiB plus a test program's limit per CPU")
	flags.IntVar(&f.PerTask, "per-task", 1, "cells of a task, run one after the other")
	flags.IntVar(&f.MaxRunning, "max-running", 0, "most tasks at once, e.g. to share an API's rate limit (default: no limit)")
	flags.IntVar(&f.Retries, "retries", 5, "how often to requeue a task that was cut off")
	flags.DurationVar(&f.Generation, "generation", time.Hour, "time limit for generating a cell that has no time budget")
	flags.DurationVar(&f.Evaluation, "evaluation", time.Hour, "time limit for evaluating a cell")
	flags.DurationVar(&f.CellLimit, "time", 0, "time limit of a cell, instead of budget plus --evaluation")
	flags.DurationVar(&f.PrepareTime, "prepare-time", 4*time.Hour, "time limit of the job that builds the libraries")
	flags.BoolVar(&f.DryRun, "dry-run", false, "write the scripts, but submit nothing")
	return func(c *cobra.Command, args []string) error {
		switch {
		case f.engine == "":
			return harness.Usagef("--engine slurm is required")
		case f.CPUs < 1, f.PerTask < 1, f.MemoryMiB < -1, f.MaxRunning < 0, f.Retries < 0:
			return harness.Usagef("--cpus and --per-task must be at least 1, --mem at least -1, --max-running and --retries at least 0")
		case f.Generation <= 0 || f.Evaluation <= 0 || f.PrepareTime <= 0 || f.CellLimit < 0:
			return harness.Usagef("--generation, --evaluation, --time and --prepare-time must be greater than 0")
		}
		bench, exp, err := f.load(a, args[0])
		if err != nil {
			return err
		}
		f.RunDir, f.PrepareHere = cmp.Or(f.RunDir, defaultDir(exp)), f.prepare == "here"
		done, err := a.Submit(c.Context(), bench, exp, f.Submission)
		if err != nil {
			return err
		}
		if exp.LLM != nil && f.MaxRunning == 0 && done.Cells > 0 {
			fmt.Fprintln(a.Stderr, "bench: llm.limits applies to each task separately; use --max-running to stay within the limits of your API (docs/howto/clusters.md)")
		}
		cells := trial.Count(done.Cells, "cell")
		switch {
		case done.Cells == 0:
			fmt.Fprintf(a.stdout, "every cell is done, nothing to submit; for the report: bench report %s\n", f.RunDir)
		case f.DryRun:
			fmt.Fprintf(a.stdout, "%s, nothing submitted; the scripts are in %s\n", cells, done.Jobs.Scripts)
		default:
			fmt.Fprintf(a.stdout, "%s submitted: %s\nto see their progress: bench status %s\n", cells, done.Jobs, f.RunDir)
		}
		return nil
	}
}
