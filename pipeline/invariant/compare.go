package invariant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A reading is a program as the compiler read it.
type reading struct {
	source string
	*cprog.Program
}

// A comparison takes out of a program what stands beside its sequence: assertions, their temporaries,
// and statements that do nothing. What is left must be what is left of its seed.
type comparison struct {
	*reading
	observers  map[string]bool // the library's functions that assertions may call
	seed       *comparison     // nil: this is the seed
	names      map[string]bool // of the program's variables and functions
	list       []statement     // of its blocks
	statements map[string]bool // of them, as tokens
	temporary  map[*cprog.Decl]bool

	left       []byte // the source without what was taken out
	assertions []assertion
	why        string // the first reason why an addition is not allowed
	refused    int    // where that is
}

// compare returns the assertions that a program adds to its seed, or why it is not the same
// sequence. It may add assertions, temporaries with names of their own, and variables that keep the
// result of a call that the seed throws away.
func compare(base, now *reading, observers map[string]bool) (added []assertion, why string) {
	seed := takeApart(&comparison{reading: base, observers: observers})
	c := takeApart(&comparison{reading: now, observers: observers, seed: seed})
	a, b := tokens(string(seed.left)), tokens(string(c.left))
	n := 0 // of a, that are in b
	for n < len(a) && n < len(b) && a[n].Text == b[n].Text && a[n].Directive == b[n].Directive {
		n++
	}
	switch {
	case c.why != "":
		why, n = c.why, len(tokens(string(c.left[:c.refused])))
	case n < len(b):
		why = fmt.Sprintf("line %d: `%s` is no statement of the program, nor an addition that is allowed", b[n].Line, c.statementOf(b[n]))
	case n < len(a):
		return nil, fmt.Sprintf("the statement `%s` of the program is missing or changed", seed.statementOf(a[n]))
	case !slices.Equal(directives(base.source), directives(now.source)):
		return nil, "preprocessor lines are not those of the program"
	default:
		return c.assertions, ""
	}
	if n < len(a) && a[n].Text != "}" {
		why += fmt.Sprintf("; the program goes on with `%s`", seed.statementOf(a[n]))
	}
	return nil, why
}

// takeApart does that with the program of c.
func takeApart(c *comparison) *comparison {
	c.left, c.names = []byte(c.source), map[string]bool{}
	c.temporary, c.statements = map[*cprog.Decl]bool{}, map[string]bool{}
	for _, n := range c.Tree {
		for in := range n.All() {
			if in.Decl != nil && in.Kind != "MemberExpr" {
				c.names[in.Decl.Name] = true
			}
		}
		c.walk(n)
	}
	return c
}

// walk looks at the statements of all blocks below n. It reports whether n is a block of which
// nothing is left.
func (c *comparison) walk(n *cprog.Node) (empty bool) {
	block := n.Kind == "CompoundStmt" && n.Begin.File == cprog.Main && n.Begin.Macro == nil
	empty = block
	for i, in := range n.Inner {
		begin, end := int(in.Begin.Offset), int(n.End.Offset)
		if i+1 < len(n.Inner) {
			end = int(n.Inner[i+1].Begin.Offset)
		}
		// Of the statements of one macro, the last has the text of all.
		if !block || begin >= end || i > 0 && in.Begin.Offset <= n.Inner[i-1].Begin.Offset || in.Begin.File != cprog.Main {
			c.walk(in)
			empty = false
			continue
		}
		s := statement{in, c.source[begin:end]}
		c.list = append(c.list, s)
		gone := c.walk(in) || c.beside(s)
		if gone {
			c.cut(begin, end)
		}
		empty = empty && gone
	}
	return empty
}

// cut takes a part out of what is left.
func (c *comparison) cut(begin, end int) {
	for i := begin; i < end; i++ {
		if c.left[i] != '\n' {
			c.left[i] = ' '
		}
	}
}

// A statement is one with its text, up to the next one.
type statement struct {
	*cprog.Node
	text string
}

// statementOf is the text of the statement that holds a token of the source, as a message shows it.
func (c *comparison) statementOf(t clex.Token) string {
	found := t.Text
	for _, s := range c.list {
		if begin := int(s.Begin.Offset); begin <= t.Start && t.Start < begin+len(s.text) {
			found = s.shown()
		}
	}
	return found
}

// shown is a statement as a message shows it.
func (s statement) shown() string {
	if length := s.End.Limit() - int(s.Begin.Offset); s.End.Macro == nil && length < len(s.text) {
		s.text = s.text[:max(length, 0)]
	}
	return plain(s.text)
}

// tokens are those of a text but for comments.
func tokens(text string) []clex.Token {
	return slices.DeleteFunc(slices.Collect(clex.Tokens(text)), func(t clex.Token) bool { return t.Kind == clex.Comment })
}

// directives are the preprocessor lines of a text, as tokens.
func directives(text string) []string {
	var list []string
	for _, t := range tokens(text) {
		if t.Kind == clex.Directive {
			list = append(list, "")
		}
		if t.Directive {
			list[len(list)-1] += t.Text + " "
		}
	}
	return list
}

// squeezed is source text as it is compared: without comments and layout.
func squeezed(text string) string {
	var b strings.Builder
	for _, t := range tokens(text) {
		b.WriteString(t.Text + " ")
	}
	return b.String()
}
