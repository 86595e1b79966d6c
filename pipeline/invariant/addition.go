package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// beside reports whether a statement stands beside the sequence: an assertion, a temporary, what is
// written into one, or what does nothing, unless the seed has that statement too.
func (c *comparison) beside(s statement) bool {
	if s.Kind == "CStyleCastExpr" && s.Op == "ToVoid" && c.impure(s.Node) != "" {
		c.cut(int(s.Begin.Offset), int(s.Inner[0].Begin.Offset)) // what throws a result away may keep it
	}
	text := squeezed(s.text)
	switch {
	case s.Kind == "NullStmt":
		return true
	case c.seed == nil:
		c.statements[text] = true
		return false
	case c.seed.statements[text]:
		return false
	}
	if condition := asserted(s); condition != nil {
		c.refuse(s, assertionIs, c.impure(condition))
		if a, ok := assertionAt(c.source, int(s.Begin.Offset)); ok {
			a.node = condition
			c.assertions = append(c.assertions, a)
		}
		return true
	}
	n := s.Node
	for n.Kind == "ExprWithCleanups" || n.Kind == "ParenExpr" {
		n = n.Inner[0]
	}
	switch n.Kind {
	case "DeclStmt":
		return c.declares(s)
	case "BinaryOperator":
		if n.Op == "=" && c.temporary[storage(n.Inner[0], true)] {
			c.refuse(s, "it", c.impure(n.Inner[1]))
			return true
		}
	case "CallExpr":
		if copying[calledName(n)] && len(n.Inner) > 1 && c.temporary[storage(n.Inner[1], true)] {
			c.refuse(s, "it", c.impure(&cprog.Node{Inner: n.Inner[2:]}))
			return true
		}
	}
	return !strings.HasSuffix(n.Kind, "Stmt") && c.impure(n) == ""
}

// refuse notes why an addition is not allowed, if there is a reason and none before it.
func (c *comparison) refuse(s statement, what, why string) {
	if why == "" || c.why != "" {
		return
	}
	if what != assertionIs {
		what = fmt.Sprintf("`%s` is no statement of the program, and %s", llm.Shorten(s.shown(), 80), what)
	}
	c.why, c.refused = fmt.Sprintf("line %d: %s %s", s.Begin.Line, what, why), int(s.Begin.Offset)
}

const assertionIs = "the assertion"

// asserted returns the condition of the assert(…) that a statement is, or nil.
func asserted(s statement) *cprog.Node {
	if s.Begin.Macro != nil && strings.HasPrefix(squeezed(s.text), "assert ( ") {
		for in := range s.All() {
			if condition := in.Assertion(); condition != nil {
				return condition
			}
		}
	}
	return nil
}

// declares takes the variables of a declaration as temporaries, and reports whether they are that: all
// have names that the seed does not use. Of a variable that keeps the result of a call of the seed
// the call is left.
func (c *comparison) declares(s statement) bool {
	for _, v := range s.Inner {
		if v.Kind != "VarDecl" || c.seed.names[v.Name] {
			return false
		}
	}
	for _, v := range s.Inner {
		c.temporary[v.Decl] = true
		t := v.Type.Desugared
		aggregate := strings.HasSuffix(t, "]") || strings.HasPrefix(t, "struct ") || strings.HasPrefix(t, "union ")
		switch {
		case v.Storage != "":
			c.refuse(s, "a temporary", "has no storage class")
		case v.Init == "" && !aggregate:
			c.refuse(s, "the temporary", v.Name+" has no initial value")
		}
		for _, in := range v.Inner {
			why := c.impure(in)
			for in.Kind == "ImplicitCastExpr" && len(in.Inner) == 1 {
				in = in.Inner[0]
			}
			switch {
			case strings.HasSuffix(in.Kind, "Attr"):
				c.refuse(s, "a temporary", "has no attributes")
			case why != "" && len(s.Inner) == 1 && (in.Kind == "CallExpr" || in.Kind == "CXXMemberCallExpr"):
				c.cut(int(s.Begin.Offset), int(in.Begin.Offset))
				return false
			default:
				c.refuse(s, "its value", why)
			}
		}
	}
	return true
}

// copies are the functions that fill a temporary.
const copies = "memcpy memmove memset strcpy strncpy"

// storage returns the variable of whose own storage an expression names a part, or takes the
// address; nil if it reads a pointer on the way. An offset may be added if that is said; the
// sanitizers see that it stays in the variable.
func storage(n *cprog.Node, offset bool) *cprog.Decl {
	for {
		switch n.Kind {
		case "DeclRefExpr":
			return n.Decl
		case "ParenExpr", "CStyleCastExpr", "ArraySubscriptExpr":
		case "ImplicitCastExpr":
			if n.Op == "LValueToRValue" {
				return nil
			}
		case "MemberExpr":
			if n.Is(cprog.Arrow) {
				return nil
			}
		case "UnaryOperator":
			if n.Op != "&" {
				return nil
			}
		case "BinaryOperator":
			if n.Op != "+" || !offset {
				return nil
			}
		default:
			return nil
		}
		if len(n.Inner) == 0 {
			return nil
		}
		n = n.Inner[0]
	}
}

// impure says what an expression does beside computing a value; "" if nothing.
func (c *comparison) impure(n *cprog.Node) string {
	why := ""
	switch n.Kind {
	case "UnaryExprOrTypeTraitExpr", "CXXNoexceptExpr", "CXXTypeidExpr":
		return ""
	case "BinaryOperator", "CompoundAssignOperator":
		if n.Op == "=" || n.Kind == "CompoundAssignOperator" {
			why = "assigns"
		}
	case "UnaryOperator":
		if n.Op == "++" || n.Op == "--" {
			why = "changes a variable with " + n.Op
		}
	case "StmtExpr", "LambdaExpr", "CXXNewExpr", "CXXDeleteExpr", "CXXThrowExpr", "GCCAsmStmt", "AtomicExpr", "VAArgExpr":
		why = "is more than a value (" + n.Kind + ")"
	case "CallExpr":
		switch name := calledName(n); {
		case name == "":
			why = "calls through a pointer"
		case !pureFunctions[name] && !c.observers[name]:
			why = "calls " + name + ", which may change the state or is no function that assertions may use"
		}
	case "CXXMemberCallExpr":
		why = impureMethod(n)
	case "CXXOperatorCallExpr":
		if op := strings.TrimPrefix(calledName(n), "operator"); !readers[op] {
			why = "calls operator" + op
		}
	}
	if n.Op == "PointerToIntegral" {
		why = "depends on the value of an address"
	}
	for _, in := range n.Inner {
		if why == "" {
			why = c.impure(in)
		}
	}
	return why
}

// calledName returns the name of the function that a call resolves to, or "".
func calledName(call *cprog.Node) string {
	if call.Decl == nil {
		return ""
	}
	return call.Decl.Name
}

// told are the functions of the standard library that only read their arguments, as a prompt names them; others are
// what macros call, and C++.
const told = `memcmp memchr strcmp strncmp strcasecmp strncasecmp strcoll strlen strnlen strchr strrchr
	strstr strspn strcspn strpbrk abs labs llabs fabs fabsf fabsl floor floorf ceil ceilf round roundf trunc fmod fmodf
	sqrt sqrtf pow exp log log2 log10 fmin fmax ldexp lround llround isnan isinf isfinite signbit
	isalnum isalpha isdigit islower isspace isupper isxdigit isprint ispunct iscntrl tolower toupper`

var (
	copying       = clex.Set(copies)
	pureFunctions = clex.Set(told + ` begin end min max
	__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __isnan __isinf __finite __fpclassify
	__builtin_isnan __builtin_isinf __builtin_isinf_sign __builtin_isfinite __builtin_isnormal __builtin_signbit
	__builtin_fpclassify __builtin_fabs __builtin_inf __builtin_inff __builtin_nan __builtin_nanf __builtin_huge_val
	__builtin_huge_valf __builtin_expect __builtin_strlen __builtin_strcmp __builtin_memcmp
	__builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_popcount`)
	// readers are the overloaded operators that only compute.
	readers = clex.Set("== != < > <= >= + - * / % [] -> ! && || bool")
)

// impureMethod says why the call of a method is more than a question: it is one if the object
// is const there, and no argument is a pointer to write through.
func impureMethod(n *cprog.Node) string {
	if len(n.Inner) == 0 || len(n.Inner[0].Inner) == 0 {
		return "calls through a pointer"
	}
	method, object := n.Inner[0], n.Inner[0].Inner[0]
	if !strings.HasPrefix(object.Type.Desugared, "const ") {
		return "calls " + method.Name + ", which may change its object"
	}
	for _, a := range n.Inner[1:] {
		if writable(a) {
			return "passes a pointer through which the callee may write"
		}
	}
	return ""
}

// writable reports whether a callee could write through an argument.
func writable(a *cprog.Node) bool {
	if a.Kind == "CXXDefaultArgExpr" || a.Type == nil {
		return false
	}
	t := strings.NewReplacer("__restrict", "", "restrict", "").Replace(a.Type.Desugared)
	t = strings.TrimSuffix(strings.TrimSpace(t), " const")
	n := strings.Count(t, "*")
	return n > 1 || n == 1 && !strings.HasPrefix(t, "const ")
}
