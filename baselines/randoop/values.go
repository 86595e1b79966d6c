package randoop

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// The values of numbers: small ones are drawn most often. The extremes are of the types of C; a compiler fits each to
// the type of its parameter.
var (
	smallNumbers = words("0 1 2 3")
	otherNumbers = words("4 7 8 10 16 31 32 64 100 255 256 1000 4096 65535 65536 -1 -2 2147483647 (-2147483647-1) " +
		"2147483648L 4294967295L 9223372036854775807L (-9223372036854775807L-1)")
	floats     = words("0.0 -0.0 1.0 -1.0 0.5 1.5 100.0 1e-9 2147483648.0 -2147483649.0 1e15 1e17 1e300 (1.0/3.0) NAN INFINITY -INFINITY")
	characters = []string{"'a'", "'Z'", "'0'", `'\n'`, "' '", `'\\'`}
)

// number draws a value of a number: a constant of the API, a small number, or an odd one.
func number(r *rand.Rand, p *param) string {
	if p.typ.Kind == apispec.Float {
		return pick(r, floats)
	}
	if fileWords.has(p.words) {
		return "-1" // any other might be a file of the harness
	}
	x := r.Float64()
	switch {
	case len(p.constants) > 0 && x < 0.7:
		return pick(r, p.constants)
	case x < 0.8:
		return pick(r, smallNumbers)
	case p.typ.IsChar():
		return pick(r, characters)
	}
	return pick(r, otherNumbers)
}

// constantsFor returns the constants of the API that a number's type or name stands for.
func constantsFor(spec *apispec.Spec, p *param) (list []string) {
	for _, e := range spec.Enums {
		for _, k := range e.Constants {
			if own := p.typ.Kind == apispec.EnumRef; own && e.Name == p.typ.Name || !own && p.isAbout(k.Name, "") {
				list = append(list, k.Name)
			}
		}
	}
	for _, k := range spec.Constants {
		if !k.IsText && p.isAbout(k.Name, k.Doc) {
			list = append(list, k.Name)
		}
	}
	return list
}

// isAbout reports whether a constant, or the comment of its group, has a word in common with the parameter's name.
func (p *param) isAbout(constant, doc string) bool {
	words := splitWords(constant)
	doc = strings.ToLower(doc)
	return slices.ContainsFunc(p.words, func(w string) bool {
		return len(w) >= 3 && (slices.Contains(words, w) || strings.Contains(doc, w))
	})
}

// texts are strings that parsers, printers and comparers of any kind get wrong.
var texts = []string{"", " ", "a", "A", "b", "abc", "ABC", "key", "value", "hello world", "0", "-0", "1", "-1", "42", "1.5",
	"1e5", "1E-3", "123456789012345678901234567890", "2147483648", "1e999", "0x1F", "007", "+1", ".5", "1.", "NaN", "true", "null",
	"\t\n\r", "line one\nline two\n", "\"quoted\"", "it's", `back\slash`, "caf\xc3\xa9", "\xe2\x82\xac", "\xff\xfe", "\x01\x02\x1f",
	"%s%d%n", "%%", "/", "/a/b", "/0", "~", ".", "*", "?", "[", "]", "{", "}", "[]", "{}", "()", "a=b", "a,b,,c", "--x", "#", ":", ";"}

// A pool holds contents of strings and memory: those of the headers, and the latest that calls returned or wrote.
type pool struct{ items []string }

// Limits of a pool: enough variety, small enough to spell out in a test.
const (
	poolItems   = 300
	poolItemLen = 700
)

// add keeps s unless it is there already, is empty, or is too long.
func (p *pool) add(s string) {
	if s != "" && len(s) <= poolItemLen && !slices.Contains(p.items, s) {
		p.items = append(p.items, s)
		p.items = p.items[max(len(p.items)-poolItems, 0):]
	}
}

// draw returns an item, or one of the usual strings.
func (p *pool) draw(r *rand.Rand) string {
	if len(p.items) == 0 || r.IntN(2) == 0 {
		return pick(r, texts)
	}
	return pick(r, p.items)
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// fillHelper computes contents that are too long to spell out: counting, noise, noise that repeats.
const fillHelper = `static void fill(unsigned char *p, size_t n, unsigned seed) {
    unsigned x = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        p[i] = seed % 3 == 0 ? i + seed : seed % 3 == 1 || i < 300 ? x >> 24 : p[i - 258 - seed % 40];
    }
}

`
