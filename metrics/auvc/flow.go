package auvc

import "github.com/lisa-bench/lisa-bench/internal/clangast"

func (w *walker) ifStmt(n *clangast.Node) {
	parts := n.Inner
	if len(parts) > 0 && parts[0] != nil && parts[0].Kind == "DeclStmt" { // if (T x = …)
		if w.googleTest(parts[0]) {
			return
		}
		w.statement(parts[0])
		parts = parts[1:]
	}
	if len(parts) < 2 {
		return
	}
	var otherwise *clangast.Node
	if len(parts) > 2 {
		otherwise = parts[2]
	}
	condition := asTruth(w.rvalue(parts[0]))
	switch {
	case w.fails(parts[1], 0):
		w.check(not(condition))
		w.statement(otherwise)
	case otherwise != nil && w.fails(otherwise, 0):
		w.check(condition)
		w.statement(parts[1])
	default:
		w.branches(condition, parts[1], otherwise)
	}
}

// branches follows both sides of a condition, each under what holds there.
func (w *walker) branches(condition term, then, otherwise *clangast.Node) {
	before, path := w.state.clone(), w.path
	was := w.top().returned
	w.top().branches++
	side := func(holds term, n *clangast.Node) (after *state, left bool) {
		w.state = before.clone()
		w.changed = map[int]bool{}
		w.path = and(path, holds)
		w.statement(n)
		left = w.top().returned
		w.top().returned = was
		return w.state, left
	}
	thenState, thenLeft := side(condition, then)
	elseState, elseLeft := side(not(condition), otherwise)
	w.top().branches--
	w.path = path
	switch {
	case thenLeft && elseLeft:
		w.state = elseState
		w.top().returned = true
	case thenLeft:
		w.state, w.path = elseState, and(path, not(condition))
	case elseLeft:
		w.state, w.path = thenState, and(path, condition)
	default:
		w.join(before, thenState, elseState)
	}
	for r := range before.changed {
		w.changed[r] = true
	}
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
	for r := range one.changed {
		w.changed[r] = true
	}
	for r := range w.changed {
		if r < len(before.objects) {
			w.move(r)
		}
	}
	if one.world != before.world || other.world != before.world {
		w.world = w.serial.next()
	}
}

func and(a, b term) term {
	switch {
	case a.text == "true":
		return b
	case b.text == "true" || len(a.text)+len(b.text) > maxFormula:
		return a
	}
	return truth("(and "+a.text+" "+b.text+")", a, b)
}

// loop follows the body of a loop, or of a switch, once: from a state in which all that it may
// change is unknown.
func (w *walker) loop(n *clangast.Node) {
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
	for r := range w.changed {
		w.move(r)
	}
	w.pass(n)
	w.top().returned = returned
	for r := range w.changed {
		w.move(r)
		outer[r] = true
	}
	w.changed = outer
	if w.world != world {
		w.world = w.serial.next()
	}
	w.top().branches--
	w.path = path
}

func (w *walker) pass(n *clangast.Node) {
	for _, in := range n.Inner {
		if in == nil || in.Kind == "" {
			continue
		}
		if w.top().returned { // behind a case's return
			w.top().returned = false
		}
		w.path = truth("true").with() // what holds in an iteration is not known
		w.statement(in)
	}
}

func (w *walker) returnStmt(n *clangast.Node) {
	f := w.top()
	for _, in := range n.Inner {
		if in == nil {
			continue
		}
		v := w.rvalue(in)
		if f.branches == 0 && !f.unsure {
			f.value = &v
		}
		if len(w.frames) == 1 && !constant(in) {
			w.check(not(asTruth(v))) // a test passes with status 0
		}
	}
	if f.branches > 0 {
		f.unsure = true
	}
	f.returned = true
}
