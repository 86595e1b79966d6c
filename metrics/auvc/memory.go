package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// lvalue returns the address of what an expression denotes, with that thing's type.
func (w *walker) lvalue(n *cprog.Node) value {
	typ := referred(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.somewhere(typ)
	}
	at := func(v value) value {
		v.typ = typ
		return v
	}
	switch n.Kind {
	case "DeclRefExpr":
		if n.Decl == nil {
			break
		}
		if ref, ok := w.refs[n.Decl]; ok {
			return at(ref)
		}
		root, ok := w.vars[n.Decl]
		if !ok { // of a header, or a parameter of a test
			root = w.newObject(n.Decl.Name)
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
		return at(w.offset(base, index, "+"))
	case "UnaryOperator":
		if len(n.Inner) != 1 {
			break
		}
		switch n.Op {
		case "*":
			return at(w.rvalue(n.Inner[0]))
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
			return at(w.lvalue(n.Inner[len(n.Inner)-1]))
		}
	case "ImplicitCastExpr":
		if len(n.Inner) == 1 && (n.Op == "NoOp" || strings.Contains(n.Op, "DerivedToBase") || n.Op == "BaseToDerived") {
			return at(w.lvalue(n.Inner[0]))
		}
	case "StringLiteral", "PredefinedExpr":
		return w.literal(n)
	case "CXXThisExpr":
		return value{n: w.ofType("this", charPtr), typ: typ}
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if n.Is(cprog.LValue) || n.Is(cprog.XValue) {
			return at(w.call(n, &cprog.Type{Kind: cprog.Pointer, Bits: 64, Size: 8, Elem: typ}))
		}
	}
	// A temporary: a place that holds the value and nothing else.
	v := w.rvalue(n)
	root := w.newObject("temporary")
	place := w.address(root)
	if isRecord(typ) {
		w.hold(root, place, v)
	} else {
		w.write(root, place, keyFor(typ, ""), v.n)
	}
	return value{n: place, typ: typ, root: root}.from(v)
}

// somewhere is a place of which nothing is known.
func (w *walker) somewhere(typ *cprog.Type) value {
	v := w.fresh(charPtr)
	v.typ = typ
	return v
}

// member returns the address of a field: a function of its record's.
func (w *walker) member(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 {
		return w.somewhere(typ)
	}
	in := n.Inner[0]
	var at value
	base := referred(in.Type)
	if isPointer(base) {
		at, base = w.rvalue(in), elem(base)
	} else {
		at = w.lvalue(in)
	}
	at.typ, at.text = typ, nil
	at.field = n.Name
	if isUnion(base) {
		at.field = "" // all members begin where the union begins
		return at
	}
	at.n = w.notNull("field "+typeName(base)+"."+n.Name, at.n)
	return at
}

// load reads the thing at a place.
func (w *walker) load(at value, typ *cprog.Type) value {
	switch {
	case isRecord(typ):
		return w.record(at, typ)
	case typ.Kind == cprog.Array || typ.Kind == cprog.FunctionType || typ.Kind == cprog.Void:
		at.typ = typ
		return at
	}
	v := value{n: w.read(at.root, at.n, keyFor(typ, at.field), typ), typ: typ, opaque: at.opaque}
	if isPointer(typ) {
		if r, ok := w.results[v.n]; ok {
			v.root = r
		} else if !w.isVariable(at) {
			v.root = at.root
		}
		if t, ok := w.texts[w.name(v.n)]; ok {
			v.text = t.text
		}
	}
	return v
}

// isVariable reports whether a place is a whole variable.
func (w *walker) isVariable(at value) bool {
	return at.root > 0 && w.objects[at.root].address == at.n
}

// assign writes a value to a place and returns it.
func (w *walker) assign(at value, k key, typ *cprog.Type, v value) value {
	if isRecord(typ) {
		w.move(at.root)
		if v.root > 0 && v.root != at.root {
			w.link(at.root, v.root)
		}
		return v
	}
	v = w.convert(v, typ)
	if isPointer(typ) {
		if v.text != nil {
			w.texts[w.name(v.n)] = v
		}
		if v.root > 0 {
			w.results[v.n] = v.root
			if at.root != v.root && !w.isVariable(at) {
				w.link(at.root, v.root) // one object now holds a pointer to the other
			}
		}
	}
	w.write(at.root, at.n, k, v.n)
	return v
}
