package auvc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
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
	if n.Decl == nil || len(n.Inner) == 0 {
		return w.unknownCall("pointer", w.arguments(n.Inner), typ)
	}
	if f := n.Decl.Function; f != nil && f.Node != nil {
		return w.inline(f, n, typ)
	}
	args := w.arguments(n.Inner[1:])
	if v, ok := w.library(strings.TrimPrefix(n.Decl.Name, "__builtin_"), args, typ); ok {
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
		return argument{value: w.load(at, typ), at: at, leads: true, changes: !typ.Const && n.Is(cprog.LValue)}
	}
	v := w.rvalue(n)
	a := argument{value: v}
	switch {
	case isPointer(typ):
		to := elem(typ)
		a.at, a.leads = v, !v.n.isInt() // null leads nowhere
		a.changes = !to.Const && a.leads && to.Kind != cprog.FunctionType && v.text == nil
	case v.root > 0 && isRecord(typ):
		a.at, a.leads = v, true
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
	if len(near) > 0 {
		w.link(near...)
		w.move(near[0])
	}
	v := value{n: w.ofType(fmt.Sprintf("result of %s#%d", name, w.next()), typ), typ: typ}
	return w.pointing(v, args, name)
}

// outputs takes from the arguments of a query those that it writes its answers to. These are the program's
// own variables that are not const, but for a record that it is asked of.
func (w *walker) outputs(args []argument) (roots []int) {
	for i := range args {
		a := &args[i]
		if a.changes && w.isVariable(a.at) && isPointer(a.typ) && (i > 0 || !isRecord(elem(a.typ))) {
			a.leads = false
			roots = append(roots, a.at.root)
		}
	}
	return roots
}

// ask is the result of a query.
func (w *walker) ask(name string, args []argument, typ *cprog.Type) value {
	var parts []*node
	out := value{typ: typ}
	state := ""
	reads := false
	for _, a := range args {
		n := a.n
		if a.leads {
			switch {
			case isPointer(a.typ) && isChar(elem(a.typ)) && (!a.changes || a.text != nil):
				if isPointer(typ) {
					parts = append(parts, w.contents(a.at).n)
				} else {
					n = w.contents(a.at).n
				}
			case isPointer(a.typ) && !a.n.isInt():
				state += "|" + w.stampAt(a.at)
			}
			reads = true
		}
		parts = append(parts, n)
		out = out.from(a.value)
	}
	if !reads {
		state = fmt.Sprint(w.world)
	}
	out.n = w.ofType("call "+name+" "+short(state), typ, parts...)
	return w.pointing(out, args, name)
}

// stampAt names what an object holds, as far as a pointer into it leads there: a variable that
// is one value by that value.
func (w *walker) stampAt(at value) string {
	s := w.stamp(at.root, everything)
	if m := w.objects[at.root].memory; m.here != nil {
		s += "=" + w.name(m.there)
	}
	return s
}

// pointing gives a call's pointer result the object that it leads to: that of the argument it
// was asked of, or one of its own.
func (w *walker) pointing(v value, args []argument, name string) value {
	if !isPointer(v.typ) {
		return v
	}
	if r, ok := w.results[v.n]; ok {
		v.root = r
		return v
	}
	for _, a := range args {
		if a.leads && a.at.root > 0 && !isChar(elem(a.typ)) {
			v.root = a.at.root
			break
		}
		if a.leads && a.at.root > 0 && (strings.HasPrefix(name, "str") || strings.HasPrefix(name, "mem")) {
			v.root, v.field = a.at.root, a.at.field
			break
		}
	}
	if v.root == 0 {
		v.root = w.newObject(name)
	}
	w.results[v.n] = v.root
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
		if p.Type.Kind == cprog.Reference {
			w.refs[p.Decl] = w.lvalue(args[0])
		} else {
			root := w.newObject(p.Name)
			at := value{n: w.address(root), root: root}
			if isRecord(p.Type) {
				w.initRecord(root, at.n, args[0])
			} else {
				w.assign(at, keyFor(p.Type, ""), p.Type, w.rvalue(args[0]))
			}
			w.vars[p.Decl] = root
			delete(w.refs, p.Decl)
		}
		args = args[1:]
	}
	at := &frame{f: f.Node}
	path := w.path
	w.frames = append(w.frames, at)
	w.statement(f.Node.Body())
	w.frames = w.frames[:len(w.frames)-1]
	w.path = path
	if at.value == nil || at.unsure {
		return w.fresh(typ)
	}
	return *at.value
}
