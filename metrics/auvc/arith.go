package auvc

import (
	"math/big"
)

// multiply, divide and the others are C's operators on numbers, before the result is put into its
// type. What they cannot say is a function of the operands.
func (t *table) multiply(a, b *node) *node {
	switch {
	case a.isInt():
		return t.scale(b, a.val)
	case b.isInt():
		return t.scale(a, b.val)
	}
	if a.id > b.id {
		a, b = b, a
	}
	if a == b {
		return t.function("*", new(big.Int), nil, a, b)
	}
	var lo, hi *big.Int
	if a.natural() && b.natural() {
		if lo = times(a.lo, b.lo); a.hi != nil && b.hi != nil {
			hi = times(a.hi, b.hi)
		}
	}
	return t.function("*", lo, hi, a, b)
}

func (t *table) divide(a, b *node) *node {
	if !b.isInt() || b.val.Sign() == 0 {
		return t.function("/", nil, nil, a, b)
	}
	if a.isInt() {
		return t.int(new(big.Int).Quo(a.val, b.val))
	}
	k := b.val
	if k.Sign() < 0 {
		return t.scale(t.divide(a, t.int(negative(k))), number(-1))
	}
	if k.Cmp(one) == 0 {
		return a
	}
	quotient := func(v *big.Int) *big.Int { return new(big.Int).Quo(v, k) }
	return t.keep(node{op: "div", args: []*node{a}, val: k, lo: bound(a.lo, quotient), hi: bound(a.hi, quotient)})
}

func (t *table) remainder(a, b *node) *node {
	if !b.isInt() || b.val.Sign() == 0 {
		return t.function("%", nil, nil, a, b)
	}
	if a.isInt() {
		return t.int(new(big.Int).Rem(a.val, b.val))
	}
	k := new(big.Int).Abs(b.val)
	bits, isPower := log2(k)
	if isPower && a.natural() {
		return t.wrapOrZero(a, bits)
	}
	most := less(k, one)
	n := node{op: "rem", args: []*node{a}, val: k, lo: negative(most), hi: most}
	if a.natural() {
		n.lo = new(big.Int)
	}
	if isPower {
		n.zero = t.in(t.wrapOrZero(a, bits), onlyZero)
	}
	return t.keep(n)
}

// wrapOrZero is wrap without a sign, also of no bits.
func (t *table) wrapOrZero(a *node, bits int) *node {
	if bits == 0 {
		return t.num(0)
	}
	return t.wrap(a, bits, false)
}

// log2 returns the exponent of a power of 2.
func log2(v *big.Int) (bits int, ok bool) {
	if v.Sign() <= 0 || new(big.Int).And(v, less(v, one)).Sign() != 0 {
		return 0, false
	}
	return v.BitLen() - 1, true
}

func (t *table) shift(op string, a, b *node) *node {
	if !b.isInt() || b.val.Sign() < 0 || b.val.Cmp(number(1<<10)) > 0 {
		return t.function(op, nil, nil, a, b)
	}
	k := power(int(b.val.Int64()))
	switch {
	case op == "<<":
		return t.scale(a, k)
	case a.isInt():
		return t.int(floorDiv(a.val, k))
	case b.val.Sign() == 0:
		return a
	}
	shifted := func(v *big.Int) *big.Int { return floorDiv(v, k) }
	return t.keep(node{op: "shr", args: []*node{a}, val: k, lo: bound(a.lo, shifted), hi: bound(a.hi, shifted)})
}

// bitwise is &, | or ^.
func (t *table) bitwise(op string, a, b *node) *node {
	if a.isInt() && b.isInt() {
		v := new(big.Int)
		switch op {
		case "&":
			v.And(a.val, b.val)
		case "|":
			v.Or(a.val, b.val)
		case "^":
			v.Xor(a.val, b.val)
		}
		return t.int(v)
	}
	if a.op == "bool" && b.op == "bool" {
		switch op {
		case "&":
			return t.truth(t.and(a.cond, b.cond))
		case "|":
			return t.truth(t.or(a.cond, b.cond))
		case "^":
			return t.truth(t.not(t.choose(a.cond, b.cond, t.not(b.cond))))
		}
	}
	if a.isInt() || !b.isInt() && a.id > b.id {
		a, b = b, a
	}
	if b.isInt() {
		if n := t.masked(op, a, b.val); n != nil {
			return n
		}
	}
	if a == b {
		if op == "^" {
			return t.num(0)
		}
		return a
	}
	n := node{op: op, args: []*node{a, b}}
	if a.natural() && b.natural() {
		n.lo = new(big.Int)
		n.hi = bound(higher(a.hi, b.hi), func(v *big.Int) *big.Int { return less(power(v.BitLen()), one) })
	}
	if op == "&" && b.isInt() && b.val.Sign() >= 0 {
		n.lo, n.hi = new(big.Int), b.val
	}
	if op == "^" {
		n.zero = t.equal(a, b)
	}
	return t.keep(n)
}

// masked is an operation with a constant that is simpler than its bits; nil if there is none.
func (t *table) masked(op string, a *node, mask *big.Int) *node {
	switch {
	case op != "&" && mask.Sign() == 0:
		return a
	case op != "&":
		return nil
	case mask.Sign() == 0:
		return t.num(0)
	case mask.Cmp(number(-1)) == 0:
		return a
	}
	if bits, ok := log2(sum(mask, one)); ok { // the lowest bits
		return t.wrapOrZero(a, bits)
	}
	if bit, ok := log2(mask); ok { // one bit
		return t.scale(t.wrapOrZero(t.shift(">>", a, t.num(int64(bit))), 1), mask)
	}
	return nil
}

// absolute is abs, whose argument is not the smallest number of its type (C17 7.22.6.1).
func (t *table) absolute(a *node) *node {
	if a.isInt() {
		return t.int(new(big.Int).Abs(a.val))
	}
	if a.natural() {
		return a
	}
	return t.keep(node{op: "abs", args: []*node{a}, lo: new(big.Int), hi: higher(bound(a.lo, negative), a.hi)})
}

// either is a where c holds, and b elsewhere.
func (t *table) either(c *cond, a, b *node) *node {
	switch {
	case c == t.yes || a == b:
		return a
	case c == t.no:
		return b
	case isTruth(a) && isTruth(b):
		return t.truth(t.choose(c, t.nonzero(a), t.nonzero(b)))
	}
	return t.keep(node{op: "ite", args: []*node{t.truth(c), a, b}, float: max(a.float, b.float), lo: lower(a.lo, b.lo), hi: higher(a.hi, b.hi)})
}

func isTruth(n *node) bool {
	return n.op == "bool" || n.isInt() && (n.val.Sign() == 0 || n.val.Cmp(one) == 0)
}
