package auvc

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// An argument is an operand of a call.
type argument struct {
	value
	at      value // of what a pointer or reference leads to, if it leads anywhere
	leads   bool
	changes bool // the callee may change what it leads to
}

// call follows a call and returns its result.
func (w *walker) call(n *cprog.Node, typ *cprog.Type) value {
	switch n.Kind {
	case "CXXConstructExpr", "CXXTemporaryObjectExpr", "CXXNewExpr":
		return w.construct(n, typ)
	case "CXXDeleteExpr":
		for _, in := range n.Inner {
			if v := w.rvalue(in); v.root > 0 {
				w.move(v.root)
			}
		}
		return w.none()
	case "CXXOperatorCallExpr":
		return w.operatorCall(n, typ)
	case "CXXMemberCallExpr":
		return w.methodCall(n, typ)
	}
	if n.Decl == nil {
		return w.unknownCall("pointer", w.arguments(n.Inner), typ)
	}
	if f := n.Decl.Function; f != nil && f.Node != nil {
		return w.inline(f, n, typ)
	}
	args := w.arguments(n.Inner[1:])
	if v, ok := w.library(strings.TrimPrefix(strings.TrimPrefix(n.Decl.Name, "__builtin_"), "__"), args, typ); ok {
		return v
	}
	return w.unknownCall(n.Decl.Name, args, typ)
}

func (w *walker) arguments(nodes []*cprog.Node) []argument {
	var args []argument
	for _, in := range nodes {
		if in.Kind != "" && in.Type != nil && in.Kind != "CXXDefaultArgExpr" {
			args = append(args, w.argument(in))
		}
	}
	return args
}

// argument evaluates an operand. A glvalue is bound to a reference.
func (w *walker) argument(n *cprog.Node) argument {
	typ := referred(n.Type)
	if n.Is(cprog.LValue) || n.Is(cprog.XValue) {
		at := w.lvalue(n)
		return argument{value: w.loadFrom(at, typ), at: at, leads: true, changes: !typ.Const && n.Is(cprog.LValue)}
	}
	v := w.rvalue(n)
	a := argument{value: v, at: v}
	switch {
	case isPointer(typ):
		a.leads = !v.isNull()
		a.changes = a.leads && !elem(typ).Const && elem(typ).Kind != cprog.FunctionType && !w.objects[v.root].fixed
	case v.root > 0 && isRecord(typ):
		a.leads = true
	}
	return a
}

// asks are words that, in the name of a function, say that it only tells something of its
// arguments although it does not declare them const.
var asks = clex.Set(`get is has count size length len tell eof type version column compare equal equals errmsg errcode contains name width height total readonly changes
	datalink snapshot offset error find value geterr num`)

// makes are words that, in the name of a function that returns a pointer to what is not const, say
// that each call makes something new.
var makes = clex.Set("create new alloc dup copy clone make open build")

// into are functions of the C library that return a pointer into the text that they are given.
var into = clex.Set("strchr strrchr strstr strpbrk memchr strcpy strncpy strcat strncat stpcpy memcpy memmove memset")

// query reports whether a call by its name and the types of its arguments changes nothing.
func query(name string, args []argument, typ *cprog.Type) bool {
	changes, leads := false, false
	for _, a := range args {
		changes = changes || a.changes
		leads = leads || a.leads
	}
	words := clex.NameWords(name)
	if isPointer(typ) && !elem(typ).Const && slices.ContainsFunc(words, func(w string) bool { return makes[w] }) {
		return false
	}
	if !changes {
		// What returns a pointer, of nothing that it could lead into, makes something; unless
		// it may not be changed either.
		return typ.Kind != cprog.Void && (leads || !isPointer(typ) || elem(typ).Const)
	}
	for _, word := range words {
		if asks[word] {
			return typ.Kind != cprog.Void
		}
	}
	return false
}

// unknownCall is a call of a function whose body is not the program's. A query is a function
// of its arguments and of what they lead to; anything else may have changed that, and every
// call of it is another.
func (w *walker) unknownCall(name string, args []argument, typ *cprog.Type) value {
	if query(name, args, typ) {
		outs := w.outputs(args)
		v := w.ask(name, args, typ)
		for _, root := range outs {
			w.move(root)
		}
		return v
	}
	w.world = w.next()
	var near []int
	for _, a := range args {
		switch {
		case !a.leads || !a.changes:
		case a.at.root > 0:
			near = append(near, a.at.root)
		default:
			w.move(0)
		}
	}
	for _, root := range near {
		w.link(near[0], root)
	}
	if len(near) > 0 {
		w.move(near[0])
	}
	return w.pointing(w.fresh(typ), args, name)
}

// outputs takes from the arguments of a query those that it writes its answers to. These are the program's
// own variables that are not const, but for a record that it is asked of.
func (w *walker) outputs(args []argument) (roots []int) {
	for i := range args {
		a := &args[i]
		if a.changes && isVariable(a.at.val) && isPointer(a.typ) && (i > 0 || !isRecord(elem(a.typ))) {
			a.leads = false
			roots = append(roots, a.at.root)
		}
	}
	return roots
}

// ask is the result of a query: a function of its arguments and of what they lead to.
func (w *walker) ask(name string, args []argument, typ *cprog.Type) value {
	var parts []val
	reads := false
	for _, a := range args {
		switch {
		case a.leads && isPointer(a.typ) && isChar(elem(a.typ)) && !a.changes:
			if elem(a.typ).Signed {
				parts = append(parts, w.textAt(a.at.val))
			} else {
				parts = append(parts, w.content(a.at.val))
			}
			if isPointer(typ) { // into the text, it may be
				parts = append(parts, a.val)
			}
		case a.leads && isPointer(a.typ):
			parts = append(parts, a.val, w.content(a.at.val))
		default:
			parts = append(parts, a.val)
		}
		reads = reads || a.leads
	}
	if !reads {
		parts = append(parts, val{n: w.world})
	}
	return w.pointing(w.unknownOf("call "+name, typ, parts...), args, name)
}

// pointing gives a call's pointer result the object that it leads to: that of the argument it
// was asked of, or one of its own.
func (w *walker) pointing(v value, args []argument, name string) value {
	if !isPointer(v.typ) || v.root > 0 {
		return v
	}
	for _, a := range args {
		if a.leads && a.at.root > 0 && (into[name] || !isChar(elem(a.typ))) {
			v.root = a.at.root
			break
		}
	}
	if v.root == 0 {
		v.root = w.newObject().root
	}
	w.drawn[v.form] = v.val
	return v
}

// inline follows a function of the program where it is called.
func (w *walker) inline(f *cprog.Function, n *cprog.Node, typ *cprog.Type) value {
	for _, outer := range w.frames {
		if outer.f == f.Node { // recursion
			return w.unknownCall(f.Decl.Name, w.arguments(n.Inner[1:]), typ)
		}
	}
	w.followed[f.Decl] = true
	args := n.Inner[1:]
	for _, p := range f.Node.Inner {
		if p.Kind != "ParmVarDecl" || len(args) == 0 {
			continue
		}
		w.bind(p, args[0])
		args = args[1:]
	}
	at, path := &frame{f: f.Node}, w.path
	w.frames = append(w.frames, at)
	w.statement(f.Node.Body())
	w.frames = w.frames[:len(w.frames)-1]
	w.path = path
	if at.value == nil || at.unsure {
		return w.fresh(typ)
	}
	return *at.value
}
