package testrun

import (
	"context"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Linked is a compiled program for the caller's own runner. Its file is there until the engine is
// closed.
type Linked struct {
	Outcome trial.Outcome // why there is nothing to run; "" if there is
	Shared  string        // path of the shared object; "" if only the plain way can run it
	Entries []sandbox.Entry
}

// Link compiles and links the programs for b's headers, unless that was done before.
// linked[i] belongs to programs[i].
func (e *Engine) Link(ctx context.Context, b *libbuild.Build, programs []trial.Program) (linked []Linked, err error) {
	tests, err := e.compile(ctx, b, programs)
	if err != nil {
		return nil, err
	}
	linked = make([]Linked, len(tests))
	for i, t := range tests {
		linked[i] = Linked{Outcome: t.Outcome, Entries: t.Entries}
		plain, err := e.needsPlain(b, t)
		if err != nil {
			return nil, err
		}
		if !plain {
			linked[i].Shared = t.shared
		}
	}
	return linked, nil
}
