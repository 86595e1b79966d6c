package metrics

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostCandidates is how many failing inputs of one bug, target and form are put to the
// repeat rule, and of those that hang only until one passes it, for each hang costs n
// timeouts. A fuzzer finds the same failure over and over: BugResult.Tests says little.
const mostCandidates = 4

// bug looks for one bug with every target.
//
// The paper does not say how a fuzzing corpus is held against a buggy build. Here the
// fuzzer gets the cell's budget once more, divided evenly over the bugs and again over the
// targets, to fuzz each buggy build, starting from the corpus that it found on the
// reference. What fails there is a candidate for the repeat rule, run as it was found. If
// nothing comes of it, the corpus itself is replayed without the sanitizer, which can hide
// a failure, and the repeat rule applied in that form. A fuzzer has no oracle but crash
// and hang. A bug that one target could not be asked about was not checked.
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
	for _, target := range e.Targets {
		if target.Missing != "" {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(inputs), func(in trial.CorpusInput) bool { return in.Target != target.Name })
		part, missing, err := try(ctx, e.Memo, e.Log, "bug:"+bug.ID+":"+target.Name, func() (trial.BugResult, error) {
			on, err := builds()
			if err != nil {
				return trial.BugResult{}, err
			}
			on.target = target.Name
			found, err := e.bugTarget(ctx, bug.ID, target, on, own)
			return found, as(trial.ReasonSandbox, err)
		})
		if err != nil {
			return res, fmt.Errorf("target %s: %w", target.Name, err)
		}
		if missing != nil {
			return trial.BugResult{Bug: bug.ID, Missing: missing}, nil
		}
		res.Tests += part.Tests
		res.Unstable += part.Unstable
		res.Oracles = append(res.Oracles, part.Oracles...)
		res.First = append(res.First, part.First...)
	}
	slices.Sort(res.Oracles)
	res.Oracles = slices.Compact(res.Oracles)
	res.First = res.First[:min(len(res.First), firstReferences)]
	res.Detected = res.Tests > 0
	return res, nil
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
	elapsed time.Duration // in the session on the buggy build, or the corpus input's
	hang    bool          // it failed by time
	run     tryFunc
}

// A tryFunc runs a candidate on one tree's builds, always in the form in which it failed.
type tryFunc func(ctx context.Context, on FuzzBuilds) (trial.Result, error)

// bugTarget looks for one bug with one target and keeps the inputs that detect it.
func (e *Corpus) bugTarget(ctx context.Context, bug string, target trial.FuzzTarget, on both, inputs []trial.CorpusInput) (trial.BugResult, error) {
	dir := filepath.Join(e.CellDir, "evaluation", bug, target.Name)
	session := filepath.Join(e.CellDir, "evaluation", "session")
	for _, d := range []string{dir, session} { // what a killed evaluation left
		if err := os.RemoveAll(d); err != nil {
			return trial.BugResult{}, err
		}
	}
	found, err := e.fuzzBuggy(ctx, bug, target, on, inputs, session)
	if err != nil {
		return trial.BugResult{}, err
	}
	var res trial.BugResult
	if err := e.judge(ctx, on, found, dir, &res); err != nil {
		return res, err
	}
	if res.Tests == 0 {
		replayed, err := e.replayBuggy(ctx, on, inputs)
		if err != nil {
			return res, err
		}
		if err := e.judge(ctx, on, replayed, dir, &res); err != nil {
			return res, err
		}
	}
	return res, os.RemoveAll(session)
}

// judge puts candidates to the repeat rule, adds them up in res and keeps those that detect
// the bug in dir.
func (e *Corpus) judge(ctx context.Context, on both, candidates []candidate, dir string, res *trial.BugResult) error {
	for _, c := range candidates {
		if c.hang && slices.Contains(res.Oracles, trial.OracleHang) {
			continue
		}
		how, err := e.repeat(ctx, on, c)
		switch {
		case err != nil:
			return err
		case how.Outcome == trial.OK: // fails on the fixed build too
			continue
		case how.Outcome == trial.Flaky:
			res.Unstable++
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

// fuzzBuggy fuzzes the buggy build and returns the failures as candidates, in the form in
// which they were found: the libFuzzer executable.
func (e *Corpus) fuzzBuggy(ctx context.Context, bug string, target trial.FuzzTarget, on both, inputs []trial.CorpusInput, dir string) ([]candidate, error) {
	share := func(n int64) int64 { // 0, no limit, stays 0
		return min(n, max(1, n/int64(len(e.Bugs)*e.targets())))
	}
	s := libfuzzer.Session{
		Executable:  on.buggy.Targets[on.target].Executable,
		Seed:        e.Seed.Derive("bug " + bug + " " + on.target),
		Execs:       share(e.Budget.Programs),
		Wall:        time.Duration(share(int64(cmp.Or(e.Budget.Wall, e.Budget.CPU)))),
		UnitTimeout: e.Timeout,
		Dictionary:  target.Dictionary,
		Options:     target.Options,
		MaxFindings: mostCandidates,
		Dir:         dir,
	}
	for _, in := range inputs {
		s.Seeds = append(s.Seeds, e.path(in))
	}
	report, err := e.Runner.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	var list []candidate
	for _, in := range report.Inputs {
		if in.Failure == "" || len(list) == mostCandidates {
			continue
		}
		c := candidate{path: in.Path, id: filepath.Base(in.Path), hang: in.Failure == libfuzzer.Hang, run: func(ctx context.Context, on FuzzBuilds) (trial.Result, error) {
			return e.Runner.Try(ctx, on.Targets[target.Name].Executable, in.Path, e.Timeout)
		}}
		if e.Budget.Timed() { // otherwise the clock has no part in the result
			c.elapsed = in.Elapsed.Round(time.Millisecond)
		}
		list = append(list, c)
	}
	return list, nil
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

// repeat runs a candidate n times on the buggy and n times on the fixed build. It returns
// how it fails on the buggy one; Flaky if the runs there disagree; OK if it ever fails on
// the fixed one.
func (e *Corpus) repeat(ctx context.Context, on both, c candidate) (how trial.Result, err error) {
	for n := range e.Repeats {
		good, err := c.run(ctx, on.fixed)
		if err != nil {
			return how, err
		}
		if good.Outcome != trial.OK {
			return trial.Result{Outcome: trial.OK}, nil
		}
		bad, err := c.run(ctx, on.buggy)
		if err != nil {
			return how, err
		}
		if n == 0 {
			how = bad
		}
		if bad.Outcome == trial.OK || bad.Outcome != how.Outcome {
			return trial.Result{Outcome: trial.Flaky}, nil
		}
	}
	return how, nil
}

// referToInput describes how an input, kept at path, failed.
func (e *Corpus) referToInput(path, id string, elapsed time.Duration, how trial.Result) (trial.TestReference, error) {
	file, err := filepath.Rel(e.CellDir, path)
	if err != nil {
		return trial.TestReference{}, err
	}
	v := toVerdict(how)
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
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
