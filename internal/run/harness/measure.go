package harness

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// Measure fetches and builds every library of list in every edition and fills in what is
// measured. What cannot be had is told and left out; the error is one of the
func (e *Env) Measure(ctx context.Context, bench *lisabench.Bench, list lisabench.LibraryList) (err error) {
	scratch, err := os.MkdirTemp("", "bench-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	shop, err := e.Workshop(ctx, bench, Workplace{Sandbox: "none", Scratch: scratch, Jobs: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	for i := range list.Libraries {
		l := &list.Libraries[i]
		for j := range l.Editions {
			in := &l.Editions[j]
			m, err := shop.Measure(ctx, l.Name, lisabench.Edition(in.Edition))
			switch {
			case ctx.Err() != nil:
				return err
			case err != nil:
				in.Unmeasured = err.Error()
				fmt.Fprintf(e.Stderr, "%s %s: not measured: %v\n", l.Name, in.Edition, err)
			default:
				in.Measured = m
			}
		}
	}
	return nil
}
