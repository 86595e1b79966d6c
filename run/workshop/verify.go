package workshop

import (
	"context"
	"fmt"
	"os"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/auvc"
)

// A verifier implements metrics.Verifier for one library.
type verifier struct {
	l     *OpenLibrary
	store *store.Store // of counts, by program
}

// Verify implements metrics.Verifier.
func (v verifier) Verify(ctx context.Context, b *libbuild.Build, programs []trial.Program) (sum trial.Verifications, err error) {
	shop := v.l.shop
	counter := auvc.Counter{Compiler: shop.Compiler, Store: v.store}
	if len(shop.Includes) > 0 {
		in, err := readInclusions(shop.Includes)
		if err != nil {
			return sum, err
		}
		counter.Includes = in.reach
	}
	units := make([]toolchain.Unit, len(programs))
	for i, p := range programs {
		units[i] = toolchain.Unit{ID: fmt.Sprintf("v%05d", i), Lang: p.Lang, Source: p.Source}
	}
	dir, err := os.MkdirTemp(shop.Scratch, "verify-")
	if err != nil {
		return sum, err
	}
	defer os.RemoveAll(dir)
	flags := toolchain.Flags{IncludeDirs: []string{b.IncludeDir}, AfterDirs: shop.Includes}
	results, err := counter.Count(ctx, dir, flags, units)
	if err != nil {
		return sum, err
	}
	for _, r := range results {
		if !r.Compiles || r.Unreadable {
			sum.Unreadable++
		}
		if r.Count.Truncated {
			sum.Truncated++
		}
		sum.Unique += r.Count.Unique
		sum.Assertions += r.Count.Assertions
		sum.Repeated += r.Count.Repeated
		sum.Tautologies += r.Count.Tautologies
		sum.Contradictions += r.Count.Contradictions
		sum.Translated += r.Count.Translated
		sum.Structural += r.Count.Structural
		sum.GivenUp += r.Count.GivenUp
	}
	return sum, nil
}
