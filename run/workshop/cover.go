package workshop

import (
	"context"
	"sync"

	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A coverageFeedback implements trial.CoverageRunner for one library. It knows the reference and nothing else.
type coverageFeedback struct {
	l *OpenLibrary

	mu       sync.Mutex
	counters map[string][]uint64 // of programs, by language and source; nil of one that does not reach the library
}

// Cover implements trial.CoverageRunner.
func (f *coverageFeedback) Cover(ctx context.Context, programs []trial.Program, uncovered bool) (c trial.Covered, err error) {
	build, err := f.l.Coverage(ctx)
	if err != nil {
		return c, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := func(p trial.Program) string { return string(p.Lang) + "\n" + p.Source }
	var fresh []trial.Program
	for _, p := range programs {
		if _, known := f.counters[key(p)]; !known {
			fresh = append(fresh, p)
		}
	}
	results, err := f.l.Engine.Run(ctx, build, fresh, testrun.Options{Counters: true})
	if err != nil {
		return c, err
	}
	for i, r := range results {
		f.counters[key(fresh[i])] = r.Counters
		c.CPU += r.CPU()
	}
	sum := make([]uint64, build.Counters)
	for _, p := range programs {
		if counters := f.counters[key(p)]; counters != nil {
			if err := toolchain.AddCounters(sum, counters); err != nil {
				return c, err
			}
		}
	}
	if c.Coverage, err = f.l.Engine.Coverage(ctx, build, sum); err != nil || !uncovered {
		return c, err
	}
	missed, err := f.l.Engine.Uncovered(ctx, build, sum)
	c.Uncovered = &missed
	return c, err
}
