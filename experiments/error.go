package experiments

import (
	"fmt"
	"strings"
)

// A Problem is one thing that is wrong with an experiment.
type Problem struct {
	At   string // "file:line" or the override, e.g. "--set trials=0"
	Text string

	line, column int // in the file, to sort by
}

// An Error lists all that is wrong with an experiment, faults of form before those of sense. It
// is the user's to mend: exit code 2.
type Error struct {
	Problems []Problem
}

// maxShown keeps an error on one screen.
const maxShown = 20

func (e *Error) Error() string {
	shown := e.Problems[:min(maxShown, len(e.Problems))]
	lines := namesOf(shown, func(p Problem) string { return p.At + ": " + p.Text })
	if more := len(e.Problems) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}
