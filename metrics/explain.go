package metrics

import (
	"context"
	"fmt"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Observer tells what tests get through the API of a library.
type Observer interface {
	// Observe compares what programs get on two builds, in each of repeats runs; limits are of their processor time on
	// changed. If no program's values can be read, why is the reason; it is asked of no programs too.
	Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, limits []time.Duration, repeats int) (seen []Observation, why string, err error)
}

// An Observation is what a program gets on a build that is not the one on which its values were recorded.
type Observation struct {
	Differs    bool // it gets another value, or ends otherwise
	Unobserved bool // its values cannot be read: it differs if it ends otherwise
}

// explain says of each bug how far it came. The tests that detect it are among those that propagate it.
func (e *Programs) explain(ctx context.Context, s *suite) error {
	if e.Observer == nil {
		return nil
	}
	for k, bug := range e.Bugs {
		if s.rec.Bugs[k].Missing != nil {
			continue
		}
		steps, missing, err := try(ctx, e.Log, "steps of "+bug.ID, func() (trial.BugSteps, error) { return e.steps(ctx, s, bug) })
		if err != nil {
			return fmt.Errorf("bug %s: %w", bug.ID, err)
		}
		if missing != nil {
			steps = trial.BugSteps{Missing: missing}
		}
		s.rec.Bugs[k].Steps = &steps
	}
	return nil
}

// steps counts the tests that pass without the bug and execute a function that it changes, and those of them that get
// another value with it.
func (e *Programs) steps(ctx context.Context, s *suite, bug Bug) (steps trial.BugSteps, err error) {
	passing := s.passing()
	if len(passing) == 0 {
		return steps, nil
	}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		return steps, as(trial.ReasonBuild, err)
	}
	change := e.change(ctx, s, bug.ID, buggy)
	if !change.known {
		steps.Anywhere = "what the tests execute is not known"
	} else {
		steps.Anywhere = change.reach.Everything
	}
	reaching := where(passing, change.canTell)
	key := e.key("steps", []*libbuild.Build{fixed, buggy}, reaching)
	if known, err := e.get(key, &steps); known || err != nil {
		return steps, err
	}
	limits := make([]time.Duration, len(reaching))
	for i, t := range reaching {
		limits[i] = t.limit()
	}
	seen, why, err := e.Observer.Observe(ctx, fixed, buggy, programsOf(reaching), limits, e.Repeats)
	if err != nil {
		return trial.BugSteps{}, as(trial.ReasonSandbox, err)
	}
	steps.Reached, steps.Why = len(reaching), why
	for _, o := range seen {
		if o.Differs {
			steps.Propagated++
		}
		if o.Unobserved {
			steps.Unobserved++
		}
	}
	return steps, e.put(key, steps)
}
