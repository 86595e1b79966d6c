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

func (v val) isTrue() bool { return v.n != 0 || v.shape.kind == float && v.f != 0 }

// fit puts a number into a width (C17 6.3.1.3; of signed types as clang does).
func fit(n uint64, s shape) uint64 {
	unused := 64 - s.bits
	if s.signed {
		return uint64(int64(n<<unused) >> unused)
	}
	return n << unused >> unused
}

// apply computes an operation on values: an operator, or a function of the C library whose meaning matters to
// assertions. The operands of a comparison have one shape, by the conversions that the compiler has put in.
func apply(op string, to shape, v []val) val {
	for _, a := range v {
		if a.undefined {
			return val{undefined: true}
		}
	}
	a, b := v[0], v[min(1, len(v)-1)]
	switch op {
	case cast:
		return convert(a, to)
	case "!":
		return truth(!a.isTrue())
	case "&&":
		return truth(a.isTrue() && b.isTrue())
	case "||":
		return truth(a.isTrue() || b.isTrue())
	case "==":
		return truth(a.n == b.n && a.f == b.f && a.s == b.s)
	case "!=":
		return truth(a.n != b.n || a.f != b.f || a.s != b.s)
	case "<":
		return truth(less(a, b))
	case "<=":
		return truth(a.shape.kind == float && a.f <= b.f || a.shape.kind != float && !less(b, a))
	case "abs":
		if int64(a.n) < 0 {
			return integer("-", val{}, a, to)
		}
		return a
	case "fabs":
		if math.Signbit(a.f) {
			return val{f: -a.f}
		}
		return a
	case "isnan":
		return truth(math.IsNaN(a.f))
	case "isinf":
		return truth(math.IsInf(a.f, 0))
	case "isfinite":
		return truth(!math.IsNaN(a.f) && !math.IsInf(a.f, 0))
	case "strlen":
		out := val{n: uint64(len(a.s)), origin: a.origin}
		out.origin.at = length
		return out
	case "strcmp", "memcmp": // of which only the sign is told (C17 7.24.4)
		return val{n: uint64(strings.Compare(a.s, b.s))}
	case "strncmp":
		n := int(min(v[2].n, math.MaxInt32))
		return val{n: uint64(strings.Compare(a.s[:min(n, len(a.s))], b.s[:min(n, len(b.s))]))}
	}
	if to.kind == float {
		return floating(op, a, b, to)
	}
	return integer(op, a, b, to)
}

func less(a, b val) bool {
	switch {
	case a.shape.kind == float:
		return a.f < b.f
	case a.shape.signed:
		return int64(a.n) < int64(b.n)
	}
	return a.n < b.n
}

// convert converts a value to another shape (C17 6.3.1). What does not fit an integer when its
// fraction is cut off is undefined.
func convert(v val, to shape) val {
	out := val{origin: v.origin}
	switch from := v.shape; {
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
		if out.undefined = !(whole >= low && whole < high); whole < 0 {
			out.n = uint64(int64(whole))
		} else {
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

// sum is the origin of an operation's result: of a sum or difference with what is no unknown's.
func sum(op string, a, b val) origin {
	switch {
	case op == "+" && a.origin.pool == nil:
		return b.origin
	case (op == "+" || op == "-") && b.origin.pool == nil:
		return a.origin
	}
	return origin{}
}

func floating(op string, a, b val, to shape) val {
	f := 0.0
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
	return val{f: rounded(f, to), origin: sum(op, a, b)}
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
		switch {
		case y == 0 || to.signed && int64(y) == -1 && x == fit(1<<(to.bits-1), to):
			return val{undefined: true}
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
		switch {
		case y >= uint64(to.bits):
			return val{undefined: true}
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
	out := val{n: fit(n, to), origin: sum(op, a, b)}
	switch {
	case to.kind == address:
		out.undefined = (n < x) != (int64(y) < 0) || x == 0 && y != 0 // an address beyond all objects, or of none
	case to.signed && strings.Contains("+-*", op):
		out.undefined = overflow || out.n != n
	}
	return out
}
