package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// growthPoints is how many checkpoints a growth curve has at most, beside that of the empty
// suite; each costs one llvm-cov export.
const growthPoints = 20

// A CoverageReader turns summed counters of a coverage build into line and branch counts.
type CoverageReader interface {
	Coverage(ctx context.Context, b *libbuild.Build, counters []uint64) (trial.Coverage, error)
}

// A curve is coverage over a suite in the making. Every mark is an export of its own. Even counters
// that all ran before can cover more, for the count of a region without a counter is a difference of
// others.
type curve struct {
	reader  CoverageReader
	store   *store.Store // of what was read of the same counters
	build   *libbuild.Build
	sum     []uint64
	points  []trial.GrowthPoint
	sums    [][]uint64 // of the points
	failing int        // tests that do not pass, where that is counted
	forged  []string   // IDs of the programs that have written to the counters themselves
}

// newCurve starts at the point of an empty suite, which also has the totals.
func newCurve(read CoverageReader, known *store.Store, build *libbuild.Build) *curve {
	c := &curve{reader: read, store: known, build: build, sum: make([]uint64, build.Counters)}
	c.mark(trial.GrowthPoint{})
	return c
}

// add adds the counters of a run; nil, of a program that did not reach the library, adds
// nothing.
func (c *curve) add(counters []uint64) error {
	if counters == nil {
		return nil
	}
	return toolchain.AddCounters(c.sum, counters)
}

// mark adds a point with the counters so far.
func (c *curve) mark(at trial.GrowthPoint) {
	c.points, c.sums = append(c.points, at), append(c.sums, slices.Clone(c.sum))
}

// read reads the points, several at a time, and returns what is covered at the last.
func (c *curve) read(ctx context.Context) (last trial.Coverage, err error) {
	lines := make([]trial.Coverage, len(c.sums))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, sum := range c.sums {
		g.Go(func() error {
			key := store.Key("lines", protocol, c.build.Key, sum)
			if known, err := c.store.Get(key, &lines[i]); known || err != nil {
				return err
			}
			var err error
			if lines[i], err = c.reader.Coverage(gctx, c.build, sum); err != nil {
				return as(trial.ReasonToolchain, err)
			}
			return c.store.Put(key, lines[i])
		})
	}
	if err := g.Wait(); err != nil {
		return last, err
	}
	for i, l := range lines {
		last = l
		c.points[i].LinesCovered, c.points[i].BranchesCovered = l.LinesCovered, l.BranchesCovered
	}
	return last, nil
}

// coverageParts fills the record's coverage and growth from the curve that measure returns.
func coverageParts(ctx context.Context, log *slog.Logger, rec *trial.Record, measure func() (*curve, error)) error {
	_, missing, err := try(ctx, log, "coverage", func() (none struct{}, err error) {
		c, err := measure()
		if err != nil {
			return none, err
		}
		c.note(rec)
		last, err := c.read(ctx)
		if err != nil {
			return none, err
		}
		rec.Coverage, rec.Growth = &last, c.points
		return none, nil
	})
	if missing != nil {
		rec.Lack(trial.PartCoverage, *missing)
		rec.Lack(trial.PartGrowth, *missing)
	}
	return err
}

// note notes what is odd about tests that were run for coverage.
func (c *curve) note(rec *trial.Record) {
	if n := len(c.forged); n > 0 {
		f := trial.Flag{Kind: trial.ForgedCoverage, Tests: n, First: c.forged[:min(n, firstFlagged)]}
		rec.Flags, rec.Notes = append(rec.Flags, f), append(rec.Notes, f.String())
	}
	if c.failing > 0 {
		rec.Notes = append(rec.Notes, fmt.Sprintf("%d of %d inputs fail on the reference's coverage build: "+
			"they count for coverage as far as they got, and detect no bug", c.failing, rec.Inputs))
	}
}

// checkpoints returns at most most program counts, evenly spread over 1..n, ending with n.
func checkpoints(n, most int) []int {
	var marks []int
	for k := 1; k <= most; k++ {
		if m := (n*k + most - 1) / most; m > 0 && (len(marks) == 0 || m > marks[len(marks)-1]) {
			marks = append(marks, m)
		}
	}
	return marks
}
