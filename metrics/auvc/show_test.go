package auvc

import (
	"fmt"
	"strings"
)

// String shows a term to people who ask why a test fails.
func (n *term) String() string { return n.shown(0) }

func (n *term) shown(depth int) string {
	switch {
	case n.op == constant && n.shape.kind == float:
		return fmt.Sprint(n.value.f)
	case n.op == constant:
		return fmt.Sprint(int64(n.value.n))
	case depth > 9:
		return "…"
	}
	parts := []string{}
	for _, a := range n.args {
		parts = append(parts, a.shown(depth+1))
	}
	return n.op + " " + n.name + n.value.s + "(" + strings.Join(parts, ", ") + ")"
}
