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
)

// A Flag is a reason to look at a suite. What it names detects no bug.
type Flag struct {
	Kind  FlagKind `json:"kind"`
	Tests int      `json:"tests"`           // how many
	First []string `json:"first,omitempty"` // IDs of the first few
	Bugs  []string `json:"bugs,omitempty"`  // on whose builds it was seen
}

// String is the note that a report prints.
func (f Flag) String() string {
	what := map[FlagKind]string{
		FlagBuild:  "depend on the build: they fail on builds that behave as the reference and are not it, and detect nothing",
		FlagChance: "change their verdict from run to run; they are no detections",
	}[f.Kind]
	return fmt.Sprintf("flagged: %d tests %s (%s)", f.Tests, what, strings.Join(f.First, ", "))
}
