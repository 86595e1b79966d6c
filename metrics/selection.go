package metrics

import (
	"context"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/touched"
)

// A Selector says which tests can tell a bug's build from the reference (touched.Selector).
type Selector interface {
	// Trace returns what a test that left these counters on the coverage build executed.
	Trace(cov *libbuild.Build, counters []uint64) (touched.Trace, error)
	// Reach compares two builds; cov is the coverage build of ref.
	Reach(ref, changed, cov *libbuild.Build) (touched.Reach, error)
}

// traces returns what each program executed on the coverage build, nil if nothing is to be selected.
// Where coverage could not be measured there are no traces, and every test is run.
func (e *Programs) traces(ctx context.Context, measure func() (*curve, error)) ([]touched.Trace, error) {
	if e.Selector == nil || len(e.Bugs) == 0 {
		return nil, nil
	}
	traces, _, err := try(ctx, e.Memo, e.Log, "executed", func() ([]touched.Trace, error) {
		c, err := measure()
		if err != nil {
			return nil, err
		}
		return c.traces, nil
	})
	return traces, err
}

// canTell returns the test by which the programs are chosen that can tell a buggy build from the
// reference, by their indexes: all of them, if it is not known what they execute or what differs.
func (e *Programs) canTell(ctx context.Context, bug string, buggy *libbuild.Build, traces []touched.Trace) func(i int) bool {
	compared := sync.OnceValues(func() (touched.Reach, bool) { return e.reach(ctx, bug, buggy, traces) })
	return func(i int) bool {
		reach, known := compared()
		return !known || reach.By(traces[i])
	}
}

// reach compares a buggy build with the reference. It is not known without traces, or where the builds
// cannot be compared.
func (e *Programs) reach(ctx context.Context, bug string, buggy *libbuild.Build, traces []touched.Trace) (reach touched.Reach, known bool) {
	if len(traces) == 0 {
		return reach, false
	}
	cov, err := e.Coverage(ctx)
	if err == nil {
		reach, err = e.Selector.Reach(e.Reference, buggy, cov)
	}
	e.Log.Debug("touched", "bug", bug, "functions", reach.Functions, "everything", reach.Everything, "error", err)
	return reach, err == nil
}
