package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/validate"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// witnessTimeout bounds a witness that does not say what it needs.
const witnessTimeout = 10 * time.Second

// Prove validates bugs by their witnesses, which run in that sandbox, and tells of its progress on e.Stderr. Of the proof
// the caller sets Edition and Runs.
func (e *Env) Prove(ctx context.Context, bench *lisabench.Bench, chosen []validate.Choice, proof *validate.Proof, sandbox string) (all []validate.Result, err error) {
	err = e.inWorkshop(ctx, bench, Workplace{Sandbox: sandbox, Limits: workshop.TestLimits(witnessTimeout)}, func(shop *workshop.Workshop) error {
		proof.Out = e.Stderr
		proof.Open = func(ctx context.Context, l *lisabench.Library) (validate.Builds, validate.Runner, error) {
			lib, err := shop.Open(ctx, l.Name, proof.Edition)
			if err != nil {
				return nil, nil, err
			}
			if len(l.Bugs) == 0 { // its builds are all that can be validated
				_, err = lib.Coverage(ctx)
			}
			return lib, lib.Engine, err
		}
		all, err = proof.All(ctx, chosen)
		return err
	})
	return all, err
}

// Measure fetches and builds every library of list in every edition and fills in what is
// measured. What cannot be had is told and left out.
func (e *Env) Measure(ctx context.Context, bench *lisabench.Bench, list lisabench.LibraryList) error {
	return e.inWorkshop(ctx, bench, Workplace{Sandbox: "none"}, func(shop *workshop.Workshop) error {
		for i := range list.Libraries {
			l := &list.Libraries[i]
			for j := range l.Editions {
				in := &l.Editions[j]
				m, err := shop.Measure(ctx, l.Name, lisabench.Edition(in.Edition))
				if ctx.Err() != nil {
					return err
				}
				if in.Measured = m; err != nil {
					in.Measured, in.Unmeasured = nil, err.Error()
					fmt.Fprintf(e.Stderr, "%s %s: not measured: %v\n", l.Name, in.Edition, err)
				}
			}
		}
		return nil
	})
}
