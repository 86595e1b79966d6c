package metrics

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Observer tells what tests get through the API of a library.
type Observer interface {
	// Observe compares two builds: differs[i] says whether programs[i] gets another value on changed than on
	// fixed, or ends otherwise, in each of repeats runs. unobserved[i] says that its values cannot be read.
	// why says why no program's can be, "" if some can.
	Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, repeats int) (differs, unobserved []bool, why string, err error)
}

// explain says how far a bug came. The programs that detect it are among those that propagate it.
func (e *Programs) explain(ctx context.Context, bug Bug, programs []trial.Program, passing []int, runs []execution) (trial.BugSteps, error) {
	var steps trial.BugSteps
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
		reaching = nil
		for _, i := range passing {
			if bearing.canTell(i) {
				reaching = append(reaching, i)
			}
		}
	}
	steps.Reached = len(reaching)
	if len(reaching) == 0 {
		return steps, nil
	}
	differs, unobserved, why, err := e.Observer.Observe(ctx, fixed, buggy, pick(programs, reaching), e.Repeats)
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
func (e *Programs) steps(ctx context.Context, bug Bug, programs []trial.Program, passing []int, runs []execution) (*trial.BugSteps, error) {
	if e.Observer == nil {
		return nil, nil
	}
	steps, missing, err := try(ctx, e.Memo, e.Log, "steps:"+bug.ID, func() (trial.BugSteps, error) {
		return e.explain(ctx, bug, programs, passing, runs)
	})
	if missing != nil {
		steps = trial.BugSteps{Missing: missing}
	}
	return &steps, err
}
