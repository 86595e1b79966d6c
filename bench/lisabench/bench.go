package lisabench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// schema is the version of library.yaml.
const schema = 1

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

// Editions lists every edition.
var Editions = []Edition{Upstream, Debian}

// defects are the classes of functional defects, by what a caller sees.
var defects = []string{
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
	Version   string     // Version, with "+local." and a hash if files from outside are in it
	Libraries []*Library // sorted by name
}

// Library returns the library of that name. The error is an *UnknownError.
func (b *Bench) Library(name string) (*Library, error) {
	var known []string
	for _, l := range b.Libraries {
		if l.Name == name {
			return l, nil
		}
		known = append(known, l.Name)
	}
	return nil, NewUnknownError("library", name, known)
}

// Bug returns the bug with that id. The error is an *UnknownError.
func (l *Library) Bug(id string) (*Bug, error) {
	var known []string
	for _, b := range l.Bugs {
		if b.ID == id {
			return b, nil
		}
		known = append(known, b.ID)
	}
	return nil, NewUnknownError("bug of "+l.Name, id, known)
}

// In says how the bug is re-introduced in an edition, nil if the corpus does not say.
func (b *Bug) In(e Edition) *Reintroduce {
	switch {
	case e == Upstream:
		return b.Upstream
	case e.Commit() != "":
		return b.Upstream.elsewhere()
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
