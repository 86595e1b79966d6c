package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// add takes n as an addition, or says why it is none that is allowed.
func (c *comparison) add(n *clangast.Node) string {
	if condition := asserted(n); condition != nil {
		begin := start(n)
		if begin < 0 || !strings.HasPrefix(c.now.source[begin:], "assert") {
			return fmt.Sprintf("line %d: write assertions as assert(…)", n.Range.Begin.Line)
		}
		if why := c.impure(condition); why != "" {
			return fmt.Sprintf("line %d: the assertion %s", n.Range.Begin.Line, why)
		}
		c.additions = append(c.additions, addition{assertion: true, begin: begin, line: n.Range.Begin.Line, condition: condition})
		return ""
	}
	why := c.statement(n)
	if why == "" {
		c.additions = append(c.additions, addition{begin: start(n), line: n.Range.Begin.Line})
		return ""
	}
	return fmt.Sprintf("line %d: `%s` is no statement of the program, and %s", n.Range.Begin.Line, llm.Shorten(c.now.text(n), 80), why)
}

// start is the offset at which a node begins in its program, or -1.
func start(n *clangast.Node) int {
	l := &n.Range.Begin
	if l.ExpansionLoc != nil {
		l = l.ExpansionLoc
	}
	if l.Offset == nil {
		return -1
	}
	return *l.Offset
}

// asserted returns the condition of an assert that a statement is, or nil.
func asserted(n *clangast.Node) *clangast.Node {
	if n.Range.Begin.ExpansionLoc == nil || n.Kind != "ParenExpr" && n.Kind != "ExprWithCleanups" && n.Kind != "CStyleCastExpr" {
		return nil
	}
	var found *clangast.Node
	each(n, func(in *clangast.Node) {
		if found == nil && (in.Kind == "IfStmt" || in.Kind == "ConditionalOperator") && len(in.Inner) == 3 &&
			(failedAssert(in.Inner[1]) || failedAssert(in.Inner[2])) {
			found = in.Inner[0]
		}
	})
	return found
}

// failedAssert reports whether a node is the call that a failed assertion makes.
func failedAssert(n *clangast.Node) bool {
	return n != nil && n.Kind == "CallExpr" && strings.HasPrefix(calledName(n), "__assert")
}

// calledName returns the function that a call names, or "".
func calledName(call *clangast.Node) string {
	if f := called(call); f != nil {
		return f.Name
	}
	return ""
}

// called returns the function that a call names, or nil.
func called(call *clangast.Node) *clangast.Reference {
	if len(call.Inner) == 0 {
		return nil
	}
	n := call.Inner[0]
	for n != nil && len(n.Inner) == 1 && (n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr") {
		n = n.Inner[0]
	}
	if n != nil && n.Kind == "DeclRefExpr" && n.Referenced != nil && (n.Referenced.Kind == "FunctionDecl" || n.Referenced.Kind == "CXXMethodDecl") {
		return n.Referenced
	}
	return nil
}

// statement says why n is no statement that may stand beside assertions; "" if it is one.
func (c *comparison) statement(n *clangast.Node) string {
	switch n.Kind {
	case "NullStmt":
		return ""
	case "CompoundStmt":
		for _, in := range n.Inner {
			if why := c.add(in); why != "" {
				return why
			}
		}
		return ""
	case "DeclStmt":
		for _, in := range n.Inner {
			if why := c.declare(in); why != "" {
				return why
			}
		}
		return ""
	case "ExprWithCleanups", "ParenExpr":
		return c.statement(n.Inner[0])
	case "BinaryOperator":
		if n.Opcode == "=" && len(n.Inner) == 2 {
			if !c.ownStorage(n.Inner[0]) {
				return "it assigns to what is no temporary of an assertion"
			}
			return c.impure(n.Inner[1])
		}
	case "CallExpr":
		if copies[calledName(n)] && len(n.Inner) > 1 {
			if !c.ownStorage(n.Inner[1]) {
				return "it writes to what is no temporary of an assertion"
			}
			for _, in := range n.Inner[2:] {
				if why := c.impure(in); why != "" {
					return "it " + why
				}
			}
			return ""
		}
	case "IfStmt", "ForStmt", "WhileStmt", "DoStmt", "SwitchStmt", "CXXForRangeStmt", "GotoStmt", "ReturnStmt", "LabelStmt":
		return "a straight line has no " + n.Kind
	}
	if why := c.impure(n); why != "" {
		return "it " + why
	}
	return ""
}

// copies are the functions that fill a temporary.
var copies = words("memcpy memmove memset strcpy strncpy")

// declare takes the variable n as a temporary, or says why not.
func (c *comparison) declare(n *clangast.Node) string {
	if n == nil || n.Kind != "VarDecl" {
		return "a temporary is a variable"
	}
	switch t := n.Type.Canonical(); {
	case n.StorageClass != "":
		return "a temporary has no storage class"
	case n.Init == "" && !strings.HasSuffix(t, "]") && !strings.HasPrefix(t, "struct ") && !strings.HasPrefix(t, "union "):
		return "the temporary " + n.Name + " has no initial value"
	}
	c.temporary[n.ID] = true
	for _, in := range n.Inner {
		if in != nil && strings.HasSuffix(in.Kind, "Attr") {
			return "a temporary has no attributes"
		}
		if why := c.impure(in); why != "" {
			return "its value " + why
		}
	}
	return ""
}

// ownStorage reports whether an expression names (part of) a temporary itself, not what it
// points to.
func (c *comparison) ownStorage(n *clangast.Node) bool {
	for n != nil {
		switch n.Kind {
		case "DeclRefExpr":
			return n.Referenced != nil && c.temporary[n.Referenced.ID]
		case "ParenExpr", "ImplicitCastExpr", "ArraySubscriptExpr":
			if n.Kind == "ImplicitCastExpr" && n.CastKind == "LValueToRValue" {
				return false // a pointer that was loaded
			}
		case "UnaryOperator":
			if n.Opcode != "&" {
				return false
			}
		case "MemberExpr":
			if len(n.Inner) > 0 && n.Inner[0] != nil && strings.HasSuffix(n.Inner[0].Type.Canonical(), "*") {
				return false
			}
		default:
			return false
		}
		if len(n.Inner) == 0 {
			return false
		}
		n = n.Inner[0]
	}
	return false
}

// impure says what an expression does beside computing a value; "" if nothing.
func (c *comparison) impure(n *clangast.Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr", "CXXTypeidExpr":
		return ""
	case "BinaryOperator":
		if n.Opcode == "=" {
			return "assigns"
		}
	case "CompoundAssignOperator":
		return "assigns"
	case "UnaryOperator":
		if n.Opcode == "++" || n.Opcode == "--" {
			return "changes a variable with " + n.Opcode
		}
	case "StmtExpr", "LambdaExpr", "CXXNewExpr", "CXXDeleteExpr", "CXXThrowExpr", "GCCAsmStmt", "AtomicExpr", "VAArgExpr":
		return "is more than a value (" + n.Kind + ")"
	case "CallExpr":
		if why := c.impureCall(n); why != "" {
			return why
		}
	case "CXXMemberCallExpr":
		if why := c.impureMethod(n); why != "" {
			return why
		}
	case "CXXOperatorCallExpr":
		if op := strings.TrimPrefix(calledName(n), "operator"); !readers[op] {
			return "calls operator" + op
		}
	}
	if n.CastKind == "PointerToIntegral" {
		return "depends on the value of an address"
	}
	for _, in := range n.Children() {
		if why := c.impure(in); why != "" {
			return why
		}
	}
	return ""
}

// readers are the overloaded operators that only compute.
var readers = words("== != < > <= >= + - * / % [] -> ! && || bool")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// pureFunctions are those of the standard library that only read their arguments.
var pureFunctions = words(`memcmp memchr strcmp strncmp strcasecmp strncasecmp strcoll strlen strnlen strchr strrchr strstr strspn strcspn strpbrk
	abs labs llabs fabs fabsf fabsl floor floorf ceil ceilf round roundf trunc fmod fmodf sqrt sqrtf pow exp log log2 log10 fmin fmax ldexp
	lround llround isnan isinf isfinite signbit isalnum isalpha isdigit islower isspace isupper isxdigit isprint ispunct iscntrl tolower toupper
	__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __isnan __isinf __finite __fpclassify
	__builtin_isnan __builtin_isinf __builtin_isinf_sign __builtin_isfinite __builtin_isnormal __builtin_signbit __builtin_fpclassify
	__builtin_fabs __builtin_inf __builtin_inff __builtin_nan __builtin_nanf __builtin_huge_val __builtin_huge_valf
	__builtin_expect __builtin_strlen __builtin_strcmp __builtin_memcmp __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_popcount
	begin end min max`)

// impureCall says why a call is more than a question.
func (c *comparison) impureCall(n *clangast.Node) string {
	name := calledName(n)
	switch {
	case name == "":
		return "calls through a pointer"
	case pureFunctions[name] || c.observers[name]:
		return ""
	}
	return "calls " + name + ", which may change the state or is no function that assertions may use"
}

// impureMethod says why the call of a method is more than a question: it is one if the object
// is const there.
func (c *comparison) impureMethod(n *clangast.Node) string {
	if len(n.Inner) == 0 || n.Inner[0] == nil || len(n.Inner[0].Inner) == 0 || n.Inner[0].Inner[0] == nil {
		return "calls through a pointer"
	}
	method, object := n.Inner[0], n.Inner[0].Inner[0]
	if !strings.HasPrefix(object.Type.Canonical(), "const ") {
		return "calls " + method.Name + ", which may change its object"
	}
	return readsOnly(n.Inner[1:])
}

// readsOnly says which argument a callee could write through.
func readsOnly(args []*clangast.Node) string {
	for _, a := range args {
		if a == nil || a.Kind == "CXXDefaultArgExpr" {
			continue
		}
		t := strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(a.Type.Canonical(), "__restrict", ""), "restrict", ""))
		t = strings.TrimSuffix(t, " const")
		if n := strings.Count(t, "*"); n > 1 || n == 1 && !strings.HasPrefix(t, "const ") {
			return "passes a pointer through which the callee may write"
		}
	}
	return ""
}
