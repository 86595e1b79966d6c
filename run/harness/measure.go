package harness

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

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
