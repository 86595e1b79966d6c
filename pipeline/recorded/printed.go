package recorded

import (
	"context"
	"maps"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Printed is a test that also prints what each call of the library gives back.
type Printed struct {
	Program trial.Program
	values  Reading // the same in every run
	Problem string  // why its values cannot be printed; "" if they can
}

// Print changes programs, which must run well, so that they print values. It also returns what these values are
// on the executor's build, if they are the same in every run, with the usual and with other memory.
func (r *Recorder) Print(ctx context.Context, programs []trial.Program) ([]Printed, error) {
	all, err := r.recordAll(ctx, programs, ways[:2])
	if err != nil {
		return nil, err
	}
	printed := make([]Printed, len(all))
	for i, rec := range all {
		printed[i] = Printed{Program: rec.program, values: rec.values, Problem: rec.problem}
		printed[i].Program.Source = rec.text
	}
	return printed, nil
}

// Keep returns the program without the values that one more run on the same build printed otherwise, or not at all.
func (p Printed) Keep(on trial.Result) Printed {
	if p.values = maps.Clone(p.values); on.Outcome == trial.OK {
		p.values.Keep(ParseTrace(on.Stdout).Values)
	}
	return p
}

// Differs reports whether a run of the program on another build fails, or prints or lacks a value unlike on the
// build where its values are known. A value that was cut off is not lacking.
func (p Printed) Differs(on trial.Result) bool {
	if on.Outcome != trial.OK {
		return true
	}
	values := ParseTrace(on.Stdout).Values
	cut := len(on.Stdout) >= trial.MaxStdout
	for n, v := range p.values {
		if got, ok := values[n]; got != v && (ok || !cut) {
			return true
		}
	}
	return false
}
