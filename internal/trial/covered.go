package trial

import (
	"context"
	"time"
)

// A CoverageRunner tells what programs execute of the reference build, for a tool that Needs it. Safe for
// concurrent use.
type CoverageRunner interface {
	// Cover returns what the programs execute together; with uncovered, also what they leave out. A program that
	// was run before is not run again.
	Cover(ctx context.Context, programs []Program, uncovered bool) (Covered, error)
}

// Covered is what programs execute together.
type Covered struct {
	Coverage  Coverage      `json:"coverage"`
	Uncovered *Uncovered    `json:"uncovered,omitempty"` // nil unless it was asked for
	CPU       time.Duration `json:"cpu_ns"`              // of the runs that this took
}
