package harness

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/check/validate"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/run/subject"
)

// witnessTimeout bounds a witness that does not say what it needs.
const witnessTimeout = 10 * time.Second

// A Proof says how bugs are validated.
type Proof struct {
	Edition lisabench.Edition
	Sandbox string // where witnesses run: one of experiments.Sandboxes
	Runs    int    // of each witness on each build
}

// Prove validates bugs by their witnesses, and tells of its progress on e.Stderr.
func (e *Env) Prove(ctx context.Context, bench *lisabench.Bench, chosen []validate.Choice, p Proof) (all []validate.Result, err error) {
	cache, err := e.cacheDir()
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(cache, durable.TempPrefix+"validate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // the sandbox's user reads from it
		return nil, err
	}
	shop, err := e.Workshop(ctx, bench, Workplace{Sandbox: p.Sandbox, Scratch: scratch, Jobs: 1, Limits: subject.TestLimits(witnessTimeout)})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	proof := validate.Proof{Edition: p.Edition, Runs: p.Runs, Out: e.Stderr,
		Open: func(ctx context.Context, l *lisabench.Library) (validate.Builds, validate.Runner, error) {
			lib, err := shop.Open(ctx, l.Name, p.Edition)
			if err != nil {
				return nil, nil, err
			}
			if len(l.Bugs) == 0 { // its builds are all that can be validated
				_, err = lib.Coverage(ctx)
			}
			return lib, lib.Engine, err
		}}
	return proof.All(ctx, chosen)
}
