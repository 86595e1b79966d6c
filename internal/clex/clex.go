// Package clex splits C and C++ text into tokens. It accepts any text, even a model's broken answer. It never
// fails and takes time linear in the length of the text. To analyse programs that compile, use package cprog.
//
// The text is as after translation phase 1 of C17 5.1.1.2, without trigraphs and digraphs; a
// backslash before a line's end continues the line (phase 2). Macros are not expanded and the
// branches of #if are all there.
package clex

import (
	"iter"
	"strings"
	"unicode"
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
	Text       string // as in the text; of a word or number without the line ends that it continues over
	Start, End int    // bytes
	Line       int    // of its first byte, 1-based
	First      bool   // nothing but blanks stands before it on its line
	Directive  bool   // it belongs to a preprocessor line
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
				if kind == Word || kind == Number {
					text = unsplice(text)
				}
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

// NameWords returns the words of a name in small letters. It is split at marks between them and at capitals that
// follow no capital: png_get_height, cmsGetColorSpace, re2::RE2.
func NameWords(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return r == ' ' || r == '_' || r == ':' })
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

func unsplice(text string) string {
	if !strings.Contains(text, "\\") {
		return text
	}
	return strings.NewReplacer("\\\n", "", "\\\r\n", "").Replace(text)
}

func spaceEnd(src string, i int) int {
	for i < len(src) {
		switch n := splice(src, i); {
		case n > 0:
			i += n
		case blank(src[i]):
			i++
		default:
			return i
		}
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
	for i++; i < len(src); {
		exponent := strings.IndexByte("eEpP", src[i-1]) >= 0
		switch c := src[i]; {
		case wordByte(c) || c == '.' || exponent && (c == '+' || c == '-'):
			i++
		case c == '\'' && i+1 < len(src) && wordByte(src[i+1]):
			i += 2
		default:
			n := joint(src, i)
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// joint returns the length of the continued line ends at byte i that a letter or digit
// follows, or 0.
func joint(src string, i int) int {
	end := i
	for n := splice(src, end); n > 0; n = splice(src, end) {
		if end += n; end == len(src) {
			return 0
		}
	}
	if !wordByte(src[end]) {
		return 0
	}
	return end - i
}

// prefixes begin literals: C17 6.4.4.4 and 6.4.5, C++20 [lex.string].
var prefixes = map[string]bool{"L": true, "u": true, "U": true, "u8": true, "R": true, "LR": true, "uR": true, "UR": true, "u8R": true}

// wordAt reads a word, or the literal that it is the prefix of.
func wordAt(src string, i int) (Kind, int) {
	end := i
	for end < len(src) && (wordByte(src[end]) || joint(src, end) > 0) {
		end += max(joint(src, end), 1)
	}
	if end == len(src) || src[end] != '"' && src[end] != '\'' || !prefixes[src[i:end]] {
		return Word, end
	}
	switch raw := src[end-1] == 'R'; {
	case src[end] == '"' && raw:
		if n := rawEnd(src, end); n > 0 {
			return String, n
		}
		return String, quotedEnd(src, end)
	case src[end] == '"':
		return String, quotedEnd(src, end)
	case raw:
		return Word, end
	}
	return Char, quotedEnd(src, end)
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
