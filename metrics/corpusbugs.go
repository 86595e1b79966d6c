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
	res := trial.BugResult{Bug: bug.ID}
	if e.targets() == 0 {
		res.Missing = &trial.Reason{Kind: trial.ReasonBuild, Message: "no fuzz target could be had here"}
		return res, nil
	}
	builds := sync.OnceValues(func() (both, error) {
		fixed, buggy, err := bug.Builds(ctx)
		return both{fixed: fixed, buggy: buggy}, as(trial.ReasonBuild, err)
	})
	turn := 0
	for _, target := range e.Targets {
		if target.Missing != "" || res.Detected {
			continue
		}
		share := e.share(res.Fuzzed, turn)
		turn++
		own := slices.DeleteFunc(slices.Clone(inputs), func(in trial.CorpusInput) bool { return in.Target != target.Name })
		part, missing, err := try(ctx, e.Log, "bug "+bug.ID+" with "+target.Name, func() (found trial.BugResult, err error) {
			key := store.Key("fuzzed", e.Key, bug.ID, bug.Key, target.Name, len(e.Bugs))
			if known, err := e.Store.Get(key, &found); known || err != nil {
				return found, err
			}
			on, err := builds()
			if err != nil {
				return found, err
			}
			on.target = target.Name
			if found, err = e.bugTarget(ctx, bug.ID, target, on, own, share); err != nil {
				return found, as(trial.ReasonSandbox, err)
			}
			return found, e.Store.Put(key, found)
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
		if res.Fuzzed == nil {
			res.Fuzzed = &trial.Fuzzed{}
		}
		res.Fuzzed.Execs += part.Fuzzed.Execs
		res.Fuzzed.Wall += part.Fuzzed.Wall
	}
	slices.Sort(res.Oracles)
	res.Oracles = slices.Compact(res.Oracles)
	res.First = res.First[:min(len(res.First), firstReferences)]
	return res, nil
}

// A turn is what one target may spend on a buggy build, after what those before it did.
type turn struct {
	execs        int64
	wall, before time.Duration
}

// share is the budget of the n-th turn, from 0, after what the others spent. Like those of the generation, the
// parts are windows of the whole: what one target leaves is the next one's.
func (e *Corpus) share(spent *trial.Fuzzed, n int) turn {
	if spent == nil {
		spent = &trial.Fuzzed{}
	}
	left := func(budget, spent int64) int64 { // 0, no limit, stays 0
		return min(budget, max(1, budget/int64(len(e.Bugs))*int64(n+1)/int64(e.targets())-spent))
	}
	return turn{
		execs:  left(e.Budget.Execs, spent.Execs),
		wall:   time.Duration(left(int64(cmp.Or(e.Budget.Wall, e.Budget.CPU, e.Budget.Time)), int64(spent.Wall))),
		before: e.Generated + spent.Wall,
	}
}

// both is a target on the tree without and on the tree with a bug.
type both struct {
	fixed, buggy FuzzBuilds
	target       string
}

// A candidate is an input that failed once on the buggy build.
type candidate struct {
	path    string
	id      string        // unique within the target; the name under which it is kept
	elapsed time.Duration // when it was found, on the clock of the cell's generation
	hang    bool          // it failed by time
	run     tryFunc
}

// A tryFunc runs a candidate on one tree's builds, always in the form in which it failed.
type tryFunc func(ctx context.Context, on FuzzBuilds) (trial.Result, error)

// bugTarget looks for one bug with one target and keeps the inputs that detect it.
func (e *Corpus) bugTarget(ctx context.Context, bug string, target trial.FuzzTarget, on both, inputs []trial.CorpusInput, share turn) (trial.BugResult, error) {
	dir := filepath.Join(e.CellDir, "evaluation", bug, target.Name)
	session := filepath.Join(e.CellDir, "evaluation", "session")
	for _, d := range []string{dir, session} { // what a killed evaluation left
		if err := os.RemoveAll(d); err != nil {
			return trial.BugResult{}, err
		}
	}
	var res trial.BugResult
	if err := e.fuzzBuggy(ctx, bug, target, on, inputs, share, session, dir, &res); err != nil {
		return res, err
	}
	if res.Tests == 0 {
		replayed, err := e.replayBuggy(ctx, on, inputs)
		if err != nil {
			return res, err
		}
		if err := e.judge(ctx, on, dir, &res, replayed...); err != nil {
			return res, err
		}
	}
	return res, os.RemoveAll(session)
}

// judge runs candidates n times on the builds without and with the bug, adds up in res what became of them, and keeps
// those that detect the bug in dir.
func (e *Corpus) judge(ctx context.Context, on both, dir string, res *trial.BugResult, candidates ...candidate) error {
	for _, c := range candidates {
		if c.hang && slices.Contains(res.Oracles, trial.OracleHang) {
			continue
		}
		how, detects, err := e.repeat(ctx, on, c)
		switch {
		case err != nil:
			return err
		case how.Outcome == trial.OK: // it fails without the bug too
			continue
		case !detects:
			res.Flaky++
			continue
		}
		kept := filepath.Join(dir, c.id)
		if err := keepFile(c.path, kept); err != nil {
			return err
		}
		ref, err := e.referToInput(kept, on.target+"/"+c.id, c.elapsed, how)
		if err != nil {
			return err
		}
		res.Tests++
		res.Oracles = append(res.Oracles, ref.Oracle)
		res.First = append(res.First, ref)
	}
	return nil
}

// repeat asks whether a candidate detects the bug (see detection.go), as long as nothing speaks against it. how is how
// it first failed; OK if it ever fails without the bug.
func (e *Corpus) repeat(ctx context.Context, on both, c candidate) (how trial.Result, detects bool, err error) {
	seen := sighting{reaches: true}
	for n := range e.Repeats {
		good, err := c.run(ctx, on.fixed)
		if err != nil {
			return how, false, err
		}
		if seen.without = append(seen.without, good.Outcome); seen.failsWithout() {
			return trial.Result{Outcome: trial.OK}, false, nil
		}
		bad, err := c.run(ctx, on.buggy)
		if err != nil {
			return how, false, err
		}
		if n == 0 {
			how = bad
		}
		if bad.Outcome == trial.OK {
			return trial.Result{Outcome: trial.Flaky}, false, nil
		}
		seen.with = append(seen.with, bad.Outcome)
	}
	detects, _ = seen.judge(e.Repeats)
	return how, detects, nil
}

// fuzzBuggy fuzzes the buggy build until an input detects the bug, in the form in which it was found, the
// libFuzzer executable, or the turn is over. It adds up in res what came of it and what it took.
func (e *Corpus) fuzzBuggy(ctx context.Context, bug string, target trial.FuzzTarget, on both, inputs []trial.CorpusInput, share turn, session, dir string, res *trial.BugResult) error {
	s := libfuzzer.Session{
		Executable:  on.buggy.Targets[on.target].Executable,
		Seed:        e.Seed.Derive("bug " + bug + " " + on.target),
		Execs:       share.execs,
		Wall:        share.wall,
		Before:      share.before,
		UnitTimeout: e.Timeout,
		Dictionary:  target.Dictionary,
		Options:     target.Options,
		Dir:         session,
	}
	hangs := 0
	s.Enough = func(ctx context.Context, in libfuzzer.Input) (bool, error) {
		err := e.judge(ctx, on, dir, res, e.foundByFuzzing(target, in))
		if in.Failure == libfuzzer.Hang {
			hangs++
		}
		return res.Tests > 0 || hangs == mostCandidates && s.Wall <= 0, err
	}
	for _, in := range inputs {
		if !in.Crash { // on the reference: what fails on both builds would only stop the fuzzer
			s.Seeds = append(s.Seeds, e.path(in))
		}
	}
	report, err := e.Runner.Run(ctx, s)
	if err != nil {
		return err
	}
	res.Fuzzed = &trial.Fuzzed{Execs: report.Execs, Wall: report.Wall}
	return nil
}

// foundByFuzzing is an input that fails on the buggy build.
func (e *Corpus) foundByFuzzing(target trial.FuzzTarget, in libfuzzer.Input) candidate {
	c := candidate{path: in.Path, id: filepath.Base(in.Path), hang: in.Failure == libfuzzer.Hang, run: func(ctx context.Context, on FuzzBuilds) (trial.Result, error) {
		return e.Runner.Try(ctx, on.Targets[target.Name].Executable, in.Path, e.Timeout)
	}}
	if e.Budget.Timed() { // otherwise the clock has no part in the result
		c.elapsed = in.Elapsed.Round(time.Millisecond)
	}
	return c
}

// replayBuggy replays the corpus on the plain buggy build and returns what fails there.
func (e *Corpus) replayBuggy(ctx context.Context, on both, inputs []trial.CorpusInput) ([]candidate, error) {
	job := e.replayJob(on.buggy.Plain, on.buggy.Targets[on.target], inputs)
	job.MaxFailures = mostCandidates
	replayed, err := e.Runner.Replay(ctx, job)
	if err != nil {
		return nil, err
	}
	var list []candidate
	for i, r := range replayed.Results {
		if r.Outcome == trial.OK {
			continue
		}
		list = append(list, candidate{
			path:    e.path(inputs[i]),
			id:      "replay-" + inputs[i].SHA256,
			elapsed: inputs[i].Elapsed.Round(time.Millisecond),
			hang:    r.Outcome == trial.Timeout,
			run: func(ctx context.Context, tree FuzzBuilds) (trial.Result, error) {
				one, err := e.Runner.Replay(ctx, e.replayJob(tree.Plain, tree.Targets[on.target], inputs[i:i+1]))
				if err != nil {
					return trial.Result{}, err
				}
				return one.Results[0], nil
			},
		})
	}
	return list, nil
}

// referToInput describes how an input, kept at path, failed.
func (e *Corpus) referToInput(path, id string, elapsed time.Duration, how trial.Result) (trial.TestReference, error) {
	file, err := filepath.Rel(e.CellDir, path)
	if err != nil {
		return trial.TestReference{}, err
	}
	v := endingOf(how)
	ref := trial.TestReference{ID: id, File: file, Outcome: v.Outcome, Oracle: trial.OracleCrash,
		Signal: v.Signal, Elapsed: elapsed, Detail: v.Detail}
	if v.Outcome == trial.Timeout {
		ref.Oracle = trial.OracleHang
	}
	return ref, nil
}

// targets is how many targets can be run.
func (e *Corpus) targets() int {
	n := 0
	for _, t := range e.Targets {
		if t.Missing == "" {
			n++
		}
	}
	return n
}

// keepFile copies a file into a directory that need not exist yet.
func keepFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644))
}
