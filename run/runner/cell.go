package runner

import (
	"context"
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

// A cell is one of the plan's: what it is made from, and what became of it.
type cell struct {
	experiments.Cell
	r          *run
	library    *library
	tool       Tool // nil: nobody knows it
	uses       []*cell
	chosen     bool // it is to be worked on
	generation results.Generation
	key        string // of its record; "" if it could not be determined

	// While it is worked on.
	stage string // the kind of incompleteness that an error now means
	store *results.Cell
	work  *work
	log   *slog.Logger

	// How it ended, which others read once done is closed.
	done       chan struct{}
	incomplete *trial.Incomplete // nil when complete
	gaps       []trial.Gap       // when complete
	reused     bool
}

// choose marks the cell and all that it uses.
func (c *cell) choose() {
	c.chosen = true
	for _, o := range c.uses {
		o.choose()
	}
}

// depth is 0 for a cell that uses no other, and one more than what it uses.
func (c *cell) depth() int {
	depth := 0
	for _, o := range c.uses {
		depth = max(depth, o.depth()+1)
	}
	return depth
}

func (c *cell) end(inc *trial.Incomplete, gaps []trial.Gap) { c.incomplete, c.gaps = inc, gaps }

// recorded returns the cell's record, nil if it has none.
func (c *cell) recorded() *trial.Record {
	if c.key == "" {
		return nil
	}
	rec, err := c.r.Store.Record(c.Cell.Cell, c.key)
	if err != nil {
		return nil
	}
	return rec
}

// run does the cell once all that it uses is done, whatever became of that, and notes how it ended.
func (c *cell) run(ctx context.Context) {
	for _, o := range c.uses {
		select {
		case <-o.done:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return
	}
	c.work = c.r.Progress.start(c.Cell)
	claim, err := c.r.Store.Claim(c.Cell.Cell, c.r.Now())
	if err != nil {
		c.fail(ctx, err, false)
		return
	}
	defer c.beat(claim)()
	began := c.r.Now()
	rec, how, err := c.complete(ctx)
	if err != nil {
		c.fail(ctx, err, true)
		return
	}
	c.end(nil, rec.Gaps())
	if how == "" {
		how = describe(rec, c.r.Now().Sub(began))
	}
	c.r.Progress.done(c.work, rec, how)
}

// complete returns the cell's record. Another process may have written it since this one began, or another run may
// have one; how says so.
func (c *cell) complete(ctx context.Context) (rec *trial.Record, how string, err error) {
	if rec := c.recorded(); rec != nil && (len(c.gaps) == 0 || len(rec.Gaps()) == 0) {
		return rec, "complete already", nil
	}
	if c.r.Reuse && c.key != "" {
		from, err := c.r.Store.Adopt(c.Cell.Cell, c.generation, c.key, c.answers(), c.r.Manifest.Host)
		if err != nil {
			return nil, "", err
		}
		if rec := c.recorded(); from != "" && rec != nil {
			c.reused = true
			return rec, "reused from " + from, nil
		}
	}
	rec, err = c.make(ctx)
	return rec, "", err
}

// beat says from time to time how far the claimed cell is. What it returns lets the cell go. A claim that cannot be
// written is still held; whatever keeps it from being written ends the cell by its journal, if it matters.
func (c *cell) beat(claim *results.Claim) (release func()) {
	told := false
	stop := every(results.BeatEvery, func() {
		stage, usage := c.work.at()
		if err := claim.Beat(stage, usage); err != nil && !told {
			told = true
			c.r.Log.Warn("claim not renewed", "cell", c.ID(), "error", err)
		}
	})
	return func() {
		stop()
		if err := claim.Release(c.r.Now()); err != nil {
			c.r.Log.Warn("claim not released", "cell", c.ID(), "error", err)
		}
	}
}

// every calls do at an interval, until stop has returned.
func every(interval time.Duration, do func()) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(interval)
		defer t.Stop()
		for {
			select {
			case <-quit:
				return
			case <-t.C:
				do()
			}
		}
	}()
	return func() { close(quit); <-ended }
}

// fail notes why the cell has no record: with the cell, unless it is another process's. A record with
// gaps that could not be filled stays.
func (c *cell) fail(ctx context.Context, err error, claimed bool) {
	inc := c.reason(ctx, err)
	if inc.Kind == KindDisk {
		err = c.r.full(err)
		inc.Message = err.Error()
		c.r.stop(err)
	}
	if len(c.gaps) > 0 {
		c.r.Log.Warn("parts not measured", "cell", c.ID(), "error", err)
		c.r.Progress.done(c.work, nil, fmt.Sprintf("complete, but for %s: %s: %s", trial.DescribeGaps(c.gaps), inc.Kind, inc.Message))
		return
	}
	if !claimed {
		c.r.Log.Warn("not worked on", "cell", c.ID(), "error", err)
	} else if werr := c.r.Store.WriteIncomplete(inc); werr != nil {
		c.r.Log.Error("reason not stored", "cell", c.ID(), "error", werr)
		if full := c.r.full(werr); full != nil {
			c.r.stop(full)
		}
	}
	c.end(&inc, nil)
	c.r.Progress.done(c.work, nil, fmt.Sprintf("incomplete: %s: %s", inc.Kind, inc.Message))
}

// reason sorts an error of the cell.
func (c *cell) reason(ctx context.Context, err error) trial.Incomplete {
	inc := trial.Incomplete{Cell: c.Cell.Cell, Kind: c.stage, Message: err.Error()}
	var own *trial.IncompleteError
	var corrupt *results.CorruptError
	var locked *results.LockedError
	switch {
	case errors.As(err, &locked):
		inc.Kind = KindClaimed
	case c.r.full(err) != nil:
		inc.Kind = KindDisk
	case ctx.Err() != nil:
		// Whatever the error says, it is what being cut short looks like.
		inc.Kind, inc.Message = KindInterrupted, "interrupted while working on it; its results so far are kept"
	case errors.As(err, &own):
		inc.Kind, inc.Message = own.Kind, own.Message
	case errors.As(err, &corrupt):
		inc.Kind = KindJournal
	}
	return inc
}

// make takes the cell from wherever it is to its record.
func (c *cell) make(ctx context.Context) (rec *trial.Record, err error) {
	c.stage = KindBuild
	if c.tool == nil {
		return nil, &trial.IncompleteError{Kind: KindMissingTool, Message: "no tool named " + c.Tool}
	}
	if c.library.keysErr != nil {
		return nil, c.library.keysErr
	}
	rec, err = c.makeStored(ctx)
	var diverged *results.DivergedError
	if errors.As(err, &diverged) && c.store.Grown { // its larger budget made it go another way
		if err := c.r.Store.SetAside(c.Cell.Cell, c.generation.Key); err != nil {
			return nil, err
		}
		return c.makeStored(ctx)
	}
	return rec, err
}

// makeStored makes the record in the cell's directory.
func (c *cell) makeStored(ctx context.Context) (rec *trial.Record, err error) {
	if c.store, err = c.r.Store.OpenCell(c.Cell.Cell, c.generation); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.store.Close()) }()
	logFile, err := os.OpenFile(filepath.Join(c.store.Dir, "log.jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cell log: %w", err)
	}
	defer logFile.Close()
	c.log = slog.New(slog.NewJSONHandler(logFile, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if rec, err = c.measure(ctx); err != nil {
		c.log.Error("incomplete", "stage", c.stage, "error", err)
		return nil, err
	}
	return rec, c.store.WriteRecord(rec)
}

// measure makes the suite and the record. A tool or an evaluator may panic: that is an error of this cell.
func (c *cell) measure(ctx context.Context) (rec *trial.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic", "stage", c.stage, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v (stack in log.jsonl)", p)
		}
	}()
	c.library.preparing.Do(func() { c.r.Progress.note("preparing %s", c.library) })
	suite, done, err := c.store.Generated()
	if err == nil && !done {
		suite, err = c.suite(ctx)
	}
	if err != nil {
		return nil, err
	}
	c.stage = KindEvaluate
	c.r.Progress.evaluating(c.work, suite.Usage)
	c.log.Info("evaluating", "kind", suite.Kind)
	rec, err = c.r.Workshop.Evaluate(ctx, Evaluation{
		Cell: c.Cell.Cell, Bugs: c.Bugs, Budget: c.Budget, Suite: suite, Dir: c.store.Dir,
		Test: c.r.Plan.Test, Log: c.log, Interim: filepath.Join(c.store.Dir, "interim"),
		Looking: func(bug string, done bool) { c.r.Progress.looking(c.work, bug, done) },
	})
	if err != nil {
		return nil, err
	}
	// A measurement that was cut short may look like a bad result: it is none.
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	rec.Schema, rec.Key, rec.Cell, rec.Answers = trial.RecordSchema, c.key, c.Cell.Cell, c.answers()
	rec.Kind, rec.Stop, rec.Usage, rec.Before, rec.Generation = suite.Kind, suite.Stop, suite.Usage, suite.Before, suite.Generation
	if suite.Generation != nil {
		rec.Notes = append(rec.Notes, suite.Generation.Notes...)
	}
	c.log.Info("evaluated")
	return rec, nil
}

// suite generates the cell's suite, or what of it is not there.
func (c *cell) suite(ctx context.Context) (suite trial.Suite, err error) {
	params, before, err := c.params()
	if err != nil {
		return suite, err
	}
	needs := needsOf(c.tool, params)
	prepared, err := c.r.Workshop.Prepare(ctx, c.library.Library, needs) // now, and not when a budget has been spent
	if err != nil {
		return suite, err
	}
	c.stage = KindTool
	replay, err := newReplay(c.store, c.Budget, c.r.Now)
	if err != nil {
		return suite, err
	}
	programs, err := c.store.NewSuite(replay.ledger, replay.fresh)
	if err != nil {
		return suite, err
	}
	programs.Before = before
	given, files, err := c.store.Give(c.inputs())
	if err != nil {
		return suite, err
	}
	for param, dir := range given { // so that what is kept is what is read
		params[param] = dir
	}
	programs.Given = files
	corpus := c.store.NewCorpus()
	kept := len(programs.Entries())
	if len(replay.answers) == 0 && kept == 0 && !c.store.HasTranscript() {
		replay.fresh() // nothing is journalled that a replay could come to the end of
	}
	c.r.Progress.generating(c.work, replay.ledger)
	c.log.Info("generating", "seed", uint64(c.Seed), "kept", kept, "spent", replay.ledger.Elapsed())
	job := trial.Job{
		Target: prepared.Target, Params: params, Seed: c.Seed, Dir: c.store.WorkDir(),
		Exec: &replayExecutor{replay, prepared.Executor}, Suite: programs, Corpus: corpus, Ledger: replay.ledger, Log: c.log,
		Models:     trial.ModelAccess{Cell: c.ID(), Model: c.Model, Transcript: c.store.Transcript(), Fresh: replay.fresh},
		Generation: new(trial.Generation),
	}
	if needs.Mutants {
		job.Mutants = &replayMutants{prepared.Mutants, replay}
	}
	if needs.Coverage {
		job.Coverage = &replayCoverage{prepared.Coverage, replay}
	}
	stop, err := c.generate(ctx, job)
	if err != nil {
		return suite, err
	}
	c.log.Info("generated", "stop", stop, "spent", replay.ledger.Elapsed())
	if g := job.Generation; g.First.Programs == 0 && len(g.Answers) == 0 && g.Invariants == nil {
		job.Generation = nil
	}
	var made []trial.MadeFile
	if m, ok := c.tool.(Maker); ok {
		file, err := c.store.AddFile(m.Product(c.Library))
		if err != nil {
			return suite, err
		}
		made = append(made, file)
	}
	return c.store.FinishSuite(programs, corpus, stop, replay.ledger.Usage(), job.Generation, made...)
}

// tickEvery is how much of its wall time a killed cell may forget at most. An event that it
// journals for another reason says the time as well.
const tickEvery = 5 * time.Second

// generate calls the tool and holds it to its budget.
func (c *cell) generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	budgeted, cancel := job.Ledger.Context(ctx)
	defer cancel()
	stopTicks := every(tickEvery, func() { // for tools that journal nothing else for long
		u := job.Ledger.Usage()
		if err := c.store.Journal.AppendLoose(eventTick, "", u.Wall, ticked{u.Waited}); err != nil {
			c.log.Error("tick", "error", err) // the journal refuses whatever comes next, which ends the cell
		}
	})
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

// describe is the line about a complete cell.
func describe(rec *trial.Record, took time.Duration) string {
	if rec.Kind == trial.KindKnowledge {
		return fmt.Sprintf("a knowledge base, %s, %s", rec.Stop, took.Round(100*time.Millisecond))
	}
	found, checked := 0, 0
	for _, b := range rec.Bugs {
		if b.Missing == nil {
			checked++
		}
		if b.Detected {
			found++
		}
	}
	size := fmt.Sprintf("%d inputs", rec.Inputs)
	if wall := rec.Usage.Wall.Seconds(); rec.Usage.Execs > 0 && wall > 0 {
		size += fmt.Sprintf(" of %d executed (%.0f a second)", rec.Usage.Execs, float64(rec.Usage.Execs)/wall)
	}
	if rec.Kind == trial.KindPrograms {
		size = trial.Count(rec.Usage.Programs, "program")
	}
	line := fmt.Sprintf("%s, %d of %d bugs, %s, %s", size, found, checked, rec.Stop, took.Round(100*time.Millisecond))
	if gaps := rec.Gaps(); len(gaps) > 0 {
		line += "; without " + trial.DescribeGaps(gaps)
	}
	return line
}
