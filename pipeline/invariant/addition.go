package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// add takes n as an addition, or says why it is none that is allowed.
func (c *comparison) add(n *cprog.Node) string {
	if condition := asserted(n); condition != nil {
		begin := start(n)
		if begin < 0 || !strings.HasPrefix(c.now.source[begin:], "assert") {
			return fmt.Sprintf("line %d: write assertions as assert(…)", int(n.Begin.Line))
		}
		if why := c.impure(condition); why != "" {
			return fmt.Sprintf("line %d: the assertion %s", int(n.Begin.Line), why)
		}
		c.additions = append(c.additions, addition{assertion: true, begin: begin, condition: condition})
		return ""
	}
	why := c.statement(n)
	if why == "" {
		c.additions = append(c.additions, addition{begin: start(n)})
		return ""
	}
	return fmt.Sprintf("line %d: `%s` is no statement of the program, and %s", int(n.Begin.Line), llm.Shorten(c.now.text(n), 80), why)
}

// start is the offset at which a node begins in its program, or -1.
func start(n *cprog.Node) int {
	if n.Begin.File != cprog.Main {
		return -1
	}
	return int(n.Begin.Offset)
}

// asserted returns the condition of an assert that a statement is, or nil.
func asserted(n *cprog.Node) *cprog.Node {
	if n.Begin.Macro == nil || n.Kind != "ParenExpr" && n.Kind != "ExprWithCleanups" && n.Kind != "CStyleCastExpr" {
		return nil
	}
	for in := range n.All() {
		if condition := in.Assertion(); condition != nil {
			return condition
		}
	}
	return nil
}

// calledName returns the name of the function that a call resolves to, or "".
func calledName(call *cprog.Node) string {
	if call.Decl == nil {
		return ""
	}
	return call.Decl.Name
}

// statement says why n is no statement that may stand beside assertions; "" if it is one.
func (c *comparison) statement(n *cprog.Node) string {
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
		if n.Op == "=" && len(n.Inner) == 2 {
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
var copies = clex.Set("memcpy memmove memset strcpy strncpy")

// declare takes the variable n as a temporary, or says why not.
func (c *comparison) declare(n *cprog.Node) string {
	if n.Kind != "VarDecl" {
		return "a temporary is a variable"
	}
	switch t := n.Type.Desugared; {
	case n.Storage != "":
		return "a temporary has no storage class"
	case n.Init == "" && !strings.HasSuffix(t, "]") && !strings.HasPrefix(t, "struct ") && !strings.HasPrefix(t, "union "):
		return "the temporary " + n.Name + " has no initial value"
	}
	c.temporary[n.Decl] = true
	for _, in := range n.Inner {
		if strings.HasSuffix(in.Kind, "Attr") {
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
func (c *comparison) ownStorage(n *cprog.Node) bool {
	for {
		switch n.Kind {
		case "DeclRefExpr":
			return c.temporary[n.Decl]
		case "ParenExpr", "ImplicitCastExpr", "ArraySubscriptExpr":
			if n.Kind == "ImplicitCastExpr" && n.Op == "LValueToRValue" {
				return false // a pointer that was loaded
			}
		case "UnaryOperator":
			if n.Op != "&" {
				return false
			}
		case "MemberExpr":
			if n.Is(cprog.Arrow) {
				return false
			}
		case "BinaryOperator": // an offset into an array; the sanitizers see that it stays in it
			if n.Op != "+" {
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
}

// impure says what an expression does beside computing a value; "" if nothing.
func (c *comparison) impure(n *cprog.Node) string {
	switch n.Kind {
	case "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr", "CXXTypeidExpr":
		return ""
	case "BinaryOperator":
		if n.Op == "=" {
			return "assigns"
		}
	case "CompoundAssignOperator":
		return "assigns"
	case "UnaryOperator":
		if n.Op == "++" || n.Op == "--" {
			return "changes a variable with " + n.Op
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
	if n.Op == "PointerToIntegral" {
		return "depends on the value of an address"
	}
	for _, in := range n.Inner {
		if why := c.impure(in); why != "" {
			return why
		}
	}
	return ""
}

// readers are the overloaded operators that only compute.
var readers = clex.Set("== != < > <= >= + - * / % [] -> ! && || bool")

// pureFunctions are those of the standard library that only read their arguments.
var pureFunctions = clex.Set(`memcmp memchr strcmp strncmp strcasecmp strncasecmp strcoll strlen strnlen strchr strrchr strstr strspn strcspn strpbrk
	abs labs llabs fabs fabsf fabsl floor floorf ceil ceilf round roundf trunc fmod fmodf sqrt sqrtf pow exp log log2 log10 fmin fmax ldexp
	lround llround isnan isinf isfinite signbit isalnum isalpha isdigit islower isspace isupper isxdigit isprint ispunct iscntrl tolower toupper
	__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __isnan __isinf __finite __fpclassify
	__builtin_isnan __builtin_isinf __builtin_isinf_sign __builtin_isfinite __builtin_isnormal __builtin_signbit __builtin_fpclassify
	__builtin_fabs __builtin_inf __builtin_inff __builtin_nan __builtin_nanf __builtin_huge_val __builtin_huge_valf
	__builtin_expect __builtin_strlen __builtin_strcmp __builtin_memcmp __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_popcount
	begin end min max`)

// impureCall says why a call is more than a question.
func (c *comparison) impureCall(n *cprog.Node) string {
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
func (c *comparison) impureMethod(n *cprog.Node) string {
	if len(n.Inner) == 0 || len(n.Inner[0].Inner) == 0 {
		return "calls through a pointer"
	}
	method, object := n.Inner[0], n.Inner[0].Inner[0]
	if !strings.HasPrefix(object.Type.Desugared, "const ") {
		return "calls " + method.Name + ", which may change its object"
	}
	return readsOnly(n.Inner[1:])
}

// readsOnly says which argument a callee could write through.
func readsOnly(args []*cprog.Node) string {
	for _, a := range args {
		if a.Kind == "CXXDefaultArgExpr" {
			continue
		}
		t := strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(a.Type.Desugared, "__restrict", ""), "restrict", ""))
		t = strings.TrimSuffix(t, " const")
		if n := strings.Count(t, "*"); n > 1 || n == 1 && !strings.HasPrefix(t, "const ") {
			return "passes a pointer through which the callee may write"
		}
	}
	return ""
}
