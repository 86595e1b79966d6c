package auvc

import (
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
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
	if len(parts) < 2 {
		return
	}
	var otherwise *cprog.Node
	if len(parts) > 2 {
		otherwise = parts[2]
	}
	v := w.rvalue(parts[0])
	c := w.truthOf(v)
	switch {
	case w.fails(parts[1], 0):
		w.check(w.not(c), v.opaque)
		w.statement(otherwise)
	case otherwise != nil && w.fails(otherwise, 0):
		w.check(c, v.opaque)
		w.statement(parts[1])
	default:
		w.branches(c, parts[1], otherwise)
	}
}

// branches follows both sides of a condition, each under what holds there.
func (w *walker) branches(c *cond, then, otherwise *cprog.Node) {
	before, path := w.state.clone(), w.path
	w.visits += len(w.objects) / 4 // which each side copies
	was := w.top().returned
	w.top().branches++
	side := func(holds *cond, n *cprog.Node) (after *state, left bool) {
		w.state = before.clone()
		w.changed = map[int]bool{}
		w.path = w.and(path, holds)
		w.statement(n)
		left = w.top().returned
		w.top().returned = was
		return w.state, left
	}
	thenState, thenLeft := side(c, then)
	elseState, elseLeft := side(w.not(c), otherwise)
	w.top().branches--
	w.path = path
	switch {
	case thenLeft && elseLeft:
		w.state = elseState
		w.top().returned = true
	case thenLeft:
		w.state, w.path = elseState, w.and(path, w.not(c))
	case elseLeft:
		w.state, w.path = thenState, w.and(path, c)
	default:
		w.join(before, thenState, elseState)
	}
	maps.Copy(w.changed, before.changed)
}

// join goes on where two branches meet: what either changed is unknown.
func (w *walker) join(before, one, other *state) {
	joined := other
	for len(joined.objects) < len(one.objects) {
		joined.objects = append(joined.objects, one.objects[len(joined.objects)])
	}
	w.state = joined
	for r, o := range one.objects {
		if o.group != r && r < len(before.objects) {
			w.link(r, o.group)
		}
	}
	maps.Copy(w.changed, one.changed)
	w.moveChanged(len(before.objects))
	if one.world != before.world || other.world != before.world {
		w.world = w.next()
	}
}

// moveChanged makes the contents of what changed unknown, as far as it was among the first objects. It goes by their
// numbers, for a program's conditions read the same each time.
func (w *walker) moveChanged(first int) {
	for _, r := range slices.Sorted(maps.Keys(w.changed)) {
		if r < first {
			w.move(r)
		}
	}
}

// loop follows the body of a loop, or of a switch, once: from a state in which all that it may
// change is unknown.
func (w *walker) loop(n *cprog.Node) {
	path := w.path
	if n.Kind == "DoStmt" && len(n.Inner) == 2 && allZero(n.Inner[1]) {
		w.statement(n.Inner[0])
		return
	}
	w.top().branches++
	outer, world := w.changed, w.world
	w.changed = map[int]bool{}
	w.silent++
	returned := w.top().returned
	w.pass(n)
	w.silent--
	w.top().returned = returned
	w.moveChanged(len(w.objects))
	w.pass(n)
	w.top().returned = returned
	w.moveChanged(len(w.objects))
	maps.Copy(outer, w.changed)
	w.changed = outer
	if w.world != world {
		w.world = w.next()
	}
	w.top().branches--
	w.path = path
}

func (w *walker) pass(n *cprog.Node) {
	for _, in := range n.Inner {
		if in.Kind == "" {
			continue
		}
		w.top().returned = false // behind a case's return
		w.path = w.yes           // what holds in an iteration is not known
		w.statement(in)
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
			w.check(w.not(w.truthOf(v)), v.opaque) // a test passes with status 0
		}
	}
	if f.branches > 0 {
		f.unsure = true
	}
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
		for _, in := range n.Inner {
			if w.fails(in, depth+1) {
				return true
			}
		}
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
		return len(call.Inner) == 2 && !allZero(call.Inner[1])
	}
	f := call.Decl.Function
	if f == nil || f.Node == nil {
		return false
	}
	for _, in := range f.Node.Body().Inner {
		if in.Kind == "CallExpr" && w.fails(in, depth+1) {
			return true
		}
	}
	return false
}
