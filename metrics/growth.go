package metrics

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
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

// growth is coverage over a suite.
type growth struct {
	Final  trial.Coverage      `json:"final"`
	Points []trial.GrowthPoint `json:"points"`
}

// A curve is growth in the making. Every mark is an export of its own: even counters that
// all ran before can cover more, for the count of a region without a counter is a
// difference of others.
type curve struct {
	growth
	read  CoverageReader
	build *libbuild.Build
	sum   []uint64
}

// newCurve starts at the point of an empty suite, which also has the totals.
func newCurve(ctx context.Context, read CoverageReader, build *libbuild.Build) (*curve, error) {
	c := &curve{read: read, build: build, sum: make([]uint64, build.Counters)}
	return c, c.mark(ctx, trial.GrowthPoint{})
}

// add adds the counters of a run; nil, of a program that did not reach the library, adds
// nothing.
func (c *curve) add(counters []uint64) error {
	if counters == nil {
		return nil
	}
	return toolchain.AddCounters(c.sum, counters)
}

// mark adds a point with the coverage so far.
func (c *curve) mark(ctx context.Context, at trial.GrowthPoint) error {
	cov, err := c.read.Coverage(ctx, c.build, c.sum)
	if err != nil {
		return err
	}
	c.Final = cov
	at.LinesCovered, at.BranchesCovered = cov.LinesCovered, cov.BranchesCovered
	c.Points = append(c.Points, at)
	return nil
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
