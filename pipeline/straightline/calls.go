package straightline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Call is one call of an API.
type Call struct {
	API  string // apispec's canonical name
	Line int    // of the test function's statement, 1-based
}

// maxCalls bounds the calls of one test function, which helpers that call helpers can make
// exponentially many.
const maxCalls = 10_000

// A tracer follows one test function in the order in which it is executed.
type tracer struct {
	api   *resolver
	calls []Call
	nodes int  // visited so far
	full  bool // there are more
}

// A frame is one function that is being followed.
type frame struct {
	f        *cprog.Function
	caller   *frame
	line     int  // in the test function, of the present statement
	branches int  // that hold the present statement
	returned bool // no later statement is executed
}

var (
	callKinds   = clex.Set("CallExpr CXXMemberCallExpr CXXTemporaryObjectExpr")
	branchKinds = clex.Set("IfStmt ForStmt WhileStmt CXXForRangeStmt SwitchStmt CXXTryStmt ConditionalOperator BinaryConditionalOperator")
	// makerKinds ask for an object. Only their constructors count; others are conversions that the program does not
	// name.
	makerKinds = clex.Set("VarDecl CXXNewExpr CXXFunctionalCastExpr CXXStaticCastExpr CStyleCastExpr")
	comparison = clex.Set("== != <= >=")
)

// evaluate follows n and what is below it, operands before operators. A call is one that counts.
func (t *tracer) evaluate(n *cprog.Node, at *frame, call bool) {
	if t.full = t.full || t.nodes > 100*maxCalls; t.full || at.returned || neverEvaluated[n.Kind] || n.Kind == "LambdaExpr" {
		return
	}
	t.nodes++
	if at.caller == nil && n.Begin.File.Own() {
		at.line = int(n.Begin.Line)
	}
	here := at.line
	if branchKinds[n.Kind] && !isGuard(n) {
		at.branches++
		defer func() { at.branches-- }()
	}
	for _, in := range inOrder(n) {
		made := unwrap(in)
		if makes := makerKinds[n.Kind] && made.Kind == "CXXConstructExpr"; makes {
			t.evaluate(made, at, true)
		} else {
			t.evaluate(in, at, callKinds[in.Kind])
		}
	}
	if (n.Kind == "ReturnStmt" || n.Kind == "CXXThrowExpr") && at.branches == 0 {
		at.returned = true
	}
	if call && !t.full {
		at.line = here
		t.call(n, at)
	}
}

// inOrder returns what is executed of a node, in order: of a guard the condition, for where the test goes on its body
// was not; of an assignment first the right side; of a _Generic what is chosen.
func inOrder(n *cprog.Node) []*cprog.Node {
	op, operands := n.Op, n.Inner
	switch n.Kind {
	case "IfStmt":
		if isGuard(n) {
			return operands[:1]
		}
	case "GenericSelectionExpr":
		for _, in := range operands {
			if in.Is(cprog.Selected) {
				return in.Inner
			}
		}
		return nil
	case "CXXOperatorCallExpr":
		op, operands = "", operands[min(1, len(operands)):]
		if n.Decl != nil {
			op = strings.TrimPrefix(n.Decl.Name, "operator")
		}
	case "BinaryOperator", "CompoundAssignOperator":
	default:
		return operands
	}
	if len(operands) == 2 && strings.HasSuffix(op, "=") && !comparison[op] {
		return []*cprog.Node{operands[1], operands[0]}
	}
	return operands
}

// unwrap returns what is below the nodes that may stand between an object and its constructor.
func unwrap(n *cprog.Node) *cprog.Node {
	for len(n.Inner) == 1 {
		switch n.Kind {
		case "ExprWithCleanups", "CXXBindTemporaryExpr", "MaterializeTemporaryExpr":
		case "ImplicitCastExpr":
			if n.Op != "ConstructorConversion" && n.Op != "NoOp" {
				return n
			}
		default:
			return n
		}
		n = n.Inner[0]
	}
	return n
}

// call counts a call of an API, and follows one of the program's own functions.
func (t *tracer) call(n *cprog.Node, at *frame) {
	if f := t.api.resolve(n); f != nil {
		if t.full = len(t.calls) == maxCalls; !t.full {
			t.calls = append(t.calls, Call{API: f.Canonical(), Line: at.line})
		}
		return
	}
	f := callee(n)
	if f == nil {
		return
	}
	for outer := at; outer != nil; outer = outer.caller {
		if outer.f == f {
			return // recursion, which the policy reports
		}
	}
	t.evaluate(f.Node.Body(), &frame{f: f, caller: at, line: at.line}, false)
}

// callee returns the program's own function that a call calls, or nil.
func callee(n *cprog.Node) *cprog.Function {
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		return defined(n.Decl)
	}
	return nil
}

// defined returns the definition that the program has of a function, or nil.
func defined(d *cprog.Decl) *cprog.Function {
	if d == nil || d.Function == nil || d.Function.Node == nil {
		return nil
	}
	return d.Function
}

// A resolver finds the library's function that a call means, by its linker name. For an instance of a template
// it uses the name of the template.
type resolver struct {
	bySymbol  map[string]*apispec.Function
	templates []*apispec.Function
}

func newResolver(spec *apispec.Spec) *resolver {
	r := &resolver{bySymbol: map[string]*apispec.Function{}}
	for _, f := range spec.Functions {
		if f.Template {
			r.templates = append(r.templates, f)
		} else {
			r.bySymbol[cmp.Or(f.Symbol, f.Name)] = f
		}
	}
	return r
}

// resolve returns the API that a call expression calls, or nil.
func (r *resolver) resolve(n *cprog.Node) *apispec.Function {
	if n.Decl == nil || defined(n.Decl) != nil || !callKinds[n.Kind] && n.Kind != "CXXConstructExpr" {
		return nil
	}
	return r.declared(n.Decl)
}

// declared returns the API that a declaration is, or nil.
func (r *resolver) declared(d *cprog.Decl) *apispec.Function {
	if f := r.bySymbol[d.Mangled]; f != nil && d.Mangled != "" {
		return f
	}
	i := slices.IndexFunc(r.templates, func(f *apispec.Function) bool {
		last := len(f.Params) - 1
		return d.Instance && f.Name == d.Qualified && (len(f.Params) == d.Params || last >= 0 && f.Params[last].Pack)
	})
	if i < 0 {
		return nil
	}
	return r.templates[i]
}
