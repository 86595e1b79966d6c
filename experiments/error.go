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
	var b strings.Builder
	for i, p := range e.Problems {
		if i == maxShown {
			fmt.Fprintf(&b, "\n… and %d more", len(e.Problems)-maxShown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s", p.At, p.Text)
	}
	return b.String()
}
