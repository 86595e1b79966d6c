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
	if transparent[n.Kind] && len(n.Inner) > 0 {
		return w.lvalue(n.Inner[len(n.Inner)-1]).as(typ)
	}
	switch n.Kind {
	case "DeclRefExpr":
		if _, ok := w.vars[n.Decl]; !ok { // of a header, or a parameter of a test
			w.vars[n.Decl] = w.newObject()
		}
		return w.vars[n.Decl].as(typ)
	case "MemberExpr":
		return w.member(n, typ)
	case "ArraySubscriptExpr":
		base, index := w.rvalue(n.Inner[0]), w.rvalue(n.Inner[1])
		if !isPointer(base.typ) {
			base, index = index, base
		}
		return w.offset(base, index, "+").as(typ)
	case "UnaryOperator":
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
		if strings.HasSuffix(n.Op, "=") {
			w.binary(n, typ)
			return w.lvalue(n.Inner[0])
		}
	case "CXXConstCastExpr", "CXXStaticCastExpr", "CXXFunctionalCastExpr", "CStyleCastExpr":
		return w.lvalue(n.Inner[len(n.Inner)-1]).as(typ)
	case "ImplicitCastExpr":
		if n.Op == "NoOp" || strings.Contains(n.Op, "DerivedToBase") || n.Op == "BaseToDerived" {
			return w.lvalue(n.Inner[0]).as(typ)
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
	case "CXXThisExpr":
		return w.unknownOf("this", charPtr).as(typ)
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if n.Is(cprog.LValue) || n.Is(cprog.XValue) {
			return w.call(n, &cprog.Type{Kind: cprog.Pointer, Bits: 64, Size: 8, Elem: typ}).as(typ)
		}
	}
	// A temporary: a place that holds the value and nothing else.
	v, at := w.rvalue(n), w.newObject()
	if isRecord(typ) {
		w.set(at.root, base{held: &v.val})
	} else {
		w.store(at, v.val)
	}
	return at.as(typ)
}

// member returns the address of a field.
func (w *walker) member(n *cprog.Node, typ *cprog.Type) value {
	in := n.Inner[0]
	base := referred(in.Type)
	var at value
	if isPointer(base) {
		at, base = w.rvalue(in), elem(base)
	} else {
		at = w.lvalue(in)
	}
	at.typ = typ
	name := strings.TrimLeft(n.Name, ".->")
	if base.Record != nil {
		for _, f := range base.Record.Fields {
			if f.Name == name && f.Name != "" && f.Bits == 0 {
				at.val = w.add(at.val, int64(f.Offset/8))
				return at
			}
		}
	}
	field := w.unknown("field "+typeName(base)+"."+name, addressShape, at.val)
	field.root = at.root
	return field.as(typ)
}

// loadFrom reads the thing at a place.
func (w *walker) loadFrom(at value, typ *cprog.Type) value {
	o, v := &w.objects[at.root], value{typ: typ}
	switch {
	case isRecord(typ) && o.last == nil && o.base.held != nil && at.n == start(at.root):
		return o.base.held.as(typ)
	case stringLike(typ):
		v.val = w.textAt(at.val)
		v.root = at.root
	case isRecord(typ):
		v.val = w.content(at.val)
		v.root = at.root
	case typ.Kind == cprog.Array || typ.Kind == cprog.FunctionType || typ.Kind == cprog.Void:
		return at.as(typ)
	default:
		v.val = w.read(at.val, shapeOf(typ))
		if isPointer(typ) && v.root == 0 && !isVariable(at.val) {
			v.root = at.root // the pointer leads into the same object, or one that belongs to it
		}
	}
	v.undefined = v.undefined || at.undefined
	return v
}

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
	if isPointer(typ) && v.root > 0 && !isVariable(at.val) {
		w.link(at.root, v.root) // one object now holds a pointer to the other
	}
	w.store(at.val, v.val)
	return v
}
