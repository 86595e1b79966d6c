package invariant

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A tree is what a program itself declares.
type tree struct {
	source string
	decls  []*clangast.Node
}

// readTree reads the syntax tree of a program that compiles.
func readTree(ast toolchain.AST, u toolchain.Unit) (*tree, error) {
	t := &tree{source: u.Source}
	own := func(file string) bool {
		return u.MainFile(file) || ast.Preamble != "" && file == ast.Preamble
	}
	err := clangast.TopLevel(bytes.NewReader(ast.JSON), func(n *clangast.Node) error {
		if !n.IsImplicit && (own(n.Loc.File) || own(n.Range.Begin.File)) {
			t.decls = append(t.decls, n)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("program %s: read its syntax tree: %w", u.ID, err)
	}
	return t, nil
}

// An addition is a statement that a program with assertions has and its seed has not.
type addition struct {
	assertion bool
	begin     int // offset of its first byte
	line      int // of its first byte, 1-based
	condition *clangast.Node
}

// A comparison walks a seed's tree and that of the same program with assertions in step.
type comparison struct {
	base, now *tree
	observers map[string]bool   // the library's functions that assertions may call
	same      map[string]string // id of a declaration of the seed → of the program
	temporary map[string]bool   // ids of added variables
	additions []addition
	why       string // of the last refusal
}

// compare returns what a program adds to its seed, or why it is not the same sequence: it may
// only add assertions and temporaries for them, and keep the result of a call that the seed
// throws away.
func compare(base, now *tree, observers map[string]bool) (added []addition, why string) {
	c := &comparison{base: base, now: now, observers: observers, same: map[string]string{}, temporary: map[string]bool{}}
	for i, n := range now.decls {
		if i >= len(base.decls) {
			return nil, fmt.Sprintf("line %d: the program declares %s, which it did not before", n.Range.Begin.Line, named(n))
		}
		if !c.node(base.decls[i], n) {
			if c.why == "" {
				c.why = fmt.Sprintf("line %d: the declaration of %s is not the one of the program", n.Range.Begin.Line, named(n))
			}
			return nil, c.why
		}
	}
	if len(now.decls) < len(base.decls) {
		return nil, fmt.Sprintf("the declaration of %s is missing", named(base.decls[len(now.decls)]))
	}
	return c.additions, ""
}

func named(n *clangast.Node) string {
	if n.Name == "" {
		return "something without a name"
	}
	return n.Name
}

// node reports whether b is a, but for additions in its blocks.
func (c *comparison) node(a, b *clangast.Node) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if a.Kind != b.Kind || a.Name != b.Name || a.Opcode != b.Opcode || a.CastKind != b.CastKind ||
		spelling(a.Type.QualType) != spelling(b.Type.QualType) || a.StorageClass != b.StorageClass || a.Init != b.Init ||
		a.HasElse != b.HasElse || !bytes.Equal(a.Value, b.Value) || !c.reference(a.Referenced, b.Referenced) {
		return false
	}
	if strings.HasSuffix(a.Kind, "Decl") && a.ID != "" {
		c.same[a.ID] = b.ID
	}
	if a.Kind == "CompoundStmt" {
		return c.block(a, b)
	}
	if failedAssert(a) {
		return true // its other arguments are the file and line
	}
	left, right := a.Children(), b.Children()
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		if !c.node(left[i], right[i]) {
			return false
		}
	}
	return true
}

var placed = regexp.MustCompile(` at [^)]*\)`)

// spelling is a type's without the place where it is defined.
func spelling(t string) string { return placed.ReplaceAllString(t, ")") }

// reference reports whether two names mean the same declaration.
func (c *comparison) reference(a, b *clangast.Reference) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if id, own := c.same[a.ID]; own {
		return id == b.ID
	}
	return !c.temporary[b.ID] && a.Kind == b.Kind && a.Name == b.Name && spelling(a.Type.QualType) == spelling(b.Type.QualType)
}

// block compares the statements of two blocks.
func (c *comparison) block(a, b *clangast.Node) bool {
	left := a.Inner
	for _, n := range b.Inner {
		if n == nil {
			continue
		}
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
func (c *comparison) try(a, b *clangast.Node) bool {
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
func (c *comparison) forget(a, b *clangast.Node) {
	each(a, func(n *clangast.Node) { delete(c.same, n.ID) })
	each(b, func(n *clangast.Node) { delete(c.temporary, n.ID) })
}

func each(n *clangast.Node, do func(*clangast.Node)) {
	if n == nil {
		return
	}
	do(n)
	for _, in := range n.Children() {
		each(in, do)
	}
}

// sameText compares what two statements without a block are written as: a tree does not tell
// of everything, such as the type in sizeof.
func (c *comparison) sameText(a, b *clangast.Node) bool {
	blocks := false
	each(a, func(n *clangast.Node) { blocks = blocks || n.Kind == "CompoundStmt" })
	left, right := c.base.text(a), c.now.text(b)
	return blocks || left == "" || right == "" || tight(left) == tight(right)
}

// text is how a statement is written, with single blanks; "" where a macro begins or ends it.
func (t *tree) text(n *clangast.Node) string {
	b, e := n.Range.Begin, n.Range.End
	if b.Offset == nil || e.Offset == nil || *b.Offset > *e.Offset || *e.Offset+e.TokLen > len(t.source) {
		return ""
	}
	return plain(t.source[*b.Offset : *e.Offset+e.TokLen])
}

// keepsResult reports whether b keeps in a temporary what the call a throws away.
func (c *comparison) keepsResult(a, b *clangast.Node) bool {
	call := a
	for call.Kind == "CStyleCastExpr" && call.CastKind == "ToVoid" || call.Kind == "ParenExpr" {
		call = call.Inner[0]
	}
	if call.Kind != "CallExpr" && call.Kind != "CXXMemberCallExpr" || b.Kind != "DeclStmt" || len(b.Inner) != 1 {
		return false
	}
	v := b.Inner[0]
	if v == nil || v.Kind != "VarDecl" || v.StorageClass != "" || len(v.Inner) != 1 {
		return false
	}
	kept := v.Inner[0]
	for kept != nil && kept.Kind == "ImplicitCastExpr" && len(kept.Inner) == 1 {
		kept = kept.Inner[0]
	}
	if !c.try(call, kept) {
		return false
	}
	c.temporary[v.ID] = true
	return true
}
