package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A cell is one of the plan's: what it is made from, and what became of it.
type cell struct {
	work
	r          *run
	library    *library
	tool       Tool // nil: nobody knows it
	uses       []*cell
	chosen     bool // it is to be worked on
	generation results.Generation
	key        string // of its record; "" if it could not be determined

	// While it is worked on.
	kind  string // of incompleteness that an error now means
	store *results.Cell
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
func (c *cell) depth() (depth int) {
	for _, o := range c.uses {
		depth = max(depth, o.depth()+1)
	}
	return depth
}

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
	c.r.Progress.start(&c.work)
	claim, err := c.r.Store.Claim(c.Cell.Cell, c.r.Now())
	if err != nil {
		c.fail(ctx, err, false)
		return
	}
	defer c.beat(claim)()
	rec, how, err := c.complete(ctx)
	if err != nil {
		c.fail(ctx, err, true)
		return
	}
	c.incomplete, c.gaps = nil, rec.Gaps()
	c.r.Progress.done(&c.work, rec.Usage, how)
}

// complete returns the cell's record, and says how it came by it: another process may have written it since this one
// began, or another run may have one.
func (c *cell) complete(ctx context.Context) (rec *trial.Record, how string, err error) {
	if rec := c.recorded(); rec != nil && (len(c.gaps) == 0 || len(rec.Gaps()) == 0) {
		return rec, "complete already", nil
	}
	if c.r.Reuse && c.key != "" {
		from, err := c.r.Store.Adopt(c.Cell.Cell, c.Budget, c.key, c.answers(), c.r.Manifest.Host)
		if err != nil {
			return nil, "", err
		}
		if rec := c.recorded(); from != "" && rec != nil {
			c.reused = true
			return rec, "reused from " + from, nil
		}
	}
	began := c.r.Now()
	if c.tool == nil {
		return nil, "", &trial.IncompleteError{Kind: KindMissingTool, Message: "no tool named " + c.Tool}
	}
	if c.library.keysErr != nil {
		return nil, "", c.library.keysErr
	}
	rec, err = c.make(ctx)
	var diverged *results.DivergedError
	if errors.As(err, &diverged) && c.store.Grown { // its larger budget made it go another way
		if err = c.r.Store.SetAside(c.Cell.Cell, c.generation.Key); err == nil {
			rec, err = c.make(ctx)
		}
	}
	if err != nil {
		return nil, "", err
	}
	return rec, describe(rec, c.r.Now().Sub(began)), nil
}

// beat says from time to time how far the claimed cell is. What it returns lets the cell go. A claim that cannot be
// written is still held; whatever keeps it from being written ends the cell by its journal, if it matters.
func (c *cell) beat(claim *results.Claim) (release func()) {
	warn := func(err error) {
		if err != nil {
			c.r.Log.Warn("claim not renewed", "cell", c.ID(), "error", err)
		}
	}
	stop := every(results.BeatEvery, func() {
		var stage string
		var usage trial.Usage
		c.r.Progress.change(func() { stage, usage = c.stage, c.usage() })
		warn(claim.Beat(stage, usage))
	})
	return func() {
		stop()
		warn(claim.Release(c.r.Now()))
	}
}

// every calls do at an interval, until stop has returned.
func every(interval time.Duration, do func()) (stop func()) {
	quit := make(chan struct{})
	var loop sync.WaitGroup
	loop.Go(func() {
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
	})
	return func() { close(quit); loop.Wait() }
}

// fail notes why the cell has no record: with the cell, unless it is another process's. A record with
// gaps that could not be filled stays. A full disk ends the run.
func (c *cell) fail(ctx context.Context, err error, claimed bool) {
	inc := trial.Incomplete{Cell: c.Cell.Cell, Kind: c.kind, Message: err.Error()}
	var own *trial.IncompleteError
	var corrupt *results.CorruptError
	var locked *results.LockedError
	full := c.r.full(err)
	switch {
	case errors.As(err, &locked):
		inc.Kind = KindClaimed
	case full != nil:
		inc.Kind, inc.Message = KindDisk, full.Error()
	case ctx.Err() != nil:
		// Whatever the error says, it is what being cut short looks like.
		inc.Kind, inc.Message = KindInterrupted, "interrupted while working on it; its results so far are kept"
	case errors.As(err, &own):
		inc.Kind, inc.Message = own.Kind, own.Message
	case errors.As(err, &corrupt):
		inc.Kind = KindJournal
	}
	how := fmt.Sprintf("%s: %s", inc.Kind, inc.Message)
	if len(c.gaps) > 0 {
		how = fmt.Sprintf("complete, but for %s: %s", trial.DescribeGaps(c.gaps), how)
	} else {
		c.incomplete, how = &inc, "incomplete: "+how
		if claimed {
			if err := c.r.Store.WriteIncomplete(inc); err != nil {
				c.r.Log.Error("reason not stored", "cell", c.ID(), "error", err)
				full = errors.Join(full, c.r.full(err))
			}
		}
	}
	if full != nil {
		c.r.stop(full)
	}
	c.r.Progress.done(&c.work, trial.Usage{}, how)
}

// full is the error of a disk that takes no more, nil if err is another one.
func (r *run) full(err error) error {
	var command *toolchain.CommandError
	switch {
	case results.IsDisk(err):
		return results.Explain(err, r.Store.Dir)
	case errors.As(err, &command) && command.DiskFull():
		path := r.Store.Dir
		if i := slices.Index(command.Args, "-o"); i >= 0 && i+1 < len(command.Args) && filepath.IsAbs(command.Args[i+1]) {
			path = command.Args[i+1]
		}
		return &results.DiskError{Path: path, Err: unix.ENOSPC}
	}
	return nil
}

// make makes the record in the cell's directory, from wherever that is.
func (c *cell) make(ctx context.Context) (rec *trial.Record, err error) {
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
		c.log.Error("incomplete", "stage", c.kind, "error", err)
		return nil, err
	}
	return rec, c.store.WriteRecord(rec)
}

// measure makes the suite and the record. A tool or an evaluator may panic: that is an error of this cell.
func (c *cell) measure(ctx context.Context) (rec *trial.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic", "stage", c.kind, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v (stack in log.jsonl)", p)
		}
	}()
	c.library.preparing.Do(func() { c.r.Progress.note("preparing %s", c.library) })
	c.kind = KindEvaluate
	suite, done, err := c.store.Generated()
	if err == nil && !done {
		suite, err = c.suite(ctx)
	}
	if err != nil {
		return nil, err
	}
	c.kind = KindEvaluate
	c.r.Progress.change(func() { c.stage, c.spent = stageEvaluating, suite.Usage })
	c.log.Info("evaluating", "kind", suite.Kind)
	rec, err = c.r.Workshop.Evaluate(ctx, Evaluation{
		Cell: c.Cell, Suite: suite, Dir: c.store.Dir, Test: c.r.Plan.Test, Log: c.log, Interim: filepath.Join(c.store.Dir, "interim"),
		Looking: func(bug string, done bool) { c.r.Progress.change(func() { c.bugs[bug] = c.bugs[bug] || done }) },
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
	c.kind = KindBuild
	params, before, err := c.params()
	if err != nil {
		return suite, err
	}
	needs := needsOf(c.tool, params)
	job, err := c.r.Workshop.Prepare(ctx, c.library.Library, needs) // now, and not when a budget has been spent
	if err != nil {
		return suite, err
	}
	c.kind = KindTool
	replay, err := newReplay(c.store, c.Budget, c.r.Now)
	if err != nil {
		return suite, err
	}
	writer, err := c.store.NewSuite(replay.ledger, replay.fresh)
	if err != nil {
		return suite, err
	}
	writer.Before = before
	given, err := writer.Give(c.inputs())
	if err != nil {
		return suite, err
	}
	for param, dir := range given { // so that what is kept is what is read
		params[param] = dir
	}
	c.r.Progress.change(func() { c.stage, c.ledger = stageGenerating, replay.ledger })
	c.log.Info("generating", "seed", uint64(c.Seed), "spent", replay.ledger.Elapsed())
	job.Params, job.Seed, job.Dir, job.Ledger, job.Log = params, c.Seed, c.store.WorkDir(), replay.ledger, c.log
	job.Exec, job.Suite, job.Corpus = &replayExecutor{replay, job.Exec}, writer, writer
	job.Models = trial.ModelAccess{Cell: c.ID(), Model: c.Model, Transcript: c.store.Transcript(), Fresh: replay.fresh}
	job.Generation = new(trial.Generation)
	feedback := &replayFeedback{job.Mutants, job.Coverage, replay}
	job.Mutants, job.Coverage = nil, nil
	if needs.Mutants {
		job.Mutants = feedback
	}
	if needs.Coverage {
		job.Coverage = feedback
	}
	stop, err := c.generate(ctx, job)
	if err != nil {
		return suite, err
	}
	c.log.Info("generated", "stop", stop, "spent", replay.ledger.Elapsed())
	if g := job.Generation; g.First.Programs == 0 && len(g.Answers) == 0 && g.Invariants == nil {
		job.Generation = nil
	}
	product := ""
	if m, ok := c.tool.(Maker); ok {
		product = m.Product(c.Library)
	}
	return writer.Finish(stop, job.Generation, product)
}

// tickEvery is how much of its wall time a killed cell may forget at most. An event that it
// journals for another reason says the time as well.
const tickEvery = 5 * time.Second

// generate calls the tool and holds it to its budget. An error that only passes on that the budget ended is none.
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
	over := errors.Is(err, trial.ErrBudget) || errors.Is(context.Cause(budgeted), trial.ErrBudget) &&
		(errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
	switch {
	case err == nil && stop == "":
		return "", fmt.Errorf("tool %s ended without a reason", c.tool.Name())
	case err == nil:
		return stop, nil
	case ctx.Err() != nil || !over:
		return "", err
	}
	if stop = job.Ledger.Stop(); stop == "" {
		stop = trial.StopWall // its timer is a little ahead of the ledger's clock
	}
	return stop, nil
}

// describe is the line about a complete cell.
func describe(rec *trial.Record, took time.Duration) string {
	found, checked := 0, 0
	for _, b := range rec.Bugs {
		if b.Missing == nil {
			checked++
		}
		if b.Detected {
			found++
		}
	}
	made := trial.Count(rec.Usage.Programs, "program")
	switch rec.Kind {
	case trial.KindKnowledge:
		made = "a knowledge base"
	case trial.KindCorpus:
		made = fmt.Sprintf("%d inputs of %d executed", rec.Inputs, rec.Usage.Execs)
	}
	line := fmt.Sprintf("%s, %d of %d bugs, %s, %s", made, found, checked, rec.Stop, took.Round(100*time.Millisecond))
	if gaps := rec.Gaps(); len(gaps) > 0 {
		line += "; without " + trial.DescribeGaps(gaps)
	}
	return line
}

// setKeys sets the key of what the cell's tool makes, and the key of the cell's record, which covers the first. They
// differ so that a changed evaluation measures a suite again without making it again. The keys of what the cell uses
// stand for its contents, which may not be there yet.
func (c *cell) setKeys(byID map[string]*cell) error {
	var inputs []any // names and contents of files; the tool knows whether one that is not there is needed
	for _, in := range c.inputs() {
		data, err := os.ReadFile(in.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cell %s: %w", c.ID(), err)
		}
		inputs = append(inputs, filepath.Base(in.Path), err == nil, data)
	}
	var used []string
	for _, u := range c.Uses {
		key := ""
		if other := byID[u.Cell]; other != nil {
			key = other.generation.Key
		}
		used = append(used, u.Param+" "+key)
	}
	test := c.r.Plan.Test
	key := func(b trial.Budget) string {
		made := trial.Key("generation", trial.SuiteSchema, c.Cell.Cell, c.Params, b, c.tool.Version(), c.library.keys.Generate,
			test.Timeout, c.r.Plan.Sandbox, c.modelSettings(), inputs)
		if used != nil {
			made = trial.Key("uses", made, used)
		}
		return made
	}
	c.generation = results.Generation{Key: key(c.Budget), Budget: c.Budget, KeyOf: key}
	c.key = trial.Key("record", trial.RecordSchema, c.generation.Key, c.library.keys.Evaluate, c.Bugs, test.Repeats, test.Mutants, test.Explain)
	if test.Among != "" {
		c.key = trial.Key("among", c.key, test.Among)
	}
	return nil
}

// modelSettings are how the stages of the cell's tool ask their models. Where the answers come from and what they cost
// may change while a run goes on.
func (c *cell) modelSettings() (list []any) {
	user, ok := c.tool.(ModelUser)
	if !ok || c.r.Plan.LLM == nil {
		return nil
	}
	config := c.r.Plan.LLM.With(c.Model)
	for _, stage := range user.Stages() {
		list = append(list, stage, config.For(stage))
	}
	return list
}

// answers says who answers the cell's model: an endpoint, or the directory of a batch or a replay; "" if none is asked.
func (c *cell) answers() string {
	if c.modelSettings() == nil {
		return ""
	}
	if llm := c.r.Plan.LLM; llm.BaseURL == "" {
		return llm.Provider + " " + llm.Dir
	}
	return c.r.Plan.LLM.BaseURL
}

// ownParams are the parameters of the cell without those that other cells stand for. Where the cells of another run
// are used, directories that a cell was given are that run's copies.
func (c *cell) ownParams() map[string]any {
	params := maps.Clone(c.Params)
	for _, u := range c.Uses {
		delete(params, u.Param)
	}
	if c.r.Made == "" {
		return params
	}
	for name := range params {
		dir := filepath.Join(c.r.Made, c.ID(), "suite", trial.GivenDir, name)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			params[name] = dir
		}
	}
	return params
}

// inputs are the files that the tool reads for the cell, those apart that other cells make.
func (c *cell) inputs() []trial.Input {
	if reader, ok := c.tool.(InputReader); ok {
		return reader.Inputs(c.Library, c.ownParams())
	}
	return nil
}

// params are those of the cell, with directories in the place of the cells that it uses. before is what was
// spent on the seeds that it starts from. A knowledge base is made once for all and is not in it. The
// error is an *trial.IncompleteError if a used cell is not complete.
func (c *cell) params() (params map[string]any, before trial.Usage, err error) {
	for _, o := range c.uses {
		if why := o.incomplete; why != nil {
			return nil, before, &trial.IncompleteError{Kind: KindUses,
				Message: fmt.Sprintf("it uses cell %s, which is incomplete: %s: %s", why.Cell.ID(), why.Kind, why.Message)}
		}
	}
	cells := c.r.Made
	if cells == "" {
		cells = filepath.Join(c.r.Store.Dir, "cells")
	}
	params = c.ownParams()
	for _, u := range c.Uses {
		dir := filepath.Join(cells, u.Cell, "suite")
		suite, err := results.ReadSuite(dir)
		if err != nil {
			return nil, before, err
		}
		if suite.Kind == trial.KindPrograms && c.Tool != experiments.KnowledgeTool {
			before = before.Plus(suite.Usage)
			before.Programs = 0 // they are counted where they are finished
		}
		params[u.Param] = dir
	}
	return params, before, nil
}
