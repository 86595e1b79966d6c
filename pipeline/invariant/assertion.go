package invariant

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// plain is source text without comments, its white space made single blanks.
func plain(s string) string {
	return strings.Join(strings.Fields(clex.WithoutComments(s)), " ")
}

// An assertion is one as it stands in a program.
type assertion struct {
	condition   string // as written, with single blanks
	remark      string // the comment behind it
	begin, end  int    // bytes of the statement, its remark included
	first, last int    // lines, 1-based

	node *cprog.Node // of the condition
}

// assertionAt reads the assertion whose name begins at byte i; ok is false where it does not end.
func assertionAt(s string, i int) (a assertion, ok bool) {
	a.begin = i
	open, depth := 0, 0
	for t := range clex.Tokens(s[i:]) {
		switch {
		case t.Text == "(":
			if depth++; depth == 1 {
				open = i + t.End
			}
		case t.Start > 0 && depth == 0: // another word than assert( follows
			return a, false
		case t.Text == ")":
			depth--
			a.end, ok = i+t.End, depth == 0
		}
		if ok {
			break
		}
	}
	if !ok {
		return a, false
	}
	a.condition = plain(s[open : a.end-1])
	a.first = 1 + strings.Count(s[:i], "\n")
	a.last = a.first + strings.Count(s[i:a.end], "\n")
	if rest := strings.TrimLeft(s[a.end:], " \t"); strings.HasPrefix(rest, ";") {
		a.end = len(s) - len(rest) + 1
	}
	line, _, _ := strings.Cut(s[a.end:], "\n")
	if text := strings.TrimSpace(line); strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/*") && strings.HasSuffix(text, "*/") {
		a.remark = strings.TrimSpace(strings.TrimSuffix(strings.TrimLeft(text, "/*"), "*/"))
		a.end += len(line)
	}
	return a, true
}

// assertionsIn returns the assertions of a text that need not compile, in their order.
func assertionsIn(text string) []assertion {
	var list []assertion
	after := 0
	for t := range clex.Tokens(text) {
		if t.Start < after || t.Text != "assert" {
			continue
		}
		if a, ok := assertionAt(text, t.Start); ok {
			list, after = append(list, a), a.end
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

// withoutAssertions takes the assertions out of a program, such as a finished test that serves
// as a seed. Their temporaries stay.
func withoutAssertions(source string) string {
	for _, a := range slices.Backward(assertionsIn(source)) {
		source = without(source, a)
	}
	return source
}
