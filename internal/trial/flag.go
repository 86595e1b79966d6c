package trial

import (
	"fmt"
	"strings"
)

// A FlagKind says what is odd about tests of a suite.
type FlagKind string

// The kinds of flags.
const (
	FlagBuild  FlagKind = "depends_on_build" // fail on builds that behave as the reference and are not it
	FlagChance FlagKind = "unstable"         // change their verdict from run to run
	// FlagDistance: fail on builds with bugs, and have executed nothing that these change.
	FlagDistance FlagKind = "at_a_distance"
	// FlagCounters: write to the library's coverage counters themselves.
	FlagCounters FlagKind = "forged_counters"
)

// A Flag is a reason to look at a suite. What is flagged counts neither as a detection nor, with
// FlagCounters, as coverage.
type Flag struct {
	Kind  FlagKind `json:"kind"`
	Tests int      `json:"tests"`           // how many
	First []string `json:"first,omitempty"` // IDs of the first few
	Bugs  []string `json:"bugs,omitempty"`  // on whose builds it was seen
}

// String is the note that a report prints.
func (f Flag) String() string {
	what := map[FlagKind]string{
		FlagBuild:    "depend on the build: they fail on builds that behave as the reference and are not it, and detect nothing",
		FlagChance:   "change their verdict from run to run; they are no detections",
		FlagDistance: "fail on the build with a bug and have executed nothing that the bug changes; they do not detect it",
		FlagCounters: "write to the coverage counters themselves: they cover and detect nothing",
	}[f.Kind]
	return fmt.Sprintf("flagged: %d tests %s (%s)", f.Tests, what, strings.Join(f.First, ", "))
}
