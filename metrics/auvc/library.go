package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// functions are those of the C library whose meaning matters to assertions: the operation that each is, how many
// arguments it has, and how many of them are texts.
var functions = map[string]struct {
	op          string
	args, texts int
}{
	"strlen": {"strlen", 1, 1}, "strcmp": {"strcmp", 2, 2}, "strncmp": {"strncmp", 3, 2}, "memcmp": {"memcmp", 3, 2},
	"abs": {"abs", 1, 0}, "labs": {"abs", 1, 0}, "llabs": {"abs", 1, 0}, "fabs": {"fabs", 1, 0}, "fabsf": {"fabs", 1, 0},
	"isnan": {"isnan", 1, 0}, "isinf": {"isinf", 1, 0}, "isinf_sign": {"isinf", 1, 0}, "isfinite": {"isfinite", 1, 0},
}

// library translates a call of a function whose meaning matters to assertions.
func (w *walker) library(name string, args []argument, typ *cprog.Type) (value, bool) {
	switch f := functions[name]; {
	case f.op != "" && len(args) == f.args:
		if f.op == "abs" && args[0].shape.kind == float {
			f.op = "fabs"
		}
		var parts []val
		for i, a := range args {
			switch {
			case i < f.texts && f.op == "memcmp":
				parts = append(parts, w.characters(a.at.val, min(args[2].n, 1<<8), false))
			case i < f.texts:
				parts = append(parts, w.textAt(a.at.val))
			default:
				parts = append(parts, a.val)
			}
		}
		return w.make(f.op, shapeOf(typ), parts...).as(typ), true
	case (name == "memset" || name == "bzero") && len(args) >= 2 && args[0].leads:
		at := args[0].at
		if w.move(at.root); args[1].isNull() && name == "memset" && isVariable(at.val) {
			w.setText(at.root, "")
		}
		return args[0].value, true
	case name == "expect" && len(args) == 2:
		return args[0].value, true
	}
	return value{}, false
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
