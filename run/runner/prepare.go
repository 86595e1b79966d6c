package runner

import (
	"context"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A SubjectError is a library that cannot be prepared. Its cells say so as well when their
// turn comes.
type SubjectError struct {
	Subject
	Err error
}

func (e *SubjectError) Error() string { return e.Library + " (" + e.Edition + "): " + e.Err.Error() }

func (e *SubjectError) Unwrap() error { return e.Err }

// Prepare does what the cells of a plan share, and none of them. It writes the manifest, and
// fetches and builds every library with warm, which is given each once, with all that the plan's
// tools need of it. The libraries that fail are returned by name; the error is ErrInterrupted, or
// what kept all from being done.
func Prepare(ctx context.Context, o Options, warm func(context.Context, Subject, trial.Needs) error) ([]*SubjectError, error) {
	r := newRun(o, func(error) {})
	if _, err := r.begin(ctx); err != nil {
		return nil, err
	}
	var failed []*SubjectError
	for _, s := range r.subjects {
		failed = append(failed, &SubjectError{Subject: s.Subject})
	}
	slices.SortFunc(failed, func(a, b *SubjectError) int {
		return strings.Compare(a.Library+" "+a.Edition, b.Library+" "+b.Edition)
	})
	for _, f := range failed {
		r.Progress.preparing(f.Subject)
		f.Err = warm(ctx, f.Subject, r.needsOn(f.Subject))
		if ctx.Err() != nil {
			return nil, ending(ctx)
		}
	}
	return slices.DeleteFunc(failed, func(f *SubjectError) bool { return f.Err == nil }), nil
}

// needsOn is what the tools of the plan need of a library.
func (r *run) needsOn(s Subject) trial.Needs {
	var all trial.Needs
	for _, c := range r.Plan.Cells {
		if c.Library != s.Library || c.Edition != s.Edition || r.tools[c.Tool] == nil {
			continue
		}
		n := needsOf(r.tools[c.Tool], c.Params)
		all.Sanitizer, all.FuzzTargets = all.Sanitizer || n.Sanitizer, all.FuzzTargets || n.FuzzTargets
		all.Mutants = all.Mutants || n.Mutants
	}
	return all
}
