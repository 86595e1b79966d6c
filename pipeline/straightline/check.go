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
	v := Violation{Kind: kind, Line: int(n.Begin.Line), What: what}
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
		if f.Node == nil {
			continue
		}
		c.visit(f.Node.Body(), place{})
		if cprog.Reached(f.Calls)[f] {
			c.report(Recursion, f.Node, f.Decl.Name)
		}
	}
}

var containers = clex.Set("NamespaceDecl LinkageSpecDecl CXXRecordDecl FunctionTemplateDecl ClassTemplateDecl")

// declaration visits a declaration but for the bodies of functions.
func (c *checker) declaration(n *cprog.Node) {
	c.attributes(n)
	switch {
	case n.Kind == "FileScopeAsmDecl":
		c.report(Assembly, n, "asm")
	case n.Kind == "FunctionDecl" && n.Name == "main" && n.Body() != nil:
		c.report(Main, n, "main")
	case n.Kind == "VarDecl":
		for _, in := range n.Inner {
			c.visit(in, place{file: true})
		}
	case containers[n.Kind]:
		for _, in := range n.Inner {
			c.declaration(in)
		}
	}
}

// attributes reports those that make a function run, or mean another one, without a statement saying so.
func (c *checker) attributes(n *cprog.Node) {
	for _, in := range n.Inner {
		switch name := strings.ToLower(strings.TrimSuffix(in.Kind, "Attr")); in.Kind {
		case "ConstructorAttr", "DestructorAttr", "CleanupAttr", "AliasAttr", "IFuncAttr", "WeakRefAttr":
			c.report(Hidden, n, name+" attribute of "+n.Name)
		case "AsmLabelAttr":
			c.report(Assembly, n, "asm label of "+n.Name)
		}
	}
}

// constructs are what is refused wherever it stands, or if it is not all the text of a header's macro.
var constructs = map[string]struct {
	kind    Kind
	what    string
	written bool
}{
	"ForStmt": {Loop, "for", false}, "WhileStmt": {Loop, "while", false}, "CXXForRangeStmt": {Loop, "range for", false},
	"DoStmt": {Loop, "do", false}, "GotoStmt": {Goto, "goto", false}, "IndirectGotoStmt": {Goto, "goto", false},
	"CXXThrowExpr": {Exit, "throw", false},
	"SwitchStmt":   {Branch, "switch", true}, "CXXTryStmt": {Branch, "try", true}, "IfStmt": {Branch, "if", true},
	"GCCAsmStmt": {Assembly, "asm", true}, "MSAsmStmt": {Assembly, "asm", true},
}

// neverEvaluated are nodes below which nothing is executed where they stand.
var neverEvaluated = clex.Set(`UnaryExprOrTypeTraitExpr CXXTypeidExpr CXXNoexceptExpr OpaqueValueExpr CXXDefaultArgExpr
	CXXDefaultInitExpr RequiresExpr ConceptSpecializationExpr CXXRecordDecl RecordDecl FunctionDecl StaticAssertDecl`)

// visit looks at a statement or expression and all below it.
func (c *checker) visit(n *cprog.Node, at place) {
	c.attributes(n)
	if neverEvaluated[n.Kind] {
		return
	}
	own := !(foreign(n.Begin) && foreign(n.End) && n.Begin.Offset == n.End.Offset) // not all of it a macro of a header
	if found, is := constructs[n.Kind]; is && (own || !found.written) {
		switch {
		case n.Kind == "DoStmt" && runsOnce(n) || isGuard(n) && returnsTwice(n.Inner[0]):
		case isGuard(n):
			c.report(Guard, n, found.what)
		default:
			c.report(found.kind, n, found.what)
		}
	}
	below := at
	below.asserted = at.asserted && transparent(n)
	switch n.Kind {
	case "LambdaExpr":
		below = place{}
	case "CXXConstructExpr", "CXXTemporaryObjectExpr", "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
		c.call(n, below)
	case "DeclRefExpr":
		c.reference(n)
	}
	mayNot := own && (n.Kind == "ConditionalOperator" || n.Kind == "BinaryConditionalOperator" ||
		n.Kind == "BinaryOperator" && (n.Op == "||" || n.Op == "&&" && !below.asserted))
	for i, in := range n.Inner {
		operand := below
		operand.conditional = below.conditional || mayNot && i > 0
		operand.asserted = below.asserted || i == 0 && n.Assertion() != nil
		c.visit(in, operand)
	}
}

// foreign reports whether the text at a place comes from a macro that the program does not define.
func foreign(at cprog.Place) bool { return at.Macro != nil && !at.Macro.File.Own() }

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
	return n.Kind == "ParenExpr" || n.Kind == "ExprWithCleanups" || strings.HasSuffix(n.Kind, "CastExpr") ||
		n.Kind == "BinaryOperator" && n.Op == "&&"
}

var jumps = clex.Set("setjmp _setjmp sigsetjmp __sigsetjmp")

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

// isGuard reports whether a node is an if without else that ends with a return.
func isGuard(n *cprog.Node) bool {
	if n.Kind != "IfStmt" || n.Is(cprog.Else) || len(n.Inner) != 2 {
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
	if (n.Kind == "CXXConstructExpr" || n.Kind == "CXXTemporaryObjectExpr") && n.Decl != nil && n.Decl.Class != nil {
		if class := n.Decl.Class.Name; strings.HasPrefix(class, "std::") && banned[class] != "" {
			c.report(banned[class], n, class)
		}
	}
}

// reference checks a name of a function that the program writes. Some names are also those of harmless C++
// functions, which their types tell apart.
func (c *checker) reference(n *cprog.Node) {
	d := n.Decl
	if d == nil || d.Type == nil || foreign(n.Begin) || defined(d) != nil || c.api.declared(d) != nil {
		return
	}
	switch method := d.Kind == "CXXMethodDecl"; {
	case d.Name == "now" && (method || d.Kind == "FunctionDecl") && strings.Contains(d.Type.Spelling, "time_point"):
		c.report(Time, n, d.Name)
	case d.Kind != "FunctionDecl", banned[d.Name] == "",
		d.Name == "bind" && !strings.HasPrefix(d.Type.Spelling, "int (int, "), // std::bind
		d.Name == "async" && !strings.Contains(d.Type.Spelling, "future<"):
	default:
		c.report(banned[d.Name], n, d.Name)
	}
}
