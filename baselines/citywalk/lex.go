package citywalk

import (
	"regexp"
	"slices"
	"strings"
)

// A token is an identifier, a number, a literal or a punctuation mark.
type token struct {
	text       string
	start, end int
}

// lex splits C or C++ text into tokens, without comments and preprocessor lines. Of the branches
// of an #if only the first counts, or the second of `#if 0`: their braces together would not match.
// It never fails.
func lex(src string) []token {
	var toks []token
	var skipping []bool // by nesting of #if
	bol := true
	for i := 0; i < len(src); {
		c := src[i]
		start := i
		switch {
		case c == '\n':
			bol = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\\' && i+1 < len(src) && src[i+1] == '\n':
			i++
			continue
		case strings.HasPrefix(src[i:], "//"):
			i = lineEnd(src, i)
			continue
		case c == '#' && bol:
			i = lineEnd(src, i)
			skipping = branch(skipping, src[start:i])
			continue
		case strings.HasPrefix(src[i:], "/*"):
			i = after(src, i+2, "*/")
			continue
		case strings.HasPrefix(src[i:], `R"`):
			i = rawStringEnd(src, i)
		case c == '"' || c == '\'':
			i = literalEnd(src, i)
		case wordByte(c):
			for i < len(src) && (wordByte(src[i]) || src[i] == '\'' && i+1 < len(src) && digit(src[start]) && wordByte(src[i+1])) {
				i++
			}
		case strings.HasPrefix(src[i:], "::"):
			i += 2
		default:
			i++
		}
		bol = false
		if !slices.Contains(skipping, true) {
			toks = append(toks, token{src[start:i], start, i})
		}
	}
	return toks
}

var conditional = regexp.MustCompile(`^#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b\s*(\S*)`)

// branch follows a preprocessor line: whether each #if that is open is in a branch to skip.
func branch(skipping []bool, line string) []bool {
	m := conditional.FindStringSubmatch(line)
	if m == nil {
		return skipping
	}
	last := len(skipping) - 1
	switch {
	case strings.HasPrefix(m[1], "if"):
		return append(skipping, m[1] == "if" && m[2] == "0")
	case last < 0:
	case m[1] == "endif":
		return skipping[:last]
	case m[1] == "else":
		// Of `#if 0 … #else … #endif` the second is left; of others it is skipped.
		skipping[last] = !skipping[last]
	default:
		skipping[last] = true
	}
	return skipping
}

// lineEnd returns the index of the end of the logical line: a backslash continues it, and so does
// a comment that begins on a preprocessor line.
func lineEnd(src string, i int) int {
	comment := strings.HasPrefix(src[i:], "//")
	for ; i < len(src); i++ {
		switch {
		case src[i] == '\\' && i+1 < len(src):
			i++
			if src[i] == '\r' && i+1 < len(src) {
				i++
			}
		case !comment && strings.HasPrefix(src[i:], "/*"):
			i = after(src, i+2, "*/") - 1
		case src[i] == '\n':
			return i
		}
	}
	return len(src)
}

// after returns the index behind the next end, or the text's.
func after(src string, i int, end string) int {
	if i < len(src) {
		if n := strings.Index(src[i:], end); n >= 0 {
			return i + n + len(end)
		}
	}
	return len(src)
}

func rawStringEnd(src string, i int) int {
	open := strings.IndexByte(src[i:], '(')
	if open < 0 || open > 18 { // [lex.string]: a delimiter has at most 16 characters
		return literalEnd(src, i+1)
	}
	return after(src, i+open, ")"+src[i+2:i+open]+`"`)
}

// literalEnd returns the index behind a string or character literal; an unterminated one ends
// with its line.
func literalEnd(src string, i int) int {
	quote := src[i]
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '\n':
			return j
		case quote:
			return j + 1
		}
	}
	return len(src)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func wordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || digit(c)
}

func identifier(t string) bool { return t != "" && wordByte(t[0]) && !digit(t[0]) }
