package trial

import (
	"fmt"
	"strings"
)

// An Exclusion says why a test that passes without a bug and fails with it does not count as a detection.
type Exclusion string

// The exclusions.
const (
	IsFlaky        Exclusion = "flaky"            // it ends otherwise from run to run
	DependsOnBuild Exclusion = "depends_on_build" // it fails on builds that behave as the reference and are not it
	DoesNotReach   Exclusion = "does_not_reach"   // it executes nothing that the bug changes
	ForgedCoverage Exclusion = "forged_coverage"  // it writes to the coverage counters itself
)

// A Flag is a reason to look at a suite. What is flagged counts neither as a detection nor, with ForgedCoverage, as
// coverage.
type Flag struct {
	Kind  Exclusion `json:"kind"`
	Tests int       `json:"tests"`           // how many
	First []string  `json:"first,omitempty"` // IDs of the first few
	Bugs  []string  `json:"bugs,omitempty"`  // on whose builds it was seen
}

// String is the note that a report prints.
func (f Flag) String() string {
	what := map[Exclusion]string{
		DependsOnBuild: "depends on the build: fails on builds that behave as the reference and are not it",
		IsFlaky:        "flaky: ends otherwise from run to run",
		DoesNotReach:   "fails on the build with a bug without executing what the bug changes",
		ForgedCoverage: "writes to the coverage counters itself: covers and detects nothing",
	}[f.Kind]
	return fmt.Sprintf("not counted: %s (%s), %s", Count(f.Tests, "test"), strings.Join(f.First, ", "), what)
}
