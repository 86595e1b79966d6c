package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/baselines/citywalk"
	"github.com/lisa-bench/lisa-bench/baselines/ossfuzz"
	"github.com/lisa-bench/lisa-bench/baselines/randoop"
	"github.com/lisa-bench/lisa-bench/baselines/vanilla"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/runner"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/invariant"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/results"
)

// runFlags are the flags of bench run.
type runFlags struct {
	set     []string
	sandbox string
	profile string
	dir     string
	jobs    int
	jsonOut bool
	cells   []string // chosen by their names
	numbers string   // chosen by their numbers in the plan
	prepare bool
	scratch string
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run EXPERIMENT",
		Short: "Plan, build, generate, evaluate and report; goes on where an earlier run stopped",
		Long: `Runs an experiment file (or an embedded one by its name) and writes everything
into its run directory: suites, journals, records and the report. The same command
goes on with a run that was interrupted, killed or left incomplete.

With --cell or --cells, works on those cells of the plan only and makes no report
(bench report does). Any number of such processes, on any machines that see the run
directory, share a run: each cell is locked while it is worked on.

Exit codes: 0 complete, 1 the harness broke, 2 wrong configuration, 3 finished
with incomplete cells, 130 interrupted.`,
		Example: "  bench run experiments/quickstart.yaml\n  bench run quickstart --set trials=1 --set budget.wall=5s --dir /tmp/try\n  bench run coverage --profile quick",
		Args:    exactArgs("EXPERIMENT"),
		RunE:    func(c *cobra.Command, args []string) error { return a.runExperiment(c.Context(), args[0], f) },
	}
	c.Flags().StringArrayVar(&f.set, "set", nil, "override a key of the experiment, e.g. budget.wall=5s (may be repeated)")
	c.Flags().StringVar(&f.sandbox, "sandbox", "", "where test programs run: bwrap, docker or none (default: the experiment's)")
	c.Flags().StringVar(&f.profile, "profile", "", "profile of the experiment, e.g. quick; bench list experiments shows them")
	c.Flags().StringVar(&f.dir, "dir", "", "run directory (default results/runs/NAME)")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "cells worked on at once (default: the experiment's, else one for each CPU)")
	c.Flags().BoolVar(&f.jsonOut, "json", false, "print the summary as JSON instead of tables")
	c.Flags().StringArrayVar(&f.cells, "cell", nil, "work on this cell only, named as in bench plan (may be repeated)")
	c.Flags().StringVar(&f.numbers, "cells", "", "work on these cells only: 7, 1-10 or 1-10,15, counted as in bench plan from 1")
	c.Flags().BoolVar(&f.prepare, "prepare", false, "only write the manifest, and fetch and build what cells share")
	c.Flags().StringVar(&f.scratch, "scratch", "", "directory for compiled tests, best on a disk of this machine (default: in the run directory)")
	return c
}

// loadExperiment loads an experiment file with its profile, if one is named, and its overrides.
func loadExperiment(bench *lisabench.Bench, name, profile string, set []string) (*experiments.Experiment, error) {
	src, err := experiments.Read(name)
	if err != nil {
		return nil, err
	}
	src.Profile = profile
	exp, err := experiments.Load(src, set, known(bench))
	if err != nil {
		return nil, err
	}
	if err := checkParams(exp); err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", src.Name, err)}
	}
	return exp, nil
}

// checkParams asks the tools whether they know their parameters, and whether commands can be started,
// before anything is built.
func checkParams(exp *experiments.Experiment) error {
	for _, c := range exp.Plan().Cells {
		for _, t := range toolKinds {
			if t.name != c.Tool || len(c.Params) == 0 {
				continue
			}
			if err := t.checkParams(c.Params); err != nil {
				return fmt.Errorf("variant %s: %w", c.Variant, err)
			}
		}
	}
	for _, t := range exp.Externals() {
		if err := exttool.NewCommand(exttool.Command{Spec: t}).Check(); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) runExperiment(ctx context.Context, name string, f runFlags) error {
	bench, err := a.loadBench()
	if err != nil {
		return err
	}
	if f.sandbox != "" {
		if err := checkSandbox(f.sandbox); err != nil {
			return err
		}
		f.set = append(f.set, "sandbox="+f.sandbox)
	}
	exp, err := loadExperiment(bench, name, f.profile, f.set)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(exp, f.jobs)
	if err != nil {
		return err
	}
	r := &execution{app: a, bench: bench, exp: exp, dir: f.dir, jobs: jobs, jsonOut: f.jsonOut, scratch: f.scratch, prepare: f.prepare}
	if r.dir == "" {
		r.dir = defaultDir(exp)
	}
	if r.choice, err = f.choice(exp.Plan()); err != nil {
		return err
	}
	return r.run(ctx, nil)
}

// checkSandbox refuses a --sandbox that does not exist.
func checkSandbox(name string) error {
	if !slices.Contains(experiments.Sandboxes, name) {
		return lisabench.NewUnknownError("sandbox", name, experiments.Sandboxes)
	}
	return nil
}

// defaultDir is the run directory of who names none.
func defaultDir(exp *experiments.Experiment) string {
	return filepath.Join("results", "runs", exp.Name)
}

// jobsOf returns how many cells are worked on at once.
func jobsOf(exp *experiments.Experiment, flag int) (int, error) {
	switch {
	case flag < 0:
		return 0, usageError{fmt.Errorf("--jobs %d: at least one cell must be worked on", flag)}
	case flag > 0:
		return flag, nil
	case exp.Jobs > 0:
		return exp.Jobs, nil
	}
	return runtime.NumCPU(), nil
}

// An execution is one bench run or bench evaluate.
type execution struct {
	*app
	bench    *lisabench.Bench
	exp      *experiments.Experiment
	dir      string
	jobs     int
	jsonOut  bool
	quiet    bool // neither report nor summary
	includes []string
	only     func(trial.Cell) bool // cells that the run consists of; nil for all of the experiment
	choice   func(trial.Cell) bool // cells to work on, of a run that others work on as well; nil for all
	prepare  bool                  // work on none, but do what they share
	scratch  string                // parent of the directory for compiled tests
}

// run does the experiment with the tools it names, or with tool alone.
func (r *execution) run(ctx context.Context, tool runner.Tool) (err error) {
	dir, err := filepath.Abs(r.dir)
	if err != nil {
		return err
	}
	store, err := r.open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	scratch, err := r.makeScratch(dir)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(scratch))
		_ = os.Remove(filepath.Join(dir, "scratch")) // unless others work in it
	}()
	// A directory belongs to an experiment once there is something to run it with.
	shop, err := r.workshop(ctx, r.bench, workplace{
		sandbox: r.exp.Sandbox, scratch: scratch, cells: filepath.Join(dir, "cells"), jobs: r.jobs,
		limits: subject.TestLimits(r.exp.Test.Timeout), includes: r.includes, keyEnv: keyEnv(r.exp),
	})
	if err != nil {
		return err
	}
	resolved, err := r.exp.YAML()
	if err != nil {
		return err
	}
	if err := store.Start(resolved); err != nil {
		return err
	}
	options, err := r.options(ctx, shop, store, tool)
	if err != nil {
		return errors.Join(err, shop.Close())
	}
	if r.prepare {
		failed, err := runner.Prepare(ctx, options, shop.Warm)
		return errors.Join(err, shop.Close(), r.unprepared(failed))
	}
	summary, runErr := runner.Run(ctx, options)
	if err := errors.Join(runErr, shop.Close()); err != nil {
		return err
	}
	switch {
	case r.quiet:
		return nil
	case r.choice != nil:
		return r.finishChoice(summary)
	}
	return r.finish(dir, summary)
}

// keyEnv is the variable in which an experiment expects the key of its endpoint.
func keyEnv(exp *experiments.Experiment) string {
	if exp.LLM == nil {
		return ""
	}
	return exp.LLM.APIKeyEnv
}

// open opens the run directory: for this process alone, unless it works on chosen cells. What
// cells share may be built while others work on theirs.
func (r *execution) open(dir string) (*results.Run, error) {
	if r.choice != nil {
		return results.Join(dir, r.holder())
	}
	store, err := results.Open(dir, r.holder())
	var locked *results.LockedError
	if r.prepare && errors.As(err, &locked) {
		return results.Join(dir, r.holder())
	}
	return store, err
}

// options puts together what the run needs.
func (r *execution) options(ctx context.Context, shop *subject.Workshop, store *results.Run, tool runner.Tool) (runner.Options, error) {
	tools := []runner.Tool{tool}
	if tool == nil {
		var err error
		if tools, err = r.tools(ctx, shop); err != nil {
			return runner.Options{}, err
		}
	}
	plan := r.exp.Plan()
	if r.only != nil {
		plan.Cells = slices.DeleteFunc(plan.Cells, func(c experiments.Cell) bool { return !r.only(c.Cell) })
	}
	return runner.Options{
		Plan: plan, Store: store, Manifest: r.manifest(shop), Tools: tools, Only: r.choice,
		Preparer: shop, Evaluator: subject.Evaluator{Shop: shop}, Jobs: r.jobs,
		Now: r.now, Log: r.logger(), Progress: runner.NewProgress(r.stderr, r.terminal),
	}, nil
}

// makeScratch makes the directory for compiled tests: one that has the run to itself clears
// away what was left in it.
func (r *execution) makeScratch(dir string) (string, error) {
	parent := filepath.Join(dir, "scratch")
	if r.choice == nil && !r.prepare && r.scratch == "" {
		if err := os.RemoveAll(parent); err != nil {
			return "", err
		}
		return parent, os.MkdirAll(parent, 0o755)
	}
	if r.scratch != "" {
		var err error
		if parent, err = filepath.Abs(r.scratch); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("directory for compiled tests: %w", err)
	}
	made, err := os.MkdirTemp(parent, "bench-")
	if err != nil {
		return "", fmt.Errorf("directory for compiled tests: %w", err)
	}
	return made, os.Chmod(made, 0o755) // test programs may run as another user
}

// asksModels reports whether a tool of the experiment does.
func asksModels(exp *experiments.Experiment) bool {
	return slices.ContainsFunc(exp.Plan().Cells, func(c experiments.Cell) bool { return len(stagesOf(exp, c.Tool)) > 0 })
}

// tools returns what the experiment can name. Models are opened only if a tool asks them, and
// so before anything is built: a missing key is known at once.
func (r *execution) tools(ctx context.Context, shop *subject.Workshop) ([]runner.Tool, error) {
	clang := shop.Tools.Clang.Path
	tools := []runner.Tool{randoop.Tool{Clang: clang}, ossfuzz.New(shop.Fuzzer, r.exp.Test.Timeout)}
	if r.exp.LLM == nil || !asksModels(r.exp) {
		return r.externals(ctx, shop, tools, nil)
	}
	models, err := llm.Open(*r.exp.LLM, llm.Env{Getenv: r.getenv, Now: r.now, Seed: r.exp.Seed, Log: r.logger()})
	if err != nil {
		return nil, usageError{err}
	}
	return r.externals(ctx, shop, append(tools,
		&invariant.Tool{Clang: clang, Compiler: shop.Compiler, Models: models},
		&sequence.Tool{Clang: clang, Compiler: shop.Compiler, Models: models},
		vanilla.New(clang, shop.Compiler, models),
		&citywalk.Tool{Clang: clang, Models: models},
	), models)
}

// externals adds the experiment's commands to tools. They run in the experiment's sandbox, which
// shows them none of what it shows to test programs.
func (r *execution) externals(ctx context.Context, shop *subject.Workshop, tools []runner.Tool, models *llm.Models) ([]runner.Tool, error) {
	specs := r.exp.Externals()
	if len(specs) == 0 {
		return tools, nil
	}
	cache, err := r.cache()
	if err != nil {
		return nil, err
	}
	place := workplace{sandbox: r.exp.Sandbox, limits: subject.TestLimits(r.exp.Test.Timeout)}
	box, err := r.newSandbox(ctx, place, shop.Tools, cache, nil)
	if err != nil {
		return nil, err
	}
	for _, spec := range specs {
		tools = append(tools, exttool.NewCommand(exttool.Command{
			Spec: spec, Sandbox: box, Models: models, CC: shop.Tools.Clang.Path, CXX: shop.Tools.ClangXX.Path,
		}))
	}
	return tools, nil
}

// finish writes and prints the report.
func (r *execution) finish(dir string, summary runner.Summary) error {
	doc, err := buildReport(dir, r.bench)
	if err != nil {
		return err
	}
	if err := writeReport(doc, filepath.Join(dir, "report")); err != nil {
		return err
	}
	if r.jsonOut {
		err = r.printJSON(summary)
	} else {
		sections := terminalSections
		if summary.Complete == 0 { // tables without a figure would only repeat the reasons
			sections = []string{"incomplete"}
		}
		err = doc.Select(sections...).Text(r.stdout)
		fmt.Fprintf(r.stderr, "report: %s\n", filepath.Join(r.dir, "report", "index.html"))
	}
	if err != nil {
		return err
	}
	if n := len(summary.Incomplete); n > 0 {
		return incompleteError{cells: n, of: summary.Planned}
	}
	return nil
}

// finishChoice tells how the chosen cells ended. The report is left to whoever has the run's
// last cell, or to the scheduler's last job.
func (r *execution) finishChoice(summary runner.Summary) error {
	if r.jsonOut {
		if err := r.printJSON(summary); err != nil {
			return err
		}
	}
	claimed := slices.IndexFunc(summary.Incomplete, func(i trial.Incomplete) bool { return i.Kind == runner.KindClaimed })
	if claimed >= 0 { // worth another try, unlike a cell with a reason of its own
		return errors.New(summary.Incomplete[claimed].Message)
	}
	if n := len(summary.Incomplete); n > 0 {
		return incompleteError{cells: n, of: summary.Planned}
	}
	return nil
}

// unprepared is the error of a preparation in which some libraries failed.
func (r *execution) unprepared(failed []*runner.SubjectError) error {
	for _, f := range failed {
		fmt.Fprintf(r.stderr, "bench: %v\n", f)
	}
	if len(failed) == 0 {
		return nil
	}
	return unpreparedError(len(failed))
}

// holder tells others who holds the run's lock.
func (r *execution) holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	who := fmt.Sprintf("pid %d on %s", os.Getpid(), host)
	if job := r.getenv("SLURM_JOB_ID"); job != "" {
		who += ", Slurm job " + job
	}
	return who
}
