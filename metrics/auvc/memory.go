package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// lvalue returns the address of what an expression denotes, with that thing's type.
func (w *walker) lvalue(n *cprog.Node) value {
	typ := referred(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.fresh(charPtr).as(typ)
	}
	switch n.Kind {
	case "DeclRefExpr":
		if n.Decl == nil {
			break
		}
		if ref, ok := w.refs[n.Decl]; ok {
			return ref.as(typ)
		}
		root, ok := w.vars[n.Decl]
		if !ok { // of a header, or a parameter of a test
			root = w.newObject()
			w.vars[n.Decl] = root
		}
		return value{n: w.address(root), typ: typ, root: root}
	case "MemberExpr":
		return w.member(n, typ)
	case "ArraySubscriptExpr":
		if len(n.Inner) != 2 {
			break
		}
		base, index := w.rvalue(n.Inner[0]), w.rvalue(n.Inner[1])
		if !isPointer(base.typ) {
			base, index = index, base
		}
		at := w.offset(base, index, "+").as(typ)
		if typ.Kind == cprog.Array {
			at.start = nil
		}
		return at
	case "UnaryOperator":
		if len(n.Inner) != 1 {
			break
		}
		switch n.Op {
		case "*":
			return w.rvalue(n.Inner[0]).as(typ)
		case "++", "--":
			w.unary(n, typ)
			return w.lvalue(n.Inner[0])
		case "__extension__":
			return w.lvalue(n.Inner[0])
		}
	case "BinaryOperator", "CompoundAssignOperator":
		if len(n.Inner) == 2 && strings.HasSuffix(n.Op, "=") {
			w.binary(n, typ)
			return w.lvalue(n.Inner[0])
		}
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "CXXConstCastExpr",
		"CXXStaticCastExpr", "CXXFunctionalCastExpr", "CStyleCastExpr":
		if len(n.Inner) > 0 {
			return w.lvalue(n.Inner[len(n.Inner)-1]).as(typ)
		}
	case "ImplicitCastExpr":
		if len(n.Inner) == 1 && (n.Op == "NoOp" || strings.Contains(n.Op, "DerivedToBase") || n.Op == "BaseToDerived") {
			return w.lvalue(n.Inner[0]).as(typ)
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
	case "CXXThisExpr":
		return value{n: w.unknown("this", charPtr), typ: typ}
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if n.Is(cprog.LValue) || n.Is(cprog.XValue) {
			return w.call(n, &cprog.Type{Kind: cprog.Pointer, Bits: 64, Size: 8, Elem: typ}).as(typ)
		}
	}
	// A temporary: a place that holds the value and nothing else.
	v := w.rvalue(n)
	root := w.newObject()
	if isRecord(typ) {
		w.hold(root, v.n)
	} else {
		w.write(root, w.address(root), v.n)
	}
	return value{n: w.address(root), typ: typ, root: root}.from(v)
}

// member returns the address of a field.
func (w *walker) member(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 {
		return w.fresh(charPtr).as(typ)
	}
	in := n.Inner[0]
	base := referred(in.Type)
	var at value
	if isPointer(base) {
		at, base = w.rvalue(in), elem(base)
	} else {
		at = w.lvalue(in)
	}
	at.typ, at.start = typ, nil
	name := strings.TrimLeft(n.Name, ".->")
	if base.Record != nil {
		for _, f := range base.Record.Fields {
			if f.Name == name && f.Name != "" && f.Bits == 0 {
				at.n = w.add(at.n, int64(f.Offset/8))
				return at
			}
		}
	}
	at.n = w.table.unknown("field "+typeName(base)+"."+name, addressShape, at.n)
	return at
}

// loadFrom reads the thing at a place.
func (w *walker) loadFrom(at value, typ *cprog.Type) value {
	m := w.objects[at.root].memory
	v := value{typ: typ, root: at.root, opaque: at.opaque}
	switch {
	case isRecord(typ) && m.op == held && m.args[1] == at.n:
		v.n = m.args[0]
		return v
	case stringLike(typ):
		v.n = w.keep(term{op: textAt, shape: textShape, args: []*term{m, at.n, at.n}})
		return v
	case isRecord(typ):
		v.n = w.keep(term{op: content, shape: otherShape, args: []*term{m, at.n}})
		return v
	case typ.Kind == cprog.Array || typ.Kind == cprog.FunctionType || typ.Kind == cprog.Void:
		return at.as(typ)
	}
	v.n = w.load(at.root, at.n, at.begin(), shapeOf(typ))
	if root, ok := w.roots[v.n]; ok && isPointer(typ) {
		v.root = root
	} else if !isPointer(typ) || w.isVariable(at) {
		v.root = 0
	}
	return v
}

// isVariable reports whether a place is a whole variable.
func (w *walker) isVariable(at value) bool { return at.root > 0 && w.address(at.root) == at.n }

// assign writes a value to a place and returns it.
func (w *walker) assign(at, v value) value {
	typ := at.typ
	if isRecord(typ) {
		w.move(at.root)
		if v.root > 0 {
			w.link(at.root, v.root)
		}
		return v
	}
	v = w.convert(v, typ)
	if isPointer(typ) && v.root > 0 {
		w.roots[v.n] = v.root
		if !w.isVariable(at) {
			w.link(at.root, v.root) // one object now holds a pointer to the other
		}
	}
	w.write(at.root, at.n, v.n)
	return v
}

// text returns the text that a pointer to characters leads to, or the one that is a value. size is 0 for C strings.
func (w *walker) text(v value) *term {
	if v.n.shape.kind == address {
		return w.keep(term{op: textAt, shape: textShape, args: []*term{w.objects[v.root].memory, v.n, v.begin()}})
	}
	if v.n.shape.kind == text {
		return v.n
	}
	return w.table.unknown("text of", textShape, v.n)
}

// slice is a number of bytes from an address on.
func (w *walker) slice(at value, n *term) *term {
	return w.keep(term{op: slice, shape: textShape, args: []*term{w.objects[at.root].memory, at.n, at.begin(), n}})
}

// content is all that the object holds in which an address lies, as seen from there.
func (w *walker) content(at value) *term {
	return w.keep(term{op: content, shape: otherShape, args: []*term{w.objects[at.root].memory, at.n}})
}
