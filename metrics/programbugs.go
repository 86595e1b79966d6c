package metrics

import (
	"context"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/touched"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/internal/verdicts"
)

// A bug that hangs hangs many tests, each for the whole timeout. The first look at a bug
// goes in chunks and ends after the chunk in which so many have hung.
const (
	hangChunk  = 50 // programs
	hangsTried = 4
)

// plainTries is how many of a bug's detecting tests are tried the plain way before all of
// them are dropped.
const plainTries = 3

// bug looks for one bug with the programs that pass on the reference build. Only those are run that
// can tell the buggy build from it; the others pass there too.
func (e *Programs) bug(ctx context.Context, bug Bug, entries []trial.SuiteEntry, programs []trial.Program, passing []int, traces []touched.Trace) (trial.BugResult, error) {
	res := trial.BugResult{Bug: bug.ID}
	if len(passing) == 0 { // nothing can detect it: it need not be built
		return res, nil
	}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		return res, as(trial.ReasonBuild, err)
	}
	on := sides{fixed: fixed, buggy: buggy}
	failing, how, untried, err := e.failing(ctx, buggy, programs, passing, e.canTell(ctx, bug.ID, buggy, traces))
	if err != nil {
		return res, err
	}
	res.Untried = untried
	found, err := e.settled(ctx, on, programs, failing)
	if err != nil {
		return res, err
	}
	res.Detected, res.Tests, res.Unstable = len(found.Detecting) > 0, len(found.Detecting), found.Unstable
	for _, k := range found.Detecting {
		i := failing[k]
		ref := referTo(entries[i], programs[i], how[i])
		res.Oracles = append(res.Oracles, ref.Oracle)
		if a := ref.Assertion; a != nil && ref.Oracle == trial.OracleSpecification {
			res.Failed = append(res.Failed, trial.FailedLine{Test: ref.ID, Line: a.Line, Expr: a.Expr})
		}
		if len(res.First) < firstReferences {
			res.First = append(res.First, ref)
		}
	}
	slices.Sort(res.Oracles)
	for _, o := range res.Oracles {
		if n := len(res.Classes); n > 0 && res.Classes[n-1].Oracle == o {
			res.Classes[n-1].Tests++
		} else {
			res.Classes = append(res.Classes, trial.ClassCount{Oracle: o, Tests: 1})
		}
	}
	res.Oracles = slices.Compact(res.Oracles)
	return res, nil
}

// sides are the builds without and with a bug.
type sides struct{ fixed, buggy *libbuild.Build }

// A settlement is what becomes of programs that have failed on a buggy build once.
type settlement struct {
	Detecting []int `json:"detecting"` // those that detect the bug, by their places among these programs
	Unstable  int   `json:"unstable"`  // those that did not fail again, or not stand-alone
}

// settle decides which of the programs that have failed on the buggy build detect the bug.
func (e *Programs) settle(ctx context.Context, on sides, programs []trial.Program, failing []int) (settlement, error) {
	stable, unstable, err := e.repeat(ctx, on, programs, failing)
	if err != nil {
		return settlement{}, err
	}
	detecting, err := e.confirm(ctx, on, programs, stable)
	s := settlement{Unstable: unstable + len(stable) - len(detecting)}
	for _, i := range detecting {
		s.Detecting = append(s.Detecting, slices.Index(failing, i))
	}
	return s, err
}

// settled is settle, once for the same programs.
func (e *Programs) settled(ctx context.Context, on sides, programs []trial.Program, failing []int) (settlement, error) {
	if len(failing) == 0 {
		return settlement{}, nil
	}
	table, err := e.table("bug", on.fixed, on.buggy)
	if err != nil {
		return settlement{}, err
	}
	var keys []string
	for _, i := range failing {
		keys = append(keys, e.keys[i])
	}
	key := ""
	if !slices.Contains(keys, "") {
		key = verdicts.Key(keys)
	}
	s, known, err := recall[settlement](table, key)
	if known || err != nil {
		return s, err
	}
	if s, err = e.settle(ctx, on, programs, failing); err != nil {
		return s, err
	}
	return s, keepAll(table, map[string]any{key: s})
}

// failing returns the programs that fail on the buggy build and how, and how many were not
// tried after too many hangs. A program that does not compile there (a pair's older API)
// says nothing about the bug. The chunks after which hangs are counted are those of all programs,
// so that the same ones are tried whatever is selected.
func (e *Programs) failing(ctx context.Context, buggy *libbuild.Build, programs []trial.Program, passing []int, canTell func(i int) bool) (failing []int, how map[int]verdict, untried int, err error) {
	how = map[int]verdict{}
	table, err := e.table("look", buggy)
	if err != nil {
		return nil, nil, 0, err
	}
	next, hangs := 0, 0
	for next < len(passing) && hangs < hangsTried {
		kept := map[string]any{}
		var selected []int // of so many chunks that they keep the workers busy
		end := next
		for end < len(passing) && len(selected) < hangChunk {
			chunk := passing[end:min(end+hangChunk, len(passing))]
			end += len(chunk)
			for _, i := range chunk {
				v, known, err := recall[verdict](table, e.keys[i])
				if err != nil {
					return nil, nil, 0, err
				}
				if known {
					how[i] = v.renamed(nameless, fileOf(programs[i]))
				} else if canTell(i) {
					selected = append(selected, i)
				} else {
					kept[e.keys[i]] = verdict{Outcome: trial.OK}
				}
			}
		}
		if _, err := e.keep(ctx, buggy, programs, selected, func(i int, r trial.Result) bool {
			if how[i] = toVerdict(r); lasting(r) {
				kept[e.keys[i]] = how[i].renamed(fileOf(programs[i]), nameless)
			}
			return true
		}); err != nil {
			return nil, nil, 0, err
		}
		if err := keepAll(table, kept); err != nil {
			return nil, nil, 0, err
		}
		for next < end && hangs < hangsTried {
			chunk := passing[next:min(next+hangChunk, end)]
			next += len(chunk)
			for _, i := range chunk {
				switch v, ran := how[i]; {
				case !ran || !failed(v.Outcome):
				case v.Outcome == trial.Timeout:
					hangs++
					fallthrough
				default:
					failing = append(failing, i)
				}
			}
		}
	}
	return failing, how, len(passing) - next, nil
}

// repeat applies the repeat rule to programs that have failed on the buggy build once: a
// test detects a bug if it fails on the buggy build and passes on the fixed one in each of
// n runs. It returns those tests, and how many did not fail on the buggy build again. A
// test that does not pass on the fixed build says nothing about the bug, whatever it does
// on the other.
func (e *Programs) repeat(ctx context.Context, on sides, programs []trial.Program, failing []int) (stable []int, unstable int, err error) {
	left := failing
	for n := 0; n < e.Repeats && len(left) > 0; n++ {
		if n > 0 {
			before := len(left)
			if left, err = e.keep(ctx, on.buggy, programs, left, func(_ int, r trial.Result) bool { return fails(r) }); err != nil {
				return nil, 0, err
			}
			unstable += before - len(left)
		}
		left, err = e.keep(ctx, on.fixed, programs, left, func(_ int, r trial.Result) bool { return r.Outcome == trial.OK })
		if err != nil {
			return nil, 0, err
		}
	}
	return left, unstable, nil
}

// keep runs programs once on a build and returns the indexes of those whose result is good.
func (e *Programs) keep(ctx context.Context, b *libbuild.Build, programs []trial.Program, indexes []int, good func(i int, r trial.Result) bool) ([]int, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	results, err := e.Runner.Run(ctx, b, pick(programs, indexes), testrun.Options{})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	var kept []int
	for k, i := range indexes {
		if good(i, results[k]) {
			kept = append(kept, i)
		}
	}
	return kept, nil
}

func fails(r trial.Result) bool { return failed(r.Outcome) }

func failed(o trial.Outcome) bool { return o.Compiled() && o != trial.OK }

// confirm drops tests from the front until one detects the bug stand-alone too, without any
// of the short cuts; all of them if the first few do not.
func (e *Programs) confirm(ctx context.Context, on sides, programs []trial.Program, stable []int) ([]int, error) {
	for range min(plainTries, len(stable)) {
		p := programs[stable[0]]
		good, err := e.Runner.Plain(ctx, on.fixed, p, testrun.PlainOptions{})
		if err != nil {
			return nil, as(trial.ReasonSandbox, err)
		}
		bad, err := e.Runner.Plain(ctx, on.buggy, p, testrun.PlainOptions{})
		if err != nil {
			return nil, as(trial.ReasonSandbox, err)
		}
		if good[0].Outcome == trial.OK && fails(bad[0]) {
			return stable, nil
		}
		stable = stable[1:]
	}
	return nil, nil
}
