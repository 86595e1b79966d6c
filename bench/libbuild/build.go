package libbuild

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Variant is one way to build a library.
type Variant string

// The variants. A buggy build is a variant of a buggy tree.
const (
	Plain     Variant = "plain"     // what tests are judged on
	Coverage  Variant = "coverage"  // clang source-based coverage
	Sanitizer Variant = "sanitizer" // ASan and UBSan
	Fuzzer    Variant = "fuzzer"    // libFuzzer instrumentation with ASan
)

// baseFlags are common to every variant: -O1 and line tables as FuzzBench and OSS-Fuzz
// use them. Paths are relative to the tree, so that equal sources give equal objects
// wherever they lie.
var baseFlags = []string{"-O1", "-gline-tables-only", "-fPIC", "-ffile-compilation-dir=."}

// compileFlags returns the flags with which the library's own sources are compiled.
func (v Variant) compileFlags() []string {
	switch v {
	case Coverage:
		return append(slices.Clone(baseFlags), toolchain.CoverageFlags...)
	case Sanitizer:
		return append(slices.Clone(baseFlags), toolchain.SanitizeFlags...)
	case Fuzzer:
		// As OSS-Fuzz's base-builder compiles (facts/baselines.md, section 3).
		return append(slices.Clone(baseFlags), "-fsanitize=fuzzer-no-link,address", "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
	default:
		// A section for each function and variable: package touched compares builds by them.
		return append(slices.Clone(baseFlags), "-ffunction-sections", "-fdata-sections")
	}
}

// A Build is one library variant on disk. Everything in it is immutable.
type Build struct {
	Key         string            `json:"key"` // content hash of everything that went into it
	Library     string            `json:"library"`
	Variant     Variant           `json:"variant"`
	Dir         string            `json:"-"`            // absolute; holds the files below
	SharedLib   string            `json:"-"`            // absolute path of the shared object; same SONAME in every variant
	StaticLib   string            `json:"-"`            // absolute path of the archive of the same objects; see Static
	IncludeDir  string            `json:"-"`            // installed public headers
	Profile     string            `json:"-"`            // toolchain.ParseProfile reads it (Coverage only)
	Commands    string            `json:"-"`            // log of whole command lines, a shell script that can be replayed
	Sums        map[string]string `json:"sums"`         // SHA-256 of every file by its path in Dir, so that damage is noticed
	HeadersHash string            `json:"headers_hash"` // of the installed headers: a test object is valid for every build with this hash
	LinkLibs    []string          `json:"link_libs"`    // e.g. -lm, for the link of an executable
	CountersAt  uint64            `json:"counters_at"`  // where in its memory they are (Coverage only)
	Counters    int               `json:"counters"`     // number of 8-byte coverage counters (Coverage only)
	Objects     int               `json:"objects"`      // objects in it

	archive func() error // makes the static library where it is not there from the start
}

// Static returns the path of the archive of the build's objects.
func (build *Build) Static() (string, error) {
	if build.archive == nil {
		return build.StaticLib, nil
	}
	return build.StaticLib, build.archive()
}
