package metrics

import (
	"context"
	"errors"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Verifier counts what programs verify, all together: every field of the result but Programs
// and Passing. A solver that is missing is a *toolchain.MissingError.
type Verifier interface {
	Verify(ctx context.Context, b *libbuild.Build, programs []trial.Program) (trial.Verifications, error)
}

// verifications counts the unique verifications of the programs that pass. The mean is over
// all programs: one that does not pass counts 0 (the paper, sec:eval-metrics). Without a
// solver there is a reason instead of a count, and nothing is remembered, so that the next
// evaluation counts.
func (e *Programs) verifications(ctx context.Context, programs []trial.Program, passing []int) (*trial.Verifications, error) {
	if e.Verifier == nil || recorded(programs) {
		return nil, nil
	}
	counts, err := remember(e.Memo, "verifications", func() (trial.Verifications, error) {
		return e.Verifier.Verify(ctx, e.Reference, pick(programs, passing))
	})
	var missing *toolchain.MissingError
	if errors.As(err, &missing) {
		counts, err = trial.Verifications{Incomplete: missing.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	counts.Programs, counts.Passing = len(programs), len(passing)
	return &counts, nil
}

// recorded reports whether programs only assert values recorded on the reference build. Of those
// there are as many as a tool cares to print, a hundred in a program; counting them says nothing and
// would take longer than all other measurements together.
func recorded(programs []trial.Program) bool {
	for _, p := range programs {
		if p.Oracle != trial.OracleReference {
			return false
		}
	}
	return true
}
