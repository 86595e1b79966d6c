package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/agentspace"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
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
	scratch := filepath.Join(dir, "scratch")
	if x.Choice == nil && !prepare { // who has the run alone clears away what was left there
		if err := os.RemoveAll(scratch); err != nil {
			return err
		}
	}
	defer func() { _ = os.Remove(scratch) }() // unless others work in it
	return e.InWorkshop(ctx, x.Bench, Workplace{
		Sandbox: x.Experiment.Sandbox, Scratch: cmp.Or(x.Scratch, scratch), Cells: filepath.Join(dir, "cells"), Jobs: x.Jobs,
		Limits: workshop.TestLimits(x.Experiment.Test.Timeout), Extras: x.Extras, KeyEnv: keyEnv(x.Experiment),
	}, func(shop *workshop.Workshop) (err error) {
		tools := []runner.Tool{x.Tool}
		if x.Tool == nil {
			if tools, err = x.tools(ctx, e, shop); err != nil {
				return err
			}
		}
		if err := x.start(e, store); err != nil { // a directory belongs to an experiment once there is something to run it with
			return err
		}
		return do(runner.Options{
			Plan: x.Experiment.Plan(), Store: store, Manifest: x.manifest(e, shop), Tools: tools, Only: x.Choice, Made: x.Made, Reuse: x.Reuse,
			Workshop: shop, Jobs: x.Jobs, Now: e.Now, Log: e.Log, Progress: runner.NewProgress(e.Stderr, e.Screen),
		}, shop)
	})
}

// start stores the experiment. A run that can grow into it grows.
func (x *Execution) start(e *Env, store *results.Run) error {
	resolved, err := x.Experiment.YAML()
	if err != nil {
		return err
	}
	growth := ""
	err = store.Start(resolved, func(stored []byte) (no error) {
		var was experiments.Experiment
		if err := yaml.Unmarshal(stored, &was); err != nil {
			return err
		}
		growth, no = experiments.Grown(was.Plan(), x.Experiment.Plan())
		return no
	})
	if err == nil && growth != "" {
		fmt.Fprintf(e.Stderr, "%s grows: %s; what is there stays\n", x.Dir, growth)
	}
	return err
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

// version is the program's version in manifests and reports.
const version = "0.1.0"

// manifest says what the run is made with.
func (x *Execution) manifest(e *Env, shop *workshop.Workshop) results.Manifest {
	m := results.Manifest{
		Schema: results.ManifestSchema, Name: x.Experiment.Name, Bench: Version(), Corpus: x.Bench.Version, Created: e.Now(),
		Seed: x.Experiment.Seed, Jobs: x.Jobs, Host: host(), Tools: map[string]string{}, Sources: map[string]string{},
		Models: modelsOf(x.Experiment),
	}
	for _, t := range shop.Tools.Describe() {
		if t.Version != "" {
			m.Tools[t.Name] = t.Version
		}
	}
	for _, t := range x.Experiment.Externals() {
		m.Tools["tool "+t.Name] = (&exttool.Command{Spec: t, SpaceVersion: agentspace.Version()}).Version()
	}
	if d, ok := shop.Sandbox.(*sandbox.Docker); ok {
		m.Image, m.Tools["docker"] = d.Image(), d.Daemon()
	}
	for _, l := range x.Experiment.AllLibraries() {
		lib, err := x.Bench.Library(l.Name)
		if err != nil {
			continue // the experiment was checked against the same benchmark
		}
		m.Sources[l.Name+" "+string(l.Edition)] = lib.Pin(l.Edition)
	}
	return m
}

// modelsOf says with what model and settings each stage of an experiment asks. A stage that a variant asks with a model of
// its own is named once more, with that.
func modelsOf(exp *experiments.Experiment) map[string]string {
	if exp.LLM == nil {
		return nil
	}
	models := map[string]string{}
	for model, stages := range stagesOf(exp, nil) {
		for _, stage := range stages {
			settings, name := exp.LLM.With(model).For(stage), stage
			if model != "" {
				name += " of " + model
			}
			models[name] = settings.String()
		}
	}
	return models
}

// Version is the program's version with the commit it was built from, where Go knows it.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return version + " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return version
}

var cpuModel = regexp.MustCompile(`(?m)^model name\s*:\s*(.*?)\s*$`)

func host() results.Host {
	h := results.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	h.Name, _ = os.Hostname()
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		h.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	if m := cpuModel.FindSubmatch(cpuinfo); m != nil {
		h.CPU = string(m[1])
	}
	return h
}

// preflight asks every model that cells of x without a record may ask, once with each stage's settings, before anything
// is fetched or built. The error names what does not answer.
func (x *Execution) preflight(ctx context.Context, e *Env, models *llm.Models) error {
	checks := models.Preflight(ctx, stagesOf(x.Experiment, func(c trial.Cell) bool {
		_, err := os.Stat(filepath.Join(x.Dir, "cells", c.ID(), "record.json"))
		return err != nil && (x.Choice == nil || x.Choice(c))
	}))
	var wrong []error
	var tokens int64
	dollars := 0.0
	for _, c := range checks {
		tokens, dollars = tokens+c.Usage.Tokens(), dollars+c.Dollars
		if c.Err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", c, c.Err))
		}
	}
	switch {
	case len(checks) == 0:
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(wrong) > 0:
		return &UsageError{fmt.Errorf("a model does not answer, and nothing was started:\n%w", errors.Join(wrong...))}
	default:
		fmt.Fprintf(e.Stderr, "models answer: %s, %d tokens, $%.4f, which no cell pays\n", trial.Count(len(checks), "request"), tokens, dollars)
	}
	return nil
}

// stagesOf returns the stages that cells (nil: all) may ask, by the model that the cells name in place of the experiment's.
func stagesOf(exp *experiments.Experiment, of func(trial.Cell) bool) map[string][]string {
	stages := map[string][]string{}
	for _, c := range exp.Plan().Cells {
		if of != nil && !of(c.Cell) {
			continue
		}
		for _, stage := range Stages(exp, c.Tool) {
			if !slices.Contains(stages[c.Model], stage) {
				stages[c.Model] = append(stages[c.Model], stage)
			}
		}
	}
	return stages
}

// DiagnoseModels asks every model of an experiment as a run would before it starts.
func (e *Env) DiagnoseModels(ctx context.Context, exp *experiments.Experiment) (list []Diagnosis, sound bool) {
	if exp.LLM == nil || len(stagesOf(exp, nil)) == 0 {
		return nil, true
	}
	models, err := provider.Open(*exp.LLM, e.Getenv, e.Log)
	if err != nil {
		return []Diagnosis{{Program: toolchain.Program{Name: "model", Problem: err.Error()}}}, false
	}
	sound = true
	for _, c := range models.Preflight(ctx, stagesOf(exp, nil)) {
		d := Diagnosis{Program: toolchain.Program{Name: "model", Path: c.Settings.String(), NeededFor: strings.Join(c.Stages, ", "),
			Version: fmt.Sprintf("%d tokens, $%.4f", c.Usage.Tokens(), c.Dollars)}}
		if c.Err != nil {
			d.Problem, d.Version, sound = c.Err.Error(), "", false
		}
		list = append(list, d)
	}
	return list, sound
}
