package auvc

import (
	"math"
	"strings"
)

// A val is a value in one sample.
type val struct {
	n uint64  // of a number: sign-extended if its shape is signed; an address; what tells a record from others
	f float64 // of a floating-point value
	s string  // of a text
	// undefined: the sample has undefined behaviour on the way here, so it says nothing.
	undefined bool
	origin    origin
}

func truth(holds bool) val {
	if holds {
		return val{n: 1}
	}
	return val{}
}

func (v val) isTrue(s shape) bool {
	if s.kind == float {
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
func apply(op string, to shape, args []*term, v []val) val {
	for _, a := range v {
		if a.undefined {
			return val{undefined: true}
		}
	}
	from := args[0].shape
	switch op {
	case cast:
		return convert(v[0], from, to)
	case "!":
		return truth(!v[0].isTrue(from))
	case "&&":
		return truth(v[0].isTrue(from) && v[1].isTrue(args[1].shape))
	case "||":
		return truth(v[0].isTrue(from) || v[1].isTrue(args[1].shape))
	case "==", "!=", "<", "<=":
		return truth(compare(op, v[0], v[1], from))
	}
	if f := known[op]; f != nil {
		return f(v, args)
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
	return val{f: rounded(f, to), origin: combined(op, a, b, b.f)}
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
	out := val{n: fit(n, to), origin: combined(op, a, b, float64(int64(y)))}
	switch {
	case to.kind == address:
		out.undefined = (n < x) != (int64(y) < 0) || x == 0 && y != 0 // an address beyond all objects, or of none
	case to.signed && strings.Contains("+-*", op):
		out.undefined = overflow || out.n != n
	}
	return out
}

// known are functions of the C library, and of this package, whose meaning matters to assertions.
var known = map[string]func(v []val, args []*term) val{
	"abs": func(v []val, args []*term) val {
		if s := args[0].shape; int64(v[0].n) < 0 {
			return integer("-", val{}, v[0], s)
		}
		return v[0]
	},
	"fabs": func(v []val, _ []*term) val {
		if math.Signbit(v[0].f) {
			return negated(v[0])
		}
		return v[0]
	},
	"negative": func(v []val, _ []*term) val { return negated(v[0]) },
	"isnan":    func(v []val, _ []*term) val { return truth(math.IsNaN(v[0].f)) },
	"isinf":    func(v []val, args []*term) val { return truth(isInf(v[0].f, args[0].shape)) },
	"isfinite": func(v []val, args []*term) val {
		return truth(!math.IsNaN(v[0].f) && !isInf(v[0].f, args[0].shape))
	},
	"isdigit": func(v []val, _ []*term) val { return truth(v[0].n >= '0' && v[0].n <= '9') },
	"strlen": func(v []val, _ []*term) val {
		o := v[0].origin
		o.at = length
		return val{n: uint64(len(v[0].s)), origin: o}
	},
	"strcmp": func(v []val, _ []*term) val { return sign(strings.Compare(v[0].s, v[1].s)) },
	"memcmp": func(v []val, _ []*term) val { return sign(strings.Compare(v[0].s, v[1].s)) },
	"strncmp": func(v []val, _ []*term) val {
		n := int(min(v[2].n, math.MaxInt32))
		return sign(strings.Compare(v[0].s[:min(n, len(v[0].s))], v[1].s[:min(n, len(v[1].s))]))
	},
}

func negated(v val) val { return val{f: -v.f, origin: v.origin.times(-1)} }

func isInf(f float64, s shape) bool { return math.IsInf(rounded(f, s), 0) }

// sign is what a comparison function returns, of which only the sign is told (C17 7.24.4).
func sign(order int) val { return val{n: uint64(int64(order))} }
