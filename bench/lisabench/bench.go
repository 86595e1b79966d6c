// Package lisabench is the benchmark as data: libraries, how they are fetched and built, the
// historical functional defects that can be re-introduced in them, and a witness for each.
//
// It consumes a directory of libraries (Embedded, or any fs.FS of the same shape):
//
//	<library>/library.yaml
//	<library>/rules.yaml            what its users have to know; may be left out
//	<library>/bugs/<id>.yaml
//	<library>/bugs/<id>.c or .cc    the witness
//
// and produces a Bench in which every field has been checked. It reports all mistakes at once in an
// *InvalidError, each with file and line: unknown keys, missing fields, paths that leave their root, incomplete
// strategies, and witnesses that belong to no bug. For names that users type, an *UnknownError suggests the
// nearest one.
package lisabench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// The origins of fuzz targets.
const (
	OriginTree    = "tree"     // the library's own tree
	OriginOSSFuzz = "oss-fuzz" // that repository at OSSFuzzCommit
)

// Where OSS-Fuzz harnesses come from.
const (
	OSSFuzzRepo   = "https://github.com/google/oss-fuzz.git"
	OSSFuzzCommit = "955c6866c152471d78c7472c0f1f354343548b9f"
)

// Editions lists the editions that a library's files tell apart.
var Editions = []Edition{Upstream, Debian}

// Defects are the classes of functional defects, by what a caller sees.
var Defects = []string{
	"wrong value",        // a call returns or stores a wrong value
	"wrong state",        // an object is left wrong, which later calls show
	"wrong bound",        // a promised bound or limit is miscounted
	"wrong validation",   // valid input or a valid request is refused
	"missing validation", // invalid input or an invalid request is accepted
	"round-trip loss",    // data that went in does not all come out
	"hang",               // a call does not end
}

// A Bench is a loaded benchmark.
type Bench struct {
	Version   string     // corpusVersion, with "+local." and a hash if files from outside are in it
	Libraries []*Library // sorted by name
}

// Library returns the library of that name. The error is an *UnknownError.
func (b *Bench) Library(name string) (*Library, error) {
	return find("library", name, b.Libraries, func(l *Library) string { return l.Name })
}

// Bug returns the bug with that id. The error is an *UnknownError.
func (l *Library) Bug(id string) (*Bug, error) {
	return find("bug of "+l.Name, id, l.Bugs, func(b *Bug) string { return b.ID })
}

func find[T any](kind, name string, list []T, nameOf func(T) string) (found T, err error) {
	var known []string
	for _, one := range list {
		if nameOf(one) == name {
			return one, nil
		}
		known = append(known, nameOf(one))
	}
	return found, NewUnknownError(kind, name, known)
}

// In says how the bug is re-introduced in an edition, nil if the corpus does not say.
func (b *Bug) In(e Edition) *Reintroduce {
	switch {
	case e == Upstream:
		return b.Upstream
	case e.Commit() != "" && b.Upstream != nil && b.Upstream.Strategy == PairOf: // whether it works shows when it is tried
		own := *b.Upstream
		own.Strategy, own.Parent = Revert, ""
		return &own
	case e.Commit() != "":
		return b.Upstream
	case e == Debian && b.Selection == FreshlyAdded:
		return &Reintroduce{Strategy: Absent, Reason: "it is fresh: take the edition " + string(Fresh)}
	}
	return b.Debian
}

// Hash identifies everything that library.yaml and rules.yaml say; the bugs are not part of it.
func (l *Library) Hash() string {
	own := *l
	own.Bugs = nil
	return hash(own)
}

// Hash identifies everything that the corpus says of a bug, witness included.
func (b *Bug) Hash() string { return hash(b) }

// hash returns the SHA-256 of v's canonical bytes: JSON with fields in the order of their
// declaration and map keys sorted.
func hash(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("lisabench: hash: %v", err)) // only strings, numbers and lists
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// corpusVersion is the version of the embedded corpus. It counts as semantic versions do. The
// first number changes with whatever makes earlier results incomparable (a pin, a recipe, a
// witness, the way a bug comes back, a bug that is withdrawn). The second changes when a library, a
// bug or a rule is added, and the third when only words change. It is raised once from one
// release to the next; 1.0.0 is the first.
const corpusVersion = "1.0.0"
