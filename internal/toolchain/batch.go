package toolchain

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxBatch is the most units of one compiler process. Its start costs as much as eight units
// in C; with more units of C++ than this, the process would come near its limit of time.
const maxBatch = 128

// A batcher is one Compile call.
type batcher struct {
	*Compiler
	dir     string
	flags   Flags
	units   []Unit
	results []Compiled // by index of units; each is written by one goroutine
	read    bool       // readings only, without objects
}

// A group is the units that share a preamble.
type group struct {
	lang trial.Language
	text string
	unit []int
}

// run compiles each group of units over its precompiled preamble, and alone what is in no
// group. The compiler's slots bound the concurrency.
func (b *batcher) run(ctx context.Context) error {
	work, ctx := errgroup.WithContext(ctx)
	groups, alone := b.group()
	work.Go(func() error { return b.eachAlone(ctx, alone) })
	for _, g := range groups {
		work.Go(func() error {
			p, err := b.pch(ctx, g.lang, b.flags, g.text, len(g.unit))
			if err != nil {
				return err
			}
			if p == nil {
				return b.eachAlone(ctx, g.unit)
			}
			for part := range slices.Chunk(g.unit, b.batchSize(len(g.unit), len(groups))) {
				work.Go(func() error { return b.batch(ctx, p, part) })
			}
			return nil
		})
	}
	return work.Wait()
}

// group sorts the units by preamble, in order of first appearance.
func (b *batcher) group() (groups []*group, alone []int) {
	byText := map[string]*group{}
	for i, u := range b.units {
		p, ok := splitPreamble(u.Source)
		if !ok || !sharesProcess(p) {
			alone = append(alone, i)
			continue
		}
		key := string(u.Lang) + p.canonical
		g := byText[key]
		if g == nil {
			g = &group{lang: u.Lang, text: p.canonical}
			byText[key] = g
			groups = append(groups, g)
		}
		g.unit = append(g.unit, i)
	}
	return groups, alone
}

// batchSize spreads the n units of one of several groups evenly over the fewest processes
// that, with those of the other groups, use all slots.
func (b *batcher) batchSize(n, groups int) int {
	workers := (cap(b.slots) + groups - 1) / groups
	batches := (n + maxBatch - 1) / maxBatch
	batches = (batches + workers - 1) / workers * workers
	return max((n+batches-1)/batches, min(n, minBatch))
}

// minBatch is the fewest units for which another process, with its start-up cost of eight
// units, is worth its CPU time.
const minBatch = 8

// eachAlone compiles units the plain way, as many at a time as there are slots.
func (b *batcher) eachAlone(ctx context.Context, units []int) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(cap(b.slots))
	for _, i := range units {
		work.Go(func() (err error) {
			b.results[i], err = b.alone(ctx, b.units[i])
			return err
		})
	}
	return work.Wait()
}

// batch compiles units over one precompiled preamble in one process; where the compiler crashes or hangs, in another
// one from behind that unit on. What does not compile, or is not known to, goes alone: what the compiler then says is
// what it says of a whole program.
func (b *batcher) batch(ctx context.Context, p *pch, units []int) error {
	args, err := b.batchArgs(ctx, p, b.units[units[0]].Lang)
	if err != nil {
		return err
	}
	box, err := b.box(b.flags, b.dir, p.file, p.source)
	if err != nil {
		return err
	}
	for _, i := range units {
		if err := b.prepare(b.units[i]); err != nil {
			return err
		}
	}
	var alone []int
	for open := units; len(open) > 0; {
		cmd := Command{Args: slices.Clone(args), Dir: b.dir, Box: box}
		for _, i := range open {
			cmd.Args = append(cmd.Args, b.units[i].File())
		}
		out, err := b.runCompiler(ctx, cmd)
		var failed *CommandError
		if err != nil && (!errors.As(err, &failed) || full.Match(out.Stderr)) {
			return err
		}
		if bytes.Contains(out.Stderr, []byte(p.file)) { // a header has changed: it is made again
			_ = os.Remove(p.file)
		}
		crashed := failed != nil && failed.ExitCode != 1 // one that only found errors exits with 1
		var before int
		if open, before, err = b.take(open); err != nil {
			return err
		}
		if !crashed {
			before = len(open)
		}
		before = min(before+1, len(open)) // it crashed on the unit after those, or on a later one
		alone, open = append(alone, open[:before]...), open[before:]
	}
	for _, i := range units {
		if err := os.Remove(filepath.Join(b.dir, b.units[i].File())); err != nil {
			return err
		}
	}
	return b.eachAlone(ctx, alone)
}

// take takes what a process made of units. It returns those that were not made, and how many of these come
// before the last that was.
func (b *batcher) take(units []int) (open []int, before int, err error) {
	for _, i := range units {
		u := b.units[i]
		r := Compiled{ID: u.ID, OK: true}
		made := readingPath(b.dir, u)
		if !b.read {
			made, r.Object = objectPath(b.dir, u), objectPath(b.dir, u)
		}
		if !isFile(made) {
			open = append(open, i)
			continue
		}
		if r.reading, err = os.ReadFile(readingPath(b.dir, u)); err != nil {
			return nil, 0, err
		}
		b.results[i], before = r, len(open)
		if err := os.Remove(readingPath(b.dir, u)); err != nil {
			return nil, 0, err
		}
	}
	return open, before, nil
}

// batchArgs are the arguments of a batch but for its inputs.
func (b *batcher) batchArgs(ctx context.Context, p *pch, lang trial.Language) ([]string, error) {
	cc1, err := b.cc1Args(ctx, lang, b.flags)
	if err != nil {
		return nil, err
	}
	load, err := b.pluginArgs(ctx, "preamble="+p.source, "reading="+readingSuffix)
	if err != nil {
		return nil, err
	}
	// To free each unit's syntax tree costs less than fresh memory for the next.
	args := slices.DeleteFunc(slices.Concat(cc1, load), func(a string) bool { return a == "-disable-free" })
	action := "-emit-obj"
	if b.read {
		action = "-fsyntax-only"
	}
	return append(args, action, "-fvalidate-ast-input-files-content", "-include-pch", p.file, "-x", string(lang)), nil
}

// prepare writes a unit's body for a batch and clears what an earlier call left.
func (b *batcher) prepare(u Unit) error {
	for _, old := range []string{objectPath(b.dir, u), readingPath(b.dir, u)} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	p, _ := splitPreamble(u.Source)
	return os.WriteFile(filepath.Join(b.dir, u.File()), []byte(p.blanked(u.Source)), 0o666)
}
