package metrics

import (
	"context"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/touched"
)

// A Selector says which tests execute what differs between two builds (touched.Selector).
type Selector interface {
	// Trace returns what a test that left these counters on the coverage build executed, or that it has written to
	// them itself.
	Trace(cov *libbuild.Build, counters []uint64) (t touched.Trace, forged bool, err error)
	// Reach compares two builds; cov is the coverage build of ref.
	Reach(ref, changed, cov *libbuild.Build) (touched.Reach, error)
}

// An execution is what a test did on the coverage build.
type execution struct {
	trace  touched.Trace // of what it executed at least; nil: not known
	whole  bool          // it passed there: it executes that and no more
	forged bool          // it has written to the counters
}

// A change is what a bug changes in the code of the library.
type change struct {
	reach touched.Reach
	known bool // what differs, and what tests execute
}

// change compares a buggy build with the reference. What differs is not known where coverage could not be measured, or
// the builds cannot be compared.
func (e *Programs) change(ctx context.Context, s *suite, bug string, buggy *libbuild.Build) change {
	if !s.seen {
		return change{}
	}
	cov, err := e.Coverage(ctx)
	if err != nil {
		return change{}
	}
	reach, err := e.Selector.Reach(e.Reference, buggy, cov)
	e.Log.Debug("touched", "bug", bug, "functions", reach.Functions, "everything", reach.Everything, "error", err)
	return change{reach, err == nil}
}

// canTell reports whether a test may execute something that the bug changes: also one of which not all is known.
func (c change) canTell(t *test) bool {
	return !c.known || !t.executed.whole || c.reach.By(t.executed.trace)
}

// executedBy reports whether a test was seen to execute something that the bug changes. Where nothing can be seen, of
// what differs or of the test, every test counts as one that was.
func (c change) executedBy(t *test) bool { return !c.known || c.reach.By(t.executed.trace) }
