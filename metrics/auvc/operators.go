package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

func (w *walker) unary(n *cprog.Node, typ *cprog.Type) value {
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
		changed := w.arithmetic(n.Op[:1], old, num(1, intShape).as(intType), old.typ)
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
		v.val = w.not(w.truth(v.val))
		return v.as(typ)
	case "-":
		return w.arithmetic("-", num(0, shapeOf(typ)).as(typ), v, typ)
	case "~": // -1 - x
		return w.arithmetic("-", w.convert(num(-1, intShape).as(intType), typ), v, typ)
	}
	return w.opaque("unary "+n.Op, typ, v.val)
}

func (w *walker) binary(n *cprog.Node, typ *cprog.Type) value {
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
		return w.compare(n.Op, a.val, b.val).as(typ)
	}
	return w.arithmetic(n.Op, a, b, typ)
}

// logical translates && and ||, whose right side is evaluated only where it matters.
func (w *walker) logical(op string, left, right *cprog.Node, typ *cprog.Type) value {
	a := w.truth(w.rvalue(left).val)
	if w.fails(right, 0) { // (void)(ok || (fail(), 0))
		if op == "&&" {
			a = w.not(a)
		}
		w.check(a)
		return w.none()
	}
	var b value
	w.when(a, op == "&&", func() { b = w.rvalue(right) })
	return w.make(op, intShape, a, w.truth(b.val)).as(typ)
}

// conditional translates ?:, and finds the assertions that are written with it.
func (w *walker) conditional(n *cprog.Node, typ *cprog.Type) value {
	c := w.truth(w.rvalue(n.Inner[0]).val)
	if goesOn, asserts := w.asserted(c, n.Inner[1], n.Inner[2]); asserts {
		return w.rvalue(goesOn)
	}
	var a, b value
	w.when(c, true, func() { a = w.rvalue(n.Inner[1]) })
	w.when(c, false, func() { b = w.rvalue(n.Inner[2]) })
	if typ.Kind == cprog.Void {
		return w.none()
	}
	return choose(c, a.val, b.val).as(typ)
}

// compare translates a comparison; both sides have the same type, by the conversions in the tree.
func (w *walker) compare(op string, a, b val) val {
	if op[0] == '>' {
		return w.compare("<"+op[1:], b, a)
	}
	if (op == "==" || op == "!=") && a.form > b.form {
		a, b = b, a // both are symmetric
	}
	if a.shape.kind != b.shape.kind { // of what is not modelled
		return w.unknown("compare "+op, intShape, a, b)
	}
	return w.make(op, intShape, a, b)
}

// arithmetic translates an operator whose result has that type.
func (w *walker) arithmetic(op string, a, b value, typ *cprog.Type) value {
	switch {
	case isPointer(a.typ) && isPointer(b.typ) && op == "-":
		d := w.make("-", wideShape, a.val, b.val)
		if size := elem(a.typ).Size; size > 1 { // what points into one array is a number of elements apart
			d = w.make("/", d.shape, d, num(size, d.shape))
		}
		return d.as(typ)
	case isPointer(a.typ) && (op == "+" || op == "-"):
		return w.offset(a, b, op)
	case isPointer(b.typ) && op == "+":
		return w.offset(b, a, op)
	case !isInteger(typ) && (typ.Kind != cprog.Float || !strings.Contains("+-*/", op)) || a.shape.kind > float || b.shape.kind > float:
		return w.opaque("operator "+op+typ.Desugared, typ, a.val, b.val)
	}
	a = w.convert(a, typ)
	if op != "<<" && op != ">>" {
		b = w.convert(b, typ)
	}
	return w.make(op, shapeOf(typ), a.val, b.val).as(typ)
}

// offset adds a number of elements to a pointer.
func (w *walker) offset(p, index value, op string) value {
	size := elem(p.typ).Size
	if k := elem(p.typ).Kind; k == cprog.Void || k == cprog.FunctionType {
		size = 1 // GNU C
	}
	i := w.make(cast, wideShape, index.val)
	if size < 0 {
		i = w.unknown("elements of "+typeName(elem(p.typ)), wideShape, i)
	} else {
		i = w.make("*", wideShape, i, num(size, wideShape))
	}
	if op == "-" {
		i = w.make("-", wideShape, num(0, wideShape), i)
	}
	out := w.make("+", addressShape, p.val, i)
	out.root = p.root
	return out.as(p.typ)
}

// add returns the address k bytes after another.
func (w *walker) add(at val, k int64) val {
	out := at
	if k != 0 {
		out = w.make("+", addressShape, at, num(k, wideShape))
		out.root = at.root
	}
	return out
}
