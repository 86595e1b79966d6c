package auvc

import (
	"math"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// library translates functions of the C library whose meaning matters to assertions.
func (w *walker) library(name string, args []argument, typ *cprog.Type) (value, bool) {
	n := len(args)
	result := func(x *node) (value, bool) { return value{n: x, typ: typ}.from(args[0].value), true }
	switch {
	case name == "strlen" && n == 1:
		return w.stringLength(args[0].at), true
	case (name == "strcmp" || name == "strcoll") && n == 2:
		return w.compareTexts(args[0].at, args[1].at), true
	case (name == "strncmp" || name == "memcmp" || name == "bcmp") && n == 3:
		return w.comparePart(name, args[0].at, args[1].at, args[2].value), true
	case (name == "abs" || name == "labs" || name == "llabs") && n == 1 && isInteger(args[0].typ):
		return result(w.absolute(args[0].n))
	case (name == "fabs" || name == "fabsf" || name == "abs") && n == 1 && args[0].n.float > 0:
		return result(w.magnitude(args[0].n))
	case (name == "memset" || name == "bzero") && n >= 2 && args[0].leads:
		at := args[0].at
		w.move(at.root)
		if v := args[1].n; v.isInt() && v.val.Sign() == 0 && name == "memset" && w.isVariable(at) {
			w.objects[at.root].memory.zero = true
		}
		return args[0].value, true
	case name == "expect" && n == 2:
		return args[0].value, true
	case name == "isdigit" && n == 1:
		return result(w.truth(w.in(args[0].n, spans(span{number('0'), number('9')}))))
	}
	if n == 0 || args[n-1].n.float == 0 {
		return value{}, false
	}
	x := args[n-1].n
	finite := spans(span{floatKey(-math.MaxFloat64), floatKey(math.MaxFloat64)})
	if x.float == 32 {
		finite = spans(span{floatKey(-math.MaxFloat32), floatKey(math.MaxFloat32)})
	}
	switch strings.TrimPrefix(strings.TrimPrefix(name, "__"), "std::") { // C17 7.12.3
	case "isnan", "isnanf", "isnanl":
		return result(w.truth(w.not(w.number(x))))
	case "isinf", "isinf_sign", "isinff":
		return result(w.truth(w.and(w.number(x), w.not(w.in(x, finite)))))
	case "isfinite", "finite":
		return result(w.truth(w.in(x, finite)))
	}
	return value{}, false
}

// comparisons are GoogleTest's helpers (gtest.h, "Macros for testing equalities and
// inequalities"), which take the two expressions as text and then as values.
var comparisons = map[string]string{
	"Compare": "==", "CmpHelperEQ": "==", "CmpHelperNE": "!=", "CmpHelperLT": "<", "CmpHelperLE": "<=", "CmpHelperGT": ">", "CmpHelperGE": ">=",
	"CmpHelperSTREQ": "strcmp==", "CmpHelperSTRNE": "strcmp!=",
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
		w.check(w.truthOf(v), v.opaque)
		return true
	}
	op := comparisons[call.Decl.Name]
	args := w.arguments(call.Inner[3:])
	var all value
	var parts []*node
	for _, a := range args {
		all, parts = all.from(a.value), append(parts, a.n)
	}
	var holds *cond
	switch {
	case op == "near":
		holds, all.opaque = w.nonzero(w.function(call.Decl.Name, number(0), one, parts...)), true
	case len(args) != 2:
		return false
	case strings.HasPrefix(op, "strcmp"):
		holds = w.sameTexts(args[0].at, args[1].at)
	case stringLike(args[0].typ) && (op == "==" || op == "!="):
		holds = w.sameTexts(w.textOf(args[0]), w.textOf(args[1]))
	default:
		w.check(w.compare(op, args[0].value, args[1].value), all.opaque)
		return true
	}
	if strings.HasSuffix(op, "!=") {
		holds = w.not(holds)
	}
	w.check(holds, all.opaque)
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
