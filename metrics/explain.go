package metrics

import (
	"context"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/build/touched"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Observer tells what tests get through the API of a library.
type Observer interface {
	// Observe compares two builds: differs[i] says whether programs[i] gets another value on changed than on
	// fixed, or ends differently, in each of repeats runs. If its values cannot be read, unobserved[i] is true. If
	// no program's values can be read, why is the reason. It is asked of no programs too: why then says that the
	// library's values never can be. limits are of each program's processor time on changed.
	Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, limits []time.Duration, repeats int) (differs, unobserved []bool, why string, err error)
}

// explain says how far a bug came. The programs that detect it are among those that propagate it.
func (e *Programs) explain(ctx context.Context, k int, programs []trial.Program, passing []int, runs []execution) (trial.BugSteps, error) {
	var steps trial.BugSteps
	bug := e.Bugs[k]
	if len(passing) == 0 {
		return steps, nil
	}
	fixed, buggy, err := bug.Builds(ctx)
	if err != nil {
		return steps, as(trial.ReasonBuild, err)
	}
	reaching := passing
	bearing := e.bearing(ctx, bug.ID, buggy, runs)
	switch reach, known := bearing.compare(); {
	case !known:
		steps.Anywhere = "what the tests execute is not known"
	case reach.Everything != "":
		steps.Anywhere = reach.Everything
	default:
		steps.ByFunction = e.places()[k].coarse
		if ctx.Err() != nil { // they may not be known for that
			return steps, context.Cause(ctx)
		}
		reaching = nil
		for _, i := range passing {
			if bearing.canTell(i) && (steps.ByFunction != "" || !runs[i].Whole || runs[i].Places.Has(k)) {
				reaching = append(reaching, i)
			}
		}
	}
	steps.Reached = len(reaching)
	differs, unobserved, why, err := e.Observer.Observe(ctx, fixed, buggy, pick(programs, reaching), pick(e.limits, reaching), e.Repeats)
	if err != nil {
		return trial.BugSteps{}, as(trial.ReasonSandbox, err)
	}
	steps.Why = why
	for k := range reaching {
		if unobserved[k] {
			steps.Unobserved++
		}
		if differs[k] {
			steps.Propagated++
		}
	}
	return steps, nil
}

// steps is explain as a part of a bug's result, which may be missing alone.
func (e *Programs) steps(ctx context.Context, k int, programs []trial.Program, passing []int, runs []execution) (*trial.BugSteps, error) {
	if e.Observer == nil {
		return nil, nil
	}
	steps, missing, err := try(ctx, e.Memo, e.Log, "steps:"+e.Bugs[k].ID, func() (trial.BugSteps, error) {
		return e.explain(ctx, k, programs, passing, runs)
	})
	if missing != nil {
		steps = trial.BugSteps{Missing: missing}
	}
	return &steps, err
}

// places say what a bug changes in the source of the reference.
type places struct {
	by     func(counters []uint64) bool // executes it
	coarse string                       // why by says nothing, "" if it does
}

// changed compares the source of each bug with that of the reference.
func (e *Programs) changed(ctx context.Context) []places {
	list := make([]places, len(e.Bugs))
	for k, bug := range e.Bugs {
		by, elsewhere, err := bug.Places(ctx)
		if err != nil {
			elsewhere = "its source is not known: " + err.Error()
		}
		list[k] = places{by, elsewhere}
	}
	return list
}

// visited returns the bugs of which a test with these counters executed a place.
func visited(list []places, counters []uint64) touched.Trace {
	bugs := touched.NewTrace(len(list))
	for k, p := range list {
		if p.coarse == "" && p.by(counters) {
			bugs.Add(k)
		}
	}
	return bugs
}
