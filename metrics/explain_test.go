package metrics

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeObserver sees a difference in programs whose source ends in 3, and nothing of those that end in 4.
type fakeObserver struct {
	err error
	why string
	ids *[]string
}

func (o fakeObserver) Observe(_ context.Context, _, _ *libbuild.Build, programs []trial.Program, _ []time.Duration, _ int) (seen []Observation, why string, err error) {
	for _, p := range programs {
		*o.ids = append(*o.ids, p.ID)
		last := p.Source[len(p.Source)-1]
		seen = append(seen, Observation{last == '3', last == '4'})
	}
	return seen, o.why, o.err
}

func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		name     string
		sources  []string
		script   map[string][]trial.Outcome
		selector Selector
		err      error
		want     trial.BugSteps
		step     trial.Step
	}{
		{"no test reaches it", []string{"02", "2"}, nil, fakeSelector{}, nil, trial.BugSteps{}, trial.NotReached},
		{"nor would its values be observed", []string{"02", "2"}, nil, fakeSelector{}, nil, trial.BugSteps{Why: "it is in C++"}, trial.NotReached},
		{"reached and not propagated", []string{"01", "2"}, nil, fakeSelector{}, nil, trial.BugSteps{Reached: 1}, trial.Reached},
		{"propagated", []string{"013", "01", "014", "2"}, nil, fakeSelector{}, nil, trial.BugSteps{Reached: 3, Propagated: 1, Unobserved: 1}, trial.Propagated},
		{"all of one is not known", []string{"016"}, map[string][]trial.Outcome{"cov a": {trial.Timeout}}, fakeSelector{}, nil, trial.BugSteps{Reached: 1}, trial.Reached},
		{"revealed", []string{"013"}, map[string][]trial.Outcome{"bug a": {trial.Assertion}}, fakeSelector{}, nil, trial.BugSteps{Reached: 1, Propagated: 1}, trial.Revealed},
		{"tests that fail without the bug do not count", []string{"013", "2"}, map[string][]trial.Outcome{"ref a": {trial.Assertion}}, fakeSelector{}, nil, trial.BugSteps{}, trial.NotReached},
		{"what differs is not known", []string{"02", "2"}, nil, nil, nil, trial.BugSteps{Reached: 2, Anywhere: "what the tests execute is not known"}, trial.Reached},
		{"the sandbox breaks", []string{"01"}, nil, fakeSelector{}, errors.New("no room"),
			trial.BugSteps{Missing: &trial.Reason{Kind: trial.ReasonSandbox, Message: "no room"}}, trial.UnknownStep},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeTests{script: tt.script}
			e, entries, programs := newPrograms(f, tt.sources...)
			e.Selector = tt.selector
			var seen []string
			e.Observer = fakeObserver{tt.err, tt.want.Why, &seen}
			got := evaluate(t, e, entries, programs).Bugs[0]
			assert.Check(t, got.Steps != nil && reflect.DeepEqual(*got.Steps, tt.want) && got.Step() == tt.step,
				"got %+v, step %d, want %+v, step %d", got.Steps, got.Step(), tt.want, tt.step)
			if tt.err == nil && len(seen) != tt.want.Reached {
				t.Errorf("observed %v, of which %d reach the bug", seen, tt.want.Reached)
			}
		})
	}
}
