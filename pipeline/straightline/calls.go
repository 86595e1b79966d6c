package straightline

import (
	"errors"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A Call is one call of an API.
type Call struct {
	API  string `json:"api"`            // apispec's canonical name
	Line int    `json:"line"`           // of the test function's statement, 1-based
	Step int    `json:"step,omitempty"` // number of the marker it comes after; 0 before the first
}

// maxCalls bounds the calls of one test function, which helpers that call helpers can make
// exponentially many.
const maxCalls = 10_000

var errTooManyCalls = errors.New("too many calls")

// A tracer follows one test function in the order in which it is executed.
type tracer struct {
	api   *resolver
	calls []Call
	nodes int // visited so far
}

// A frame is one function that is being followed.
type frame struct {
	f        *cprog.Function
	caller   *frame
	line     int  // in the test function, of the present statement
	branches int  // that hold the present statement
	returned bool // no later statement is executed
}

// trace returns the API calls of a test function.
func (t *tracer) trace(f *cprog.Function) ([]Call, error) {
	err := t.evaluate(f.Node.Body(), &frame{f: f})
	return t.calls, err
}

// evaluate follows n and what is below it, operands before operators.
func (t *tracer) evaluate(n *cprog.Node, at *frame) error {
	if at.returned || neverEvaluated(n) || n.Kind == "LambdaExpr" {
		return nil
	}
	if t.nodes++; t.nodes > 100*maxCalls {
		return errTooManyCalls
	}
	if at.caller == nil && n.Begin.File.Own() {
		at.line = line(n)
	}
	switch n.Kind {
	case "IfStmt":
		return t.ifStmt(n, at)
	case "VarDecl", "CXXNewExpr", "CXXFunctionalCastExpr", "CXXStaticCastExpr", "CStyleCastExpr":
		return t.maker(n, at)
	case "CXXConstructExpr": // of no maker: a conversion or a copy
		return t.inOrder(at, n.Inner...)
	case "GenericSelectionExpr":
		return t.selected(n, at)
	case "BinaryOperator", "CompoundAssignOperator":
		if strings.HasSuffix(n.Op, "=") && !comparison[n.Op] && len(n.Inner) == 2 {
			return t.inOrder(at, n.Inner[1], n.Inner[0])
		}
	case "CXXOperatorCallExpr":
		return t.operatorCall(n, at)
	case "CallExpr", "CXXMemberCallExpr", "CXXTemporaryObjectExpr":
		return t.call(n, at)
	case "ForStmt", "WhileStmt", "CXXForRangeStmt", "SwitchStmt", "CXXTryStmt", "ConditionalOperator", "BinaryConditionalOperator":
		at.branches++
		defer func() { at.branches-- }()
	}
	if err := t.inOrder(at, n.Inner...); err != nil {
		return err
	}
	if (n.Kind == "ReturnStmt" || n.Kind == "CXXThrowExpr") && at.branches == 0 {
		at.returned = true
	}
	return nil
}

var comparison = clex.Set("== != <= >=")

func (t *tracer) inOrder(at *frame, nodes ...*cprog.Node) error {
	for _, n := range nodes {
		if err := t.evaluate(n, at); err != nil {
			return err
		}
	}
	return nil
}

// maker follows what asks for an object: a variable, new, or a cast that is written. Only
// their constructors count; others are conversions that the program does not name.
func (t *tracer) maker(n *cprog.Node, at *frame) error {
	for _, in := range n.Inner {
		var err error
		if made := unwrap(in); made.Kind == "CXXConstructExpr" {
			err = t.call(made, at)
		} else {
			err = t.evaluate(in, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// ifStmt follows the condition, and the branches but for those of a guard: where the test
// goes on, they were not taken.
func (t *tracer) ifStmt(n *cprog.Node, at *frame) error {
	if isGuard(n) {
		return t.evaluate(n.Inner[0], at)
	}
	at.branches++
	defer func() { at.branches-- }()
	return t.inOrder(at, n.Inner...)
}

// selected follows the chosen association of a _Generic.
func (t *tracer) selected(n *cprog.Node, at *frame) error {
	for _, in := range n.Inner {
		if in.Is(cprog.Selected) {
			return t.inOrder(at, in.Inner...)
		}
	}
	return nil
}

// operatorCall follows the operands of an overloaded operator; of an assignment, the right
// one is evaluated first.
func (t *tracer) operatorCall(n *cprog.Node, at *frame) error {
	if len(n.Inner) == 0 {
		return nil
	}
	operands := n.Inner[1:]
	if n.Decl != nil && len(operands) == 2 {
		op := strings.TrimPrefix(n.Decl.Name, "operator")
		if strings.HasSuffix(op, "=") && !comparison[op] {
			operands = []*cprog.Node{operands[1], operands[0]}
		}
	}
	return t.inOrder(at, operands...)
}

// call follows the operands of a call, then the call itself.
func (t *tracer) call(n *cprog.Node, at *frame) error {
	here := at.line
	if err := t.inOrder(at, n.Inner...); err != nil {
		return err
	}
	at.line = here
	if f := t.api.resolve(n); f != nil {
		if len(t.calls) == maxCalls {
			return errTooManyCalls
		}
		t.calls = append(t.calls, Call{API: f.Canonical(), Line: here})
		return nil
	}
	f := callee(n)
	if f == nil {
		return nil
	}
	for outer := at; outer != nil; outer = outer.caller {
		if outer.f == f {
			return nil // recursion, which the policy reports
		}
	}
	return t.evaluate(f.Node.Body(), &frame{f: f, caller: at, line: here})
}
