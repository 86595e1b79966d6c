package auvc

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A node is a value that a program computes, in a normal form. Two nodes of one table are the
// same pointer if they are the same function of the same unknowns by the laws that this package
// knows. An integer is a number, whatever the type that holds it; signed arithmetic does not
// overflow (C17 6.5), unsigned arithmetic has a "wrap" around it.
type node struct {
	id   int
	op   string // "int", "float", "lin", "wrap", …; anything else is a function of args that is not looked into
	args []*node
	coef []*big.Int // of "lin": Σ coef·args + val
	val  *big.Int   // of "int", "lin"; the bits of "wrap", negative if signed; the divisor of "div", "shr"
	f    float64    // of "float"
	// lo and hi are the smallest and the largest number that it can be; nil is infinite.
	lo, hi *big.Int
	float  int   // width of a floating-point value; 0 for others
	cond   *cond // of "bool": 1 if it holds, else 0
	// zero is, if not nil, a condition that holds exactly if the number is 0.
	zero *cond
}

// A table holds the nodes and conditions of one program.
type table struct {
	nodes     map[string]*node
	conds     map[string]*cond
	done      map[applied]*cond
	nots      map[int]*cond
	yes, no   *cond
	steps     int  // so far
	most      int  // steps allowed
	exhausted bool // since refill
	serial    int
}

func newTable() *table {
	return &table{nodes: map[string]*node{}, conds: map[string]*cond{}, done: map[applied]*cond{}, nots: map[int]*cond{},
		no: &cond{id: 0}, yes: &cond{id: 1}, most: maxAssertionSteps}
}

// keep returns the node like n that there is already, or n.
func (t *table) keep(n node) *node {
	var key strings.Builder
	fmt.Fprintf(&key, "%d:%s|%d", len(n.op), n.op, n.float)
	for i, a := range n.args {
		fmt.Fprintf(&key, ",%d", a.id)
		if n.coef != nil {
			key.WriteByte('*')
			key.WriteString(n.coef[i].Text(32))
		}
	}
	if n.val != nil {
		key.WriteByte('=')
		key.WriteString(n.val.Text(32))
	}
	if n.op == "float" {
		fmt.Fprintf(&key, "=%x", floatKey(n.f))
	}
	if n.cond != nil {
		fmt.Fprintf(&key, "?%d", n.cond.id)
	}
	if old, ok := t.nodes[key.String()]; ok {
		return old
	}
	n.id = len(t.nodes)
	kept := &n
	t.nodes[key.String()] = kept
	return kept
}

func (t *table) int(v *big.Int) *node { return t.keep(node{op: "int", val: v, lo: v, hi: v}) }

func (t *table) num(v int64) *node { return t.int(number(v)) }

// symbol is an unknown number.
func (t *table) symbol(name string, lo, hi *big.Int) *node {
	return t.keep(node{op: "$" + name, lo: lo, hi: hi})
}

// function is a function of nodes of which only its range is known.
func (t *table) function(name string, lo, hi *big.Int, args ...*node) *node {
	return t.keep(node{op: name, args: args, lo: lo, hi: hi})
}

// notNull is an address of which no more is known; a name with a $ is that of a symbol.
func (t *table) notNull(name string, args ...*node) *node {
	lo, hi := rangeOf(64, false)
	return t.function(name, sum(lo, one), hi, args...)
}

// truth is 1 if a condition holds, else 0.
func (t *table) truth(c *cond) *node {
	if c.on == nil {
		return t.num(int64(c.id))
	}
	return t.keep(node{op: "bool", cond: c, lo: number(0), hi: one})
}

func (n *node) isInt() bool { return n.op == "int" }

// natural reports whether a node is known not to be negative.
func (n *node) natural() bool { return n.lo != nil && n.lo.Sign() >= 0 }

// linear returns Σ coef·args + c.
func (t *table) linear(args []*node, coef []*big.Int, c *big.Int) *node {
	type part struct {
		n *node
		k *big.Int
	}
	var parts []part
	c = new(big.Int).Set(c)
	for i, a := range args {
		switch a.op {
		case "int":
			c.Add(c, times(coef[i], a.val))
		case "lin":
			c.Add(c, times(coef[i], a.val))
			for k, in := range a.args {
				parts = append(parts, part{in, times(coef[i], a.coef[k])})
			}
		default:
			parts = append(parts, part{a, coef[i]})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.n.id, b.n.id) })
	n := node{op: "lin", val: c, lo: c, hi: c}
	for i := 0; i < len(parts); {
		k := new(big.Int)
		first := i
		for ; i < len(parts) && parts[i].n == parts[first].n; i++ {
			k.Add(k, parts[i].k)
		}
		if k.Sign() == 0 {
			continue
		}
		n.args, n.coef = append(n.args, parts[first].n), append(n.coef, k)
		lo, hi := parts[first].n.lo, parts[first].n.hi
		if k.Sign() < 0 {
			lo, hi = hi, lo
		}
		n.lo, n.hi = plus(n.lo, k, lo), plus(n.hi, k, hi)
	}
	switch {
	case len(n.args) == 0:
		return t.int(c)
	case len(n.args) == 1 && c.Sign() == 0 && n.coef[0].Cmp(one) == 0:
		return n.args[0]
	}
	return t.keep(n)
}

// plus is a + k·b; nil is infinite.
func plus(a, k, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return sum(a, times(k, b))
}

func (t *table) add(a, b *node) *node {
	return t.linear([]*node{a, b}, []*big.Int{one, one}, new(big.Int))
}

func (t *table) sub(a, b *node) *node {
	return t.linear([]*node{a, b}, []*big.Int{one, number(-1)}, new(big.Int))
}

func (t *table) scale(a *node, k *big.Int) *node {
	return t.linear([]*node{a}, []*big.Int{k}, new(big.Int))
}

// rangeOf returns the smallest and the largest number of a width.
func rangeOf(bits int, signed bool) (lo, hi *big.Int) {
	if signed {
		half := power(bits - 1)
		return negative(half), less(half, one)
	}
	return new(big.Int), less(power(bits), one)
}

func inRange(n *node, lo, hi *big.Int) bool {
	return n.lo != nil && n.hi != nil && n.lo.Cmp(lo) >= 0 && n.hi.Cmp(hi) <= 0
}

// wrap converts a number to a width as C does: modulo 2 to its power (C17 6.3.1.3; of signed
// types as clang does).
func (t *table) wrap(n *node, bits int, signed bool) *node {
	lo, hi := rangeOf(bits, signed)
	if inRange(n, lo, hi) {
		return n
	}
	if n.isInt() {
		v := new(big.Int).And(n.val, less(power(bits), one))
		if v.Cmp(hi) > 0 {
			v.Sub(v, power(bits))
		}
		return t.int(v)
	}
	val := number(int64(bits))
	if signed {
		val.Neg(val)
	}
	return t.keep(node{op: "wrap", args: []*node{n}, val: val, lo: lo, hi: hi})
}

// substitute returns n with one node in place of another.
func (t *table) substitute(n, from, to *node) *node {
	return t.replaced(n, from, to, map[*node]*node{})
}

func (t *table) replaced(n, from, to *node, done map[*node]*node) *node {
	switch {
	case n == from:
		return to
	case len(n.args) == 0 || n.id < from.id: // arguments are older than what is made of them
		return n
	case done[n] != nil:
		return done[n]
	}
	args := make([]*node, len(n.args))
	for i, a := range n.args {
		args[i] = t.replaced(a, from, to, done)
	}
	out := n
	switch {
	case slices.Equal(args, n.args):
	case n.op == "lin":
		out = t.linear(args, n.coef, n.val)
	default:
		copied := *n
		copied.args, copied.zero = args, nil
		out = t.keep(copied)
	}
	done[n] = out
	return out
}
