package invariant

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// plain is source text without comments, its white space made single blanks.
func plain(s string) string {
	return strings.Join(strings.Fields(clex.WithoutComments(s)), " ")
}

// callEnd returns the index after the closing parenthesis of the call whose name begins at i,
// and the text between its parentheses; ok is false where they are not balanced.
func callEnd(s string, i int) (end int, args string, ok bool) {
	open, depth := -1, 0
	for ; i < len(s); i = end {
		_, end = clex.At(s, i)
		switch s[i:end] {
		case "(":
			if open < 0 {
				open = end
			}
			depth++
		case ")":
			if depth--; depth == 0 {
				return end, s[open:i], true
			}
		}
	}
	return 0, "", false
}

// An assertion is one as it stands in a program.
type assertion struct {
	condition   string // as written, with single blanks
	remark      string // the comment behind it
	begin, end  int    // bytes of the statement, its remark included
	first, last int    // lines, 1-based

	node *cprog.Node // of the condition
}

// assertionAt reads the assertion whose macro begins at byte i.
func assertionAt(s string, i int) (assertion, bool) {
	end, args, ok := callEnd(s, i)
	if !ok {
		return assertion{}, false
	}
	a := assertion{condition: plain(args), begin: i}
	a.first = 1 + strings.Count(s[:i], "\n")
	a.last = a.first + strings.Count(s[i:end], "\n")
	for end < len(s) && (s[end] == ' ' || s[end] == '\t') {
		end++
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	a.end = end
	line, _, _ := strings.Cut(s[end:], "\n")
	if text := strings.TrimSpace(line); strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") && strings.HasSuffix(text, "*/") {
		a.remark = strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(text, "/*"), "*/"))
		a.end = end + len(line)
	}
	return a, true
}

// assertionsIn returns the assertions of a text that need not compile, in their order.
func assertionsIn(text string) []assertion {
	var list []assertion
	for i, end := 0, 0; i < len(text); i = end {
		if _, end = clex.At(text, i); text[i:end] != "assert" || !strings.HasPrefix(strings.TrimLeft(text[end:], " \t"), "(") {
			continue
		}
		if a, ok := assertionAt(text, i); ok {
			list = append(list, a)
			end = a.end
		}
	}
	return list
}

// without returns the program without an assertion, and without its line if nothing else is on it.
func without(s string, a assertion) string {
	head, tail := s[:a.begin], s[a.end:]
	line := strings.LastIndexByte(head, '\n') + 1
	if strings.TrimSpace(head[line:]) == "" && strings.HasPrefix(tail, "\n") {
		return head[:line] + tail[1:]
	}
	return head + ";" + tail
}

// lines returns lines first to last of a text, 1-based, each with its newline.
func lines(s string, first, last int) string {
	all := strings.SplitAfter(s, "\n")
	first, last = max(first, 1), min(last, len(all))
	if first > last {
		return ""
	}
	return strings.Join(all[first-1:last], "")
}

// tight is source text without blanks outside its literals.
func tight(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		kind, end := clex.At(s, i)
		if kind != clex.Space && kind != clex.Newline {
			b.WriteString(s[i:end])
		}
		i = end
	}
	return b.String()
}
