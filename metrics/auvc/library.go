package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// library translates functions of the C library whose meaning matters to assertions.
func (w *walker) library(name string, args []argument, typ *cprog.Type) (value, bool) {
	n := len(args)
	if n == 0 {
		return value{}, false
	}
	op, texts := "", 0 // the name for function, and how many of its arguments are texts
	switch {
	case name == "strlen" && n == 1:
		op, texts = "strlen", 1
	case (name == "strcmp" || name == "strcoll") && n == 2:
		op, texts = "strcmp", 2
	case name == "strncmp" && n == 3:
		op, texts = "strncmp", 2
	case (name == "memcmp" || name == "bcmp") && n == 3:
		bytes := w.make("memcmp", intShape, w.bytes(args[0].at.val, args[2].val), w.bytes(args[1].at.val, args[2].val))
		return bytes.as(typ), true
	case (name == "abs" || name == "labs" || name == "llabs") && n == 1 && isInteger(args[0].typ):
		op = "abs"
	case (name == "fabs" || name == "fabsf" || name == "abs") && n == 1 && args[0].shape.kind == float:
		op = "fabs"
	case (name == "memset" || name == "bzero") && n >= 2 && args[0].leads:
		at := args[0].at
		w.move(at.root)
		if args[1].isNull() && name == "memset" && isVariable(at.val) {
			w.setText(at.root, "")
		}
		return args[0].value, true
	case name == "expect" && n == 2:
		return args[0].value, true
	case name == "isdigit" && n == 1:
		op = "isdigit"
	case args[n-1].shape.kind == float: // C17 7.12.3
		args = args[n-1:]
		switch strings.TrimPrefix(strings.TrimPrefix(name, "__"), "std::") {
		case "isnan", "isnanf", "isnanl":
			op = "isnan"
		case "isinf", "isinf_sign", "isinff":
			op = "isinf"
		case "isfinite", "finite":
			op = "isfinite"
		}
	}
	if op == "" {
		return value{}, false
	}
	var parts []val
	for i, a := range args {
		if i < texts {
			parts = append(parts, w.textAt(a.at.val))
		} else {
			parts = append(parts, a.val)
		}
	}
	return w.make(op, shapeOf(typ), parts...).as(typ), true
}

// comparisons are GoogleTest's helpers (gtest.h, "Macros for testing equalities and
// inequalities"), which take the two expressions as text and then as values.
var comparisons = map[string]string{
	"Compare": "==", "CmpHelperEQ": "==", "CmpHelperNE": "!=", "CmpHelperLT": "<", "CmpHelperLE": "<=", "CmpHelperGT": ">", "CmpHelperGE": ">=",
	"CmpHelperSTREQ": "text ==", "CmpHelperSTRNE": "text !=",
	"CmpHelperFloatingPointEQ": "near", "DoubleNearPredFormat": "near",
}

// googleTest recognises the statement that EXPECT_ and ASSERT_ macros expand to: an if with a
// variable of type testing::AssertionResult.
func (w *walker) googleTest(n *cprog.Node) bool {
	if len(n.Inner) != 1 || n.Inner[0].Type == nil || !strings.Contains(n.Inner[0].Type.Desugared, "AssertionResult") {
		return false
	}
	call := find(n.Inner[0], func(c *cprog.Node) bool {
		return c.Kind == "CallExpr" && c.Decl != nil && comparisons[c.Decl.Name] != "" && len(c.Inner) >= 5
	})
	if call == nil {
		made := find(n.Inner[0], func(c *cprog.Node) bool {
			return strings.HasSuffix(c.Kind, "ConstructExpr") && len(c.Inner) >= 1 && c.Inner[0].Type != nil && !isRecord(referred(c.Inner[0].Type))
		})
		if made == nil {
			return false
		}
		v := w.rvalue(made.Inner[0])
		w.check(w.truth(v.val))
		return true
	}
	op := comparisons[call.Decl.Name]
	args := w.arguments(call.Inner[3:])
	var parts []val
	for _, a := range args {
		parts = append(parts, a.val)
	}
	switch {
	case op == "near":
		w.check(w.truth(w.opaque(call.Decl.Name, intType, parts...).val))
	case len(args) != 2:
		return false
	case strings.HasPrefix(op, "text "):
		w.check(w.make(op[len("text "):], intShape, w.textAt(args[0].at.val), w.textAt(args[1].at.val)))
	case isRecord(args[0].typ) && (op == "==" || op == "!="):
		w.check(w.equal(op, args))
	default:
		w.check(w.compare(op, parts[0], parts[1]))
	}
	return true
}

// find returns the first node below n, or n, for which ok holds.
func find(n *cprog.Node, ok func(*cprog.Node) bool) *cprog.Node {
	for in := range n.All() {
		if ok(in) {
			return in
		}
	}
	return nil
}
