package auvc

import (
	"math"
	"math/big"
)

// Floating-point values are told apart by a number that grows with them, the same for both
// zeros; NaN comes last. So their sets are sets of numbers (IEEE 754-2019, 5.10 but for the zeros).
func floatKey(f float64) *big.Int {
	if math.IsNaN(f) {
		return nanKey
	}
	bits := int64(math.Float64bits(math.Abs(f)))
	if f < 0 {
		bits = -bits
	}
	return number(bits)
}

var (
	infinity = number(int64(math.Float64bits(math.Inf(1))))
	nanKey   = sum(infinity, one)
)

// floatOf is the inverse of floatKey.
func floatOf(key *big.Int) float64 {
	switch {
	case key.Cmp(nanKey) >= 0:
		return math.NaN()
	case key.Sign() < 0:
		return -math.Float64frombits(uint64(-key.Int64()))
	}
	return math.Float64frombits(key.Uint64())
}

// floatConst is a floating-point number of a width; what is wider than double is rounded to it.
func (t *table) floatConst(f float64, bits int) *node {
	if bits == 32 {
		f = float64(float32(f))
	}
	return t.keep(node{op: "float", f: f, float: bits})
}

func (t *table) floatSymbol(name string, bits int, args ...*node) *node {
	return t.keep(node{op: name, args: args, float: bits})
}

// floatIn is in for floating-point values.
func (t *table) floatIn(n *node, s set) *cond {
	if n.float == 32 { // between two floats there is nothing
		out := set{inside: s.inside}
		for _, c := range s.cuts {
			out.cuts = append(out.cuts, roundedUp(c))
		}
		s = out.each(func(p span) []span { return []span{p} })
	}
	s = s.within(negative(infinity), nanKey)
	if len(s.cuts) == 0 {
		return t.always(s.inside)
	}
	switch n.op {
	case "ite":
		return t.choose(n.args[0].cond, t.in(n.args[1], s), t.in(n.args[2], s))
	case "fabs":
		return t.in(n.args[0], numbers(s).within(new(big.Int), nil).each(mirrored).with(s.has(nanKey)))
	case "i2f":
		if in := n.args[0]; in.lo != nil && in.hi != nil {
			return t.in(in, numbers(s).each(func(p span) []span { return []span{unrounded(in, n.float, p)} }))
		}
	}
	return t.atom(n, s)
}

// roundedUp is the key of the first float from there on.
func roundedUp(key *big.Int) *big.Int {
	f := floatOf(key)
	if math.IsNaN(f) {
		return nanKey
	}
	r := float32(f)
	if float64(r) < f {
		r = math.Nextafter32(r, float32(math.Inf(1)))
	}
	return floatKey(float64(r))
}

// numbers returns the set without NaN.
func numbers(s set) set {
	return s.each(func(p span) []span { return []span{p.clamp(negative(infinity), infinity)} })
}

// with returns a set of numbers with NaN, or without.
func (s set) with(nan bool) set {
	list := numbers(s).spans()
	if nan {
		list = append(list, span{nanKey, nil})
	}
	return spans(list...)
}

// unrounded returns the integers that become a floating-point number of a span: conversion is
// monotonous.
func unrounded(in *node, bits int, p span) span {
	first := func(ok func(*big.Int) bool) *big.Int { // the first of in's range for which ok holds
		lo, width := in.lo, less(in.hi, in.lo)
		at := new(big.Int)
		for bit := width.BitLen(); bit >= 0; bit-- { // the largest offset for which it does not
			next := sum(at, power(bit))
			if next.Cmp(width) <= 0 && !ok(sum(lo, next)) {
				at = next
			}
		}
		if ok(sum(lo, at)) {
			return sum(lo, at)
		}
		return sum(sum(lo, at), one)
	}
	key := func(v *big.Int) *big.Int { return floatKey(rounded(v, bits)) }
	lo := first(func(v *big.Int) bool { return key(v).Cmp(p.lo) >= 0 })
	hi := less(first(func(v *big.Int) bool { return key(v).Cmp(p.hi) > 0 }), one)
	return span{lo, hi}
}

// rounded is the floating-point number nearest to an integer.
func rounded(v *big.Int, bits int) float64 {
	x := new(big.Float).SetInt(v)
	if bits == 32 {
		f, _ := x.Float32()
		return float64(f)
	}
	f, _ := x.Float64()
	return f
}

// floatCompare is ==, < or <= of floating-point values, which NaN fails.
func (t *table) floatCompare(op string, a, b *node) *cond {
	x, constX := floatValue(a)
	y, constY := floatValue(b)
	if op == "==" && (constX || !constY && a.id > b.id) {
		a, b, x, y, constX, constY = b, a, y, x, constY, constX
	}
	least, most := negative(infinity), infinity
	switch {
	case constX && math.IsNaN(x) || constY && math.IsNaN(y):
		return t.no
	case a == b && op == "<":
		return t.no
	case a == b:
		return t.number(a)
	case constY && op == "==":
		return t.in(a, spans(span{floatKey(y), floatKey(y)}))
	case constY && op == "<":
		return t.in(a, spans(span{least, less(floatKey(y), one)}))
	case constY:
		return t.in(a, spans(span{least, floatKey(y)}))
	case constX && op == "<":
		return t.in(b, spans(span{sum(floatKey(x), one), most}))
	case constX:
		return t.in(b, spans(span{floatKey(x), most}))
	}
	return t.in(t.function("f"+op, number(0), one, a, b), onlyZero.complement())
}

// number is the condition that a floating-point value is not NaN.
func (t *table) number(a *node) *cond { return t.in(a, spans(span{negative(infinity), infinity})) }

func floatValue(n *node) (float64, bool) { return n.f, n.op == "float" }

// compute is +, -, * or / of floating-point values of a width.
func (t *table) compute(op string, a, b *node, bits int) *node {
	x, constX := floatValue(a)
	y, constY := floatValue(b)
	if constX && constY && bits <= 64 {
		switch op {
		case "+":
			x += y
		case "-":
			x -= y
		case "*":
			x *= y
		case "/":
			x /= y
		}
		return t.floatConst(x, bits) // of two floats exactly rounded: Figueroa, 1995
	}
	if (op == "+" || op == "*") && (constX || !constY && a.id > b.id) {
		a, b, y, constY = b, a, x, constX // both commute
	}
	switch {
	case op == "+" && a == b:
		return t.compute("*", a, t.floatConst(2, bits), bits) // doubling is exact either way
	case (op == "*" || op == "/") && constY && y == 1, op == "-" && constY && y == 0 && !math.Signbit(y):
		return a
	}
	return t.floatSymbol("f"+op, bits, a, b)
}

// flip is -x.
func (t *table) flip(a *node) *node {
	if x, ok := floatValue(a); ok {
		return t.floatConst(-x, a.float)
	}
	return t.floatSymbol("fneg", a.float, a)
}

// magnitude is fabs; |a - b| is |b - a|.
func (t *table) magnitude(a *node) *node {
	if x, ok := floatValue(a); ok {
		return t.floatConst(math.Abs(x), a.float)
	}
	if a.op == "f-" && a.args[0].id > a.args[1].id {
		a = t.floatSymbol("f-", a.float, a.args[1], a.args[0])
	}
	return t.floatSymbol("fabs", a.float, a)
}

// toFloat converts a number or a floating-point value to a width.
func (t *table) toFloat(n *node, bits int) *node {
	x, constant := floatValue(n)
	switch {
	case n.isInt():
		return t.floatConst(rounded(n.val, bits), bits)
	case n.float == 0:
		return t.floatSymbol("i2f", bits, n)
	case constant && (bits <= 64 || n.float <= bits):
		return t.floatConst(x, bits)
	case n.float <= bits:
		return n // holds the same value
	}
	return t.floatSymbol("narrow", bits, n)
}

// toInt cuts the fraction off.
func (t *table) toInt(n *node) *node {
	if x, ok := floatValue(n); ok && !math.IsNaN(x) && !math.IsInf(x, 0) {
		v, _ := big.NewFloat(x).Int(nil)
		return t.int(v)
	}
	return t.function("f2i", nil, nil, n)
}
