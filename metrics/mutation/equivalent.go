package mutation

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

// compareAll is the number of mutants up to which all of a library are held against each other;
// of a larger one those are that DefaultSample draws.
const compareAll = 6000

// compared returns the mutants that are to be compared.
func compared(mutants []Mutant) []Mutant {
	if len(mutants) <= compareAll {
		return mutants
	}
	return sampleOf(mutants, DefaultSample)
}

// markSame finds out which of a library's mutants the compiler makes the same code of, and
// marks them. commands compile the library with all its mutants.
func (m *Maker) markSame(ctx context.Context, lib *MutableLibrary, dir string, commands []libbuild.Compilation) error {
	chosen := compared(lib.Mutants)
	var ids []int
	for _, mu := range chosen {
		ids = append(ids, mu.ID)
	}
	perUnit := make([][]toolchain.Sameness, len(commands))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(m.Workers, 1))
	for i, c := range commands {
		g.Go(func() error {
			var err error
			perUnit[i], err = m.Equivalents.Find(ctx, dir, c.Args, ids)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	mark(lib.Mutants, ids, slices.Concat(perUnit...))
	return nil
}

// mark sets what is known of the mutants with these IDs. A mutant in several functions, or in one
// that several units compile, is the same as another where it is so in each of them. One that
// is in no function is in code of which the compiler makes nothing.
func mark(mutants []Mutant, ids []int, found []toolchain.Sameness) {
	all := map[int][]toolchain.Sameness{}
	for _, s := range found {
		all[s.Mutant] = append(all[s.Mutant], s)
	}
	for _, id := range ids {
		m, here := &mutants[id-1], all[id]
		differs := func(as int) bool {
			return slices.ContainsFunc(here, func(s toolchain.Sameness) bool { return s.Unknown || s.As != as })
		}
		m.Compared = !slices.ContainsFunc(here, func(s toolchain.Sameness) bool { return s.Unknown })
		switch {
		case !differs(0):
			m.Equivalent = true
		case here[0].As != id && here[0].As != 0 && !differs(here[0].As) && len(all[here[0].As]) == len(here):
			m.Duplicates = here[0].As
		}
	}
}
