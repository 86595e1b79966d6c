package auvc

import (
	"math/big"
)

// in is the condition that a number is in a set: as a condition on what the number is made of,
// as far as that can be said.
func (t *table) in(n *node, s set) *cond {
	if n.isInt() {
		return t.always(s.has(n.val))
	}
	if n.op == "float" {
		return t.always(s.has(floatKey(n.f)))
	}
	if n.float > 0 {
		return t.floatIn(n, s)
	}
	s = s.within(n.lo, n.hi)
	if len(s.cuts) == 0 {
		return t.always(s.inside)
	}
	if n.zero != nil {
		if holds, ok := s.zeroAmong(n.lo, n.hi); ok {
			if holds {
				return n.zero
			}
			return t.not(n.zero)
		}
	}
	switch n.op {
	case "bool": // both 0 and 1 are told apart
		if s.has(one) {
			return n.cond
		}
		return t.not(n.cond)
	case "ite":
		return t.choose(n.args[0].cond, t.in(n.args[1], s), t.in(n.args[2], s))
	case "lin":
		return t.linearIn(n, s)
	case "wrap":
		if back, ok := unwrapped(n, s); ok {
			return t.in(n.args[0], back)
		}
	case "div":
		return t.in(n.args[0], s.each(func(p span) []span { return []span{undivided(p, n.val)} }))
	case "abs":
		return t.in(n.args[0], s.within(n.lo, nil).each(mirrored))
	}
	return t.atom(n, s)
}

// atom is the condition that a value of which nothing more is known is in a set.
func (t *table) atom(n *node, s set) *cond {
	kids := make([]*cond, len(s.cuts)+1)
	for i, in := 0, s.inside; i < len(kids); i, in = i+1, !in {
		kids[i] = t.always(in)
	}
	return t.branch(n, s.cuts, kids)
}

// mirrored returns a span of numbers that are not negative, and its negative.
func mirrored(p span) []span {
	if p.lo == nil || p.lo.Sign() < 0 {
		p.lo = new(big.Int)
	}
	if p.hi == nil {
		return []span{p, {nil, negative(p.lo)}}
	}
	return []span{p, {negative(p.hi), negative(p.lo)}}
}

// linearIn takes the common factor and the constant out of a sum.
func (t *table) linearIn(n *node, s set) *cond {
	g := new(big.Int)
	for _, k := range n.coef {
		g.GCD(nil, nil, g, new(big.Int).Abs(k))
	}
	if n.coef[0].Sign() < 0 {
		g.Neg(g)
	}
	coef := make([]*big.Int, len(n.coef))
	for i, k := range n.coef {
		coef[i] = new(big.Int).Quo(k, g)
	}
	k := new(big.Int).Abs(g)
	back := s.each(func(p span) []span {
		p.lo, p.hi = plus(p.lo, number(-1), n.val), plus(p.hi, number(-1), n.val)
		if g.Sign() < 0 {
			p.lo, p.hi = bound(p.hi, negative), bound(p.lo, negative)
		}
		return []span{{bound(p.lo, func(v *big.Int) *big.Int { return ceilDiv(v, k) }), bound(p.hi, func(v *big.Int) *big.Int { return floorDiv(v, k) })}}
	})
	m := t.linear(n.args, coef, new(big.Int))
	if m == n { // nothing to take out
		return t.atom(n, s)
	}
	return t.in(m, back)
}

// unwrapped returns the numbers that wrap into a set, if the wrapped number's range is only a
// few times that of its width.
func unwrapped(n *node, s set) (set, bool) {
	const most = 4
	in := n.args[0]
	if in.lo == nil || in.hi == nil {
		return set{}, false
	}
	whole := power(int(new(big.Int).Abs(n.val).Int64()))
	from, to := floorDiv(less(in.lo, n.lo), whole), floorDiv(less(in.hi, n.lo), whole)
	if new(big.Int).Sub(to, from).Cmp(number(most)) > 0 {
		return set{}, false
	}
	var list []span
	for k := new(big.Int).Set(from); k.Cmp(to) <= 0; k = sum(k, one) {
		for _, p := range s.spans() {
			p = p.clamp(n.lo, n.hi)
			list = append(list, span{plus(p.lo, k, whole), plus(p.hi, k, whole)})
		}
	}
	return spans(list...), true
}

// undivided returns the numbers whose quotient by k > 0, rounded towards 0, is in a span.
func undivided(p span, k *big.Int) span {
	var q span
	if p.lo != nil {
		q.lo = times(p.lo, k)
		if p.lo.Sign() <= 0 {
			q.lo = less(q.lo, less(k, one))
		}
	}
	if p.hi != nil {
		q.hi = times(p.hi, k)
		if p.hi.Sign() >= 0 {
			q.hi = sum(q.hi, less(k, one))
		}
	}
	return q
}

// equal is the condition that two numbers are equal; smaller that one is smaller than another.
func (t *table) equal(a, b *node) *cond {
	switch {
	case a == b && a.float == 0:
		return t.yes
	case a.float > 0 || b.float > 0:
		return t.floatCompare("==", a, b)
	case a.op == "bool" && b.op == "bool":
		return t.choose(a.cond, b.cond, t.not(b.cond))
	case a.op == "ite" && b.isInt():
		return t.in(a, spans(span{b.val, b.val}))
	case b.op == "ite" && a.isInt():
		return t.in(b, spans(span{a.val, a.val}))
	}
	return t.in(t.sub(a, b), onlyZero)
}

func (t *table) smaller(a, b *node) *cond {
	if a.float > 0 || b.float > 0 {
		return t.floatCompare("<", a, b)
	}
	return t.in(t.sub(a, b), spans(span{nil, number(-1)}))
}

// nonzero is what a condition of C asks of a value.
func (t *table) nonzero(n *node) *cond { return t.in(n, onlyZero.complement()) }
