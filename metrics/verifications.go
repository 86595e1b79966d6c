package metrics

import (
	"context"
	"log/slog"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// verifications counts the unique verifications of the programs that pass, if these are known. The
// mean is over the seeds: one whose program does not pass counts 0 (the paper, sec:eval-metrics).
func (e *Programs) verifications(ctx context.Context, s *suite) error {
	// Of values recorded on the reference build there are as many as a tool cares to print, a hundred in a program.
	// Counting them says nothing and would take longer than all other measurements together.
	argued := func(t *test) bool { return t.Oracle != trial.OracleReference }
	if e.Verify == nil || !slices.ContainsFunc(s.tests, argued) {
		return nil
	}
	passing := s.passing()
	counts, err := onPassing(ctx, e.Log, s, trial.PartVerifications, func() (trial.Verifications, error) {
		v, err := e.Verify(ctx, e.Reference, programsOf(passing))
		return v, as(trial.ReasonAssertions, err)
	})
	if counts != nil {
		counts.Programs, counts.Passing = len(s.tests), len(passing)
		counts.SetSeeds(s.rec.Generation)
		s.rec.Verifications = counts
	}
	return err
}

// mutation runs the programs that pass on mutants, if these are known.
func (e *Programs) mutation(ctx context.Context, s *suite) (err error) {
	if e.Mutate == nil {
		return nil
	}
	s.rec.Mutation, err = onPassing(ctx, e.Log, s, trial.PartMutation, func() (trial.Mutation, error) {
		m, err := e.Mutate(ctx, programsOf(s.passing()))
		return m, as(trial.ReasonBuild, err)
	})
	return err
}

// onPassing measures a part that needs to know which tests pass. It is nil if it is missing.
func onPassing[T any](ctx context.Context, log *slog.Logger, s *suite, part trial.Part, measure func() (T, error)) (*T, error) {
	if !s.known {
		s.rec.Lack(part, needsSuccess)
		return nil, nil
	}
	v, missing, err := try(ctx, log, string(part), measure)
	if err != nil {
		return nil, err
	}
	if missing != nil {
		s.rec.Lack(part, *missing)
		return nil, nil
	}
	return &v, nil
}
