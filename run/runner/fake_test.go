package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A feedbackTool is a generator in small: random programs, executed in batches (one of them
// twice), whose outcomes decide what comes next.
type feedbackTool struct {
	name     string
	generate func(ctx context.Context, job trial.Job) (trial.StopReason, error) // instead
}

func (f feedbackTool) Name() string    { return f.name }
func (f feedbackTool) Version() string { return "1" }

func (f feedbackTool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	if f.generate != nil {
		return f.generate(ctx, job)
	}
	rng := job.Seed.Stream("programs")
	state := 0
	for {
		if stop := job.Ledger.Stop(); stop != "" {
			return stop, nil
		}
		var batch []trial.Program
		for i := range 4 {
			batch = append(batch, trial.Program{ID: fmt.Sprint(i), Lang: trial.C, Source: fmt.Sprintf("/* %d %d */", state, rng.IntN(1000))})
		}
		batch = append(batch, batch[0])
		got, err := job.Exec.Run(ctx, batch, trial.ExecOptions{Stdout: true})
		if err != nil {
			return "", err
		}
		for i, r := range got {
			state = (state*31 + len(r.Stdout)) % 1009
			if r.Outcome != trial.OK {
				continue
			}
			if err := job.Suite.Add(batch[i]); err != nil {
				return "", err
			}
		}
	}
}

// A hashExecutor decides by the program's text, and by how often it was asked, as a flaky program would.
type hashExecutor struct {
	pause time.Duration
	runs  atomic.Int64
	count string // file that gets one byte for each program executed
}

func (x *hashExecutor) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	var out []trial.Result
	for _, p := range programs {
		select {
		case <-time.After(x.pause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		x.runs.Add(1)
		sum := sha256.Sum256([]byte(p.Source))
		r := trial.Result{ID: p.ID, Outcome: trial.OK, Stdout: string(make([]byte, sum[1])), CPUMs: 2}
		if sum[0]%4 == 0 {
			r.Outcome = trial.Crash
		}
		out = append(out, r)
	}
	if x.count != "" {
		f, err := os.OpenFile(x.count, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if _, err := f.Write(make([]byte, len(programs))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A fakeLab prepares libraries and evaluates suites.
type fakeLab struct {
	exec     trial.Executor
	mutants  trial.MutantRunner
	coverage trial.CoverageRunner
	keys     Keys
	broken   map[string]error // by library
	prepared atomic.Int64
	steps    atomic.Int64 // evaluation steps computed
	pause    time.Duration
	evaluate func(e Evaluation) error
	mu       sync.Mutex
	library  Library                     // the last that was prepared
	needs    []trial.Needs               // of one tool after the other
	unmade   error                       // what is needed beside the reference build
	lacks    map[trial.Part]trial.Reason // of every record
}

func (l *fakeLab) Keys(context.Context, Library) (Keys, error) { return l.keys, nil }

func (l *fakeLab) Prepare(_ context.Context, lib Library, n trial.Needs) (job trial.Job, err error) {
	l.prepared.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.library, l.needs = lib, append(l.needs, n)
	if err := cmp.Or(l.broken[lib.Name], l.unmade); err != nil {
		return job, err
	}
	job = trial.Job{Target: trial.Target{Library: lib.Name}, Exec: l.exec, Mutants: l.mutants, Coverage: l.coverage}
	if n.FuzzTargets {
		job.Target.FuzzTargets = []trial.FuzzTarget{{Name: "fuzz"}}
	}
	return job, nil
}

func (l *fakeLab) Evaluate(ctx context.Context, e Evaluation) (*trial.Record, error) {
	if l.evaluate != nil {
		if err := l.evaluate(e); err != nil {
			return nil, err
		}
	}
	rec := &trial.Record{Programs: &trial.ProgramCounts{Generated: len(e.Suite.Programs)}, Missing: l.lacks}
	lines := 0
	for i, p := range e.Suite.Programs {
		time.Sleep(l.pause)
		text, err := os.ReadFile(filepath.Join(e.Dir, "suite", p.File))
		if err != nil {
			return nil, err
		}
		l.steps.Add(1)
		lines += int(sha256.Sum256(text)[2])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rec.Growth = append(rec.Growth, trial.GrowthPoint{Programs: i + 1, Elapsed: p.Elapsed, LinesCovered: lines})
	}
	for _, b := range e.Cell.Bugs {
		rec.Bugs = append(rec.Bugs, trial.BugResult{Bug: b, Detected: lines%2 == 0})
	}
	return rec, nil
}

// plan returns tools x libraries x trials.
func plan(b trial.Budget, trials int, tools, libraries []string) experiments.Plan {
	e := &experiments.Experiment{Name: "fake", Seed: 3, Trials: trials, Budget: b, Test: experiments.Test{Timeout: time.Second, Repeats: 3}}
	for _, l := range libraries {
		e.Libraries = append(e.Libraries, experiments.LibrarySpec{Name: l, Edition: "debian", Bugs: experiments.Bugs{l + "-1"}})
	}
	for _, t := range tools {
		e.Tools = append(e.Tools, experiments.ToolSpec{Name: t})
	}
	return e.Plan()
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// options are those of a run of a plan, with one cell at once.
func options(store *results.Run, p experiments.Plan, lab *fakeLab, tools ...Tool) Options {
	return Options{Plan: p, Store: store, Manifest: results.Manifest{Name: p.Name}, Tools: tools, Workshop: lab, Jobs: 1, Now: time.Now, Log: quiet}
}

// opened is a new run directory.
func opened(t *testing.T) *results.Run {
	t.Helper()
	store, err := results.Open(t.TempDir(), "test")
	assert.NilError(t, err)
	t.Cleanup(func() { store.Close() })
	return store
}

// session runs a plan in dir, opening and closing the store.
func session(ctx context.Context, dir string, p experiments.Plan, lab *fakeLab, jobs int, tools ...Tool) (Summary, error) {
	store, err := results.Open(dir, "test")
	if err != nil {
		return Summary{}, err
	}
	defer store.Close()
	if err := store.Start([]byte("name: fake\n"), nil); err != nil {
		return Summary{}, err
	}
	o := options(store, p, lab, tools...)
	o.Jobs = jobs
	return Run(ctx, o)
}

// content returns what a finished run must have in common with any other of its kind: all
// records without their clocks, and all programs.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := results.Load(dir)
	assert.NilError(t, err)
	out := map[string]string{}
	for _, c := range data.Cells {
		assert.Assert(t, c.Record != nil, "%s: %+v", c.Cell.ID(), c.Incomplete)
		untimed, err := json.Marshal(results.Untimed(c.Record))
		assert.NilError(t, err)
		out[c.Cell.ID()] = string(untimed)
		files, err := filepath.Glob(filepath.Join(c.Dir, "suite", "p*.c"))
		assert.Assert(t, err == nil && len(files) == c.Record.Programs.Generated,
			"%s: %d files of %d programs, %v", c.Cell.ID(), len(files), c.Record.Programs.Generated, err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			assert.NilError(t, err)
			out[c.Cell.ID()+"/"+filepath.Base(f)] = string(text)
		}
	}
	return out
}
