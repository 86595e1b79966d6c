package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// construct makes an object.
func (w *walker) construct(n *clangast.Node, typ ctype) term {
	args := w.arguments(n.Inner)
	if len(args) == 1 && args[0].value.sort == objectSort && args[0].value.typ.name == typ.name {
		return args[0].value // a copy
	}
	if stringLike(typ) && len(args) > 0 && args[0].typ.kind == pointer {
		c := w.contents(args[0].at)
		c.typ = typ
		return c
	}
	var parts []term
	for _, a := range args {
		if a.typ.kind == pointer && w.types.named(a.typ.elem).character() {
			parts = append(parts, w.contents(a.at))
			continue
		}
		parts = append(parts, a.value)
	}
	if n.Kind == "CXXNewExpr" {
		t := w.fresh(typ)
		t.root = w.newObject("new")
		return t.assuming("(not (= " + t.text + " #x0000000000000000))")
	}
	t := apply("make "+typ.name, objectSort, parts...)
	if stringLike(typ) && len(parts) == 0 {
		t = textConst("")
	}
	t.typ, t.root = typ, 0
	return t
}

// stringLike reports whether a class holds one text and nothing else.
func stringLike(c ctype) bool {
	for _, p := range []string{"std::basic_string<char", "std::basic_string_view<char", "std::string", "std::__cxx11::basic_string<char", "basic_string<char", "re2::StringPiece", "StringPiece", "absl::string_view"} {
		if strings.HasPrefix(c.name, p) {
			return true
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

func (w *walker) methodCall(n *clangast.Node, typ ctype) term {
	if len(n.Inner) == 0 || n.Inner[0] == nil || n.Inner[0].Kind != "MemberExpr" || len(n.Inner[0].Inner) == 0 {
		return w.unknownCall("method", w.arguments(n.Inner), typ)
	}
	m := n.Inner[0]
	name := strings.TrimLeft(m.Name, ".->")
	self := w.self(m.Inner[0])
	args := w.arguments(n.Inner[1:])
	class := self.typ
	if stringLike(class) {
		switch {
		case name == "empty":
			return w.sameTexts(w.textOf(self), textConst(""))
		case (name == "size" || name == "length") && len(args) == 0:
			return w.stringLength(w.textOf(self))
		case name == "compare" && len(args) == 1:
			return w.compareTexts(w.textOf(self), w.textOf(args[0]))
		}
	}
	if name == "empty" && len(args) == 0 && typ.kind == boolean { // of any container
		size := w.ask(class.name+"::size", []argument{self}, sizeType)
		return equality("==", size, intConst(0, sizeType))
	}
	if readers[name] {
		self.changes = false
		if name == "at" {
			name = "operator[]"
		}
	}
	return w.unknownCall(class.name+"::"+name, append([]argument{self}, args...), typ)
}

// self is the object of a method call; a const method sees it const.
func (w *walker) self(n *clangast.Node) argument {
	typ := w.types.of(n.Type)
	a := argument{leads: true}
	if typ.kind == pointer {
		a.at = w.rvalue(n)
		typ = w.types.named(typ.elem)
	} else {
		a.at = w.lvalue(n)
	}
	a.typ, a.changes = typ, !typ.konst
	a.value = w.object(a.at, typ)
	return a
}

// textOf returns what contents takes for an argument: a pointer to characters or the value of
// a class that holds a text.
func (w *walker) textOf(a argument) term {
	if a.value.sort == textSort {
		return a.value
	}
	if a.typ.kind == pointer {
		return a.at
	}
	if a.leads {
		if t := a.at; t.sort == bitVec(64) {
			m := w.objects[t.root].memory
			if v, ok := w.known[strings.TrimPrefix(m.name, "value.")]; ok {
				return v
			}
		}
	}
	v := a.value
	t := apply("text", textSort, v)
	t.typ = ctype{kind: other, name: "text"}
	return t
}

func (w *walker) operatorCall(n *clangast.Node, typ ctype) term {
	f := callee(n)
	if f == nil || len(n.Inner) < 2 {
		return w.unknownCall("operator", w.arguments(n.Inner), typ)
	}
	args := w.arguments(n.Inner[1:])
	op := strings.TrimPrefix(f.Name, "operator")
	textual := len(args) == 2
	for _, a := range args {
		elem := w.types.named(a.typ.elem)
		textual = textual && (stringLike(a.typ) || (a.typ.kind == pointer || a.typ.kind == array) && elem.character())
	}
	switch {
	case textual && (op == "==" || op == "!="):
		t := w.sameTexts(w.textOf(args[0]), w.textOf(args[1]))
		if op == "!=" {
			t = not(t)
		}
		t.typ = boolType
		return t
	case (op == "==" || op == "!=") && len(args) == 2:
		for i := range args {
			args[i].changes = false
		}
		if args[0].value.text > args[1].value.text {
			args[0], args[1] = args[1], args[0]
		}
		t := asTruth(w.ask("operator==", args, boolType))
		if op == "!=" {
			t = not(t)
		}
		return t
	case op == "=" && len(args) == 2:
		w.move(args[0].at.root)
		if args[1].value.root > 0 {
			w.link(args[0].at.root, args[1].value.root)
		}
		return args[0].at
	case readers[f.Name]:
		args[0].changes = false
		return w.unknownCall(args[0].typ.name+"::"+f.Name, args, typ)
	case op == "<" || op == ">" || op == "<=" || op == ">=" || op == "()":
		for i := range args {
			args[i].changes = args[i].changes && op == "()"
		}
	}
	return w.unknownCall(f.Name, args, typ)
}
