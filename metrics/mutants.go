package metrics

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Mutator runs programs on mutants of the reference (package metrics/mutation).
type Mutator interface {
	Mutate(ctx context.Context, programs []trial.Program) (trial.Mutation, error)
}

// mutation runs the programs that pass on mutants, if these are known.
func (e *Programs) mutation(ctx context.Context, programs []trial.Program, passing []int, known bool, rec *trial.Record) error {
	switch {
	case e.Mutator == nil:
		return nil
	case !known:
		rec.Lack(trial.PartMutation, needsSuccess)
		return nil
	}
	m, missing, err := try(ctx, e.Memo, e.Log, "mutation", func() (trial.Mutation, error) {
		m, err := e.Mutator.Mutate(ctx, pick(programs, passing))
		return m, as(trial.ReasonBuild, err)
	})
	if err != nil {
		return err
	}
	if missing != nil {
		rec.Lack(trial.PartMutation, *missing)
		return nil
	}
	rec.Mutation = &m
	return nil
}
