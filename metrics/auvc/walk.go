package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// Bounds of one program. What is beyond them is a hostile program, or one that was generated
// without end; the assertions up to there count.
const (
	maxAssertions = 2_000
	maxVisits     = 200_000 // of nodes of the syntax tree; helper functions count at each call, a loop's body twice, a branch for what it copies
	maxDepth      = 400     // of nested expressions and calls
)

// An assertion is one check of a test program.
type assertion struct {
	line   int
	holds  *term
	path   *term // what holds where it is executed
	opaque bool
}

// A walker follows a program in the order of execution and collects its assertions.
type walker struct {
	state
	program    *cprog.Program
	path       *term
	assertions []assertion
	truncated  bool // a bound was reached
	visits     int
	depth      int
	frames     []*frame
	silent     int // no assertions are recorded: a loop's first look
	line       int // of the present statement in the test function
	vars       map[*cprog.Decl]int
	refs       map[*cprog.Decl]value
	literals   map[string]int
	roots      map[*term]int        // objects that pointers lead to
	followed   map[*cprog.Decl]bool // functions that a call led into
}

// A frame is a function that is being followed.
type frame struct {
	f        *cprog.Node
	branches int
	returned bool
	value    *value
	unsure   bool // it may have returned before
}

// assertionsOf returns the assertions of a program's tests: of the functions that the harness
// calls and of GoogleTest's bodies, and of tests that no function calls by name. Each is followed
// from a state of its own, so that two of them share no verification.
func assertionsOf(p *cprog.Program) (t *table, all []assertion, truncated bool) {
	t = &table{terms: map[string]*term{}}
	followed := map[*cprog.Decl]bool{}
	visits := 0
	for _, list := range [][]*cprog.Function{p.Entries(), p.TestBodies(), p.Tests()} {
		for _, f := range list {
			if f.Node == nil || followed[f.Decl] {
				continue
			}
			followed[f.Decl] = true
			w := &walker{state: newState(t), program: p, path: t.num(1, intShape), followed: followed, visits: visits,
				vars: map[*cprog.Decl]int{}, refs: map[*cprog.Decl]value{}, literals: map[string]int{}, roots: map[*term]int{}}
			w.test(f.Node)
			visits = w.visits
			all, truncated = append(all, w.assertions...), truncated || w.truncated
		}
	}
	if len(all) > maxAssertions {
		all, truncated = all[:maxAssertions], true
	}
	return t, all, truncated
}

// test follows one test function.
func (w *walker) test(f *cprog.Node) {
	for _, n := range w.program.Tree { // variables at file scope
		if n.Kind == "VarDecl" {
			w.variable(n)
		}
	}
	w.frames = []*frame{{f: f}}
	w.statement(f.Body())
}

func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

// check records an assertion.
func (w *walker) check(holds *term, opaque bool) {
	switch {
	case w.silent > 0:
	case len(w.assertions) >= maxAssertions:
		w.truncated = true
	default:
		w.assertions = append(w.assertions, assertion{w.line, holds, w.path, opaque})
	}
}

// enter counts a node; it reports false where the program is too large to go on.
func (w *walker) enter() bool {
	w.visits++
	w.depth++
	if w.visits > maxVisits || w.depth > maxDepth {
		w.truncated = true
		return false
	}
	return true
}

func (w *walker) statement(n *cprog.Node) {
	if n == nil || n.Kind == "" || w.top().returned || w.visits > maxVisits {
		return
	}
	defer func() { w.depth-- }()
	if !w.enter() {
		return
	}
	if len(w.frames) == 1 && n.Begin.File.Own() {
		w.line = int(n.Begin.Line)
	}
	switch n.Kind {
	case "CompoundStmt", "CXXTryStmt", "LabelStmt", "CaseStmt", "DefaultStmt", "AttributedStmt":
		for _, in := range n.Inner {
			w.statement(in)
		}
	case "DeclStmt":
		for _, in := range n.Inner {
			if in.Kind == "VarDecl" {
				w.variable(in)
			}
		}
	case "IfStmt":
		w.ifStmt(n)
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt", "SwitchStmt":
		w.loop(n)
	case "ReturnStmt":
		w.returnStmt(n)
	case "CXXCatchStmt", "NullStmt", "BreakStmt", "ContinueStmt", "GotoStmt":
	default:
		w.rvalue(n)
	}
}

// variable starts the life of a variable.
func (w *walker) variable(n *cprog.Node) {
	init := initialiser(n)
	if n.Type.Kind == cprog.Reference {
		if init != nil {
			w.refs[n.Decl] = w.lvalue(init)
		}
		return
	}
	root := w.newObject()
	w.vars[n.Decl] = root
	delete(w.refs, n.Decl)
	if init != nil {
		w.initialise(root, n.Type, init)
	} else if n.Storage == "static" || len(w.frames) == 0 {
		w.objects[root].memory = w.zero()
	}
}

func (w *walker) zero() *term { return w.keep(term{op: zeroed}) }

func initialiser(n *cprog.Node) *cprog.Node {
	for i := len(n.Inner) - 1; i >= 0 && n.Init != ""; i-- {
		if in := n.Inner[i]; in.Kind != "" && !strings.HasSuffix(in.Kind, "Attr") && !strings.HasSuffix(in.Kind, "Type") {
			return in
		}
	}
	return nil
}

func (w *walker) initialise(root int, typ *cprog.Type, init *cprog.Node) {
	at := value{n: w.address(root), typ: typ, root: root}
	for init.Kind == "ExprWithCleanups" || init.Kind == "ParenExpr" || init.Kind == "ConstantExpr" {
		if len(init.Inner) != 1 {
			return
		}
		init = init.Inner[0]
	}
	switch {
	case typ.Kind == cprog.Array && init.Kind == "StringLiteral":
		w.objects[root].memory = w.keep(term{op: literal, value: val{s: init.Text}, args: []*term{at.n}})
	case isNothing(init) && (typ.Kind == cprog.Array || isRecord(typ)):
		w.objects[root].memory = w.zero()
	case typ.Kind == cprog.Array || init.Kind == "InitListExpr":
		w.elements(at, init)
	case isRecord(typ):
		v := w.rvalue(init)
		if v.root > 0 {
			w.link(root, v.root)
		}
		w.hold(root, v.n)
	default:
		w.assign(at, w.rvalue(init))
	}
}

// elements initialises an array of scalars element by element; of anything else only what it
// points to is known.
func (w *walker) elements(at value, init *cprog.Node) {
	of, inner := elem(at.typ), init.Inner
	scalar := at.typ.Kind == cprog.Array && of.Size > 0 && isScalar(of)
	if init.Is(cprog.Filler) && len(inner) > 0 {
		inner, scalar = inner[1:], false
	}
	for i, in := range inner {
		if in.Kind == "" || in.Type == nil {
			continue
		}
		v := w.rvalue(in)
		if scalar {
			w.write(at.root, w.add(at.n, int64(i)*of.Size), w.convert(v, of).n)
		}
		if v.root > 0 {
			w.link(at.root, v.root)
		}
	}
}

// hold makes an object hold a value without structure: equal values make equal objects.
func (w *walker) hold(root int, v *term) {
	w.objects[root].memory = w.keep(term{op: held, args: []*term{v, w.address(root)}})
}

// isNothing reports whether an initialiser sets everything to 0.
func isNothing(n *cprog.Node) bool {
	switch n.Kind {
	case "InitListExpr":
		for _, in := range n.Inner {
			if !isNothing(in) {
				return false
			}
		}
		return true
	case "ImplicitValueInitExpr", "GNUNullExpr", "CXXNullPtrLiteralExpr":
		return true
	case "ImplicitCastExpr", "ParenExpr", "CStyleCastExpr", "ConstantExpr":
		return len(n.Inner) == 1 && isNothing(n.Inner[0])
	}
	return n.Is(cprog.Constant) && n.Value == 0
}
