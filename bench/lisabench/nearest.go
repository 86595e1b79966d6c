package lisabench

import (
	"fmt"
	"slices"
	"strings"
)

// An UnknownError is a name that stands for nothing.
type UnknownError struct {
	Kind    string   // what it should have been, e.g. "library"
	Name    string   // as given
	Nearest string   // the known name that it resembles; "" if none does
	Known   []string // every name that would do, sorted
}

// NewUnknownError returns the error for a name that is not among known.
func NewUnknownError(kind, name string, known []string) *UnknownError {
	return &UnknownError{Kind: kind, Name: name, Nearest: nearestOf(name, known), Known: slices.Sorted(slices.Values(known))}
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, hint(e.Nearest, e.Known))
}

// Suggest returns what to append to a message about an unknown name.
func Suggest(name string, known []string) string {
	return hint(nearestOf(name, known), known)
}

// CheckKnown returns an UnknownError for the first name that is not known.
func CheckKnown(kind string, known []string, names ...string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return NewUnknownError(kind, name, known)
		}
	}
	return nil
}

// hint says what the user may have meant, or could have said.
func hint(nearest string, known []string) string {
	switch {
	case nearest != "":
		return fmt.Sprintf(", did you mean %q?", nearest)
	case len(known) == 0:
		return ": there is none"
	}
	return "; known are " + strings.Join(known, ", ")
}

// nearestOf returns the element of known with the smallest edit distance to name, whatever
// the case of letters; "" when none is near enough to be meant.
func nearestOf(name string, known []string) (nearest string) {
	best := len(name)/3 + 2 // as many edits make another word
	for _, k := range slices.Sorted(slices.Values(known)) {
		d := distance(strings.ToLower(name), strings.ToLower(k))
		sameStart := name != "" && k != "" && strings.EqualFold(name[:1], k[:1]) // "out" does not mean "set"
		if d < best && (d == 1 || sameStart) {
			nearest, best = k, d
		}
	}
	return nearest
}

// distance returns the Levenshtein distance of a and b in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // of a's first i bytes to b's first j
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
