package metrics

import (
	"context"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/build/touched"
)

// A Selector says which tests can tell a bug's build from the reference (touched.Selector).
type Selector interface {
	// Trace returns what a test that left these counters on the coverage build executed.
	Trace(cov *libbuild.Build, counters []uint64) (touched.Trace, error)
	// Forged reports whether a test that left these counters on cov has written to them itself.
	Forged(cov *libbuild.Build, counters []uint64) (bool, error)
	// Reach compares two builds; cov is the coverage build of ref.
	Reach(ref, changed, cov *libbuild.Build) (touched.Reach, error)
}

// An execution is what a program did on the coverage build.
type execution struct {
	Trace  touched.Trace `json:"trace,omitempty"` // of what it executed at least; nil: not known
	Whole  bool          `json:"whole,omitempty"` // it passed there: it executes that and no more
	Forged bool          `json:"forged,omitempty"`
	Places touched.Trace `json:"places,omitempty"` // where somebody observes: the bugs of which it executed a place
}

// executions returns what each program did on the coverage build, nil if nobody asks. Where coverage
// could not be measured there are none.
func (e *Programs) executions(ctx context.Context, measure func() (*curve, error)) ([]execution, error) {
	if e.Selector == nil || len(e.Bugs) == 0 {
		return nil, nil
	}
	key := "executions"
	if e.Observer != nil {
		key = "places" // of all bugs
	}
	runs, _, err := try(ctx, e.Memo, e.Log, key, func() ([]execution, error) {
		c, err := measure()
		if err != nil {
			return nil, err
		}
		return c.runs, context.Cause(ctx) // who was interrupted may not know the places
	})
	return runs, err
}

// A bearing says which programs, by their indexes, have to do with what a bug changes.
type bearing struct {
	compare func() (touched.Reach, bool)
	runs    []execution
}

// bearing compares a buggy build with the reference when it is first asked. What differs is not known
// without executions, or where the builds cannot be compared.
func (e *Programs) bearing(ctx context.Context, bug string, buggy *libbuild.Build, runs []execution) bearing {
	return bearing{runs: runs, compare: sync.OnceValues(func() (reach touched.Reach, known bool) {
		if len(runs) == 0 {
			return reach, false
		}
		cov, err := e.Coverage(ctx)
		if err == nil {
			reach, err = e.Selector.Reach(e.Reference, buggy, cov)
		}
		e.Log.Debug("touched", "bug", bug, "functions", reach.Functions, "everything", reach.Everything, "error", err)
		return reach, err == nil
	})}
}

// canTell reports whether a program may execute something that the bug changes: also one of which not
// all is known.
func (b bearing) canTell(i int) bool {
	reach, known := b.compare()
	return !known || !b.runs[i].Whole || reach.By(b.runs[i].Trace)
}

// wasThere reports whether a program was seen to execute something that the bug changes. Where nothing
// can be seen, of what differs or of the program, every program counts as one that was.
func (b bearing) wasThere(i int) bool {
	reach, known := b.compare()
	return !known || reach.By(b.runs[i].Trace)
}
