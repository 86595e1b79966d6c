package auvc

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

func (w *walker) ifStmt(n *cprog.Node) {
	parts := n.Inner
	if len(parts) > 0 && parts[0].Kind == "DeclStmt" { // if (T x = …)
		if w.googleTest(parts[0]) {
			return
		}
		w.statement(parts[0])
		parts = parts[1:]
	}
	var otherwise *cprog.Node
	if len(parts) > 2 {
		otherwise = parts[2]
	}
	c := w.truth(w.rvalue(parts[0]).val)
	if goesOn, asserts := w.asserted(c, parts[1], otherwise); asserts {
		w.statement(goesOn)
	} else {
		w.branches(c, parts[1], otherwise)
	}
}

// asserted notes the assertion that a condition is if one of its two sides fails, and returns the other one.
func (w *walker) asserted(c val, then, otherwise *cprog.Node) (goesOn *cprog.Node, asserts bool) {
	switch {
	case w.fails(then, 0):
		w.check(w.not(c))
		return otherwise, true
	case w.fails(otherwise, 0):
		w.check(c)
		return then, true
	}
	return nil, false
}

// when follows something under a condition.
func (w *walker) when(c val, holds bool, follow func()) {
	path := w.path
	w.path = path && !c.undefined && c.isTrue() == holds
	follow()
	w.path = path
}

// copied returns a copy of the state's objects. It costs visits.
func (w *walker) copied() []object {
	w.visits += len(w.objects) / 4
	return slices.Clone(w.objects)
}

// joined returns some objects and those that another branch has made besides. Some of these may belong to a group of
// the first, which then has others.
func joined(some, other []object) []object {
	all := append(slices.Clip(some), other[len(some):]...)
	for _, o := range all[len(some):] {
		for all[o.group].group != o.group {
			all[o.group].linked = true
			o = all[o.group]
		}
		all[o.group].linked = all[o.group].linked || o.linked
	}
	return all
}

// branches follows both sides of a condition, each under what holds there.
func (w *walker) branches(c val, then, otherwise *cprog.Node) {
	before, world := w.copied(), w.world
	path := w.path
	w.top().branches++
	w.path = path && c.isTrue() && !c.undefined
	w.statement(then)
	thenObjects, thenWorld, thenLeft := w.objects, w.world, w.top().returned

	w.objects = joined(before, thenObjects) // two objects never share a place
	w.world, w.path, w.top().returned = world, path && !c.isTrue() && !c.undefined, false
	w.statement(otherwise)
	elseLeft := w.top().returned
	w.top().branches--
	w.top().returned = thenLeft && elseLeft
	if thenLeft {
		return
	}
	if elseLeft || c.isTrue() {
		w.objects, w.world = joined(thenObjects, w.objects), thenWorld
	}
	w.path = path && (!elseLeft || c.isTrue())
}

// loop follows the body of a loop, or of a switch, once: from a state in which all that it may
// change is unknown.
func (w *walker) loop(n *cprog.Node) {
	if n.Kind == "DoStmt" && len(n.Inner) == 2 && isNothing(n.Inner[1]) {
		w.statement(n.Inner[0])
		return
	}
	path, returned := w.path, w.top().returned
	w.top().branches++
	w.silent++
	w.pass(n)
	w.silent--
	w.pass(n)
	w.top().branches--
	w.path, w.top().returned = path, returned
}

// pass follows the parts of a loop. What they change is unknown then.
func (w *walker) pass(n *cprog.Node) {
	before, world := w.copied(), w.world
	for _, in := range n.Inner {
		w.top().returned = false // after a case's return
		w.path = true            // which conditions hold in an iteration is not known
		w.statement(in)
	}
	for r, o := range before {
		if w.objects[r].writes != o.writes {
			w.move(r)
		}
	}
	if w.world != world {
		w.world = w.next()
	}
}

func (w *walker) returnStmt(n *cprog.Node) {
	f := w.top()
	for _, in := range n.Inner {
		v := w.rvalue(in)
		if f.branches == 0 && !f.unsure {
			f.value = &v
		}
		if len(w.frames) == 1 && !in.Is(cprog.Constant) {
			w.check(w.not(w.truth(v.val))) // a test passes with status 0
		}
	}
	f.unsure = f.unsure || f.branches > 0
	f.returned = true
}

// fails reports whether a statement ends the test as failed: it aborts, exits or returns with
// a status other than 0, or calls a function of the program that does.
func (w *walker) fails(n *cprog.Node, depth int) bool {
	const most = 6 // functions and blocks inside one another
	if n == nil || depth > most {
		return false
	}
	switch n.Kind {
	case "CompoundStmt":
		return slices.ContainsFunc(n.Inner, func(in *cprog.Node) bool { return w.fails(in, depth+1) })
	case "ReturnStmt":
		return len(w.frames) == 1 && len(n.Inner) == 1 && n.Inner[0].Is(cprog.Constant) && n.Inner[0].Value != 0
	case "CXXThrowExpr":
		return true
	case "ParenExpr", "ExprWithCleanups", "CStyleCastExpr", "ImplicitCastExpr", "StmtExpr", "CXXFunctionalCastExpr", "DoStmt":
		return len(n.Inner) > 0 && w.fails(n.Inner[0], depth+1)
	case "BinaryOperator":
		return n.Op == "," && len(n.Inner) == 2 && (w.fails(n.Inner[0], depth+1) || w.fails(n.Inner[1], depth+1))
	case "CallExpr":
		return n.Decl != nil && w.failing(n, depth)
	}
	return false
}

func (w *walker) failing(call *cprog.Node, depth int) bool {
	switch call.Decl.Name {
	case "__assert_fail", "__assert_rtn", "__assert", "__assert_perror_fail", "abort", "__builtin_abort", "__builtin_trap", "terminate":
		return true
	case "exit", "_exit", "_Exit", "quick_exit":
		return len(call.Inner) == 2 && !isNothing(call.Inner[1])
	}
	f := call.Decl.Function
	return f != nil && f.Node != nil && slices.ContainsFunc(f.Node.Body().Inner, func(in *cprog.Node) bool {
		return in.Kind == "CallExpr" && w.fails(in, depth+1)
	})
}
