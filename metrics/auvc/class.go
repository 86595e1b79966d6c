package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// construct makes an object.
func (w *walker) construct(n *cprog.Node, typ *cprog.Type) value {
	args := w.arguments(n.Inner)
	switch {
	case len(args) == 1 && isRecord(args[0].typ) && sameType(args[0].typ, typ):
		return args[0].value // a copy
	case n.Kind == "CXXNewExpr":
		return w.newObject().as(typ)
	case stringLike(typ) && len(args) == 0:
		return w.textAt(w.literalOf("").val).as(typ)
	case stringLike(typ) && isPointer(args[0].typ):
		return w.textAt(args[0].at.val).as(typ)
	}
	var parts []val
	for _, a := range args {
		part := a.val
		if isPointer(a.typ) && isText(a) {
			part = w.textAt(a.at.val)
		}
		parts = append(parts, part)
	}
	return w.unknownOf("make "+typeName(typ), typ, parts...)
}

// readers are methods and operators that do not change their object although one of their
// overloads may be taken of an object that is not const.
var readers = clex.Set("at operator[] operator* operator-> begin end front back data c_str find get")

func (w *walker) methodCall(n *cprog.Node, typ *cprog.Type) value {
	m := n.Inner[0]
	if m.Kind != "MemberExpr" {
		return w.unknownCall("method", w.arguments(n.Inner), typ)
	}
	of := referred(m.Inner[0].Type)
	self := argument{leads: true}
	if isPointer(of) {
		of = elem(of)
		self.at = w.rvalue(m.Inner[0]).as(of)
	} else {
		self.at = w.lvalue(m.Inner[0])
	}
	self.value, self.changes = w.loadFrom(self.at, of), !of.Const // as a const method sees it
	args := w.arguments(n.Inner[1:])
	name, class := strings.TrimLeft(m.Name, ".->"), typeName(of)
	size := name == "empty" || name == "size" || name == "length"
	var v value
	switch {
	case size && len(args) == 0 && stringLike(of):
		v = w.make("strlen", sizeShape, self.val).as(typ)
	case name == "compare" && len(args) == 1 && stringLike(of):
		return w.make("strcmp", intShape, self.val, w.textAt(args[0].val)).as(typ)
	case name == "empty" && len(args) == 0 && typ.Kind == cprog.Bool: // of any container
		self.changes = false
		v = w.ask(class+"::size", []argument{self}, sizeType)
	default:
		if self.changes = self.changes && !readers[name]; name == "at" {
			name = "operator[]"
		}
		return w.unknownCall(class+"::"+name, append([]argument{self}, args...), typ)
	}
	if name == "empty" {
		return w.not(v.val).as(typ)
	}
	return v
}

// isText reports whether an operand is a text: a string, or a pointer to characters.
func isText(a argument) bool {
	return stringLike(a.typ) || (isPointer(a.typ) || a.typ.Kind == cprog.Array) && isChar(elem(a.typ))
}

func (w *walker) operatorCall(n *cprog.Node, typ *cprog.Type) value {
	if n.Decl == nil {
		return w.unknownCall("operator", w.arguments(n.Inner), typ)
	}
	args, name := w.arguments(n.Inner[1:]), n.Decl.Name
	op := strings.TrimPrefix(name, "operator")
	switch {
	case (op == "==" || op == "!=") && len(args) == 2:
		return w.equal(op, args).as(typ)
	case op == "=" && len(args) == 2:
		w.move(args[0].at.root)
		if args[1].root > 0 {
			w.link(args[0].at.root, args[1].root)
		}
		return args[0].at
	case readers[name]:
		args[0].changes = false
		return w.unknownCall(typeName(args[0].typ)+"::"+name, args, typ)
	case op == "<" || op == ">" || op == "<=" || op == ">=" || op == "()":
		for i := range args {
			args[i].changes = args[i].changes && op == "()"
		}
	}
	return w.unknownCall(name, args, typ)
}

// equal is == or != of two objects, in whichever order.
func (w *walker) equal(op string, args []argument) val {
	if isText(args[0]) && isText(args[1]) {
		return w.make(op, intShape, w.textAt(args[0].val), w.textAt(args[1].val))
	}
	if args[0].form > args[1].form {
		args[0], args[1] = args[1], args[0]
	}
	for i := range args {
		args[i].changes = false
	}
	c := w.truth(w.ask("operator==", args, intType).val)
	if op == "!=" {
		c = w.not(c)
	}
	return c
}
