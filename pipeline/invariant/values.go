package invariant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// maxValues bounds the operands of one assertion that are shown.
const maxValues = 12

// values runs programs whose assertion fails once more with the values of its operands printed
// before it.
func (c *checker) values(ctx context.Context, attempts []*attempt) error {
	var todo []*attempt
	for _, a := range attempts {
		if a.failure != nil && a.failure.assertion != nil && len(operands(a)) > 0 {
			todo = append(todo, a)
		}
	}
	results, err := c.execute(ctx, todo, instrumented, trial.ExecOptions{Stdout: true})
	if err != nil {
		return err
	}
	for i, a := range todo {
		for _, value := range suspicion.Values(results[i].Stdout) {
			a.failure.values = append(a.failure.values, llm.Shorten(value, 200))
		}
	}
	return nil
}

// instrumented is the program of an attempt with the values printed.
func instrumented(a *attempt) string {
	at := a.failure.assertion.begin
	return "#include <stdio.h>\n" + a.source[:at] + strings.Join(operands(a), "") + a.source[at:]
}

// quoting makes text what it is in a C format string.
var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "?", `\?`)

// operands are statements that print the parts of the failing condition that have a value of their
// own and are no constants, the smaller ones first, as they are evaluated.
func operands(a *attempt) []string {
	var list []string
	var visit func(n *cprog.Node)
	visit = func(n *cprog.Node) {
		switch n.Kind {
		case "UnaryExprOrTypeTraitExpr":
			return
		case "DeclRefExpr", "MemberExpr", "ArraySubscriptExpr", "CallExpr", "CXXMemberCallExpr":
			text := spelled(a.source, n)
			format, value := printed(n.Type.Desugared)
			if text == "" || format == "" || len(list) == maxValues {
				break
			}
			statement := fmt.Sprintf("printf(\"%s%s = %s\\n\", %s); fflush(stdout);\n    ",
				suspicion.ValueMark, quoting.Replace(text), format, strings.ReplaceAll(value, "$", text))
			if !slices.Contains(list, statement) {
				list = append(list, statement)
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(a.failure.assertion.node)
	slices.Reverse(list) // of p->n, first p
	return list
}

// spelled is the text of an expression among the arguments of a macro; "" if it is not all
// written there.
func spelled(source string, n *cprog.Node) string {
	b, e := n.Begin.Macro, n.End.Macro
	if b == nil || e == nil || b.File != cprog.Main || e.File != cprog.Main || b.Offset > e.Offset || int(e.Offset+e.Len) > len(source) {
		return ""
	}
	text := plain(source[b.Offset : e.Offset+e.Len])
	if strings.Contains(text, "\n") || strings.Count(text, "(") != strings.Count(text, ")") {
		return ""
	}
	return text
}

// printed says how a value of a type is printed, with $ for its text: never where a pointer points to.
func printed(t string) (format, value string) {
	t = strings.TrimSpace(strings.ReplaceAll(strings.TrimSuffix(t, "const"), "const ", ""))
	switch t {
	case "char *":
		return `\"%.60s\"`, `($) ? (const char *)($) : "NULL"`
	case "float", "double":
		return "%.17g", "(double)($)"
	case "unsigned char", "unsigned short", "unsigned int", "unsigned long", "unsigned long long":
		return "%llu", "(unsigned long long)($)"
	case "char", "signed char", "short", "int", "long", "long long", "bool", "_Bool":
		return "%lld", "(long long)($)"
	}
	var size int
	switch n, _ := fmt.Sscanf(t, "char[%d]", &size); {
	case n == 1:
		return fmt.Sprintf(`\"%%.%ds\"`, min(size, 60)), "$"
	case strings.HasPrefix(t, "enum "):
		return "%lld", "(long long)($)"
	case strings.HasSuffix(t, "*"):
		return "%s", `($) ? "not NULL" : "NULL"`
	}
	return "", ""
}
