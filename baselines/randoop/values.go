package randoop

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A choice is a value that a parameter may get.
type choice struct {
	text   string // C expression
	weight float64
}

// floats are the values of floating-point parameters.
var floats = words("0.0 -0.0 1.0 -1.0 0.5 1.5 100.0 1e-9 2147483648.0 -2147483649.0 1e15 1e17 1e300 (1.0/3.0) NAN INFINITY -INFINITY")

// numbers returns values for a number: constants of the API that its type or name stands for, small numbers,
// powers of two and the extremes of its type.
func numbers(spec *apispec.Spec, p *param) (list []choice) {
	add := func(weight float64, values ...string) {
		for _, v := range values {
			if !slices.ContainsFunc(list, func(c choice) bool { return c.text == v }) {
				list = append(list, choice{v, weight})
			}
		}
	}
	if p.typ.Kind == apispec.Float {
		add(1, floats...)
		return list
	}
	if fileWords.has(p.words) {
		add(1, "-1") // any other might be a file of the harness
		return list
	}
	for _, e := range spec.Enums {
		for _, k := range e.Constants {
			if own := p.typ.Kind == apispec.EnumRef; own && e.Name == p.typ.Name || !own && p.isAbout(k.Name, "") {
				add(4, k.Name)
			}
		}
	}
	for _, k := range spec.Constants {
		if !k.IsText && p.isAbout(k.Name, k.Doc) {
			add(3, k.Name)
		}
	}
	add(0.8, "0", "1", "2", "3")
	add(0.12, "4", "7", "8", "10", "16", "31", "32", "64", "100", "255", "256", "1000", "4096", "65535", "65536")
	if p.typ.Signed {
		add(0.3, "-1", "-2")
	}
	add(0.15, extremes(p.typ)...)
	if p.typ.IsChar() || slices.Equal(p.words, []string{"c"}) {
		add(0.5, "'a'", "'Z'", "'0'", `'\n'`, "' '", `'\\'`)
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

// extremes returns the largest and, if signed, the smallest value of an integer type.
func extremes(t *apispec.Type) []string {
	switch {
	case t.Kind != apispec.Int || t.Bits < 32:
		return nil
	case t.Signed && t.Bits == 32:
		return []string{"2147483647", "(-2147483647 - 1)"}
	case t.Bits == 32:
		return []string{"4294967295u", "2147483648u"}
	case t.Signed:
		return []string{"9223372036854775807L", "(-9223372036854775807L - 1)", "2147483648L"}
	}
	return []string{"18446744073709551615uL", "4294967296uL", "9223372036854775808uL"}
}

// texts are strings that parsers, printers and comparers of any kind get wrong.
var texts = []string{"", " ", "a", "A", "b", "abc", "ABC", "key", "value", "hello world", "0", "-0", "1", "-1", "42", "1.5",
	"1e5", "1E-3", "123456789012345678901234567890", "2147483648", "1e999", "0x1F", "007", "+1", ".5", "1.", "NaN", "true", "null",
	"\t\n\r", "line one\nline two\n", "\"quoted\"", "it's", `back\slash`, "caf\xc3\xa9", "\xe2\x82\xac", "\xff\xfe", "\x01\x02\x1f",
	"%s%d%n", "%%", "/", "/a/b", "/0", "~", ".", "*", "?", "[", "]", "{", "}", "[]", "{}", "()", "a=b", "a,b,,c", "--x", "#", ":", ";"}

// A pool holds contents that calls made or took without error, the latest of them.
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

// draw returns an item, or one of the usual strings when there is none.
func (p *pool) draw(r *rand.Rand) string {
	if p == nil || len(p.items) == 0 {
		return pick(r, texts)
	}
	return pick(r, p.items)
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// mutate cuts, repeats, replaces or inserts a part of s, a few times. The result has no NUL.
func mutate(r *rand.Rand, s string) string {
	for range 1 + r.IntN(3) {
		i := r.IntN(len(s) + 1)
		j := i + r.IntN(len(s)-i+1)
		switch r.IntN(5) {
		case 0:
			s = s[:i]
		case 1:
			s = s[:i] + s[j:]
		case 2:
			s = s[:j] + s[i:]
		case 3:
			s = s[:i] + pick(r, texts) + s[i:]
		case 4:
			s = s[:i] + string([]byte{byte(1 + r.IntN(255))}) + s[min(i+1, len(s)):]
		}
	}
	return strings.ReplaceAll(s, "\x00", "0")
}

// fillHelper computes contents that are too long to spell out: one byte, counting, noise, noise that repeats.
const fillHelper = `static void fill(unsigned char *p, size_t n, int pattern, unsigned seed) {
    unsigned x = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        p[i] = pattern == 0 ? seed : pattern == 1 ? i + seed : pattern == 2 || i < 300 ? x >> 24 : p[i - 258 - seed % 40];
    }
}

`
