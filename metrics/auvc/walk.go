package auvc

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Bounds of one program. What is beyond them is a hostile program, or one that was generated
// without end; the assertions up to there count.
const (
	maxAssertions = 2_000
	maxVisits     = 50_000 // of nodes of the syntax tree; helper functions count at each call, a loop's body twice
	maxDepth      = 400    // of nested expressions and calls
)

// An assertion is one check of a test program, in one sample.
type assertion struct {
	line       int
	holds      val
	reached    bool // it is executed in this sample
	structural bool // it has a part without a meaning here, which is compared by its text
}

// A walker follows a program in the order of execution, in one sample, and collects its assertions. It goes into all
// branches, so it meets the same assertions in each sample.
type walker struct {
	state
	*sampler
	program    *cprog.Program
	path       bool // the code that is followed is executed
	assertions []assertion
	truncated  bool // a bound was reached
	visits     int
	serial     uint64
	depth      int
	frames     []*frame
	silent     int                 // no assertions are recorded: a loop's first look
	line       int                 // of the present statement in the test function
	structural bool                // it had a part without a meaning
	vars       map[*cprog.Decl]val // where variables are, and what references refer to
	literals   map[string]val
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

// assess counts what a program's tests verify: the functions that the harness calls, GoogleTest's bodies, and tests that
// no function calls by name. Each is followed from a state of its own, so that two of them share no verification.
func assess(p *cprog.Program) (trial.Verifications, []assessment) {
	s := newSampler()
	var all []sampling
	truncated := false
	for s.sample = range learning + samples {
		w := &walker{sampler: s, program: p, followed: map[*cprog.Decl]bool{}}
		for _, f := range slices.Concat(p.Entries(), p.TestBodies(), p.Tests()) {
			if !w.followed[f.Decl] {
				w.followed[f.Decl] = true
				w.test(f.Node)
			}
		}
		if s.sample == 0 {
			all, truncated = make([]sampling, len(w.assertions)), w.truncated
		}
		if len(all) == 0 {
			break
		}
		for k, a := range w.assertions[:min(len(w.assertions), len(all))] {
			all[k].observe(s.sample, a)
		}
	}
	c, verdicts := judge(all)
	if truncated {
		c.Truncated = 1
	}
	return c, verdicts
}

// test follows one test function.
func (w *walker) test(f *cprog.Node) {
	w.state, w.path, w.frames = state{world: w.next()}, true, nil
	w.vars, w.literals = map[*cprog.Decl]val{}, map[string]val{}
	clear(w.drawn) // a drawn pointer leads to an object of one test
	w.newObject()
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
func (w *walker) check(holds val) {
	switch {
	case w.silent > 0:
	case len(w.assertions) >= maxAssertions:
		w.truncated = true
	default:
		w.assertions = append(w.assertions, assertion{w.line, holds, w.path, w.structural})
	}
}

// enter counts a node; it reports false where the program is too large to go on.
func (w *walker) enter() bool {
	w.visits++
	w.serial = 0
	w.depth++
	if w.visits > maxVisits || w.depth > maxDepth {
		w.truncated = true
		return false
	}
	return true
}

// next returns a new number. Each sample has the same numbers at the same visits of nodes.
func (w *walker) next() uint64 {
	w.serial++
	return uint64(w.visits)<<16 + w.serial
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
	w.structural = false
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
	if init := initialiser(n); init != nil {
		w.bind(n, init)
	} else if w.vars[n.Decl] = w.newObject(); n.Storage == "static" || len(w.frames) == 0 {
		w.setText(w.vars[n.Decl].root, "")
	}
}

// bind starts the life of a variable or a parameter with a value.
func (w *walker) bind(n, init *cprog.Node) {
	if n.Type.Kind == cprog.Reference {
		w.vars[n.Decl] = w.lvalue(init).val
		return
	}
	at := w.newObject()
	w.vars[n.Decl] = at
	w.initialise(at.as(n.Type), init)
	w.vars[n.Decl] = at // the value may be of another call of the function
}

func initialiser(n *cprog.Node) *cprog.Node {
	for i := len(n.Inner) - 1; i >= 0 && n.Init != ""; i-- {
		if in := n.Inner[i]; in.Kind != "" && !strings.HasSuffix(in.Kind, "Attr") && !strings.HasSuffix(in.Kind, "Type") {
			return in
		}
	}
	return nil
}

func (w *walker) initialise(at value, init *cprog.Node) {
	root, typ := at.root, at.typ
	for transparent[init.Kind] && len(init.Inner) > 0 {
		init = init.Inner[len(init.Inner)-1]
	}
	switch {
	case typ.Kind == cprog.Array && init.Kind == "StringLiteral":
		w.setText(root, init.Text)
	case isNothing(init) && (typ.Kind == cprog.Array || isRecord(typ)):
		w.setText(root, "")
	case typ.Kind == cprog.Array || init.Kind == "InitListExpr":
		w.elements(at, init)
	case isRecord(typ):
		v := w.rvalue(init)
		if v.root > 0 {
			w.link(root, v.root)
		}
		w.set(root, base{held: &v.val})
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
			w.store(w.add(at.val, int64(i)*of.Size), w.convert(v, of).val)
		}
		if v.root > 0 {
			w.link(at.root, v.root)
		}
	}
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
