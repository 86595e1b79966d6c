package auvc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// lvalue returns the address of what an expression denotes, with that thing's type.
func (w *walker) lvalue(n *clangast.Node) term {
	typ := w.types.of(n.Type)
	defer func() { w.depth-- }()
	if !w.enter() {
		return w.place(w.fresh(bytePtr), typ)
	}
	switch n.Kind {
	case "DeclRefExpr":
		if n.Referenced == nil {
			break
		}
		if ref, ok := w.refs[n.Referenced.ID]; ok {
			return w.place(ref, typ)
		}
		root, ok := w.vars[n.Referenced.ID]
		if !ok { // of a header, or a parameter of a test
			root = w.newObject(n.Referenced.Name)
			w.vars[n.Referenced.ID] = root
		}
		return w.place(w.address(root), typ)
	case "MemberExpr":
		return w.member(n, typ)
	case "ArraySubscriptExpr":
		if len(n.Inner) != 2 {
			break
		}
		base, index := w.rvalue(n.Inner[0]), w.rvalue(n.Inner[1])
		if w.types.of(n.Inner[0].Type).kind != pointer {
			base, index = index, base
		}
		return w.place(w.offset(base, index, "+"), typ)
	case "UnaryOperator":
		if len(n.Inner) != 1 {
			break
		}
		switch n.Opcode {
		case "*":
			return w.place(w.rvalue(n.Inner[0]), typ)
		case "++", "--":
			w.unary(n, typ)
			return w.lvalue(n.Inner[0])
		case "__extension__":
			return w.lvalue(n.Inner[0])
		}
	case "BinaryOperator", "CompoundAssignOperator":
		if len(n.Inner) == 2 && strings.HasSuffix(n.Opcode, "=") {
			w.binary(n, typ)
			return w.lvalue(n.Inner[0])
		}
	case "ParenExpr", "ExprWithCleanups", "ConstantExpr", "MaterializeTemporaryExpr", "CXXBindTemporaryExpr", "CXXConstCastExpr",
		"CXXStaticCastExpr", "CXXFunctionalCastExpr", "CStyleCastExpr":
		if len(n.Inner) > 0 && n.Inner[len(n.Inner)-1] != nil {
			t := w.lvalue(n.Inner[len(n.Inner)-1])
			t.typ = typ
			return t
		}
	case "ImplicitCastExpr":
		if len(n.Inner) == 1 && (n.CastKind == "NoOp" || strings.Contains(n.CastKind, "DerivedToBase") || n.CastKind == "BaseToDerived") {
			t := w.lvalue(n.Inner[0])
			t.typ = typ
			return t
		}
	case "StringLiteral", "PredefinedExpr":
		return literalAddress(n)
	case "CXXThisExpr":
		return w.place(w.rvalue(n), typ)
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		if n.Category == "lvalue" || n.Category == "xvalue" {
			t := w.call(n, ctype{kind: pointer, bits: 64, elem: typ.name, name: typ.name + " *"})
			return w.place(t, typ)
		}
	}
	// A temporary: a place that holds the value and nothing else.
	v := w.rvalue(n)
	root := w.newObject("temporary")
	at := w.place(w.address(root), typ)
	m := &w.objects[root].memory
	if v.sort == objectSort || v.sort == textSort {
		w.known[short(v.text)] = v
		m.name = "value." + short(v.text)
		m.here, m.there = at.text, smt.Symbol("value:>"+string(bitVec(64)))
	} else {
		w.write(at, key{typ: typ.name}, v)
	}
	return at.with(v)
}

// place makes an address that denotes a thing of a type.
func (w *walker) place(addr term, typ ctype) term {
	addr.typ = typ
	if typ.ref {
		addr.typ.ref = false
	}
	return addr
}

// member returns the address of a field. Offsets are not needed: a field's address is a
// function of its record's.
func (w *walker) member(n *clangast.Node, typ ctype) term {
	if len(n.Inner) == 0 {
		return w.place(w.fresh(bytePtr), typ)
	}
	in := n.Inner[0]
	base := w.types.of(in.Type)
	var at term
	if base.kind == pointer {
		at = w.rvalue(in)
		base = w.types.named(base.elem)
	} else {
		at = w.lvalue(in)
	}
	name := strings.TrimLeft(n.Name, ".->")
	if base.union() {
		name = "" // all members begin where the union begins
	} else {
		root := at.root
		at = apply("field "+base.name+"."+name, bitVec(64), at)
		at.root = root
	}
	at.field = name
	return w.place(at, typ)
}

// offset adds a number of elements to a pointer.
func (w *walker) offset(p, index term, op string) term {
	elem := w.types.named(p.typ.elem)
	size, known := w.types.size(elem)
	i := convert(asBits(index), ctype{kind: integer, bits: 64, signed: true, name: "long"})
	out := p.with(i)
	if v, ok := constantBits(i.text); ok && op == "-" {
		i = intConst(-v, i.typ)
	} else if op == "-" {
		i.text = "(bvneg " + i.text + ")"
	}
	switch {
	case !known:
		s := apply("sizeof "+elem.name, bitVec(64))
		i.text = "(bvmul " + i.text + " " + s.text + ")"
	default:
		if v, ok := constantBits(i.text); ok {
			return add(out, v*size)
		}
		if size != 1 {
			i.text = fmt.Sprintf("(bvmul %s %s)", i.text, smt.BitVec(size, 64))
		}
	}
	out.text = fmt.Sprintf("(bvadd %s %s)", p.text, i.text)
	return out
}

// add adds a number of bytes to an address.
func add(p term, bytes uint64) term {
	if bytes != 0 {
		p.text = fmt.Sprintf("(bvadd %s %s)", p.text, smt.BitVec(bytes, 64))
	}
	return p
}

// constantBits reads a literal.
func constantBits(text string) (uint64, bool) {
	if hexa, ok := strings.CutPrefix(text, "#x"); ok && len(hexa) <= 16 {
		v, err := strconv.ParseUint(hexa, 16, 64)
		return v, err == nil
	}
	return 0, false
}

// load reads the thing at a place.
func (w *walker) load(at term, typ ctype) term {
	if at.sort != bitVec(64) {
		return opaqueTerm("value", typ, at)
	}
	if typ.kind == other {
		if w.cxx && !w.isRecord(typ) { // an enumeration
			typ = ctype{kind: integer, bits: 32, name: typ.name}
		} else {
			return w.object(at, typ)
		}
	}
	field := at.field
	v := w.objects[at.root].memory.load(at, key{typ: typ.name, field: field}, typ)
	if typ.kind == pointer && v.root == 0 && !strings.HasPrefix(v.field, literalField) {
		if r := w.pointee(v.text); r > 0 {
			v.root = r
		} else {
			v.root = at.root
			if w.isVariable(at) {
				v.root = 0
			}
		}
	}
	return v
}

func (w *walker) isVariable(at term) bool {
	return at.root > 0 && w.objects[at.root].address == at.text
}

// pointee returns the object that a pointer's value points into, as far as its text tells.
func (w *walker) pointee(text string) int {
	if r, ok := w.results[text]; ok {
		return r
	}
	return 0
}

func (w *walker) isRecord(c ctype) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(c.name, "struct "), "class ")
	return name != c.name || w.records[name] != nil || strings.Contains(name, "<") || strings.HasPrefix(name, "std::")
}

// assign writes a value to a place and returns it.
func (w *walker) assign(at term, k key, typ ctype, v term) term {
	if typ.kind == other || v.sort == objectSort {
		w.move(at.root)
		if v.root > 0 && v.root != at.root {
			w.link(at.root, v.root)
		}
		return v
	}
	v = convert(v, typ)
	if len(v.text) > maxFormula {
		root, field := v.root, v.field
		v = w.fresh(typ)
		v.root, v.field = root, field
	}
	if typ.kind == pointer {
		if v.root > 0 {
			w.results[v.text] = v.root
		}
		if v.root > 0 && at.root != v.root && !w.isVariable(at) {
			w.link(at.root, v.root) // one object now holds a pointer to the other
		}
	}
	w.write(at, k, v)
	return v
}
