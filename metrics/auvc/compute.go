package auvc

import (
	"math"
	"strings"
)

func truth(holds bool) val {
	if holds {
		return val{n: 1}
	}
	return val{}
}

func (v val) isTrue() bool {
	if v.shape.kind == float {
		return v.f != 0
	}
	return v.n != 0
}

// fit puts a number into a width (C17 6.3.1.3; of signed types as clang does).
func fit(n uint64, s shape) uint64 {
	unused := 64 - s.bits
	if s.signed {
		return uint64(int64(n<<unused) >> unused)
	}
	return n << unused >> unused
}

// apply computes an operation on values. The operands of a comparison have one shape, by the
// conversions that the compiler has put in.
func apply(op string, to shape, v []val) val {
	for _, a := range v {
		if a.undefined {
			return val{undefined: true}
		}
	}
	from := v[0].shape
	switch op {
	case cast:
		return convert(v[0], from, to)
	case "!":
		return truth(!v[0].isTrue())
	case "&&":
		return truth(v[0].isTrue() && v[1].isTrue())
	case "||":
		return truth(v[0].isTrue() || v[1].isTrue())
	case "==", "!=", "<", "<=":
		return truth(compare(op, v[0], v[1], from))
	}
	if out, ok := function(op, v); ok {
		return out
	}
	if to.kind == float {
		return floating(op, v, to)
	}
	return integer(op, v[0], v[1], to)
}

func compare(op string, a, b val, s shape) bool {
	switch {
	case op == "!=":
		return !compare("==", a, b, s)
	case op == "<=" && s.kind == float:
		return a.f <= b.f
	case op == "<=":
		return !compare("<", b, a, s)
	case s.kind == text && op == "==":
		return a.s == b.s
	case s.kind == float && op == "==":
		return a.f == b.f
	case s.kind == float:
		return a.f < b.f
	case op == "==":
		return a.n == b.n
	case s.signed:
		return int64(a.n) < int64(b.n)
	}
	return a.n < b.n
}

// convert converts a value of one shape to another (C17 6.3.1). What does not fit an integer when its
// fraction is cut off is undefined.
func convert(v val, from, to shape) val {
	out := val{origin: v.origin}
	switch {
	case from.kind == float && to.kind == float:
		out.f = rounded(v.f, to)
	case to.kind == float && from.signed:
		out.f = rounded(float64(int64(v.n)), to)
	case to.kind == float:
		out.f = rounded(float64(v.n), to)
	case from.kind == float:
		whole := math.Trunc(v.f)
		low, high := 0.0, math.Ldexp(1, to.bits)
		if to.signed {
			low, high = -high/2, high/2
		}
		switch {
		case !(whole >= low && whole < high):
			out.undefined = true
		case whole < 0:
			out.n = uint64(int64(whole))
		default:
			out.n = uint64(whole)
		}
	default:
		out.n = fit(v.n, to)
	}
	return out
}

func rounded(f float64, to shape) float64 {
	if to.bits == 32 {
		return float64(float32(f))
	}
	return f
}

func floating(op string, v []val, to shape) val {
	a, b := v[0], v[1]
	var f float64
	switch op {
	case "+":
		f = a.f + b.f
	case "-":
		f = a.f - b.f
	case "*":
		f = a.f * b.f
	case "/":
		f = a.f / b.f
	}
	return val{f: rounded(f, to), origin: combined(op, a, b)}
}

// integer is C's arithmetic. Signed numbers that overflow, division by 0, shifts by too much and steps from null are
// undefined (C17 6.5).
func integer(op string, a, b val, to shape) val {
	x, y := a.n, b.n
	n, overflow := uint64(0), false
	switch op {
	case "+":
		n = x + y
		overflow = int64((x^n)&(y^n)) < 0
	case "-":
		n = x - y
		overflow = int64((x^y)&(x^n)) < 0
	case "*":
		n = x * y
		overflow = x != 0 && (int64(n)/int64(x) != int64(y) || int64(x) == -1 && int64(y) == math.MinInt64)
	case "/", "%":
		if y == 0 || to.signed && int64(y) == -1 && x == fit(1<<(to.bits-1), to) {
			return val{undefined: true}
		}
		switch {
		case to.signed && op == "/":
			n = uint64(int64(x) / int64(y))
		case to.signed:
			n = uint64(int64(x) % int64(y))
		case op == "/":
			n = x / y
		default:
			n = x % y
		}
	case "<<", ">>":
		if y >= uint64(to.bits) {
			return val{undefined: true}
		}
		switch {
		case op == "<<":
			n = x << y
		case to.signed:
			n = uint64(int64(x) >> y)
		default:
			n = x >> y
		}
	case "&":
		n = x & y
	case "|":
		n = x | y
	case "^":
		n = x ^ y
	}
	out := val{n: fit(n, to), origin: combined(op, a, b)}
	switch {
	case to.kind == address:
		out.undefined = (n < x) != (int64(y) < 0) || x == 0 && y != 0 // an address beyond all objects, or of none
	case to.signed && strings.Contains("+-*", op):
		out.undefined = overflow || out.n != n
	}
	return out
}

// function computes a function of the C library, or of this package, whose meaning matters to assertions. ok is false
// for any other.
func function(op string, v []val) (out val, ok bool) {
	a := v[0]
	switch op {
	case "abs":
		if out = a; int64(a.n) < 0 {
			out = integer("-", val{}, a, a.shape)
		}
	case "fabs":
		if out = a; math.Signbit(a.f) {
			out = negated(a)
		}
	case "negative":
		out = negated(a)
	case "isnan":
		out = truth(math.IsNaN(a.f))
	case "isinf":
		out = truth(isInf(a))
	case "isfinite":
		out = truth(!math.IsNaN(a.f) && !isInf(a))
	case "isdigit":
		out = truth(a.n >= '0' && a.n <= '9')
	case "strlen":
		out = val{n: uint64(len(a.s)), origin: a.origin}
		out.origin.at = length
	case "strcmp", "memcmp":
		out = sign(strings.Compare(a.s, v[1].s))
	case "strncmp":
		n := int(min(v[2].n, math.MaxInt32))
		out = sign(strings.Compare(a.s[:min(n, len(a.s))], v[1].s[:min(n, len(v[1].s))]))
	default:
		return out, false
	}
	return out, true
}

func negated(v val) val { return val{f: -v.f} }

func isInf(v val) bool { return math.IsInf(rounded(v.f, v.shape), 0) }

// sign is what a comparison function returns, of which only the sign is told (C17 7.24.4).
func sign(order int) val { return val{n: uint64(int64(order))} }
