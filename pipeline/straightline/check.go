package straightline

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// A checker looks for violations in one program.
type checker struct {
	*program
	api    *resolver
	policy Policy
	found  []Violation
}

// A place is where in its function a node stands.
type place struct {
	conditional bool // in an operand that may not be evaluated
	asserted    bool // the condition of an assert, up to what && joins
	file        bool // in an initialiser at file scope
}

func (c *checker) report(kind Kind, n *clangast.Node, what string) {
	v := Violation{Kind: kind, Line: line(n), What: what}
	if !slices.Contains(c.found, v) { // a template's instances repeat it
		c.found = append(c.found, v)
	}
}

// check visits everything that the program declares.
func (c *checker) check() {
	for _, n := range c.decls {
		c.declaration(n)
	}
	for _, f := range c.functions {
		c.visit(f.Body(), place{})
	}
	c.recursions()
}

// declaration visits a declaration but for the bodies of functions.
func (c *checker) declaration(n *clangast.Node) {
	if n == nil {
		return
	}
	for _, in := range n.Inner {
		if in != nil && hiddenAttributes[in.Kind] != "" {
			c.report(Hidden, n, hiddenAttributes[in.Kind]+" attribute of "+n.Name)
		} else if in != nil && in.Kind == "AsmLabelAttr" {
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
func (c *checker) visit(n *clangast.Node, at place) {
	if n == nil || neverEvaluated(n) {
		return
	}
	own := !c.ofHeader(n)
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
	for _, in := range n.Children() {
		c.visit(in, below)
	}
}

var loopNames = map[string]string{"ForStmt": "for", "WhileStmt": "while", "CXXForRangeStmt": "range for", "DoStmt": "do"}

// runsOnce reports whether a do statement is the idiom do … while (0).
func runsOnce(n *clangast.Node) bool {
	if len(n.Inner) == 0 {
		return false
	}
	condition := n.Inner[len(n.Inner)-1]
	for condition != nil && len(condition.Inner) == 1 {
		condition = condition.Inner[0]
	}
	if condition == nil {
		return false
	}
	var digits string
	switch condition.Kind {
	case "IntegerLiteral":
		return json.Unmarshal(condition.Value, &digits) == nil && digits == "0"
	case "CXXBoolLiteralExpr":
		return string(condition.Value) == "false"
	}
	return false
}

// transparent reports whether a node only wraps or joins what is below it, so that the
// condition of an assert continues there.
func transparent(n *clangast.Node) bool {
	return n.Kind == "ParenExpr" || n.Kind == "ExprWithCleanups" || strings.HasSuffix(n.Kind, "CastExpr") || n.Kind == "BinaryOperator" && n.Opcode == "&&"
}

// neverEvaluated reports whether nothing below n is executed where n stands.
func neverEvaluated(n *clangast.Node) bool {
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
func lambdaParts(n *clangast.Node) []*clangast.Node {
	var parts []*clangast.Node
	for _, in := range n.Inner {
		if in != nil && in.Kind != "CXXRecordDecl" {
			parts = append(parts, in)
		}
	}
	return parts
}

func (c *checker) local(n *clangast.Node, at place) {
	if n == nil {
		return
	}
	for _, in := range n.Inner {
		if in != nil && hiddenAttributes[in.Kind] != "" {
			c.report(Hidden, n, hiddenAttributes[in.Kind]+" attribute of "+n.Name)
		}
	}
	c.visit(n, at)
}

// ifStmt tells asserts, guards and branches apart.
func (c *checker) ifStmt(n *clangast.Node, own bool, at place) {
	if len(n.Inner) == 0 {
		return
	}
	at.asserted = isAssert(n)
	c.visit(n.Inner[0], at)
	at.asserted = false
	if own {
		switch guard := isGuard(n); {
		case guard && !c.policy.Guards:
			c.report(Guard, n, "if")
		case !guard:
			c.report(Branch, n, "if")
		}
	}
	for _, in := range n.Inner[1:] {
		c.visit(in, at)
	}
}

// isGuard reports whether an if without else ends with a return and holds no jump but that.
func isGuard(n *clangast.Node) bool {
	if n.HasElse || len(n.Inner) != 2 || n.Inner[1] == nil {
		return false
	}
	then := n.Inner[1]
	if then.Kind == "CompoundStmt" {
		if len(then.Inner) == 0 {
			return false
		}
		then = then.Inner[len(then.Inner)-1]
	}
	return then != nil && then.Kind == "ReturnStmt"
}

// isAssert reports whether one branch of a condition is what a failed assert does.
func isAssert(n *clangast.Node) bool {
	for i, branch := range n.Inner {
		if i == 0 || branch == nil || branch.Kind != "CallExpr" || len(branch.Inner) == 0 {
			continue
		}
		if f, _ := direct(branch.Inner[0]); f != nil && strings.HasPrefix(f.Referenced.Name, "__assert") {
			return true
		}
	}
	return false
}

// operator visits &&, ||, ?: and the other operators, which evaluate all operands.
func (c *checker) operator(n *clangast.Node, own bool, at place) {
	children := n.Children()
	shortcut := n.Kind != "BinaryOperator" || n.Opcode == "&&" || n.Opcode == "||"
	for i, in := range children {
		operand := at
		switch {
		case !shortcut || !own || n.Opcode == "&&" && at.asserted:
		case i > 0:
			operand.conditional = true
		}
		if i == 0 && n.Kind != "BinaryOperator" {
			operand.asserted = isAssert(n)
		}
		c.visit(in, operand)
	}
}

// call checks a call of the library or the program where it stands.
func (c *checker) call(n *clangast.Node, at place) {
	name := ""
	if f := c.api.resolve(n, c.program); f != nil {
		name = f.Canonical()
	} else if f := c.callee(n); f != nil {
		name = f.Name
	}
	switch {
	case name == "":
	case at.file:
		c.report(Hidden, n, name)
	case at.conditional:
		c.report(ConditionalCall, n, name)
	}
	if strings.HasPrefix(n.Kind, "CXXConstruct") || n.Kind == "CXXTemporaryObjectExpr" {
		class := className(n.Type)
		if kind := bannedClasses[class]; kind != "" {
			c.report(kind, n, class)
		}
	}
}

// callee returns the program's own function that a call calls, or nil.
func (p *program) callee(n *clangast.Node) *clangast.Node {
	if len(n.Inner) == 0 || n.Inner[0] == nil || strings.HasPrefix(n.Kind, "CXXConstruct") || n.Kind == "CXXTemporaryObjectExpr" {
		return nil
	}
	switch f, m := direct(n.Inner[0]); {
	case f != nil:
		return p.function(f.Referenced.ID)
	case m != nil:
		return p.function(m.ReferencedID)
	}
	return nil
}

// reference checks a name that the program writes.
func (c *checker) reference(n *clangast.Node) {
	if n.Referenced == nil || n.Referenced.Kind != "FunctionDecl" && n.Referenced.Kind != "CXXMethodDecl" ||
		c.foreign(n.Range.Begin) || c.function(n.Referenced.ID) != nil {
		return
	}
	name := n.Referenced.Name
	if n.Referenced.Kind == "CXXMethodDecl" && name != "now" {
		return
	}
	if kind := bannedFunction(name, n.Referenced.Type.QualType); kind != "" && !c.api.declares(name, n.Referenced.Type.QualType) {
		c.report(kind, n, name)
	}
}

// recursions reports each function of the program that can call itself.
func (c *checker) recursions() {
	calls := map[*clangast.Node][]*clangast.Node{}
	for _, f := range c.functions {
		c.calledBy(f.Body(), func(g *clangast.Node) { calls[f] = append(calls[f], g) })
	}
	for _, f := range c.functions {
		seen := map[*clangast.Node]bool{}
		todo := slices.Clone(calls[f])
		for len(todo) > 0 && !seen[f] {
			g := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !seen[g] {
				seen[g] = true
				todo = append(todo, calls[g]...)
			}
		}
		if seen[f] {
			c.report(Recursion, f, f.Name)
		}
	}
}

// calledBy calls found for each of the program's functions that is called below n.
func (c *checker) calledBy(n *clangast.Node, found func(*clangast.Node)) {
	if n == nil || neverEvaluated(n) {
		return
	}
	if g := c.callee(n); g != nil {
		found(g)
	}
	for _, in := range n.Children() {
		c.calledBy(in, found)
	}
}
