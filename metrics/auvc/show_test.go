package auvc

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

// Conditions are shown to people who ask why a test fails.

// conditionsOf are the conditions of a program's assertions, in their order.
func conditionsOf(t *testing.T, c *Counter, flags toolchain.Flags, u toolchain.Unit) string {
	t.Helper()
	read, err := c.Compiler.Read(t.Context(), t.TempDir(), flags, []toolchain.Unit{u})
	if err != nil {
		t.Fatal(err)
	}
	p, err := read[0].Program()
	if err != nil || p == nil {
		t.Fatalf("%s is not read: %v", u.ID, err)
	}
	_, all, _ := assertionsOf(p)
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "line %d: %s\n", a.line, a.holds)
	}
	return b.String()
}

// String shows a condition.
func (c *cond) String() string {
	if c.on == nil {
		return map[int]string{0: "false", 1: "true"}[c.id]
	}
	var b strings.Builder
	c.write(&b, 0)
	return b.String()
}

func (c *cond) write(b *strings.Builder, depth int) {
	const most = 600 // bytes that a person reads
	if b.Len() > most || depth > 20 {
		b.WriteString("…")
		return
	}
	if c.on == nil {
		b.WriteString(c.String())
		return
	}
	fmt.Fprintf(b, "[%s: ", c.on)
	for i, k := range c.kids {
		if i > 0 {
			fmt.Fprintf(b, " |%v| ", c.on.shown(c.cuts[i-1]))
		}
		k.write(b, depth+1)
	}
	b.WriteByte(']')
}

// shown is how people read a number at which a condition changes.
func (n *node) shown(v *big.Int) any {
	if n.float > 0 {
		return floatOf(v)
	}
	return v
}

func (n *node) String() string { return n.text(0) }

func (n *node) text(depth int) string {
	switch {
	case n.op == "int":
		return n.val.String()
	case n.op == "float":
		return fmt.Sprint(n.f)
	case n.op == "bool":
		return "bool " + n.cond.String()
	case depth > 5:
		return "…"
	case len(n.args) == 0:
		return strings.TrimPrefix(n.op, "$")
	}
	var parts []string
	for i, a := range n.args {
		s := a.text(depth + 1)
		if n.coef != nil {
			s = n.coef[i].String() + "·" + s
		}
		parts = append(parts, s)
	}
	if n.val != nil {
		parts = append(parts, n.val.String())
	}
	return n.op + "(" + strings.Join(parts, " ") + ")"
}
