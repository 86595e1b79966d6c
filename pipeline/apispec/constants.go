package apispec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// computable reports whether a macro may be an integer constant expression: if its full expansion has only
// numbers, characters, enumerators, types and C's operators. known has the answers so far.
func (x *extractor) computable(name string, defs map[string]*macroDef, known map[string]bool) bool {
	m := defs[name]
	if may, done := known[name]; done || m == nil || m.isFunc {
		return may
	}
	known[name] = false // in its own expansion it is no macro
	open, value := 0, false
	for t := range clex.Tokens(m.body) {
		switch t.Kind {
		case clex.Comment:
		case clex.Number, clex.Char:
			value = true
		case clex.Word:
			if !typeWords[t.Text] && x.lookup(t.Text) == nil {
				if value = true; !x.enumerator(t.Text) && !x.computable(t.Text, defs, known) {
					return false
				}
			}
		case clex.Punct:
			if open += strings.Count(t.Text, "(") - strings.Count(t.Text, ")"); open < 0 || !strings.Contains("()+-*/%<>=!&|^~?:", t.Text) {
				return false
			}
		default:
			return false
		}
	}
	known[name] = value && open == 0
	return known[name]
}

// typeWords are the words of builtin types.
var typeWords = func() map[string]bool {
	words := map[string]bool{}
	for spelling := range builtins {
		for _, w := range strings.Fields(spelling) {
			words[w] = true
		}
	}
	return words
}()

func (x *extractor) enumerator(name string) bool {
	return slices.ContainsFunc(x.spec.Enums, func(e *Enum) bool {
		return slices.ContainsFunc(e.Constants, func(c Enumerator) bool { return c.Name == name })
	})
}

// textOf is the text that a sequence of string literals stands for.
func textOf(body string) (text string, ok bool) {
	for t := range clex.Tokens(body) {
		if t.Kind == clex.Comment {
			continue
		}
		s, err := strconv.Unquote(t.Text)
		if t.Kind != clex.String || err != nil {
			return "", false
		}
		text, ok = text+s, true
	}
	return text, ok
}
