package lisabench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
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
	return fmt.Sprintf("unknown %s %q%s", e.Kind, e.Name, Suggest(e.Name, e.Known))
}

// Suggest returns what to append to a message about an unknown name: what the user may have meant, or could have said.
func Suggest(name string, known []string) string {
	switch nearest := nearestOf(name, known); {
	case nearest != "":
		return fmt.Sprintf(", did you mean %q?", nearest)
	case len(known) == 0:
		return ": there is none"
	}
	return "; known are " + strings.Join(known, ", ")
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

// nearestOf returns the element of known with the smallest edit distance to name, whatever
// the case of letters; "" when none is near enough to be meant.
func nearestOf(name string, known []string) (nearest string) {
	best := len(name)/3 + 2 // as many edits make another word
	for _, k := range slices.Sorted(slices.Values(known)) {
		d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k))
		sameStart := name != "" && k != "" && strings.EqualFold(name[:1], k[:1]) // "out" does not mean "set"
		if d < best && (d == 1 || sameStart) {
			nearest, best = k, d
		}
	}
	return nearest
}
