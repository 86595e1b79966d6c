package metrics

import (
	"errors"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeSelector takes each counter for a function, but for 7, which no code has; buggy builds touch the function 1.
type fakeSelector struct{ err error }

func (fakeSelector) Trace(_ *libbuild.Build, counters []uint64) (touched.Trace, bool, error) {
	if counters == nil {
		return nil, false, nil
	}
	t := make(touched.Trace, 8)
	for i, n := range counters[:min(len(counters), len(t))] {
		t[i] = n > 0
	}
	return t, t[7], nil
}

func (s fakeSelector) Reach(ref, changed, cov *libbuild.Build) (touched.Reach, error) {
	return touched.Reach{Touched: touched.Trace{false, true, false, false, false, false, false, false}}, s.err
}

func TestOnlyTestsThatCanTellAreRun(t *testing.T) {
	const reaches, not, unknown = "01", "02", ""
	for _, tt := range []struct {
		name     string
		sources  []string
		script   map[string][]trial.Outcome
		selector Selector
		all      bool
		runs     int // on the buggy build, the first time
	}{
		{"one reaches what differs", []string{reaches, not, not}, nil, fakeSelector{}, false, 1},
		{"none does", []string{not, not}, nil, fakeSelector{}, false, 0},
		{"what one executes is not known", []string{unknown, not}, nil, fakeSelector{}, false, 1},
		{"one is cut short on the coverage build", []string{not, not}, map[string][]trial.Outcome{"cov a": {trial.Timeout}}, fakeSelector{}, false, 1},
		{"what differs is not known", []string{not, not}, nil, fakeSelector{errors.New("no archive")}, false, 2},
		{"nothing is known", []string{not, not}, nil, nil, false, 2},
		{"all are run", []string{reaches, not}, nil, fakeSelector{}, true, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: tt.script}
			e, entries, programs := newPrograms(f, tt.sources...)
			e.Selector, e.RunAll = tt.selector, tt.all
			evaluate(t, e, entries, programs)
			if got := f.runs - 2*len(programs); got != tt.runs {
				t.Errorf("%d runs on the buggy build, want %d", got, tt.runs)
			}
		})
	}
}

// TestDetectionsAtADistanceDoNotCount: a test fails on the buggy build, and was not seen to execute
// what differs there.
func TestDetectionsAtADistanceDoNotCount(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		cov          trial.Outcome
		selector     Selector
		all          bool
		detected     bool
		flag         trial.Exclusion // "": none
	}{
		{"it was there", "01", trial.OK, fakeSelector{}, true, true, ""},
		{"it was not", "02", trial.OK, fakeSelector{}, true, false, trial.DoesNotReach},
		{"it is not even run", "02", trial.OK, fakeSelector{}, false, false, ""},
		{"it was there before it was cut short", "01", trial.Timeout, fakeSelector{}, false, true, ""},
		{"it fails on the coverage build, and was not seen there", "02", trial.NonzeroExit, fakeSelector{}, false, false, trial.DoesNotReach},
		{"only the plain way can run it", "", trial.OK, fakeSelector{}, false, true, ""},
		{"what differs is not known", "02", trial.OK, fakeSelector{errors.New("no archive")}, true, true, ""},
		{"nothing is known", "02", trial.OK, nil, false, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: map[string][]trial.Outcome{"cov a": {tt.cov}, "bug a": {trial.Assertion}}}
			e, entries, programs := newPrograms(f, tt.source)
			e.Selector, e.RunAll = tt.selector, tt.all
			rec := evaluate(t, e, entries, programs)
			flag := trial.Exclusion("")
			if len(rec.Flags) > 0 {
				flag = rec.Flags[0].Kind
			}
			if b := rec.Bugs[0]; b.Detected != tt.detected || flag != tt.flag || len(rec.Notes) != len(rec.Flags) || (b.DoesNotReach > 0) != (tt.flag != "") {
				t.Errorf("%+v, flags %+v, notes %q", b, rec.Flags, rec.Notes)
			}
		})
	}
}

// TestForgedCountersDetectNothing: what a program that has written to the counters executed is not known.
func TestForgedCountersDetectNothing(t *testing.T) {
	f := &fakeTests{script: map[string][]trial.Outcome{"bug a": {trial.Assertion}, "bug b": {trial.Assertion}}}
	e, entries, programs := newPrograms(f, "017", "1")
	e.Selector = fakeSelector{}
	rec := evaluate(t, e, entries, programs)
	if b := rec.Bugs[0]; b.Tests != 1 || b.First[0].ID != "b" || rec.Coverage.LinesCovered != 1 || len(rec.Flags) != 1 || rec.Flags[0].Kind != trial.ForgedCoverage {
		t.Errorf("%+v, %+v, flags %+v", b, rec.Coverage, rec.Flags)
	}
}
