package cprog

import (
	"iter"
	"slices"
	"strings"
)

// All yields n and every node below it, in the order of the source.
func (n *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.each(yield) }
}

func (n *Node) each(yield func(*Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, in := range n.Inner {
		if !in.each(yield) {
			return false
		}
	}
	return true
}

// Callee returns the function or method that a callee expression names, through parentheses,
// conversions, & and *; nil for any other expression, such as a variable.
func (n *Node) Callee() *Decl {
	switch {
	case n.Kind == "DeclRefExpr" || n.Kind == "MemberExpr":
		if n.Decl != nil && n.Decl.IsFunction() {
			return n.Decl
		}
	case len(n.Inner) != 1:
	case n.Kind == "ParenExpr" || n.Kind == "ImplicitCastExpr" || n.Kind == "UnaryOperator" && (n.Op == "&" || n.Op == "*"):
		return n.Inner[0].Callee()
	}
	return nil
}

// functions are the kinds of declarations of functions and methods.
var functions = []string{"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}

// IsFunction reports whether a declaration is that of a function or method.
func (d *Decl) IsFunction() bool { return slices.Contains(functions, d.Kind) }

// Assertion returns the condition of an assert: of the if or ?: that its macro expands to, one of
// whose branches is the call that a failed assertion makes. It is nil for any other node.
func (n *Node) Assertion() *Node {
	if n.Kind != "IfStmt" && n.Kind != "ConditionalOperator" || len(n.Inner) < 2 {
		return nil
	}
	if slices.ContainsFunc(n.Inner[1:], (*Node).FailsAssertion) {
		return n.Inner[0]
	}
	return nil
}

// FailsAssertion reports whether a node is the call that a failed assert makes.
func (n *Node) FailsAssertion() bool {
	return n.Kind == "CallExpr" && n.Decl != nil && strings.HasPrefix(n.Decl.Name, "__assert")
}
