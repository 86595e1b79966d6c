package randoop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Values of numbers of which only the type is known.
var (
	smallNumbers = strings.Fields("0 0 0 1 1 1 2 2 3 4 7 8 10 16 31 64 100 255 256 1000 4096 65536 -1 -2")
	floats       = strings.Fields("0.0 -0.0 1.0 -1.0 0.5 1.5 100.0 1e-9 2147483648.0 -2147483649.0 1e17 1e300 (1.0/3.0) " +
		"NAN INFINITY -INFINITY")
)

// texts are strings that parsers, printers and comparers of any kind get wrong.
var texts = []string{
	"", " ", "a", "A", "b", "abc", "ABC", "key", "value", "hello world", "0", "-0", "1", "-1", "42", "1.5", "1e5",
	"1E-3", "123456789012345678901234567890", "2147483648", "1e999", "0x1F", "007", "+1", ".5", "1.", "NaN",
	"true", "null", "\t\n\r", "line one\nline two\n", "\"quoted\"", "it's", `back\slash`, "caf\xc3\xa9",
	"\xe2\x82\xac", "\xff\xfe", "\x01\x02\x1f", "%s%d%n", "%%", "/", "/a/b", "/0", "~", ".", "*", "?", "[", "]",
	"{", "}", "[]", "{}", "()", "a=b", "a,b,,c", "--x", "#", ":", ";",
}

// constants returns those of the headers that a number may stand for: the values of its enumeration, or what has
// its name in its own or in the comment of its group.
func constants(spec *apispec.Spec, name string, t *apispec.Type) (list []string) {
	about := func(text string) bool {
		return len(name) >= 3 && strings.Contains(strings.ToLower(text), strings.ToLower(name))
	}
	for _, e := range spec.Enums {
		for _, k := range e.Constants {
			if t.Kind == apispec.EnumRef && e.Name == t.Name || t.Kind == apispec.Int && about(k.Name) {
				list = append(list, k.Name)
			}
		}
	}
	for _, k := range spec.Constants {
		if t.Kind == apispec.Int && !k.IsText && (about(k.Name) || about(k.Doc)) {
			list = append(list, k.Name)
		}
	}
	return list
}

// number draws a value of type t: one of the constants, a small number, an extreme, or any.
func (g *grower) number(t *apispec.Type, constants []string) string {
	switch {
	case t.Kind == apispec.Float:
		return pick(g.rng, floats)
	case len(constants) > 0 && g.chance(0.6):
		return pick(g.rng, constants)
	case t.Kind == apispec.Int && g.chance(0.1):
		if t.Signed {
			return fmt.Sprintf(pick(g.rng, []string{"INT%d_MAX", "INT%d_MIN"}), t.Bits)
		}
		return fmt.Sprintf("UINT%d_MAX", t.Bits)
	case t.Kind == apispec.Int && g.chance(0.05):
		return fmt.Sprint(g.rng.IntN(1 << (1 + g.rng.IntN(15))))
	}
	return pick(g.rng, smallNumbers)
}

// text draws a string: a usual one, a long one, or one of the pool.
func (g *grower) text() string {
	switch {
	case len(g.pool) > 0 && g.chance(0.5):
		return pick(g.rng, g.pool)
	case g.chance(0.1):
		return strings.Repeat(pick(g.rng, texts), 20+g.rng.IntN(100))
	}
	return pick(g.rng, texts)
}

// Limits of the pool: enough variety, small enough to spell out in a test.
const (
	poolItems   = 300
	poolItemLen = 700
)

// remember adds a string to the pool unless it is there already, is empty, or is too long. The oldest gives way.
func (g *grower) remember(s string) {
	if s != "" && len(s) <= poolItemLen && !slices.Contains(g.pool, s) {
		g.pool = append(g.pool, s)
		g.pool = g.pool[max(len(g.pool)-poolItems, 0):]
	}
}

// chance is true with probability p.
func (g *grower) chance(p float64) bool { return g.rng.Float64() < p }

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
