package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// construct makes an object.
func (w *walker) construct(n *cprog.Node, typ *cprog.Type) value {
	args := w.arguments(n.Inner)
	if len(args) == 1 && isRecord(args[0].typ) && args[0].typ.Same == typ.Same {
		return args[0].value // a copy
	}
	if n.Kind == "CXXNewExpr" {
		return value{n: w.notNull("$new#" + typ.Desugared + w.name(w.num(int64(w.next())))), typ: typ, root: w.newObject("new")}
	}
	if stringLike(typ) {
		if len(args) == 0 {
			v := w.contents(w.literalOf(""))
			v.typ = typ
			return v
		}
		if isPointer(args[0].typ) {
			v := w.contents(args[0].at)
			v.typ = typ
			return v
		}
	}
	out := value{typ: typ}
	var parts []*node
	for _, a := range args {
		if isPointer(a.typ) && isChar(elem(a.typ)) {
			parts = append(parts, w.contents(a.at).n)
		} else {
			parts = append(parts, a.n)
		}
		out = out.from(a.value)
	}
	out.n = w.ofType("make "+typeName(typ), typ, parts...)
	return out
}

// stringLike reports whether a class holds one text and nothing else.
func stringLike(t *cprog.Type) bool {
	if t == nil {
		return false
	}
	for _, name := range []string{typeName(t), strings.TrimPrefix(t.Desugared, "const ")} {
		for _, p := range []string{"std::basic_string<char", "std::basic_string_view<char", "std::basic_string", "std::string", "std::__cxx11::basic_string", "basic_string<char", "re2::StringPiece", "StringPiece", "absl::string_view"} {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
	}
	return false
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
			return value{n: w.truth(w.sameTexts(w.textOf(self), w.literalOf(""))), typ: typ}
		case (name == "size" || name == "length") && len(args) == 0:
			return w.stringLength(w.textOf(self))
		case name == "compare" && len(args) == 1:
			return w.compareTexts(w.textOf(self), w.textOf(args[0]))
		}
	}
	class := typeName(self.typ)
	if name == "empty" && len(args) == 0 && typ.Kind == cprog.Bool { // of any container
		self.changes = false
		size := w.ask(class+"::size", []argument{self}, sizeType)
		return value{n: w.truth(w.in(size.n, onlyZero)), typ: typ}
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
		a.at, typ = w.rvalue(n), elem(typ)
		a.at.typ = typ
	} else {
		a.at = w.lvalue(n)
	}
	a.changes = !typ.Const
	a.value = w.record(a.at, typ)
	return a
}

// textOf returns what contents takes for an argument: a pointer to characters, or the place of an
// object that is a text.
func (w *walker) textOf(a argument) value {
	if a.leads {
		return a.at
	}
	return a.value
}

func (w *walker) operatorCall(n *cprog.Node, typ *cprog.Type) value {
	if n.Decl == nil || len(n.Inner) < 2 {
		return w.unknownCall("operator", w.arguments(n.Inner), typ)
	}
	args := w.arguments(n.Inner[1:])
	name := n.Decl.Name
	op := strings.TrimPrefix(name, "operator")
	textual := len(args) == 2
	for _, a := range args {
		textual = textual && (stringLike(a.typ) || (isPointer(a.typ) || a.typ.Kind == cprog.Array) && isChar(elem(a.typ)))
	}
	switch {
	case textual && (op == "==" || op == "!="):
		c := w.sameTexts(w.textOf(args[0]), w.textOf(args[1]))
		if op == "!=" {
			c = w.not(c)
		}
		return value{n: w.truth(c), typ: typ}
	case (op == "==" || op == "!=") && len(args) == 2:
		for i := range args {
			args[i].changes = false
		}
		if args[0].n.id > args[1].n.id {
			args[0], args[1] = args[1], args[0]
		}
		v := w.ask("operator==", args, typ)
		if op == "!=" {
			v.n = w.truth(w.not(w.truthOf(v)))
		}
		return v
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
