package metrics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostCandidates is how many inputs of the corpus that fail in a replay are put to the repeat rule.
// Of those that hang it is only until one passes it, for each hang costs n timeouts. So many hangs end
// also the fuzzing of a buggy build if its budget is not in seconds, which would pay for them.
const mostCandidates = 4

// bug looks for one bug with every target.
//
// The paper does not say how a fuzzing corpus is held against a buggy build. Here the
// fuzzer gets the cell's budget once more, an even part for each bug. It fuzzes the buggy build
// from the corpus that it found on the reference, less what fails there. The targets take turns, each
// with an even part and what those before it left. What fails is put to the repeat rule at once, as it was
// found, and the first input that passes it ends the search. Others, such as one that fails on the fixed
// build too, are left out, and the search goes on. If nothing comes of it, the corpus itself is
// replayed without the sanitizer, which can hide a failure, and the repeat rule applied in that form.
// A fuzzer has no oracle but crash and hang. A bug that one target could not be asked about was not checked.
func (e *Corpus) bug(ctx context.Context, bug FuzzBug, inputs []trial.CorpusInput) (trial.BugResult, error) {
	targets := where(e.Targets, func(t trial.FuzzTarget) bool { return t.Missing == "" })
	if len(targets) == 0 {
		return trial.BugResult{Bug: bug.ID, Missing: &trial.Reason{Kind: trial.ReasonBuild, Message: "no fuzz target could be had here"}}, nil
	}
	res := trial.BugResult{Bug: bug.ID, Fuzzed: &trial.Fuzzed{}}
	builds := sync.OnceValues(func() (on [2]FuzzBuilds, err error) {
		on[0], on[1], err = bug.Builds(ctx)
		return on, as(trial.ReasonBuild, err)
	})
	for n, target := range targets {
		if res.Detected {
			break
		}
		// Like those of the generation, the turns are windows of the whole: what one target leaves is the next one's.
		left := func(budget, spent int64) int64 { // 0, no limit, stays 0
			return min(budget, max(1, budget/int64(len(e.Bugs))*int64(n+1)/int64(len(targets))-spent))
		}
		part, missing, err := try(ctx, e.Log, "bug "+bug.ID+" with "+target.Name, func() (found trial.BugResult, err error) {
			key := store.Key("fuzzed", e.Key, bug.ID, bug.Key, target.Name, len(e.Bugs))
			if known, err := e.Store.Get(key, &found); known || err != nil {
				return found, err
			}
			on, err := builds()
			if err != nil {
				return found, err
			}
			h := &hunt{Corpus: e, target: target, fixed: on[0], buggy: on[1], dir: filepath.Join(e.CellDir, "evaluation", bug.ID, target.Name),
				inputs: where(inputs, func(in trial.CorpusInput) bool { return in.Target == target.Name })}
			err = h.search(ctx, libfuzzer.Session{
				Executable: h.buggy.Targets[target.Name].Executable, Seed: e.Seed.Derive("bug " + bug.ID + " " + target.Name),
				Execs: left(e.Budget.Execs, res.Fuzzed.Execs), Before: e.Generated + res.Fuzzed.Wall,
				Wall:        time.Duration(left(int64(cmp.Or(e.Budget.Wall, e.Budget.CPU, e.Budget.Time)), int64(res.Fuzzed.Wall))),
				UnitTimeout: e.Timeout, Dictionary: target.Dictionary, Options: target.Options, Dir: filepath.Join(e.CellDir, "evaluation", "session"),
			})
			if err != nil {
				return found, as(trial.ReasonSandbox, err)
			}
			return h.res, e.Store.Put(key, h.res)
		})
		if err != nil {
			return res, fmt.Errorf("target %s: %w", target.Name, err)
		}
		if missing != nil {
			return trial.BugResult{Bug: bug.ID, Missing: missing}, nil
		}
		res.Tests += part.Tests
		res.Flaky += part.Flaky
		res.Oracles = append(res.Oracles, part.Oracles...)
		res.First = append(res.First, part.First...)
		res.Detected = res.Tests > 0
		res.Fuzzed.Execs += part.Fuzzed.Execs
		res.Fuzzed.Wall += part.Fuzzed.Wall
	}
	slices.Sort(res.Oracles)
	res.Oracles = slices.Compact(res.Oracles)
	res.First = res.First[:min(len(res.First), firstReferences)]
	return res, nil
}

// A hunt looks for one bug with one target.
type hunt struct {
	*Corpus
	target       trial.FuzzTarget
	fixed, buggy FuzzBuilds
	inputs       []trial.CorpusInput // of the target
	dir          string              // gets the inputs that detect the bug
	res          trial.BugResult
}

// A candidate is an input that failed once on the buggy build.
type candidate struct {
	path    string
	id      string        // unique within the target; the name under which it is kept
	elapsed time.Duration // when it was found, on the clock of the cell's generation
	hang    bool          // it failed by time
	// run runs it on one tree's builds, always in the form in which it failed.
	run func(ctx context.Context, on FuzzBuilds) (trial.Result, error)
}

// search fuzzes the buggy build until an input detects the bug, in the form in which it was found, the libFuzzer
// executable, or the turn is over. If none does the corpus is replayed there.
func (h *hunt) search(ctx context.Context, s libfuzzer.Session) error {
	if err := errors.Join(os.RemoveAll(h.dir), os.RemoveAll(s.Dir)); err != nil { // what a killed evaluation left
		return err
	}
	hangs := 0
	s.Enough = func(ctx context.Context, in libfuzzer.Input) (bool, error) {
		c := candidate{path: in.Path, id: filepath.Base(in.Path), hang: in.Failure == libfuzzer.Hang}
		c.run = func(ctx context.Context, on FuzzBuilds) (trial.Result, error) {
			return h.Runner.Try(ctx, on.Targets[h.target.Name].Executable, in.Path, h.Timeout)
		}
		if h.Budget.Timed() { // otherwise the clock has no part in the result
			c.elapsed = in.Elapsed.Round(time.Millisecond)
		}
		if c.hang {
			hangs++
		}
		err := h.judge(ctx, c)
		return h.res.Tests > 0 || hangs == mostCandidates && s.Wall <= 0, err
	}
	for _, in := range h.inputs {
		if !in.Crash { // on the reference: what fails on both builds would only stop the fuzzer
			s.Seeds = append(s.Seeds, h.path(in))
		}
	}
	report, err := h.Runner.Run(ctx, s)
	if err != nil {
		return err
	}
	h.res.Fuzzed = &trial.Fuzzed{Execs: report.Execs, Wall: report.Wall}
	if h.res.Tests == 0 {
		if err := h.replay(ctx); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.Dir)
}

// replay replays the corpus on the plain buggy build and judges what fails there.
func (h *hunt) replay(ctx context.Context) error {
	job := h.replayJob(h.buggy.Plain, h.buggy.Targets[h.target.Name], h.inputs)
	job.MaxFailures = mostCandidates
	replayed, err := h.Runner.Replay(ctx, job)
	if err != nil {
		return err
	}
	for i, r := range replayed.Results {
		if r.Outcome == trial.OK {
			continue
		}
		in := h.inputs[i]
		c := candidate{path: h.path(in), id: "replay-" + in.SHA256, elapsed: in.Elapsed.Round(time.Millisecond), hang: r.Outcome == trial.Timeout}
		c.run = func(ctx context.Context, on FuzzBuilds) (trial.Result, error) {
			one, err := h.Runner.Replay(ctx, h.replayJob(on.Plain, on.Targets[h.target.Name], []trial.CorpusInput{in}))
			if err != nil {
				return trial.Result{}, err
			}
			return one.Results[0], nil
		}
		if err := h.judge(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// judge asks whether a candidate detects the bug (see detection.go): it is run n times on the builds without and with the
// bug, as long as nothing speaks against it. It adds up what became of it, and keeps it if it does.
func (h *hunt) judge(ctx context.Context, c candidate) error {
	if c.hang && slices.Contains(h.res.Oracles, trial.OracleHang) {
		return nil
	}
	seen := sighting{reaches: true}
	var first trial.Result // how it failed
	for n := 0; n < h.Repeats && !seen.failsWithout() && !slices.Contains(seen.with, trial.OK); n++ {
		good, err := c.run(ctx, h.fixed)
		if err != nil {
			return err
		}
		if seen.without = append(seen.without, good.Outcome); seen.failsWithout() {
			return nil
		}
		bad, err := c.run(ctx, h.buggy)
		if err != nil {
			return err
		}
		if seen.with = append(seen.with, bad.Outcome); n == 0 {
			first = bad
		}
	}
	if detects, _ := seen.judge(h.Repeats); !detects {
		h.res.Flaky++
		return nil
	}
	kept := filepath.Join(h.dir, c.id)
	data, err := os.ReadFile(c.path)
	if err := errors.Join(err, os.MkdirAll(h.dir, 0o755), os.WriteFile(kept, data, 0o644)); err != nil {
		return err
	}
	file, err := filepath.Rel(h.CellDir, kept)
	if err != nil {
		return err
	}
	how := endingOf(first)
	ref := trial.TestReference{ID: h.target.Name + "/" + c.id, File: file, Outcome: how.Outcome, Oracle: trial.OracleCrash,
		Signal: how.Signal, Elapsed: c.elapsed, Detail: how.Detail}
	if how.Outcome == trial.Timeout {
		ref.Oracle = trial.OracleHang
	}
	h.res.Tests++
	h.res.Oracles = append(h.res.Oracles, ref.Oracle)
	h.res.First = append(h.res.First, ref)
	return nil
}
