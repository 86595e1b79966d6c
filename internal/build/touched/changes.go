package touched

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// A change is a piece of a source file that is another one in another version of the file.
type change struct {
	line int // where it is
	// at are the places of the tokens that are replaced or gone; where some are only new, that of the token behind
	// them. It is empty where what is new stands between the declarations of a file.
	at []toolchain.Position
	// coarse says why these places are not all that the change is about, "" if they are.
	coarse string
}

// changes compares two versions of a C or C++ file. Comments and blanks do not count.
func changes(old, now string) (list []change) {
	a, b := lex(old), lex(now)
	for _, h := range hunks(old, now) {
		from, to := a.within(h.old)
		newFrom, newTo := b.within(h.now)
		for from < to && newFrom < newTo && a[from].same(b[newFrom]) {
			from, newFrom = from+1, newFrom+1
		}
		for from < to && newFrom < newTo && a[to-1].same(b[newTo-1]) {
			to, newTo = to-1, newTo-1
		}
		if from == to && newFrom == newTo {
			continue
		}
		c := change{line: h.old.from}
		for _, t := range a[from:to] {
			c.at = append(c.at, t.at)
		}
		between := from == to && (from == len(a) || a.betweenDeclarations(from))
		switch {
		case a.directive(from, to, false) || b.directive(newFrom, newTo, between):
			c.coarse = "a line of the preprocessor changes"
		case a.label(from, to) || b.label(newFrom, newTo):
			c.coarse = "a label of a switch changes"
		case from == to && !between:
			c.at = []toolchain.Position{a[from].at}
		}
		list = append(list, c)
	}
	return list
}

// A token has its place in the file.
type token struct {
	clex.Token
	at toolchain.Position
}

func (t token) same(u token) bool { return t.Text == u.Text && t.Directive == u.Directive }

func (t token) is(marks ...string) bool { return slices.Contains(marks, t.Text) }

type tokens []token

// lex returns the tokens of a file without its comments.
func lex(src string) (list tokens) {
	for t := range clex.Tokens(src) {
		if t.Kind != clex.Comment {
			column := t.Start - strings.LastIndexByte(src[:t.Start], '\n')
			list = append(list, token{t, toolchain.Position{Line: t.Line, Column: column}})
		}
	}
	return list
}

// within returns which tokens begin on some lines.
func (list tokens) within(l lines) (from, to int) {
	first := func(line int) int {
		n, _ := slices.BinarySearchFunc(list, line, func(t token, line int) int { return t.Line - line })
		return n
	}
	return first(l.from), first(l.from + l.n)
}

// directive reports whether a line of the preprocessor is among tokens; one with a condition only if any is
// asked for: in a function it is where it stands.
func (list tokens) directive(from, to int, any bool) bool {
	for i, t := range list[from:to] {
		if !t.Directive {
			continue
		}
		i += from
		for list[i].Kind != clex.Directive {
			i--
		}
		if any || i+1 == len(list) || !list[i+1].is("if", "ifdef", "ifndef", "elif", "else", "endif") {
			return true
		}
	}
	return false
}

// label reports whether a label of a switch is among tokens, or before them in their statement.
func (list tokens) label(from, to int) bool {
	for from > 0 && !list[from-1].is(";", "{", "}", ":") {
		from--
	}
	return slices.ContainsFunc(list[from:to], func(t token) bool { return t.is("case", "default") })
}

// betweenDeclarations reports whether a token is the first of a declaration of the file, outside of all braces.
func (list tokens) betweenDeclarations(i int) bool {
	depth, last := 0, ";"
	for _, t := range list[:i] {
		if t.Directive {
			continue
		}
		switch last = t.Text; last {
		case "{":
			depth++
		case "}":
			depth--
		}
	}
	return depth == 0 && (last == ";" || last == "}")
}

// lines are n lines of a text, of which from is the first, 1-based.
type lines struct{ from, n int }

// A hunk says which lines of a text are which of another.
type hunk struct{ old, now lines }

// hunks returns the lines that are not the same in two texts.
func hunks(old, now string) (list []hunk) {
	var at hunk // the line that comes next, of both
	var open bool
	for line := range strings.Lines(string(diff.Diff("a", []byte(old), "b", []byte(now)))) {
		switch {
		case strings.HasPrefix(line, "@@"):
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d", &at.old.from, &at.old.n, &at.now.from, &at.now.n); err != nil {
				panic(fmt.Sprintf("touched: a hunk begins with %q", line)) // the diff is our own
			}
			at.old.from, at.now.from = max(at.old.from, 1), max(at.now.from, 1)
			open = false
			continue
		case at.old.from == 0 || line[0] == '\\': // before the first hunk; a text without a last line end
			continue
		case line[0] == ' ':
			at.old.from, at.now.from, open = at.old.from+1, at.now.from+1, false
			continue
		case !open:
			list, open = append(list, hunk{lines{at.old.from, 0}, lines{at.now.from, 0}}), true
		}
		h := &list[len(list)-1]
		if line[0] == '-' {
			h.old.n, at.old.from = h.old.n+1, at.old.from+1
		} else {
			h.now.n, at.now.from = h.now.n+1, at.now.from+1
		}
	}
	return list
}
