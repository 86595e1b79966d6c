package subject

import (
	"context"
	"errors"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/runner"
)

// Warm fetches and builds all that the cells of a subject share: the reference builds and
// both sides of every bug. A bug that cannot be built does not keep the others from it.
func (w *Workshop) Warm(ctx context.Context, s runner.Subject) error {
	if _, err := w.Prepare(ctx, s); err != nil {
		return err
	}
	l, err := w.Open(ctx, s.Library, lisabench.Edition(s.Edition))
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range s.Bugs {
		bug, err := l.Spec.Bug(id)
		if err == nil {
			_, _, err = l.Bug(ctx, bug)
		}
		if err != nil {
			errs = append(errs, err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return errors.Join(errs...)
}
