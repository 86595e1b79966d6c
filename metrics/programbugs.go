package metrics

import (
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/exec/verdicts"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A bug that hangs hangs many tests, each for all the time that it has. The first look at a bug
// goes in chunks and ends after the chunk in which so many have hung.
const (
	hangChunk  = 50 // programs
	hangsTried = 4
)

// plainTries is how many of a bug's detecting tests are tried the plain way before all of
// them are dropped.
const plainTries = 3

// A bugVerdict is what is remembered of a suite's tests on one bug.
type bugVerdict struct {
	Untried   int         `json:"untried,omitempty"`
	Detecting []detecting `json:"detecting,omitempty"` // in the order of the suite
	Unstable  []int       `json:"unstable,omitempty"`  // by index
	Flaky     []int       `json:"flaky,omitempty"`     // failed on a fixed build, and passed it before
	Dependent []int       `json:"dependent,omitempty"` // fail on builds that behave as the reference
	Distant   []int       `json:"distant,omitempty"`   // fail, and have executed nothing that the bug changes
}

// A detecting test is one that detects a bug.
type detecting struct {
	Index   int     `json:"index"`
	Verdict verdict `json:"verdict"`       // on the buggy build
	Rep     bool    `json:"rep,omitempty"` // ran on all builds that chance is held against
}

// bug looks for one bug with the programs that pass on the reference build. Only those are run that
// can tell the buggy build from it, unless all are asked for; the others pass there too. What fails
// without having executed anything that the bug changes does not detect it.
func (e *Programs) bug(ctx context.Context, bug Bug, entries []trial.SuiteEntry, programs []trial.Program, passing []int, runs []execution) (v bugVerdict, err error) {
	if len(passing) == 0 { // nothing can detect it: it need not be built
		return v, nil
	}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		return v, as(trial.ReasonBuild, err)
	}
	on := sides{fixed: fixed, buggy: buggy}
	bearing := e.bearing(ctx, bug.ID, buggy, runs)
	canTell := bearing.canTell
	if e.RunAll {
		canTell = func(int) bool { return true }
	}
	failing, how, untried, err := e.failing(ctx, buggy, programs, passing, canTell)
	if err != nil {
		return v, err
	}
	for _, i := range failing {
		if !bearing.wasThere(i) {
			v.Distant = append(v.Distant, i)
		}
	}
	failing = slices.DeleteFunc(failing, func(i int) bool { return slices.Contains(v.Distant, i) })
	c := &confirmation{Programs: e, bug: bug, on: on, programs: programs, how: how,
		oracle: func(i int) trial.OracleClass { return referTo(entries[i], programs[i], how[i]).Oracle }}
	found, err := e.settled(ctx, c, failing)
	if err != nil {
		return v, err
	}
	at := func(places []int) (tests []int) {
		for _, k := range places {
			tests = append(tests, failing[k])
		}
		return tests
	}
	v.Untried, v.Unstable, v.Flaky, v.Dependent = untried, at(found.Unstable), at(found.Flaky), at(found.Dependent)
	reps := at(found.Reps)
	for n, i := range at(found.Detecting) {
		d := detecting{Index: i, Verdict: how[i], Rep: slices.Contains(reps, i)}
		if n >= 2*firstReferences { // what is not shown
			d.Verdict.Detail = ""
		}
		v.Detecting = append(v.Detecting, d)
	}
	return v, nil
}

// result makes the record of a bug of what its tests did. A test that was flaky on any bug, or
// depends on the build there, detects none.
func (v bugVerdict) result(bug string, entries []trial.SuiteEntry, programs []trial.Program, barred map[int]bool) trial.BugResult {
	res := trial.BugResult{Bug: bug, Untried: v.Untried, Unstable: len(v.Unstable), Dependent: len(v.Dependent), Distant: len(v.Distant)}
	kept := map[trial.OracleClass]bool{} // by a test that is not barred
	refer := func(d detecting) trial.TestReference { return referTo(entries[d.Index], programs[d.Index], d.Verdict) }
	for _, d := range v.Detecting {
		if d.Rep && !barred[d.Index] {
			kept[refer(d).Oracle] = true
		}
	}
	for _, d := range v.Detecting {
		ref := refer(d)
		if barred[d.Index] || !kept[ref.Oracle] {
			res.Unstable++
			continue
		}
		res.Detected, res.Tests = true, res.Tests+1
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
	return res
}

// sides are the builds without and with a bug.
type sides struct{ fixed, buggy *libbuild.Build }

// A settlement is what becomes of programs that have failed on a buggy build once, by their places
// among these.
type settlement struct {
	Detecting []int `json:"detecting,omitempty"`
	Reps      []int `json:"reps,omitempty"` // of these, those that stand for their class
	Unstable  []int `json:"unstable,omitempty"`
	Flaky     []int `json:"flaky,omitempty"`
	Dependent []int `json:"dependent,omitempty"`
}

// settled confirms programs that have failed on the buggy build, once for the same programs and the
// same number of builds.
func (e *Programs) settled(ctx context.Context, c *confirmation, failing []int) (s settlement, err error) {
	if len(failing) == 0 {
		return s, nil
	}
	table, err := e.table("bug", c.on.fixed, c.on.buggy)
	if err != nil {
		return s, err
	}
	keys := []string{fmt.Sprint(drawsFor(len(c.programs), len(e.Bugs)))}
	for _, i := range failing {
		keys = append(keys, e.looks[i])
	}
	key := ""
	if !slices.Contains(keys, "") {
		key = verdicts.Key(keys)
	}
	s, known, err := recall[settlement](table, key)
	if known || err != nil {
		return s, err
	}
	if err = c.confirm(ctx, failing); err != nil {
		return s, err
	}
	places := func(tests []int) (places []int) {
		for _, i := range tests {
			places = append(places, slices.Index(failing, i))
		}
		return places
	}
	s = settlement{places(c.stable), places(c.reps), places(c.unstable), places(c.flaky), places(c.dependent)}
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
			known, fresh, err := recallAll[verdict](table, e.looks, chunk)
			if err != nil {
				return nil, nil, 0, err
			}
			for i, v := range known {
				how[i] = v.renamed(nameless, fileOf(programs[i]))
			}
			for _, i := range fresh {
				if canTell(i) {
					selected = append(selected, i)
				} else {
					kept[e.looks[i]] = verdict{Outcome: trial.OK}
				}
			}
		}
		results, err := e.Runner.Run(ctx, buggy, pick(programs, selected), testrun.Options{CPU: pick(e.limits, selected)})
		if err != nil {
			return nil, nil, 0, as(trial.ReasonSandbox, err)
		}
		for k, i := range selected {
			if how[i] = toVerdict(results[k]); lasting(results[k]) {
				kept[e.looks[i]] = how[i].renamed(fileOf(programs[i]), nameless)
			}
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

func fails(r trial.Result) bool { return failed(r.Outcome) }

func failed(o trial.Outcome) bool { return o.Compiled() && o != trial.OK }
