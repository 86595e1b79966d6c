package auvc

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// An argument is an operand of a call.
type argument struct {
	value   term
	typ     ctype
	at      term // of what a pointer or reference leads to, if it leads anywhere
	leads   bool
	changes bool // the callee may change what it leads to
}

// call follows a call and returns its result.
func (w *walker) call(n *clangast.Node, typ ctype) term {
	switch n.Kind {
	case "CXXConstructExpr", "CXXTemporaryObjectExpr", "CXXNewExpr":
		return w.construct(n, typ)
	case "CXXDeleteExpr":
		for _, in := range n.Inner {
			if v := w.rvalue(in); v.root > 0 {
				w.move(v.root)
			}
		}
		return truth("true")
	case "CXXOperatorCallExpr":
		return w.operatorCall(n, typ)
	case "CXXMemberCallExpr":
		return w.methodCall(n, typ)
	}
	f := callee(n)
	if f == nil {
		args := w.arguments(n.Inner)
		return w.unknownCall("pointer", args, typ)
	}
	if g := w.functions[f.ID]; g != nil {
		return w.inline(g, n, typ)
	}
	name := strings.TrimPrefix(f.Name, "__builtin_")
	args := w.arguments(n.Inner[1:])
	if t, ok := w.library(name, args, typ); ok {
		return t
	}
	return w.unknownCall(f.Name, args, typ)
}

func (w *walker) arguments(nodes []*clangast.Node) []argument {
	var args []argument
	for _, in := range nodes {
		if in != nil && in.Kind != "CXXDefaultArgExpr" {
			args = append(args, w.argument(in))
		}
	}
	return args
}

// argument evaluates an operand. A glvalue is bound to a reference.
func (w *walker) argument(n *clangast.Node) argument {
	typ := w.types.of(n.Type)
	if n.Category == "lvalue" || n.Category == "xvalue" {
		at := w.lvalue(n)
		return argument{value: w.load(at, typ), typ: typ, at: at, leads: true, changes: !typ.konst && n.Category == "lvalue"}
	}
	v := w.rvalue(n)
	a := argument{value: v, typ: typ}
	if typ.kind == pointer {
		elem := w.types.named(typ.elem)
		a.at, a.leads = v, true
		_, null := constantBits(v.text)
		function := strings.Contains(typ.elem, "(")
		a.changes = !elem.konst && !null && !function && !strings.HasPrefix(v.field, literalField)
	} else if v.root > 0 && v.sort == objectSort {
		a.at, a.leads = v, true
	}
	return a
}

// asks are words that, in the name of a function, say that it only tells something of its
// arguments although it does not declare them const.
var asks = map[string]bool{
	"get": true, "is": true, "has": true, "count": true, "size": true, "length": true, "len": true, "tell": true, "eof": true,
	"type": true, "version": true, "column": true, "compare": true, "equal": true, "equals": true, "errmsg": true, "errcode": true,
	"contains": true, "name": true, "width": true, "height": true, "total": true, "readonly": true, "changes": true,
	"datalink": true, "snapshot": true, "offset": true, "error": true, "find": true, "value": true, "geterr": true, "num": true,
}

// query reports whether a call by its name and the types of its arguments changes nothing.
func query(name string, args []argument, typ ctype) bool {
	changes, leads := false, false
	for _, a := range args {
		changes = changes || a.changes
		leads = leads || a.leads
	}
	if !changes {
		// What returns a pointer, of nothing that it could lead into, makes something; unless
		// it may not be changed either.
		return typ.kind != void && (leads || typ.kind != pointer || strings.HasPrefix(typ.elem, "const "))
	}
	for _, word := range wordsOf(name) {
		if asks[word] {
			return typ.kind != void
		}
	}
	return false
}

// wordsOf splits a name at underscores and capital letters.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		lower := i > 0 && unicode.IsLower(runes[i-1])
		if r == '_' || r == ':' {
			flush()
			continue
		}
		if unicode.IsUpper(r) && lower {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// unknownCall is a call of a function whose body is not the program's. A query is a function
// of its arguments and of what they lead to; anything else may have changed that, and every
// call of it is another.
func (w *walker) unknownCall(name string, args []argument, typ ctype) term {
	if query(name, args, typ) {
		return w.ask(name, args, typ)
	}
	w.world = w.serial.next()
	var roots []int
	moved := false
	for _, a := range args {
		if !a.leads || !a.changes {
			continue
		}
		roots = append(roots, a.at.root)
		moved = true
	}
	if moved {
		near := roots[:0:0]
		for _, r := range roots {
			if r > 0 {
				near = append(near, r)
			} else {
				w.move(0)
			}
		}
		if len(near) > 0 {
			w.link(near...)
			w.move(near[0])
		}
	}
	t := apply(fmt.Sprintf("result %s#%d", name, w.serial.next()), typ.sort())
	t.typ = typ
	return w.pointing(t, args, name)
}

// ask is the result of a query.
func (w *walker) ask(name string, args []argument, typ ctype) term {
	var parts []term
	state := ""
	reads := false
	for _, a := range args {
		v := a.value
		if a.leads {
			elem := a.typ
			if a.typ.kind == pointer {
				elem = w.types.named(a.typ.elem)
			}
			switch {
			case a.typ.kind == pointer && elem.character() && (!a.changes || strings.HasPrefix(v.field, literalField)):
				if typ.kind != pointer {
					v = w.contents(a.at)
				} else {
					parts = append(parts, w.contents(a.at))
				}
			case a.typ.kind == pointer:
				if _, null := constantBits(v.text); !null {
					state += "|" + w.stampAt(a.at)
				}
			case v.sort != objectSort: // a reference to a value
			}
			reads = true
		}
		parts = append(parts, v)
	}
	if !reads {
		state = fmt.Sprint(w.world)
	}
	t := apply("call "+name+" "+short(state), typ.sort(), parts...)
	t.typ = typ
	return w.pointing(t, args, name)
}

// stampAt names what an object holds, as far as a pointer into it leads there: a variable that
// is one value by that value.
func (w *walker) stampAt(at term) string {
	m := w.objects[at.root].memory
	s := w.stamp(at.root)
	if m.here != "" {
		s += "=" + m.there
	}
	return s
}

// pointing gives a call's pointer result the object that it leads to: that of the argument it
// was asked of, or one of its own.
func (w *walker) pointing(t term, args []argument, name string) term {
	if t.typ.kind != pointer {
		return t
	}
	if r, ok := w.results[t.text]; ok {
		t.root = r
		return t
	}
	for _, a := range args {
		if a.leads && a.at.root > 0 && !w.types.named(a.typ.elem).character() {
			t.root = a.at.root
			break
		}
		if a.leads && a.at.root > 0 && strings.HasPrefix(name, "str") || strings.HasPrefix(name, "mem") {
			t.root, t.field = a.at.root, a.at.field
			break
		}
	}
	if t.root == 0 {
		t.root = w.newObject(name)
	}
	w.results[t.text] = t.root
	return t
}

// inline follows a function of the program where it is called.
func (w *walker) inline(f, n *clangast.Node, typ ctype) term {
	for _, outer := range w.frames {
		if outer.f == f { // recursion
			return w.unknownCall(f.Name, w.arguments(n.Inner[1:]), typ)
		}
	}
	args := n.Inner[1:]
	for _, p := range f.Inner {
		if p == nil || p.Kind != "ParmVarDecl" || len(args) == 0 {
			continue
		}
		pt := w.types.of(p.Type)
		if pt.ref {
			w.refs[p.ID] = w.lvalue(args[0])
		} else {
			v := w.rvalue(args[0])
			root := w.newObject(p.Name)
			w.vars[p.ID] = root
			delete(w.refs, p.ID)
			if pt.kind == other {
				w.initRecord(root, w.address(root), args[0])
			} else {
				w.assign(w.address(root), key{typ: pt.name}, pt, v)
			}
		}
		args = args[1:]
	}
	at := &frame{f: f}
	path := w.path
	w.frames = append(w.frames, at)
	w.statement(f.Body())
	w.frames = w.frames[:len(w.frames)-1]
	w.path = path
	if at.value == nil || at.unsure {
		return w.fresh(typ)
	}
	return *at.value
}
