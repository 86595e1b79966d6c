package sequence

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Describe returns what a prompt shows of APIs, given by their canonical names: their
// declarations, and the definitions that these mention.
func Describe(t trial.Target, spec *apispec.Spec, apis []string) (signatures, types []string) {
	l := newLibrary(t, spec)
	var known []string
	for _, name := range apis {
		if f := l.byName[name]; f != nil {
			known = append(known, name)
			signatures = append(signatures, l.signature(f))
		}
	}
	return signatures, l.types(known)
}

// TypesOf returns the names of the structs and enumerations in a function's type.
func TypesOf(f *apispec.Function) []string { return mentioned(f) }
