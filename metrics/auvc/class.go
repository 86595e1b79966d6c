package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// construct makes an object.
func (w *walker) construct(n *cprog.Node, typ *cprog.Type) value {
	args := w.arguments(n.Inner)
	switch {
	case len(args) == 1 && isRecord(args[0].typ) && sameType(args[0].typ, typ):
		return args[0].value // a copy
	case n.Kind == "CXXNewExpr":
		root := w.newObject()
		return addressOf(root).as(typ)
	case stringLike(typ) && len(args) == 0:
		return w.textAt(w.literalOf("").val).as(typ)
	case stringLike(typ) && isPointer(args[0].typ):
		return w.textAt(args[0].at.val).as(typ)
	}
	var parts []val
	for _, a := range args {
		if isPointer(a.typ) && isChar(elem(a.typ)) {
			parts = append(parts, w.textAt(a.at.val))
		} else {
			parts = append(parts, a.val)
		}
	}
	return w.unknownOf("make "+typeName(typ), typ, parts...)
}

// readers are methods and operators that do not change their object although one of their
// overloads may be taken of an object that is not const.
var readers = map[string]bool{
	"at": true, "operator[]": true, "operator*": true, "operator->": true, "begin": true, "end": true, "front": true, "back": true,
	"data": true, "c_str": true, "find": true, "get": true, "operator bool": true,
}

func (w *walker) methodCall(n *cprog.Node, typ *cprog.Type) value {
	if len(n.Inner) == 0 || n.Inner[0].Kind != "MemberExpr" || len(n.Inner[0].Inner) == 0 {
		return w.unknownCall("method", w.arguments(n.Inner), typ)
	}
	m := n.Inner[0]
	name := strings.TrimLeft(m.Name, ".->")
	self := w.self(m.Inner[0])
	args := w.arguments(n.Inner[1:])
	if stringLike(self.typ) {
		switch {
		case name == "empty":
			return w.not(w.make("strlen", sizeShape, self.val)).as(typ)
		case (name == "size" || name == "length") && len(args) == 0:
			return w.make("strlen", sizeShape, self.val).as(typ)
		case name == "compare" && len(args) == 1:
			return w.make("strcmp", intShape, self.val, w.textAt(args[0].val)).as(typ)
		}
	}
	class := typeName(self.typ)
	if name == "empty" && len(args) == 0 && typ.Kind == cprog.Bool { // of any container
		self.changes = false
		return w.not(w.ask(class+"::size", []argument{self}, sizeType).val).as(typ)
	}
	if readers[name] {
		self.changes = false
		if name == "at" {
			name = "operator[]"
		}
	}
	return w.unknownCall(class+"::"+name, append([]argument{self}, args...), typ)
}

// self is the object of a method call; a const method sees it const.
func (w *walker) self(n *cprog.Node) argument {
	typ := referred(n.Type)
	a := argument{leads: true}
	if isPointer(typ) {
		typ = elem(typ)
		a.at = w.rvalue(n).as(typ)
	} else {
		a.at = w.lvalue(n)
	}
	a.changes = !typ.Const
	a.value = w.loadFrom(a.at, typ)
	return a
}

// isText reports whether an operand is a text: a string, or a pointer to characters.
func isText(a argument) bool {
	return stringLike(a.typ) || (isPointer(a.typ) || a.typ.Kind == cprog.Array) && isChar(elem(a.typ))
}

func (w *walker) operatorCall(n *cprog.Node, typ *cprog.Type) value {
	if n.Decl == nil || len(n.Inner) < 2 {
		return w.unknownCall("operator", w.arguments(n.Inner), typ)
	}
	args := w.arguments(n.Inner[1:])
	name := n.Decl.Name
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
