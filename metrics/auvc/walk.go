package auvc

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// Bounds of one program. What is beyond them is a hostile program, or one that was generated
// without end; the assertions up to there count.
const (
	maxAssertions = 2_000
	maxNodes      = 2_000_000 // of the syntax tree, visited; helper functions count at each call
	maxDepth      = 400       // of nested expressions and calls
	maxFormula    = 20_000    // bytes of a value that is carried on; beyond it is a symbol of its own
)

// An assertion is one check of a test program.
type assertion struct {
	line    int
	formula term
	// path is what holds where it is executed.
	path term
}

// A walker follows a program in the order of execution and collects its assertions.
type walker struct {
	*program
	*state
	path       term
	assertions []assertion
	truncated  bool // a bound was reached
	nodes      int
	depth      int
	frames     []*frame
	silent     int             // no assertions are recorded: a loop's first look
	line       int             // of the present statement in the test function
	known      map[string]term // texts by how memories name them
}

// A frame is a function that is being followed.
type frame struct {
	f        *clangast.Node
	branches int
	returned bool
	value    *term
	unsure   bool // it may have returned before
}

func newWalker(p *program, n *serial) *walker {
	return &walker{program: p, state: newState(n), path: truth("true"), known: map[string]term{}}
}

// test follows one test function from a state of its own.
func (w *walker) test(f *clangast.Node) {
	w.globals()
	w.frames = []*frame{{f: f}}
	w.statement(f.Body())
}

// globals gives the variables at file scope what they are initialised with.
func (w *walker) globals() {
	for _, n := range w.decls {
		if n != nil && n.Kind == "VarDecl" {
			w.variable(n)
		}
	}
}

func (w *walker) top() *frame { return w.frames[len(w.frames)-1] }

// enter counts a node; it reports false where the program is too large to go on.
func (w *walker) enter() bool {
	w.nodes++
	w.depth++
	if w.nodes > maxNodes || w.depth > maxDepth {
		w.truncated = true
		return false
	}
	return true
}

func (w *walker) statement(n *clangast.Node) {
	if n == nil || n.Kind == "" || w.top().returned || w.truncated && w.nodes > maxNodes {
		return
	}
	defer func() { w.depth-- }()
	if !w.enter() {
		return
	}
	if len(w.frames) == 1 && w.own(n.Range.Begin.File) {
		w.line = n.Range.Begin.Line
	}
	switch n.Kind {
	case "CompoundStmt", "CXXTryStmt", "LabelStmt", "CaseStmt", "DefaultStmt", "AttributedStmt":
		for _, in := range n.Inner {
			w.statement(in)
		}
	case "CXXCatchStmt":
	case "DeclStmt":
		for _, in := range n.Inner {
			if in != nil && in.Kind == "VarDecl" {
				w.variable(in)
			}
		}
	case "IfStmt":
		w.ifStmt(n)
	case "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt", "SwitchStmt":
		w.loop(n)
	case "ReturnStmt":
		w.returnStmt(n)
	case "NullStmt", "BreakStmt", "ContinueStmt", "GotoStmt":
	default:
		w.effect(n)
	}
}

// variable starts the life of a variable.
func (w *walker) variable(n *clangast.Node) {
	typ := w.types.of(n.Type)
	init := initialiser(n)
	if typ.ref {
		if init != nil {
			w.refs[n.ID] = w.lvalue(init)
		}
		return
	}
	root := w.newObject(n.Name)
	w.vars[n.ID] = root
	delete(w.refs, n.ID)
	if init != nil {
		w.initialise(root, typ, init)
	} else if n.StorageClass == "static" || len(w.frames) == 0 {
		w.objects[root].memory.zero = true
	}
}

func initialiser(n *clangast.Node) *clangast.Node {
	if n.Init == "" {
		return nil
	}
	for i := len(n.Inner) - 1; i >= 0; i-- {
		if in := n.Inner[i]; in != nil && !strings.HasSuffix(in.Kind, "Attr") && !strings.HasSuffix(in.Kind, "Type") {
			return in
		}
	}
	return nil
}

func (w *walker) initialise(root int, typ ctype, init *clangast.Node) {
	at := w.address(root)
	for init.Kind == "ExprWithCleanups" || init.Kind == "ParenExpr" || init.Kind == "ConstantExpr" {
		if len(init.Inner) != 1 {
			return
		}
		init = init.Inner[0]
	}
	m := &w.objects[root].memory
	switch {
	case typ.kind == array && init.Kind == "StringLiteral":
		t := literal(init)
		m.text = t.text
		w.known[t.text] = t
	case allZero(init) && (typ.kind == array || typ.record()):
		m.zero = true
	case typ.kind == array || init.Kind == "InitListExpr":
		elem := w.types.named(typ.elem)
		size, known := w.types.size(elem)
		for i, in := range init.Children() {
			if in == nil {
				continue
			}
			v := w.rvalue(in)
			if typ.kind == array && known && len(init.ArrayFiller) == 0 && elem.kind != other && elem.kind != array {
				to := at
				if i > 0 {
					to = add(at, uint64(i)*size)
				}
				w.state.write(to, key{typ: elem.name}, convert(v, elem))
			} else if v.root > 0 {
				w.link(root, v.root)
			}
		}
	case typ.record():
		w.initRecord(root, at, init)
	default:
		w.assign(at, key{typ: typ.name}, typ, w.rvalue(init))
	}
}

// initRecord makes a copy of another variable a copy of what it holds, and anything else a
// value of its own.
func (w *walker) initRecord(root int, at term, init *clangast.Node) {
	source := init
	for source.Kind == "ImplicitCastExpr" || source.Kind == "CXXConstructExpr" {
		if len(source.Inner) != 1 || source.Kind == "CXXConstructExpr" && source.Inner[0].Type.Canonical() != "const "+source.Type.Canonical() && source.Inner[0].Type.Canonical() != source.Type.Canonical() {
			break
		}
		source = source.Inner[0]
	}
	if source.Kind == "DeclRefExpr" || source.Kind == "MemberExpr" || source.Kind == "UnaryOperator" {
		from := w.lvalue(source)
		if from.root > 0 {
			copied := w.objects[from.root].memory.clone()
			if copied.here == "" {
				copied.here, copied.there = at.text, from.text
			} else {
				copied.there = strings.ReplaceAll(from.text, copied.here, copied.there)
				copied.here = at.text
			}
			w.objects[root].memory = copied
			return
		}
	}
	value := w.rvalue(init)
	if value.root > 0 {
		w.link(root, value.root)
	}
	// Equal values make equal objects: the version is named after the value.
	if value.sort == textSort {
		w.known[short(value.text)] = value
	}
	if (value.sort == objectSort || value.sort == textSort) && !strings.HasPrefix(value.text, "|fresh") {
		m := &w.objects[root].memory
		m.name = "value." + short(value.text)
		m.here, m.there = at.text, smt.Symbol("value:>"+string(bitVec(64)))
	}
}

// allZero reports whether an initialiser sets everything to 0.
func allZero(n *clangast.Node) bool {
	switch n.Kind {
	case "InitListExpr":
		for _, in := range n.Children() {
			if in != nil && !allZero(in) {
				return false
			}
		}
		return true
	case "ImplicitValueInitExpr", "GNUNullExpr", "CXXNullPtrLiteralExpr":
		return true
	case "ImplicitCastExpr", "ParenExpr", "CStyleCastExpr":
		return len(n.Inner) == 1 && allZero(n.Inner[0])
	case "IntegerLiteral":
		return string(n.Value) == `"0"`
	case "CXXBoolLiteralExpr":
		return string(n.Value) == "false"
	}
	return false
}

// check records an assertion.
func (w *walker) check(formula term) {
	if w.silent > 0 {
		return
	}
	if len(w.assertions) >= maxAssertions {
		w.truncated = true
		return
	}
	w.assertions = append(w.assertions, assertion{line: w.line, formula: asTruth(formula), path: w.path})
}

func constant(n *clangast.Node) bool {
	switch n.Kind {
	case "IntegerLiteral", "CXXBoolLiteralExpr", "CharacterLiteral":
		return true
	case "ImplicitCastExpr", "ParenExpr", "UnaryOperator", "CStyleCastExpr":
		return len(n.Inner) == 1 && constant(n.Inner[0])
	}
	return false
}
