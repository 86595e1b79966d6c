// Package clex splits C and C++ text into tokens. It accepts any text, even a model's broken answer. It never
// fails and takes time linear in the length of the text. To analyse programs that compile, use package cprog.
//
// The text is as after translation phase 1 of C17 5.1.1.2, without trigraphs and digraphs; a
// backslash before a line's end continues the line (phase 2), but ends a word or number. Macros are
// not expanded and the branches of #if are all there.
package clex

import (
	"iter"
	"strings"
)

// A Kind is what a token is.
type Kind uint8

// The kinds.
const (
	Space     Kind = iota // blanks and continued line ends; Tokens leaves it out
	Newline               // an end of line outside comments and literals; Tokens leaves it out
	Comment               // // or /* */
	Word                  // an identifier or a keyword; $ and bytes from 0x80 on count as letters
	Number                // a preprocessing number (C17 6.4.8), with ' between digits
	String                // with its prefix, raw strings of C++ too
	Char                  // with its prefix
	Punct                 // one mark, or ::, or ...; longer operators are read as their marks, for >> may close two lists
	Directive             // the # that begins a preprocessor line; from Tokens only
)

// A Token is a piece of a text.
type Token struct {
	Kind       Kind
	Text       string
	Start, End int  // bytes
	Line       int  // of its first byte, 1-based
	First      bool // nothing but blanks stands before it on its line
	Directive  bool // it belongs to a preprocessor line
}

// LastLine is the line of the token's last byte.
func (t Token) LastLine() int {
	return t.Line + strings.Count(t.Text, "\n")
}

// Tokens yields the tokens of a text in order, comments among them.
func Tokens(src string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		line, first := 1, true
		directive, fresh := false, true // fresh: only blanks and comments since the logical line began
		for i := 0; i < len(src); {
			kind, end := pieceAt(src, i)
			text := src[i:end]
			lines := strings.Count(text, "\n")
			switch kind {
			case Newline:
				directive, fresh, first = false, true, true
			case Space:
				first = first || lines > 0
			default:
				if kind == Punct && text == "#" && fresh {
					kind, directive = Directive, true
				}
				if !yield(Token{kind, text, i, end, line, first, directive}) {
					return
				}
				first, fresh = false, fresh && kind == Comment
			}
			line += lines
			i = end
		}
	}
}

// pieceAt returns the kind of what begins at byte i of a text, which it must have, and where that
// ends: every byte belongs to one piece. Inside of a piece the answer means nothing.
func pieceAt(src string, i int) (Kind, int) {
	c := src[i]
	switch {
	case c == '\n':
		return Newline, i + 1
	case blank(c) || splice(src, i) > 0:
		return Space, spaceEnd(src, i)
	case strings.HasPrefix(src[i:], "//"):
		return Comment, lineEnd(src, i)
	case strings.HasPrefix(src[i:], "/*"):
		return Comment, after(src, i+2, "*/")
	case c == '"':
		return String, quotedEnd(src, i)
	case c == '\'':
		return Char, quotedEnd(src, i)
	case digit(c) || c == '.' && i+1 < len(src) && digit(src[i+1]):
		return Number, numberEnd(src, i)
	case wordByte(c):
		return wordAt(src, i)
	case strings.HasPrefix(src[i:], "::"):
		return Punct, i + 2
	case strings.HasPrefix(src[i:], "..."):
		return Punct, i + 3
	}
	return Punct, i + 1
}

// Set returns the words of a list, which blanks part, as a set.
func Set(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// NameWords returns the words of a name in small letters: png_get_height, cmsGetColorSpace, re2::RE2. It is split at
// what is no letter, before a capital that follows a small letter, and before the last of several capitals if a small
// letter follows.
func NameWords(name string) []string {
	small := func(i int) bool { return i < len(name) && 'a' <= name[i] && name[i] <= 'z' }
	text := ""
	for i := range len(name) {
		capital := 'A' <= name[i] && name[i] <= 'Z'
		if capital && (i > 1 && small(i-1) || i > 0 && !small(i-1) && small(i+1)) {
			text += " "
		}
		text += name[i : i+1]
	}
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" _:0123456789", r) })
}

// WithoutComments returns the text with a blank and its line ends in place of each comment.
func WithoutComments(src string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(src); {
		kind, end := pieceAt(src, i)
		if kind == Comment {
			b.WriteString(src[from:i])
			b.WriteString(strings.Repeat("\n", strings.Count(src[i:end], "\n")))
			b.WriteByte(' ')
			from = end
		}
		i = end
	}
	b.WriteString(src[from:])
	return b.String()
}

// wordByte reports whether a byte can be in an identifier.
func wordByte(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || digit(c) || c >= 0x80
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// splice returns the length of the continued line end at byte i, or 0.
func splice(src string, i int) int {
	switch {
	case strings.HasPrefix(src[i:], "\\\n"):
		return 2
	case strings.HasPrefix(src[i:], "\\\r\n"):
		return 3
	}
	return 0
}

func spaceEnd(src string, i int) int {
	for i < len(src) && (blank(src[i]) || splice(src, i) > 0) {
		i += max(splice(src, i), 1)
	}
	return i
}

// lineEnd returns the place of the newline that ends the logical line.
func lineEnd(src string, i int) int {
	for i < len(src) && src[i] != '\n' {
		i += max(splice(src, i), 1)
	}
	return i
}

// after returns the place behind the next end, or the text's.
func after(src string, i int, end string) int {
	if n := strings.Index(src[i:], end); n >= 0 {
		return i + n + len(end)
	}
	return len(src)
}

// quotedEnd returns the place behind the literal that begins with the quotation mark at byte i;
// one that is not closed ends with its line.
func quotedEnd(src string, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j += max(splice(src, j), 2) - 1
		case '\n':
			return j
		case src[i]:
			return j + 1
		}
	}
	return len(src)
}

func numberEnd(src string, i int) int {
	for i++; i < len(src); i++ {
		c := src[i]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", src[i-1]) >= 0
		quote := c == '\'' && i+1 < len(src) && wordByte(src[i+1])
		if !wordByte(c) && c != '.' && !sign && !quote {
			break
		}
	}
	return i
}

// prefixes begin literals: C17 6.4.4.4 and 6.4.5, C++20 [lex.string].
var prefixes = Set("L u U u8 R LR uR UR u8R")

// wordAt reads a word, or the literal that it is the prefix of.
func wordAt(src string, i int) (Kind, int) {
	end := i
	for end < len(src) && wordByte(src[end]) {
		end++
	}
	if end == len(src) || !prefixes[src[i:end]] {
		return Word, end
	}
	switch raw := src[end-1] == 'R'; {
	case src[end] == '"' && raw:
		return String, max(rawEnd(src, end), quotedEnd(src, end))
	case src[end] == '"':
		return String, quotedEnd(src, end)
	case src[end] == '\'' && !raw:
		return Char, quotedEnd(src, end)
	}
	return Word, end
}

// maxDelimiter is the longest delimiter of a raw string ([lex.string]).
const maxDelimiter = 16

// rawEnd returns the place behind the "delimiter(…)delimiter" at byte i, or 0 if it is none.
func rawEnd(src string, i int) int {
	head := src[i+1 : min(len(src), i+2+maxDelimiter)]
	open := strings.IndexByte(head, '(')
	if open < 0 || strings.ContainsAny(head[:open], " )\\\t\v\f\n\"") {
		return 0
	}
	return after(src, i+1+open, ")"+head[:open]+`"`)
}
