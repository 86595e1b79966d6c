package straightline

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A checker looks for violations in one program.
type checker struct {
	*cprog.Program
	api   *resolver
	found []Violation
}

// A place is where in its function a node stands.
type place struct {
	conditional bool // in an operand that may not be evaluated
	asserted    bool // the condition of an assert, up to what && joins
	file        bool // in an initialiser at file scope
}

func (c *checker) report(kind Kind, n *cprog.Node, what string) {
	v := Violation{Kind: kind, Line: line(n), What: what}
	if !slices.Contains(c.found, v) { // a template's instances repeat it
		c.found = append(c.found, v)
	}
}

// check visits everything that the program declares.
func (c *checker) check() {
	for _, n := range c.Tree {
		c.declaration(n)
	}
	for _, f := range c.Functions {
		if f.Node != nil {
			c.visit(f.Node.Body(), place{})
		}
	}
	c.recursions()
}

// declaration visits a declaration but for the bodies of functions.
func (c *checker) declaration(n *cprog.Node) {
	for _, in := range n.Inner {
		if hiddenAttributes[in.Kind] != "" {
			c.report(Hidden, n, hiddenAttributes[in.Kind]+" attribute of "+n.Name)
		} else if in.Kind == "AsmLabelAttr" {
			c.report(Assembly, n, "asm label of "+n.Name)
		}
	}
	switch {
	case n.Kind == "FileScopeAsmDecl":
		c.report(Assembly, n, "asm")
	case n.Kind == "FunctionDecl" && n.Name == "main" && n.Body() != nil:
		c.report(Main, n, "main")
	case n.Kind == "VarDecl":
		for _, in := range n.Inner {
			c.visit(in, place{file: true})
		}
	case n.Kind == "NamespaceDecl", n.Kind == "LinkageSpecDecl", n.Kind == "CXXRecordDecl", n.Kind == "FunctionTemplateDecl", n.Kind == "ClassTemplateDecl":
		for _, in := range n.Inner {
			c.declaration(in)
		}
	}
}

// visit looks at a statement or expression and all below it.
func (c *checker) visit(n *cprog.Node, at place) {
	if neverEvaluated(n) {
		return
	}
	own := !ofHeader(n)
	below := at
	below.asserted = at.asserted && transparent(n)
	switch n.Kind {
	case "ForStmt", "WhileStmt", "CXXForRangeStmt", "DoStmt":
		if !(n.Kind == "DoStmt" && runsOnce(n)) {
			c.report(Loop, n, loopNames[n.Kind])
		}
	case "GotoStmt", "IndirectGotoStmt":
		c.report(Goto, n, "goto")
	case "SwitchStmt", "CXXTryStmt":
		if own {
			c.report(Branch, n, map[string]string{"SwitchStmt": "switch", "CXXTryStmt": "try"}[n.Kind])
		}
	case "CXXThrowExpr":
		c.report(Exit, n, "throw")
	case "GCCAsmStmt", "MSAsmStmt":
		if own {
			c.report(Assembly, n, "asm")
		}
	case "IfStmt":
		c.ifStmt(n, own, below)
		return
	case "ConditionalOperator", "BinaryConditionalOperator", "BinaryOperator":
		c.operator(n, own, below)
		return
	case "DeclStmt":
		for _, in := range n.Inner {
			c.local(in, below)
		}
		return
	case "LambdaExpr":
		for _, in := range lambdaParts(n) {
			c.visit(in, place{})
		}
		return
	case "CXXConstructExpr", "CXXTemporaryObjectExpr", "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		c.call(n, below)
	case "DeclRefExpr":
		c.reference(n)
	}
	for _, in := range n.Inner {
		c.visit(in, below)
	}
}

var loopNames = map[string]string{"ForStmt": "for", "WhileStmt": "while", "CXXForRangeStmt": "range for", "DoStmt": "do"}

// runsOnce reports whether a do statement is the idiom do … while (0).
func runsOnce(n *cprog.Node) bool {
	if len(n.Inner) == 0 {
		return false
	}
	v, constant := n.Inner[len(n.Inner)-1].Int()
	return constant && v == 0
}

// transparent reports whether a node only wraps or joins what is below it, so that the
// condition of an assert continues there.
func transparent(n *cprog.Node) bool {
	return n.Kind == "ParenExpr" || n.Kind == "ExprWithCleanups" || strings.HasSuffix(n.Kind, "CastExpr") || n.Kind == "BinaryOperator" && n.Op == "&&"
}

// neverEvaluated reports whether nothing below n is executed where n stands.
func neverEvaluated(n *cprog.Node) bool {
	switch n.Kind {
	case "UnaryExprOrTypeTraitExpr", "CXXTypeidExpr", "CXXNoexceptExpr", "OpaqueValueExpr",
		"CXXDefaultArgExpr", "CXXDefaultInitExpr", "RequiresExpr", "ConceptSpecializationExpr",
		"CXXRecordDecl", "RecordDecl", "FunctionDecl", "StaticAssertDecl":
		return true
	}
	return false
}

// lambdaParts returns the captured values and the body of a lambda. The body comes last; the
// class before it repeats it.
func lambdaParts(n *cprog.Node) []*cprog.Node {
	var parts []*cprog.Node
	for _, in := range n.Inner {
		if in.Kind != "CXXRecordDecl" {
			parts = append(parts, in)
		}
	}
	return parts
}

func (c *checker) local(n *cprog.Node, at place) {
	for _, in := range n.Inner {
		if hiddenAttributes[in.Kind] != "" {
			c.report(Hidden, n, hiddenAttributes[in.Kind]+" attribute of "+n.Name)
		}
	}
	c.visit(n, at)
}

// ifStmt tells asserts, guards and branches apart.
func (c *checker) ifStmt(n *cprog.Node, own bool, at place) {
	if len(n.Inner) == 0 {
		return
	}
	at.asserted = n.Assertion() != nil
	c.visit(n.Inner[0], at)
	at.asserted = false
	if own {
		switch {
		case !isGuard(n):
			c.report(Branch, n, "if")
		case !returnsTwice(n.Inner[0]):
			c.report(Guard, n, "if")
		}
	}
	for _, in := range n.Inner[1:] {
		c.visit(in, at)
	}
}

// returnsTwice reports whether a condition asks setjmp: a library that reports errors with longjmp
// cannot be used otherwise, and where the test goes on the guard was not taken.
func returnsTwice(condition *cprog.Node) bool {
	for n := range condition.All() {
		if n.Kind == "CallExpr" && n.Decl != nil && jumps[n.Decl.Name] {
			return true
		}
	}
	return false
}

var jumps = clex.Set("setjmp _setjmp sigsetjmp __sigsetjmp")

// isGuard reports whether an if without else ends with a return and holds no jump but that.
func isGuard(n *cprog.Node) bool {
	if n.Is(cprog.Else) || len(n.Inner) != 2 {
		return false
	}
	then := n.Inner[1]
	if then.Kind == "CompoundStmt" {
		if len(then.Inner) == 0 {
			return false
		}
		then = then.Inner[len(then.Inner)-1]
	}
	return then.Kind == "ReturnStmt"
}

// operator visits &&, ||, ?: and the other operators, which evaluate all operands.
func (c *checker) operator(n *cprog.Node, own bool, at place) {
	children := n.Inner
	shortcut := n.Kind != "BinaryOperator" || n.Op == "&&" || n.Op == "||"
	for i, in := range children {
		operand := at
		switch {
		case !shortcut || !own || n.Op == "&&" && at.asserted:
		case i > 0:
			operand.conditional = true
		}
		if i == 0 && n.Kind != "BinaryOperator" {
			operand.asserted = n.Assertion() != nil
		}
		c.visit(in, operand)
	}
}

// call checks a call of the library or the program where it stands.
func (c *checker) call(n *cprog.Node, at place) {
	name := ""
	if f := c.api.resolve(n); f != nil {
		name = f.Canonical()
	} else if f := callee(n); f != nil {
		name = f.Decl.Name
	}
	switch {
	case name == "":
	case at.file:
		c.report(Hidden, n, name)
	case at.conditional:
		c.report(ConditionalCall, n, name)
	}
	if constructs(n) && n.Decl != nil && n.Decl.Class != nil {
		if kind := bannedClasses[n.Decl.Class.Name]; kind != "" {
			c.report(kind, n, n.Decl.Class.Name)
		}
	}
}

// reference checks a name that the program writes.
func (c *checker) reference(n *cprog.Node) {
	d := n.Decl
	if d == nil || d.Kind != "FunctionDecl" && d.Kind != "CXXMethodDecl" || foreign(n.Begin) || defined(d) != nil {
		return
	}
	if d.Kind == "CXXMethodDecl" && d.Name != "now" || d.Type == nil {
		return
	}
	if kind := bannedFunction(d.Name, d.Type.Spelling); kind != "" && c.api.declared(d) == nil {
		c.report(kind, n, d.Name)
	}
}

// recursions reports each function of the program that can call itself.
func (c *checker) recursions() {
	for _, f := range c.Functions {
		if f.Node != nil && cprog.Reached(f.Calls)[f] {
			c.report(Recursion, f.Node, f.Decl.Name)
		}
	}
}
