package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A tree is what a program itself declares.
type tree struct {
	source string
	decls  []*cprog.Node
}

// An addition is a statement that a program with assertions has and its seed has not.
type addition struct {
	assertion bool
	begin     int // offset of its first byte
	condition *cprog.Node
}

// A comparison walks a seed's tree and that of the same program with assertions in step.
type comparison struct {
	base, now *tree
	observers map[string]bool             // the library's functions that assertions may call
	same      map[*cprog.Decl]*cprog.Decl // a declaration of the seed → of the program
	temporary map[*cprog.Decl]bool        // added variables
	additions []addition
	why       string // of the last refusal
}

// compare returns what a program adds to its seed, or why it is not the same sequence. A program may
// only add assertions and temporaries for them, and keep the result of a call that the seed
// throws away.
func compare(base, now *tree, observers map[string]bool) (added []addition, why string) {
	c := &comparison{base: base, now: now, observers: observers, same: map[*cprog.Decl]*cprog.Decl{}, temporary: map[*cprog.Decl]bool{}}
	for i, n := range now.decls {
		if i >= len(base.decls) {
			return nil, fmt.Sprintf("line %d: the program declares %s, which it did not before", n.Begin.Line, named(n))
		}
		if !c.node(base.decls[i], n) {
			if c.why == "" {
				c.why = fmt.Sprintf("line %d: the declaration of %s is not the one of the program", n.Begin.Line, named(n))
			}
			return nil, c.why
		}
	}
	if len(now.decls) < len(base.decls) {
		return nil, fmt.Sprintf("the declaration of %s is missing", named(base.decls[len(now.decls)]))
	}
	return c.additions, ""
}

func named(n *cprog.Node) string {
	if n.Name == "" {
		return "something without a name"
	}
	return n.Name
}

// node reports whether b is a, but for additions in its blocks.
func (c *comparison) node(a, b *cprog.Node) bool {
	if a.Kind != b.Kind || a.Name != b.Name || a.Op != b.Op || a.Text != b.Text || a.Value != b.Value || a.Storage != b.Storage || a.Init != b.Init ||
		(a.Flags ^ b.Flags).Is(written) || spelling(a.Type) != spelling(b.Type) || spelling(a.Arg) != spelling(b.Arg) {
		return false
	}
	if strings.HasSuffix(a.Kind, "Decl") && a.Decl != nil && c.same[a.Decl] == nil {
		c.same[a.Decl] = b.Decl
	} else if !c.reference(a.Decl, b.Decl) {
		return false
	}
	if a.Kind == "CompoundStmt" {
		return c.block(a, b)
	}
	if a.FailsAssertion() {
		return true // its other arguments are the file and line
	}
	if len(a.Inner) != len(b.Inner) {
		return false
	}
	for i := range a.Inner {
		if !c.node(a.Inner[i], b.Inner[i]) {
			return false
		}
	}
	return true
}

// written are the flags of a node that tell how it is written.
const written = cprog.Postfix | cprog.Else | cprog.Selected | cprog.Arrow | cprog.Filler | cprog.Constant

func spelling(t *cprog.Type) string {
	if t == nil {
		return ""
	}
	return t.Spelling
}

// reference reports whether two names mean the same declaration.
func (c *comparison) reference(a, b *cprog.Decl) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if same := c.same[a]; same != nil {
		return same == b
	}
	return !c.temporary[b] && a.Kind == b.Kind && a.Name == b.Name && spelling(a.Type) == spelling(b.Type)
}

// block compares the statements of two blocks.
func (c *comparison) block(a, b *cprog.Node) bool {
	left := a.Inner
	for _, n := range b.Inner {
		if len(left) > 0 && (c.try(left[0], n) || c.keepsResult(left[0], n)) {
			left = left[1:]
			continue
		}
		before := c.why
		if c.why = c.add(n); c.why != "" {
			if strings.HasPrefix(before, "line ") && n.Kind == "CompoundStmt" {
				c.why = before // of what is inside it
			} else if len(left) > 0 {
				c.why += fmt.Sprintf("; the program goes on with `%s`", c.base.text(left[0]))
			}
			return false
		}
		c.why = before
	}
	if len(left) > 0 {
		c.why = fmt.Sprintf("the statement `%s` of the program is missing or changed", c.base.text(left[0]))
		return false
	}
	return true
}

// try compares one statement, and forgets what it learnt if they differ.
func (c *comparison) try(a, b *cprog.Node) bool {
	same, temporary, additions := len(c.same), len(c.temporary), len(c.additions)
	if c.node(a, b) && c.sameText(a, b) {
		return true
	}
	if len(c.same) != same || len(c.temporary) != temporary {
		c.forget(a, b)
	}
	c.additions = c.additions[:additions]
	return false
}

// forget drops the declarations below two statements.
func (c *comparison) forget(a, b *cprog.Node) {
	for n := range a.All() {
		if strings.HasSuffix(n.Kind, "Decl") {
			delete(c.same, n.Decl)
		}
	}
	for n := range b.All() {
		if strings.HasSuffix(n.Kind, "Decl") {
			delete(c.temporary, n.Decl)
		}
	}
}

// sameText compares what two statements without a block are written as: a tree does not tell
// of everything, such as the type in sizeof.
func (c *comparison) sameText(a, b *cprog.Node) bool {
	blocks := false
	for n := range a.All() {
		blocks = blocks || n.Kind == "CompoundStmt"
	}
	left, right := c.base.text(a), c.now.text(b)
	return blocks || left == "" || right == "" || tight(left) == tight(right)
}

// text is how a statement is written, with single blanks; "" where a macro begins or ends it.
func (t *tree) text(n *cprog.Node) string {
	b, e := n.Begin, n.End
	if b.File != cprog.Main || e.File != cprog.Main || b.Macro != nil || e.Macro != nil || b.Offset > e.Offset || e.Limit() > len(t.source) {
		return ""
	}
	return plain(t.source[b.Offset:e.Limit()])
}

// keepsResult reports whether b keeps in a temporary what the call a throws away.
func (c *comparison) keepsResult(a, b *cprog.Node) bool {
	call := a
	for call.Kind == "CStyleCastExpr" && call.Op == "ToVoid" || call.Kind == "ParenExpr" {
		call = call.Inner[0]
	}
	if call.Kind != "CallExpr" && call.Kind != "CXXMemberCallExpr" || b.Kind != "DeclStmt" || len(b.Inner) != 1 {
		return false
	}
	v := b.Inner[0]
	if v.Kind != "VarDecl" || v.Storage != "" || len(v.Inner) != 1 {
		return false
	}
	kept := v.Inner[0]
	for kept.Kind == "ImplicitCastExpr" && len(kept.Inner) == 1 {
		kept = kept.Inner[0]
	}
	if !c.try(call, kept) {
		return false
	}
	c.temporary[v.Decl] = true
	return true
}
