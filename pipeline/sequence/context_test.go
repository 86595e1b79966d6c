package sequence

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// TestTypesAreSpelledAsDeclared: "struct T" is no type where only a typedef names it.
func TestTypesAreSpelledAsDeclared(t *testing.T) {
	field := []apispec.Field{{Name: "x", Type: &apispec.Type{Kind: apispec.Float, Name: "double"}}}
	constants := []apispec.Enumerator{{Name: "RED"}, {Name: "BLUE"}}
	for want, got := range map[string]string{
		"struct point { double x; };":               structure(&apispec.Struct{Name: "point", Fields: field}, trial.C),
		"struct point_s /* point */ { double x; };": structure(&apispec.Struct{Name: "point_s", Typedef: "point", Fields: field}, trial.C),
		"typedef struct { double x; } point;":       structure(&apispec.Struct{Name: "point", Typedef: "point", Untagged: true, Fields: field}, trial.C),
		"typedef union { double x; } cell;":         structure(&apispec.Struct{Name: "cell", Union: true, Typedef: "cell", Untagged: true, Fields: field}, trial.C),
		"class Point { double x; };":                structure(&apispec.Struct{Name: "Point", Typedef: "Point", Untagged: true, Fields: field}, trial.CXX),
		"struct handle; // opaque":                  structure(&apispec.Struct{Name: "handle", Opaque: true}, trial.C),
		"enum hue { RED, BLUE };":                   enumeration(&apispec.Enum{Name: "hue", Constants: constants}, trial.C),
		"typedef enum { RED, BLUE } hue;":           enumeration(&apispec.Enum{Name: "hue", Untagged: true, Constants: constants}, trial.C),
	} {
		assert.Check(t, got == want, "got %s, want %s", got, want)
	}
}
