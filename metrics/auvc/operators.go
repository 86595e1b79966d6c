package auvc

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/smt"
)

func (w *walker) unary(n *clangast.Node, typ ctype) term {
	if len(n.Inner) != 1 {
		return w.fresh(typ)
	}
	in := n.Inner[0]
	switch n.Opcode {
	case "&":
		t := w.lvalue(in)
		t.typ = typ
		if t.root > 0 || t.field != "" {
			t = t.assuming("(not (= " + t.text + " #x0000000000000000))")
		}
		return t
	case "*":
		return w.load(w.lvalue(n), typ)
	case "++", "--":
		at := w.lvalue(in)
		old := w.load(at, w.types.of(in.Type))
		op := string(n.Opcode[0])
		changed := w.arithmetic(op, old, intConst(1, intType), old.typ)
		w.assign(at, key{typ: old.typ.name, field: at.field}, old.typ, changed)
		if n.IsPostfix {
			return old
		}
		return changed
	}
	v := w.rvalue(in)
	switch n.Opcode {
	case "+", "__extension__":
		return v
	case "!":
		t := not(asTruth(v))
		t.typ = typ
		return t
	case "-":
		if typ.kind == floating {
			v.text = "(fp.neg " + v.text + ")"
			return v
		}
		return w.arithmetic("-", intConst(0, typ), v, typ)
	case "~":
		v = convert(asBits(v), typ)
		v.text = "(bvnot " + v.text + ")"
		return v
	}
	return opaqueTerm("unary "+n.Opcode, typ, v)
}

func (w *walker) binary(n *clangast.Node, typ ctype) term {
	if len(n.Inner) != 2 {
		return w.fresh(typ)
	}
	left, right := n.Inner[0], n.Inner[1]
	switch n.Opcode {
	case "=":
		v := w.rvalue(right)
		at := w.lvalue(left)
		w.aroundUnion(left, at)
		return w.assign(at, key{typ: typ.name, field: at.field}, typ, v)
	case ",":
		w.effect(left)
		return w.rvalue(right)
	case "&&", "||":
		return w.logical(n.Opcode, left, right, typ)
	}
	if n.Kind == "CompoundAssignOperator" {
		v := w.rvalue(right)
		at := w.lvalue(left)
		was := w.load(at, typ)
		w.aroundUnion(left, at)
		result := w.arithmetic(strings.TrimSuffix(n.Opcode, "="), was, v, wider(was.typ, v.typ))
		return w.assign(at, key{typ: typ.name, field: at.field}, typ, result)
	}
	a := w.rvalue(left)
	b := w.rvalue(right)
	switch n.Opcode {
	case "==", "!=", "<", ">", "<=", ">=":
		t := compare(n.Opcode, a, b)
		t.typ = typ
		return t
	}
	return w.arithmetic(n.Opcode, a, b, typ)
}

// aroundUnion makes a union unknown before one of its members is written.
func (w *walker) aroundUnion(n *clangast.Node, at term) {
	for n != nil && len(n.Inner) > 0 {
		if n.Kind == "MemberExpr" && n.Inner[0] != nil && w.types.of(n.Inner[0].Type).union() {
			w.move(at.root)
			return
		}
		n = n.Inner[0]
	}
}

// wider is the type in which C computes (C17 6.3.1.8), of arithmetic types.
func wider(a, b ctype) ctype {
	switch {
	case a.kind == pointer:
		return a
	case a.kind == floating && (b.kind != floating || a.bits >= b.bits):
		return a
	case b.kind == floating:
		return b
	}
	if a.kind != integer || a.bits < 32 {
		a = intType
	}
	if b.kind != integer || b.bits < 32 {
		b = intType
	}
	if b.bits > a.bits || b.bits == a.bits && !b.signed {
		return b
	}
	return a
}

// logical translates && and ||, whose right side is evaluated only where it matters.
func (w *walker) logical(op string, left, right *clangast.Node, typ ctype) term {
	a := asTruth(w.rvalue(left))
	holds := a
	if op == "||" {
		holds = not(a)
		if w.fails(right, 0) { // (void)(ok || (fail(), 0))
			w.check(a)
			return truth("true")
		}
	} else if w.fails(right, 0) {
		w.check(not(a))
		return truth("true")
	}
	path := w.path
	w.path = and(path, holds)
	b := asTruth(w.rvalue(right))
	w.path = path
	b = b.under(holds)
	word := map[string]string{"&&": "and", "||": "or"}[op]
	t := truth(fmt.Sprintf("(%s %s %s)", word, a.text, b.text), a, b)
	t.typ = typ
	return t
}

// conditional translates ?:, and finds the assertions that are written with it.
func (w *walker) conditional(n *clangast.Node, typ ctype) term {
	if len(n.Inner) != 3 {
		return w.fresh(typ)
	}
	c := asTruth(w.rvalue(n.Inner[0]))
	switch {
	case w.fails(n.Inner[2], 0):
		w.check(c)
		return w.rvalue(n.Inner[1])
	case w.fails(n.Inner[1], 0):
		w.check(not(c))
		return w.rvalue(n.Inner[2])
	}
	path := w.path
	w.path = and(path, c)
	a := w.rvalue(n.Inner[1])
	w.path = and(path, not(c))
	b := w.rvalue(n.Inner[2])
	w.path = path
	if typ.kind == void {
		return truth("true")
	}
	if a.sort != b.sort {
		a, b = convert(asBits(a), typ), convert(asBits(b), typ)
	}
	if a.sort != b.sort {
		return opaqueTerm("?:", typ, c, a, b)
	}
	t := term{text: fmt.Sprintf("(ite %s %s %s)", c.text, a.text, b.text), sort: a.sort, typ: typ}.with(c, a.under(c), b.under(not(c)))
	if a.root == b.root {
		t.root = a.root
	}
	return t
}

// compare translates a comparison; both sides have the same type, by the conversions in the tree.
func compare(op string, a, b term) term {
	if a.sort == boolSort && b.sort == boolSort && (op == "==" || op == "!=") {
		return equality(op, a, b)
	}
	a, b = asBits(a), asBits(b)
	switch {
	case a.sort != b.sort && width(a.sort) > 0 && width(b.sort) > 0:
		common := wider(a.typ, b.typ)
		a, b = convert(a, common), convert(b, common)
	case a.sort != b.sort:
		if op == "!=" {
			return not(asTruth(opaqueTerm("==", boolType, a, b)))
		}
		return opaqueTerm(op, boolType, a, b)
	}
	if a.typ.kind == floating {
		word := map[string]string{"==": "fp.eq", "!=": "fp.eq", "<": "fp.lt", "<=": "fp.leq", ">": "fp.gt", ">=": "fp.geq"}[op]
		t := truth(fmt.Sprintf("(%s %s %s)", word, a.text, b.text), a, b)
		if op == "!=" {
			t = not(t)
		}
		return t
	}
	if op == "==" || op == "!=" {
		return equality(op, a, b)
	}
	prefix := "bvu"
	if a.typ.kind == integer && a.typ.signed {
		prefix = "bvs"
	}
	if width(a.sort) == 0 {
		return opaqueTerm(op, boolType, a, b)
	}
	word := map[string]string{"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[op]
	return truth(fmt.Sprintf("(%s%s %s %s)", prefix, word, a.text, b.text), a, b)
}

func equality(op string, a, b term) term {
	if a.text > b.text {
		a, b = b, a
	}
	t := truth(fmt.Sprintf("(= %s %s)", a.text, b.text), a, b)
	if op == "!=" {
		t = not(t)
	}
	return t
}

var bitOps = map[string]string{"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor", "<<": "bvshl"}
var floatOps = map[string]string{"+": "fp.add RNE", "-": "fp.sub RNE", "*": "fp.mul RNE", "/": "fp.div RNE"}

// arithmetic translates an operator whose result has that type.
func (w *walker) arithmetic(op string, a, b term, typ ctype) term {
	switch {
	case a.typ.kind == pointer && b.typ.kind == pointer && op == "-":
		return w.distance(a, b, typ)
	case a.typ.kind == pointer && width(a.sort) == 64 && (op == "+" || op == "-"):
		return w.offset(a, b, op)
	case b.typ.kind == pointer && width(b.sort) == 64 && op == "+":
		return w.offset(b, a, op)
	}
	if typ.kind == floating {
		word, ok := floatOps[op]
		a, b = convert(a, typ), convert(b, typ)
		if !ok || a.sort != b.sort {
			return opaqueTerm(op, typ, a, b)
		}
		if (op == "+" || op == "*") && a.text > b.text {
			a, b = b, a // IEEE 754: both commute, but for the payload of a NaN
		}
		return term{text: fmt.Sprintf("(%s %s %s)", word, a.text, b.text), sort: typ.sort(), typ: typ}.with(a, b)
	}
	if typ.kind != integer {
		if typ.kind != boolean {
			return opaqueTerm(op, typ, a, b)
		}
		typ = intType
	}
	signed := typ.signed
	a = convert(asBits(a), typ)
	b = convert(asBits(b), typ)
	if width(a.sort) == 0 || width(b.sort) == 0 {
		return opaqueTerm(op, typ, a, b)
	}
	word, plain := bitOps[op]
	t := term{sort: typ.sort(), typ: typ}.with(a, b)
	switch {
	case plain:
	case op == "/" && signed:
		word = "bvsdiv"
	case op == "/":
		word = "bvudiv"
	case op == "%" && signed:
		word = "bvsrem"
	case op == "%":
		word = "bvurem"
	case op == ">>" && signed:
		word = "bvashr"
	case op == ">>":
		word = "bvlshr"
	default:
		return opaqueTerm(op, typ, a, b)
	}
	t.text = fmt.Sprintf("(%s %s %s)", word, a.text, b.text)
	return w.defined(t, op, a, b)
}

// defined adds what C promises of an operation, because anything else is undefined behaviour.
func (w *walker) defined(t term, op string, a, b term) term {
	x, okX := constantBits(a.text)
	y, okY := constantBits(b.text)
	if okX && okY && t.typ.bits <= 64 {
		if v, ok := fold(op, x, y); ok {
			t.text = smt.BitVec(v, t.typ.bits)
			return t
		}
	}
	bits := t.typ.bits
	switch op {
	case "/", "%":
		return t.assuming(fmt.Sprintf("(not (= %s %s))", b.text, zeroBits(b)))
	case "<<", ">>":
		if !okY || y >= uint64(bits) {
			return t.assuming(fmt.Sprintf("(bvult %s (_ bv%d %d))", b.text, bits, bits))
		}
	case "+", "-":
		if t.typ.signed {
			one := func(s string) string { return "((_ sign_extend 1) " + s + ")" }
			return t.assuming(fmt.Sprintf("(= %s (%s %s %s))", one(t.text), bitOps[op], one(a.text), one(b.text)))
		}
	case "*":
		if t.typ.signed {
			return t.assuming(fmt.Sprintf("(bvsmul_noovfl %s %s)", a.text, b.text)).assuming(fmt.Sprintf("(bvsmul_noudfl %s %s)", a.text, b.text))
		}
	}
	return t
}

// fold computes with literals, so that equal addresses have equal text.
func fold(op string, x, y uint64) (uint64, bool) {
	switch op {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "&":
		return x & y, true
	case "|":
		return x | y, true
	case "^":
		return x ^ y, true
	}
	return 0, false
}

// distance subtracts pointers.
func (w *walker) distance(a, b term, typ ctype) term {
	elem := w.types.named(a.typ.elem)
	size, known := w.types.size(elem)
	t := term{text: fmt.Sprintf("(bvsub %s %s)", a.text, b.text), sort: bitVec(64), typ: typ}.with(a, b)
	switch {
	case !known:
		t.text = fmt.Sprintf("(bvsdiv %s %s)", t.text, apply("sizeof "+elem.name, bitVec(64)).text)
	case size > 1:
		t.text = fmt.Sprintf("(bvsdiv %s %s)", t.text, smt.BitVec(size, 64))
	}
	return t
}
