package auvc

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// library translates functions of the C library whose meaning matters to assertions.
func (w *walker) library(name string, args []argument, typ ctype) (term, bool) {
	n := len(args)
	value := func(i int) term { return args[i].value }
	switch {
	case name == "strlen" && n == 1:
		return w.stringLength(args[0].at), true
	case (name == "strcmp" || name == "strcoll") && n == 2:
		return w.compareTexts(args[0].at, args[1].at), true
	case (name == "strncmp" || name == "memcmp" || name == "bcmp") && n == 3:
		return w.comparePart(name, args[0].at, args[1].at, value(2)), true
	case (name == "abs" || name == "labs" || name == "llabs") && n == 1 && value(0).typ.kind == integer:
		v := asBits(value(0))
		z := zeroBits(v)
		t := term{text: fmt.Sprintf("(ite (bvslt %s %s) (bvneg %s) %s)", v.text, z, v.text, v.text), sort: v.sort, typ: v.typ}.with(v)
		return t.assuming(fmt.Sprintf("(bvsge %s %s)", t.text, z)), true // abs(INT_MIN) is undefined
	case (name == "fabs" || name == "fabsf" || name == "abs") && n == 1 && value(0).typ.kind == floating:
		v := value(0)
		// |a - b| is |b - a|, which the solver would have to find out bit by bit.
		if a, b, ok := operands(v.text, "(fp.sub RNE "); ok && a > b {
			v.text = fmt.Sprintf("(fp.sub RNE %s %s)", b, a)
		}
		v.text = "(fp.abs " + v.text + ")"
		return v, true
	case (name == "memset" || name == "bzero") && n >= 2 && args[0].leads:
		w.move(args[0].at.root)
		if v, ok := constantBits(value(1).text); ok && v == 0 && name == "memset" && w.isVariable(args[0].at) {
			w.objects[args[0].at.root].memory.zero = true
		}
		return value(0), true
	case name == "expect" && n == 2:
		return value(0), true
	case (name == "isdigit") && n == 1:
		v := asBits(value(0))
		return truth(fmt.Sprintf("(bvult (bvsub %s #x00000030) #x0000000a)", v.text), v), v.sort == bitVec(32)
	}
	if test, ok := floatTests[strings.TrimPrefix(strings.TrimPrefix(name, "__"), "std::")]; ok && n >= 1 && value(n-1).typ.kind == floating {
		v := value(n - 1)
		return truth(strings.ReplaceAll(test, "x", v.text), v), true
	}
	return term{}, false
}

// operands takes the two operands out of an expression that begins with an operator.
func operands(text, operator string) (a, b string, ok bool) {
	rest, ok := strings.CutPrefix(text, operator)
	if !ok {
		return "", "", false
	}
	depth, quoted := 0, false
	for i, c := range rest {
		switch {
		case c == '|':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0:
			return rest[:i], strings.TrimSuffix(rest[i+1:], ")"), true
		}
	}
	return "", "", false
}

// floatTests are the classifications of math.h (C17 7.12.3), as macros, builtins and functions.
var floatTests = map[string]string{
	"isnan": "(fp.isNaN x)", "isnanf": "(fp.isNaN x)",
	"isinf": "(fp.isInfinite x)", "isinf_sign": "(fp.isInfinite x)",
	"isfinite": "(not (or (fp.isNaN x) (fp.isInfinite x)))", "finite": "(not (or (fp.isNaN x) (fp.isInfinite x)))",
	"isnormal": "(fp.isNormal x)", "signbit": "(fp.isNegative x)",
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
func (w *walker) googleTest(n *clangast.Node) bool {
	if len(n.Inner) != 1 || n.Inner[0] == nil || !strings.Contains(n.Inner[0].Type.Canonical(), "AssertionResult") {
		return false
	}
	call := find(n.Inner[0], func(c *clangast.Node) bool {
		f := callee(c)
		return c.Kind == "CallExpr" && f != nil && comparisons[f.Name] != "" && len(c.Inner) >= 5
	})
	if call == nil {
		made := find(n.Inner[0], func(c *clangast.Node) bool {
			return strings.HasSuffix(c.Kind, "ConstructExpr") && len(c.Inner) >= 1 && c.Inner[0] != nil && w.types.of(c.Inner[0].Type).kind != other
		})
		if made == nil {
			return false
		}
		w.check(asTruth(w.rvalue(made.Inner[0])))
		return true
	}
	op := comparisons[callee(call).Name]
	args := w.arguments(call.Inner[3:])
	switch {
	case len(args) == 2 && strings.HasPrefix(op, "strcmp"):
		w.check(compare(op[len("strcmp"):], w.compareTexts(args[0].at, args[1].at), intConst(0, intType)))
	case op == "near":
		var parts []term
		for _, a := range args {
			parts = append(parts, a.value)
		}
		w.check(opaqueTerm(callee(call).Name, boolType, parts...))
	case len(args) == 2 && stringLike(args[0].typ) && (op == "==" || op == "!="):
		t := w.sameTexts(w.textOf(args[0]), w.textOf(args[1]))
		if op == "!=" {
			t = not(t)
		}
		w.check(t)
	case len(args) == 2:
		a, b := args[0].value, args[1].value
		if a.typ.kind == floating || b.typ.kind == floating {
			common := wider(a.typ, b.typ)
			a, b = convert(a, common), convert(b, common)
		}
		w.check(compare(op, a, b))
	default:
		return false
	}
	return true
}

// find returns the first node below n, or n, for which ok holds.
func find(n *clangast.Node, ok func(*clangast.Node) bool) *clangast.Node {
	if n == nil {
		return nil
	}
	if ok(n) {
		return n
	}
	for _, in := range n.Children() {
		if f := find(in, ok); f != nil {
			return f
		}
	}
	return nil
}
