package straightline

import (
	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Site is where a call is written in its program.
type Site struct {
	Function *apispec.Function
	Span
	Object Span // of a method: the object; with Arrow, a pointer to it
	Arrow  bool
	Args   []Span // as many as are written
}

// A Span is a part of a program's text, in bytes. It is empty where there is no such text, and,
// of an object or argument, where evaluating the text again could do something.
type Span struct{ Begin, End int }

// site returns where a call is written; nil if that is not in one piece in the program itself.
func (t *tracer) site(n *clangast.Node, f *apispec.Function) *Site {
	if n.Kind != "CallExpr" && n.Kind != "CXXMemberCallExpr" || !t.own(n.Range.Begin.File) {
		return nil
	}
	s := &Site{Function: f, Span: span(n)}
	if s.Span == (Span{}) {
		return nil
	}
	for _, a := range n.Inner[1:] {
		if a != nil && a.Kind != "CXXDefaultArgExpr" {
			s.Args = append(s.Args, repeatable(a))
		}
	}
	if m := n.Inner[0]; m != nil && m.Kind == "MemberExpr" && len(m.Inner) == 1 && m.Inner[0] != nil {
		s.Object = repeatable(m.Inner[0])
		t := m.Inner[0].Type.Canonical()
		s.Arrow = len(t) > 0 && t[len(t)-1] == '*'
	}
	return s
}

// span is the text of an expression that no macro writes.
func span(n *clangast.Node) Span {
	b, e := n.Range.Begin, n.Range.End
	if b.Offset == nil || e.Offset == nil || b.ExpansionLoc != nil || e.ExpansionLoc != nil || *b.Offset >= *e.Offset+e.TokLen {
		return Span{}
	}
	return Span{*b.Offset, *e.Offset + e.TokLen}
}

// repeatable is the text of an expression that only names or computes a value.
func repeatable(n *clangast.Node) Span {
	if !pureExpression(n) {
		return Span{}
	}
	return span(n)
}

// pureExpression reports whether an expression has only names, literals, operators without
// assignment, and conversions that the program does not write.
func pureExpression(n *clangast.Node) bool {
	if n == nil {
		return true
	}
	switch n.Kind {
	case "DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "ParenExpr", "ImplicitCastExpr", "CStyleCastExpr", "CXXStaticCastExpr",
		"IntegerLiteral", "FloatingLiteral", "StringLiteral", "CharacterLiteral", "CXXBoolLiteralExpr", "CXXNullPtrLiteralExpr", "GNUNullExpr",
		"MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ExprWithCleanups", "CXXConstructExpr", "CXXDefaultArgExpr", "ConstantExpr":
	case "UnaryOperator":
		if n.Opcode == "++" || n.Opcode == "--" {
			return false
		}
	case "BinaryOperator":
		if n.Opcode == "=" || n.Opcode == "," {
			return false
		}
	default:
		return false
	}
	for _, in := range n.Children() {
		if !pureExpression(in) {
			return false
		}
	}
	return true
}
