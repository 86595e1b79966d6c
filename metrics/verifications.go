package metrics

import (
	"context"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Verifier counts what programs verify, all together: every field of the result but Seeds,
// Programs and Passing. A program that is missing is a *toolchain.MissingError.
type Verifier interface {
	Verify(ctx context.Context, b *libbuild.Build, programs []trial.Program) (trial.Verifications, error)
}

// verifications counts the unique verifications of the programs that pass, if these are known. The
// mean is over the seeds: one whose program does not pass counts 0 (the paper, sec:eval-metrics).
func (e *Programs) verifications(ctx context.Context, programs []trial.Program, passing []int, known bool, rec *trial.Record) error {
	switch {
	case e.Verifier == nil || !asserts(programs):
		return nil
	case !known:
		rec.Lack(trial.PartVerifications, needsSuccess)
		return nil
	}
	counts, missing, err := try(ctx, e.Memo, e.Log, "verifications", func() (trial.Verifications, error) {
		v, err := e.Verifier.Verify(ctx, e.Reference, pick(programs, passing))
		return v, as(trial.ReasonAssertions, err)
	})
	if err != nil {
		return err
	}
	if missing != nil {
		rec.Lack(trial.PartVerifications, *missing)
		return nil
	}
	counts.Programs, counts.Passing = len(programs), len(passing)
	counts.SetSeeds(rec.Generation)
	rec.Verifications = &counts
	return nil
}

// asserts reports whether there are programs whose assertions are argued from something and can be read. Of
// values recorded on the reference build there are as many as a tool cares to print, a hundred in a program.
// Counting them says nothing and would take longer than all other measurements together.
func asserts(programs []trial.Program) bool {
	return slices.ContainsFunc(programs, func(p trial.Program) bool {
		return p.Oracle != trial.OracleReference && !strings.HasPrefix(p.Source, trial.BuiltMark)
	})
}
