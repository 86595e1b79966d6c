package citywalk

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// lex returns the tokens of C or C++ text without comments and preprocessor lines. Of the branches
// of an #if only the first counts, or the second of `#if 0`: their braces together would not match.
func lex(src string) []clex.Token {
	var toks []clex.Token
	var skipping []bool // by nesting of #if
	before := ""        // the token before, of a preprocessor line
	for t := range clex.Tokens(src) {
		if t.Kind == clex.Comment {
			continue
		}
		last := len(skipping) - 1
		switch {
		case before == "#" && strings.HasPrefix(t.Text, "if"):
			skipping = append(skipping, false)
		case last < 0:
		case before == "if" && t.Text == "0":
			skipping[last] = true
		case before == "#" && t.Text == "endif":
			skipping = skipping[:last]
		case before == "#" && t.Text == "else":
			skipping[last] = !skipping[last]
		case before == "#" && strings.HasPrefix(t.Text, "elif"):
			skipping[last] = true
		}
		switch {
		case t.Directive:
			before = t.Text
			continue
		case !slices.Contains(skipping, true):
			toks = append(toks, t)
		}
		before = ""
	}
	return toks
}

// commentsOf returns the comments of a text; lines of // comments below each other are one.
func commentsOf(src string) []clex.Token {
	var list []clex.Token
	line := -1 // of the // comment before
	for t := range clex.Tokens(src) {
		switch {
		case t.Kind != clex.Comment:
		case strings.HasPrefix(t.Text, "/*"):
			list = append(list, t)
		case t.First && t.Line == line+1:
			list[len(list)-1].End = t.End
			line = t.LastLine()
		default:
			list = append(list, t)
			line = t.LastLine()
		}
	}
	return list
}
