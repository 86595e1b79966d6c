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
	var line []string   // words of a preprocessor line that is not read to its end
	for t := range clex.Tokens(src) {
		if line != nil && (!t.Directive || t.Kind == clex.Directive) {
			skipping, line = branch(skipping, line), nil
		}
		switch {
		case t.Kind == clex.Comment:
		case t.Directive:
			line = append(line, t.Text)
		case !slices.Contains(skipping, true):
			toks = append(toks, t)
		}
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

// branch follows a preprocessor line: whether each #if that is open is in a branch to skip.
func branch(skipping []bool, line []string) []bool {
	if len(line) < 2 {
		return skipping
	}
	last := len(skipping) - 1
	switch name := line[1]; {
	case name == "if" || name == "ifdef" || name == "ifndef":
		return append(skipping, name == "if" && len(line) > 2 && line[2] == "0")
	case last < 0:
	case name == "endif":
		return skipping[:last]
	case name == "else":
		// Of `#if 0 … #else … #endif` the second is left; of others it is skipped.
		skipping[last] = !skipping[last]
	case strings.HasPrefix(name, "elif"):
		skipping[last] = true
	}
	return skipping
}
