package metrics

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/touched"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeSelector takes each counter for a function; buggy builds touch the function 1.
type fakeSelector struct{ err error }

func (fakeSelector) Trace(_ *libbuild.Build, counters []uint64) (touched.Trace, error) {
	if counters == nil {
		return nil, nil
	}
	t := touched.Trace{0}
	for i, n := range counters {
		if n > 0 {
			t[0] |= 1 << i
		}
	}
	return t, nil
}

func (s fakeSelector) Reach(ref, changed, cov *libbuild.Build) (touched.Reach, error) {
	return touched.Reach{Touched: touched.Trace{1 << 1}}, s.err
}

func TestOnlyTestsThatCanTellAreRun(t *testing.T) {
	const reaches, not, unknown = "01", "02", ""
	for _, tt := range []struct {
		name     string
		sources  []string
		script   map[string][]trial.Outcome
		selector Selector
		runs     int // on the buggy build, the first time
	}{
		{"one reaches what differs", []string{reaches, not, not}, nil, fakeSelector{}, 1},
		{"none does", []string{not, not}, nil, fakeSelector{}, 0},
		{"what one executes is not known", []string{unknown, not}, nil, fakeSelector{}, 1},
		{"one is cut short on the coverage build", []string{not, not}, map[string][]trial.Outcome{"cov a": {trial.Timeout}}, fakeSelector{}, 1},
		{"what differs is not known", []string{not, not}, nil, fakeSelector{errors.New("no archive")}, 2},
		{"nothing is selected", []string{not, not}, nil, nil, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: tt.script}
			e, entries, programs := newPrograms(f, tt.sources...)
			e.Selector = tt.selector
			evaluate(t, e, entries, programs)
			if got := f.runs - 2*len(programs); got != tt.runs {
				t.Errorf("%d runs on the buggy build, want %d", got, tt.runs)
			}
		})
	}
}

// TestSelectionChangesNoRecord: tests that can tell fail or hang here and there, among many that
// cannot.
func TestSelectionChangesNoRecord(t *testing.T) {
	var recs []*trial.Record
	for _, s := range []Selector{nil, fakeSelector{}} {
		f := &fakeTests{script: map[string][]trial.Outcome{}}
		e, entries, programs := newPrograms(f, slices.Repeat([]string{"02"}, 400)...)
		e.Selector = s
		for i := range programs {
			if i%7 == 0 {
				programs[i].Source = "01"
			}
			if i%35 == 0 {
				f.script["bug "+programs[i].ID] = []trial.Outcome{trial.Assertion}
			}
			if i%84 == 0 {
				f.script["bug "+programs[i].ID] = []trial.Outcome{trial.Timeout}
			}
		}
		recs = append(recs, evaluate(t, e, entries, programs))
	}
	if b := recs[0].Bugs[0]; b.Tests == 0 || b.Untried == 0 || !reflect.DeepEqual(b, recs[1].Bugs[0]) {
		t.Errorf("all run: %+v\nselected: %+v", b, recs[1].Bugs[0])
	}
}
