package invariant

import (
	"context"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// The other oracles show what invariants are worth on the same seeds. They are none, with which only a
// crash or a hang is found, and values recorded on the reference build, as randoop asserts them.

// bare adds seeds to the suite without any assertion.
func (s *stage) bare(seeds []sequence.Seed) error {
	for _, seed := range seeds {
		test := seed.Program
		test.ID, test.Source = "", withoutAssertions(test.Source)
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
	}
	return nil
}

// record adds programs to the suite, those that are fit for assertions with what was recorded
// of them.
func (s *stage) record(ctx context.Context, programs []*program) error {
	var fit []trial.Program
	for _, p := range programs {
		if p.ready {
			test := p.seed.Program
			test.ID, test.Source = p.unit, withoutAssertions(test.Source)
			fit = append(fit, test)
		}
	}
	tests, err := s.recorder.Assert(ctx, fit)
	if err != nil {
		return err
	}
	for _, p := range programs {
		test := p.seed.Program
		test.ID, test.Source = "", withoutAssertions(test.Source)
		test.Oracle = trial.OracleReference // of whatever it asserts, so that no verifications are counted
		if p.ready {
			done := tests[0]
			tests = tests[1:]
			if test.Source = done.Source; done.Assertions > 0 {
				s.how.Finished++
				s.how.Assertions += done.Assertions
			} else {
				s.counts.Add("failures", done.Problem)
			}
		}
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
	}
	return nil
}

// withoutAssertions takes the assertions out of a program, such as a finished test that serves
// as a seed. Their temporaries stay.
func withoutAssertions(source string) string {
	for _, a := range slices.Backward(assertionsIn(source)) {
		source = without(source, a)
	}
	return source
}
