package straightline

import "github.com/lisa-bench/lisa-bench/internal/cprog"

// line returns where a node begins in the program: of a macro, where it is used.
func line(n *cprog.Node) int { return int(n.Begin.Line) }

// ofHeader reports whether a node as a whole is the text of a macro that the program does not
// define itself.
func ofHeader(n *cprog.Node) bool {
	return foreign(n.Begin) && foreign(n.End) && n.Begin.Offset == n.End.Offset
}

// foreign reports whether the text at a place comes from a macro that the program does not define.
func foreign(at cprog.Place) bool { return at.Macro != nil && !at.Macro.File.Own() }

// callee returns the program's own function that a call calls, or nil.
func callee(n *cprog.Node) *cprog.Function {
	if constructs(n) || n.Decl == nil {
		return nil
	}
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		return defined(n.Decl)
	}
	return nil
}

// defined returns the definition that the program has of a function, or nil.
func defined(d *cprog.Decl) *cprog.Function {
	if d.Function == nil || d.Function.Node == nil {
		return nil
	}
	return d.Function
}

func constructs(n *cprog.Node) bool {
	return n.Kind == "CXXConstructExpr" || n.Kind == "CXXTemporaryObjectExpr"
}
