package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A cellRun is one cell at work.
type cellRun struct {
	*run
	plan    experiments.Cell
	subject *subject
	tool    Tool
	stage   string // the kind of incompleteness that an error now means
	store   *results.Cell
	log     *slog.Logger
	claimed bool // nobody else can write the cell
	place   where
}

// do takes the cell from wherever it is to its record.
func (c *cellRun) do(ctx context.Context) (rec *trial.Record, err error) {
	c.stage = KindBuild
	if c.tool == nil {
		return nil, &trial.IncompleteError{Kind: KindMissingTool, Message: "no tool named " + c.plan.Tool}
	}
	if c.subject.keysErr != nil {
		return nil, c.subject.keysErr
	}
	generation, key, err := c.cellKeys(c.plan, c.tool, c.subject.keys)
	if err != nil {
		return nil, err
	}
	rec, err = c.inStore(ctx, generation, key)
	var diverged *results.DivergedError
	if errors.As(err, &diverged) && c.store.Grown { // its larger budget made it go another way
		if err := c.Store.SetAside(c.plan.Cell, generation.Key); err != nil {
			return nil, err
		}
		return c.inStore(ctx, generation, key)
	}
	return rec, err
}

// inStore makes the record in the cell's directory.
func (c *cellRun) inStore(ctx context.Context, generation results.Generation, key string) (rec *trial.Record, err error) {
	if c.store, err = c.Store.OpenCell(c.plan.Cell, generation); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.store.Close()) }()
	logFile, err := c.openLog()
	if err != nil {
		return nil, err
	}
	defer logFile.Close()
	if rec, err = c.measure(ctx, key); err != nil {
		c.log.Error("incomplete", "stage", c.stage, "error", err)
		return nil, err
	}
	return rec, c.store.WriteRecord(rec)
}

// measure does the work in the open directory. A tool or an evaluator may panic: that is an error
// of this cell.
func (c *cellRun) measure(ctx context.Context, key string) (rec *trial.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic", "stage", c.stage, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v (stack in log.jsonl)", p)
		}
	}()
	prepared, err := c.subject.prepare()
	if err != nil {
		return nil, err
	}
	suite, err := c.suite(ctx, prepared)
	if err != nil {
		return nil, err
	}
	c.stage = KindEvaluate
	return c.evaluate(ctx, suite, key)
}

func (c *cellRun) openLog() (*os.File, error) {
	path := filepath.Join(c.store.Dir, "log.jsonl")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cell log: %w", err)
	}
	c.log = slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return f, nil
}

// suite returns the cell's suite, generating what of it is not there.
func (c *cellRun) suite(ctx context.Context, p *Prepared) (trial.Suite, error) {
	suite, done, err := c.store.Generated()
	if done || err != nil {
		return suite, err
	}
	params, before, err := c.params()
	if err != nil {
		return suite, err
	}
	needs := needsOf(c.tool, params)
	target, err := c.Preparer.Provide(ctx, c.subject.Subject, needs, p.Target) // now, and not when a budget has been spent
	if err != nil {
		return suite, err
	}
	c.stage = KindTool
	clock := &replayClock{now: c.Now}
	clock.freeze()
	exec, err := newReplayExecutor(p.Executor, c.store, clock.thaw)
	if err != nil {
		return suite, err
	}
	// Programs, calls and CPU time of earlier sessions are charged again as they are replayed.
	ledger := trial.NewLedger(c.plan.Budget, spent(c.store.Events), clock.at)
	exec.ledger = ledger
	programs, err := c.store.NewSuite(ledger, clock.thaw)
	if err != nil {
		return suite, err
	}
	programs.Before = before
	given, files, err := c.store.Give(c.inputs(c.tool, c.plan))
	if err != nil {
		return suite, err
	}
	for param, dir := range given { // so that what is kept is what is read
		params[param] = dir
	}
	programs.Given = files
	corpus := c.store.NewCorpus()
	kept := len(programs.Entries())
	if len(exec.answers) == 0 && kept == 0 && !c.store.HasTranscript() {
		clock.thaw() // nothing is journalled that a replay could come to the end of
	}
	c.Progress.generating(c.plan.Cell, ledger)
	c.place.at(stageGenerating, ledger.Usage)
	c.log.Info("generating", "seed", uint64(c.plan.Seed), "kept", kept, "spent", ledger.Elapsed())
	job := trial.Job{
		Target: target, Params: params, Seed: c.plan.Seed, Dir: c.store.WorkDir(),
		Exec: exec, Suite: programs, Corpus: corpus, Ledger: ledger, Log: c.log,
		Models:     trial.ModelAccess{Cell: c.plan.Cell.ID(), Model: c.plan.Model, Transcript: c.store.Transcript(), Fresh: clock.thaw},
		Generation: new(trial.Generation),
	}
	if needs.Mutants {
		if job.Mutants, err = newReplayMutants(p.Mutants, c.store, clock.thaw, ledger); err != nil {
			return suite, err
		}
	}
	stop, err := c.generate(ctx, job)
	if err != nil {
		return suite, err
	}
	c.log.Info("generated", "stop", stop, "spent", ledger.Elapsed())
	if g := job.Generation; g.First.Programs == 0 && len(g.Answers) == 0 && g.Invariants == nil {
		job.Generation = nil
	}
	var made []trial.MadeFile
	if m, ok := c.tool.(Maker); ok {
		file, err := c.store.AddFile(m.Product(c.plan.Library))
		if err != nil {
			return suite, err
		}
		made = append(made, file)
	}
	return c.store.FinishSuite(programs, corpus, stop, ledger.Usage(), job.Generation, made...)
}

// generate calls the tool and holds it to its budget.
func (c *cellRun) generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	budgeted, cancel := job.Ledger.Context(ctx)
	defer cancel()
	stopTicks := c.tick(budgeted, job.Ledger)
	metered := toolchain.WithMeter(budgeted, func(d time.Duration) { job.Ledger.Charge(trial.Usage{CPU: d}) })
	stop, err := c.tool.Generate(metered, job)
	stopTicks()
	if err == nil && stop == "" {
		err = fmt.Errorf("tool %s ended without a reason", c.tool.Name())
	}
	if err == nil {
		return stop, nil
	}
	if ctx.Err() != nil || !endedByBudget(budgeted, err) {
		return "", err
	}
	if stop = job.Ledger.Stop(); stop == "" {
		stop = trial.StopWall // its timer is a little ahead of the ledger's clock
	}
	return stop, nil
}

// endedByBudget reports whether a tool's error only passes on that its budget ended.
func endedByBudget(ctx context.Context, err error) bool {
	if errors.Is(err, trial.ErrBudget) {
		return true
	}
	return errors.Is(context.Cause(ctx), trial.ErrBudget) &&
		(errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
}

// The runner's kinds of events, beside those of package results.
const (
	eventExecuted = "executed" // Data: []answer, one Executor.Run
	eventMutants  = "mutants"  // Key: of the question; Data: trial.MutantRuns
	eventTick     = "tick"     // time went by; Data: ticked
)

// tickEvery is how much of its wall time a killed cell may forget at most. An event that it
// journals for another reason says the time as well.
const tickEvery = 5 * time.Second

// tick journals the time spent, for tools that journal nothing else for long. The function
// that it returns ends it.
func (c *cellRun) tick(ctx context.Context, l *trial.Ledger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(tickEvery)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				u := l.Usage()
				if err := c.store.Journal.AppendLoose(eventTick, "", u.Wall, ticked{u.Waited}); err != nil {
					c.log.Error("tick", "error", err)
					return // the journal refuses whatever comes next, which ends the cell
				}
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// ticked is what a tick tells beside the wall time.
type ticked struct {
	Waited time.Duration `json:"waited_ns,omitempty"`
}

// spent is the wall time of earlier sessions, and what they waited for answers.
func spent(events []results.Event) trial.Usage {
	var u trial.Usage
	for _, e := range events {
		u.Wall = max(u.Wall, e.Elapsed)
		var t ticked
		if e.Kind == eventTick && json.Unmarshal(e.Data, &t) == nil {
			u.Waited = max(u.Waited, t.Waited)
		}
	}
	return u
}

// evaluate measures the suite.
func (c *cellRun) evaluate(ctx context.Context, suite trial.Suite, key string) (*trial.Record, error) {
	c.Progress.evaluating(c.plan.Cell, suite.Usage)
	c.place.at(stageEvaluating, func() trial.Usage { return suite.Usage })
	c.log.Info("evaluating", "kind", suite.Kind)
	subject := c.subject.Subject
	subject.Bugs = c.plan.Bugs // of all that were built for the library, those of this cell
	rec, err := c.Evaluator.Evaluate(ctx, Evaluation{
		Cell: c.plan.Cell, Subject: subject, Budget: c.plan.Budget,
		Suite: suite, SuiteDir: c.store.SuiteDir(), CellDir: c.store.Dir,
		Test: c.Plan.Test, Log: c.log, Interim: filepath.Join(c.store.Dir, "interim"),
		Looking: func(bug string, done bool) { c.Progress.looking(c.plan.Cell, bug, done) },
	})
	if err != nil {
		return nil, err
	}
	// A measurement that was cut short may look like a bad result: it is none.
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rec.Schema, rec.Key, rec.Cell = trial.RecordSchema, key, c.plan.Cell
	rec.Kind, rec.Stop, rec.Usage, rec.Before, rec.Generation = suite.Kind, suite.Stop, suite.Usage, suite.Before, suite.Generation
	if suite.Generation != nil {
		rec.Notes = append(rec.Notes, suite.Generation.Notes...)
	}
	c.log.Info("evaluated")
	return rec, nil
}
