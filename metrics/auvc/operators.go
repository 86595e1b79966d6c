package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

func (w *walker) unary(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 1 {
		return w.fresh(typ)
	}
	in := n.Inner[0]
	switch n.Op {
	case "&":
		if d := in.Callee(); d != nil {
			return value{n: w.notNull("function " + d.Qualified), typ: typ}
		}
		v := w.lvalue(in)
		v.typ = typ
		return v
	case "*":
		return w.load(w.lvalue(n), typ)
	case "++", "--":
		at := w.lvalue(in)
		old := w.load(at, referred(in.Type))
		changed := w.arithmetic(n.Op[:1], old, value{n: w.num(1), typ: intType}, old.typ)
		w.assign(at, keyFor(old.typ, at.field), old.typ, changed)
		if n.Is(cprog.Postfix) {
			return old
		}
		return changed
	}
	v := w.rvalue(in)
	switch n.Op {
	case "+", "__extension__":
		return v
	case "!":
		return value{n: w.truth(w.not(w.truthOf(v))), typ: typ, opaque: v.opaque}
	case "-":
		if typ.Kind == cprog.Float {
			return value{n: w.flip(v.n), typ: typ, opaque: v.opaque}
		}
		return w.arithmetic("-", value{n: w.num(0), typ: typ}, v, typ)
	case "~": // -1 - x
		return w.arithmetic("-", value{n: w.num(-1), typ: typ}, v, typ)
	}
	return value{n: w.ofType("unary "+n.Op, typ, v.n), typ: typ, opaque: true}
}

func (w *walker) binary(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 2 {
		return w.fresh(typ)
	}
	left, right := n.Inner[0], n.Inner[1]
	switch n.Op {
	case "=":
		v := w.rvalue(right)
		at := w.lvalue(left)
		w.aroundUnion(left, at)
		return w.assign(at, keyFor(typ, at.field), typ, v)
	case ",":
		w.rvalue(left)
		return w.rvalue(right)
	case "&&", "||":
		return w.logical(n.Op, left, right, typ)
	}
	if n.Kind == "CompoundAssignOperator" {
		v := w.rvalue(right)
		at := w.lvalue(left)
		was := w.load(at, typ)
		w.aroundUnion(left, at)
		in := typ
		if n.Arg != nil && !isPointer(typ) {
			in = n.Arg
		}
		result := w.arithmetic(strings.TrimSuffix(n.Op, "="), was, v, in)
		return w.assign(at, keyFor(typ, at.field), typ, result)
	}
	a := w.rvalue(left)
	b := w.rvalue(right)
	switch n.Op {
	case "==", "!=", "<", ">", "<=", ">=":
		return value{n: w.truth(w.compare(n.Op, a, b)), typ: typ}.from(a, b)
	}
	return w.arithmetic(n.Op, a, b, typ)
}

// aroundUnion makes a union unknown before one of its members is written.
func (w *walker) aroundUnion(n *cprog.Node, at value) {
	for len(n.Inner) > 0 {
		if n.Kind == "MemberExpr" && (isUnion(n.Inner[0].Type) || n.Inner[0].Type != nil && isUnion(n.Inner[0].Type.Elem)) {
			w.move(at.root)
			return
		}
		n = n.Inner[0]
	}
}

// logical translates && and ||, whose right side is evaluated only where it matters.
func (w *walker) logical(op string, left, right *cprog.Node, typ *cprog.Type) value {
	v := w.rvalue(left)
	a := w.truthOf(v)
	holds := a
	if op == "||" {
		holds = w.not(a)
		if w.fails(right, 0) { // (void)(ok || (fail(), 0))
			w.check(a, v.opaque)
			return w.none()
		}
	} else if w.fails(right, 0) {
		w.check(w.not(a), v.opaque)
		return w.none()
	}
	path := w.path
	w.path = w.and(path, holds)
	u := w.rvalue(right)
	w.path = path
	b := w.truthOf(u)
	return value{n: w.truth(w.apply(op == "||", a, b)), typ: typ}.from(v, u)
}

// conditional translates ?:, and finds the assertions that are written with it.
func (w *walker) conditional(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 3 {
		return w.fresh(typ)
	}
	v := w.rvalue(n.Inner[0])
	c := w.truthOf(v)
	switch {
	case w.fails(n.Inner[2], 0):
		w.check(c, v.opaque)
		return w.rvalue(n.Inner[1])
	case w.fails(n.Inner[1], 0):
		w.check(w.not(c), v.opaque)
		return w.rvalue(n.Inner[2])
	}
	path := w.path
	w.path = w.and(path, c)
	a := w.rvalue(n.Inner[1])
	w.path = w.and(path, w.not(c))
	b := w.rvalue(n.Inner[2])
	w.path = path
	if typ.Kind == cprog.Void {
		return w.none()
	}
	out := value{n: w.either(c, a.n, b.n), typ: typ}.from(v, a, b)
	if a.root == b.root {
		out.root, out.field = a.root, a.field
	}
	return out
}

// compare translates a comparison; both sides have the same type, by the conversions in the tree.
func (w *walker) compare(op string, a, b value) *cond {
	switch op {
	case "!=":
		return w.not(w.equal(a.n, b.n))
	case "<":
		return w.smaller(a.n, b.n)
	case ">":
		return w.smaller(b.n, a.n)
	case "<=":
		if a.n.float > 0 || b.n.float > 0 {
			return w.floatCompare("<=", a.n, b.n)
		}
		return w.not(w.smaller(b.n, a.n))
	case ">=":
		return w.compare("<=", b, a)
	}
	return w.equal(a.n, b.n)
}

// arithmetic translates an operator whose result has that type.
func (w *walker) arithmetic(op string, a, b value, typ *cprog.Type) value {
	switch {
	case isPointer(a.typ) && isPointer(b.typ) && op == "-":
		return w.distance(a, b, typ)
	case isPointer(a.typ) && (op == "+" || op == "-"):
		return w.offset(a, b, op)
	case isPointer(b.typ) && op == "+":
		return w.offset(b, a, op)
	}
	out := value{typ: typ}.from(a, b)
	switch {
	case typ.Kind == cprog.Float && strings.Contains("+-*/", op):
		out.n = w.compute(op, w.toFloat(a.n, typ.Bits), w.toFloat(b.n, typ.Bits), typ.Bits)
		return out
	case !isInteger(typ) || a.n.float > 0 || b.n.float > 0:
		out.n, out.opaque = w.ofType("operator "+op+typ.Desugared, typ, a.n, b.n), true
		return out
	}
	shift := op == "<<" || op == ">>"
	x := w.convert(a, typ).n
	y := b.n
	if !shift {
		y = w.convert(b, typ).n
	}
	var n *node
	switch op {
	case "+":
		n = w.add(x, y)
	case "-":
		n = w.sub(x, y)
	case "*":
		n = w.multiply(x, y)
	case "/":
		n = w.divide(x, y)
	case "%":
		n = w.remainder(x, y)
	case "<<", ">>":
		n = w.shift(op, x, y)
	default:
		n = w.bitwise(op, x, y)
	}
	out.n = w.typed(n, typ)
	return out
}

// distance subtracts pointers.
func (w *walker) distance(a, b value, typ *cprog.Type) value {
	d := w.sub(a.n, b.n)
	if size := elem(a.typ).Size; size > 1 { // what points into one array is a number of elements apart
		d = w.divide(d, w.num(size))
	}
	return value{n: d, typ: typ}.from(a, b)
}

// offset adds a number of elements to a pointer.
func (w *walker) offset(p, index value, op string) value {
	size := elem(p.typ).Size
	if k := elem(p.typ).Kind; k == cprog.Void || k == cprog.FunctionType {
		size = 1 // GNU C
	}
	i := index.n
	if op == "-" {
		i = w.scale(i, number(-1))
	}
	if size < 0 {
		i = w.function("elements of "+typeName(elem(p.typ)), nil, nil, i)
	} else {
		i = w.scale(i, number(size))
	}
	out := p.from(index)
	out.text = nil
	out.n = w.add(p.n, i)
	return out
}
