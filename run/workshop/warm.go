package workshop

import (
	"context"
	"errors"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// Warm fetches and builds all that the cells of a subject share: the reference and coverage builds,
// what their tools need beside, and both sides of every bug. What cannot be built does not keep the
// others from it, but for the reference build.
func (w *Workshop) Warm(ctx context.Context, s runner.Subject, n trial.Needs) error {
	prepared, err := w.Prepare(ctx, s)
	if err != nil {
		return err
	}
	_, needErr := w.Provide(ctx, s, n, prepared.Target)
	l, err := w.Open(ctx, s.Library, lisabench.Edition(s.Edition))
	if err != nil {
		return err
	}
	_, coverageErr := l.Coverage(ctx)
	errs := []error{needErr, coverageErr}
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
