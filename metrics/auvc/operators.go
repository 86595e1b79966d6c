package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

func (w *walker) unary(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 1 {
		return w.fresh(typ)
	}
	in := n.Inner[0]
	switch n.Op {
	case "&":
		if d := in.Callee(); d != nil {
			return w.function(d.Qualified, typ)
		}
		return w.lvalue(in).as(typ)
	case "*":
		return w.loadFrom(w.lvalue(n), typ)
	case "++", "--":
		at := w.lvalue(in)
		old := w.loadFrom(at, referred(in.Type))
		changed := w.arithmetic(n.Op[:1], old, value{n: w.num(1, intShape), typ: intType}, old.typ)
		w.assign(at, changed)
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
		v.n = w.not(w.truth(v.n))
		return v.as(typ)
	case "-":
		if typ.Kind == cprog.Float {
			return value{n: w.make("negative", shapeOf(typ), v.n), typ: typ, opaque: v.opaque}
		}
		return w.arithmetic("-", value{n: w.num(0, shapeOf(typ)), typ: typ}, v, typ)
	case "~": // -1 - x
		minusOne := w.make(cast, shapeOf(typ), w.num(-1, intShape))
		return w.arithmetic("-", value{n: minusOne, typ: typ}, v, typ)
	}
	return value{n: w.unknown("unary "+n.Op, typ, v.n), typ: typ, opaque: true}
}

func (w *walker) binary(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 2 {
		return w.fresh(typ)
	}
	left, right := n.Inner[0], n.Inner[1]
	switch {
	case n.Op == "=":
		v := w.rvalue(right)
		return w.assign(w.lvalue(left), v)
	case n.Op == ",":
		w.rvalue(left)
		return w.rvalue(right)
	case n.Op == "&&" || n.Op == "||":
		return w.logical(n.Op, left, right, typ)
	case n.Kind == "CompoundAssignOperator":
		v := w.rvalue(right)
		at := w.lvalue(left)
		in := typ
		if n.Arg != nil && !isPointer(typ) {
			in = n.Arg
		}
		return w.assign(at, w.arithmetic(strings.TrimSuffix(n.Op, "="), w.loadFrom(at, typ), v, in))
	}
	a := w.rvalue(left)
	b := w.rvalue(right)
	switch n.Op {
	case "==", "!=", "<", ">", "<=", ">=":
		return value{n: w.compare(n.Op, a.n, b.n), typ: typ}.from(a, b)
	}
	return w.arithmetic(n.Op, a, b, typ)
}

// logical translates && and ||, whose right side is evaluated only where it matters.
func (w *walker) logical(op string, left, right *cprog.Node, typ *cprog.Type) value {
	v := w.rvalue(left)
	a := w.truth(v.n)
	needed := a // where the right side is evaluated
	if op == "||" {
		needed = w.not(a)
	}
	if w.fails(right, 0) { // (void)(ok || (fail(), 0))
		w.check(w.not(needed), v.opaque)
		return w.none()
	}
	path := w.path
	w.path = w.and(path, needed)
	u := w.rvalue(right)
	w.path = path
	return value{n: w.make(op, intShape, a, w.truth(u.n)), typ: typ}.from(v, u)
}

// conditional translates ?:, and finds the assertions that are written with it.
func (w *walker) conditional(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) != 3 {
		return w.fresh(typ)
	}
	v := w.rvalue(n.Inner[0])
	c := w.truth(v.n)
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
	out := value{n: w.choose(c, a.n, b.n), typ: typ}.from(v, a, b)
	if a.root == b.root {
		out.root = a.root
	}
	return out
}

// compare translates a comparison; both sides have the same type, by the conversions in the tree.
func (w *walker) compare(op string, a, b *term) *term {
	switch op {
	case ">", ">=":
		return w.compare("<"+op[1:], b, a)
	}
	if (op == "==" || op == "!=") && (a.isConstant() || !b.isConstant() && a.id > b.id) {
		a, b = b, a // both are symmetric
	}
	if a == b && a.shape.kind != float {
		return w.num(int64(truth(op != "!=" && op != "<").n), intShape)
	}
	if a.shape.kind != b.shape.kind { // of what is not modelled
		return w.table.unknown("compare "+op, intShape, a, b)
	}
	return w.make(op, intShape, a, b)
}

// arithmetic translates an operator whose result has that type.
func (w *walker) arithmetic(op string, a, b value, typ *cprog.Type) value {
	switch {
	case isPointer(a.typ) && isPointer(b.typ) && op == "-":
		d := w.make("-", shape{number, 64, true}, a.n, b.n)
		if size := elem(a.typ).Size; size > 1 { // what points into one array is a number of elements apart
			d = w.make("/", d.shape, d, w.num(size, d.shape))
		}
		return value{n: d, typ: typ}.from(a, b)
	case isPointer(a.typ) && (op == "+" || op == "-"):
		return w.offset(a, b, op)
	case isPointer(b.typ) && op == "+":
		return w.offset(b, a, op)
	case !isInteger(typ) && (typ.Kind != cprog.Float || !strings.Contains("+-*/", op)) || a.n.shape.kind > float || b.n.shape.kind > float:
		return value{n: w.unknown("operator "+op+typ.Desugared, typ, a.n, b.n), typ: typ, opaque: true}
	}
	a = w.convert(a, typ)
	if op != "<<" && op != ">>" {
		b = w.convert(b, typ)
	}
	return value{n: w.make(op, shapeOf(typ), a.n, b.n), typ: typ}.from(a, b)
}

// offset adds a number of elements to a pointer.
func (w *walker) offset(p, index value, op string) value {
	size := elem(p.typ).Size
	if k := elem(p.typ).Kind; k == cprog.Void || k == cprog.FunctionType {
		size = 1 // GNU C
	}
	out := p.from(index)
	out.start = p.begin()
	wide := shape{number, 64, true}
	i := index.n
	if i.shape.kind > float {
		i = w.table.unknown("index", wide, i)
	}
	switch i = w.make(cast, wide, i); {
	case size < 0:
		i = w.table.unknown("elements of "+typeName(elem(p.typ)), wide, i)
	default:
		i = w.make("*", wide, i, w.num(size, wide))
	}
	if op == "-" {
		i = w.make("-", wide, w.num(0, wide), i)
	}
	if i.isConstant() {
		out.n = w.add(p.n, int64(i.value.n))
	} else {
		out.n = w.make("+", addressShape, p.n, i)
	}
	return out
}
