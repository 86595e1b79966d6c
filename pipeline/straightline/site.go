package straightline

import (
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Site is where a call is written in its program.
type Site struct {
	Function *apispec.Function
	Span
	Object Span   // of a method: the object, or a pointer to it
	Args   []Span // as many as are written
}

// A Span is a part of a program's text, in bytes. It is empty where there is no such text, and,
// of an object or argument, where evaluating the text again could do something.
type Span struct{ Begin, End int }

// site returns where a call is written; nil if that is not in one piece in the program itself.
func site(n *cprog.Node, f *apispec.Function) *Site {
	if n.Kind != "CallExpr" && n.Kind != "CXXMemberCallExpr" || len(n.Inner) == 0 {
		return nil
	}
	s := &Site{Function: f, Span: span(n)}
	if s.Span == (Span{}) {
		return nil
	}
	for _, a := range n.Inner[1:] {
		if a.Kind != "CXXDefaultArgExpr" {
			s.Args = append(s.Args, repeatable(a))
		}
	}
	if m := n.Inner[0]; m.Kind == "MemberExpr" && len(m.Inner) == 1 {
		s.Object = repeatable(m.Inner[0])
	}
	return s
}

// span is the text of an expression that no macro writes.
func span(n *cprog.Node) Span {
	b, e := n.Begin, n.End
	if b.File != cprog.Main || e.File != cprog.Main || b.Macro != nil || e.Macro != nil || int(b.Offset) >= e.Limit() {
		return Span{}
	}
	return Span{int(b.Offset), e.Limit()}
}

// repeatable is the text of an expression that only names or computes a value.
func repeatable(n *cprog.Node) Span {
	if !pureExpression(n) {
		return Span{}
	}
	return span(n)
}

// pureExpression reports whether an expression has only names, literals, operators without
// assignment, and conversions that the program does not write.
func pureExpression(n *cprog.Node) bool {
	switch n.Kind {
	case "DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "ParenExpr", "ImplicitCastExpr", "CStyleCastExpr", "CXXStaticCastExpr",
		"IntegerLiteral", "FloatingLiteral", "StringLiteral", "CharacterLiteral", "CXXBoolLiteralExpr", "CXXNullPtrLiteralExpr", "GNUNullExpr",
		"MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "ExprWithCleanups", "CXXConstructExpr", "CXXDefaultArgExpr", "ConstantExpr":
	case "UnaryOperator":
		if n.Op == "++" || n.Op == "--" {
			return false
		}
	case "BinaryOperator":
		if n.Op == "=" || n.Op == "," {
			return false
		}
	default:
		return false
	}
	for _, in := range n.Inner {
		if !pureExpression(in) {
			return false
		}
	}
	return true
}
