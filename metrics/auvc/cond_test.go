package auvc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A twin is a condition with what it says of two integers and a floating-point value.
type twin struct {
	c     *cond
	holds func(x, y int64, d float64) bool
}

// randomCondition returns a condition over two bytes x and y and a float d, and its meaning.
func randomCondition(t *table, r *rand.Rand, x, y, d *node, depth int) twin {
	if depth > 0 && r.IntN(4) > 0 {
		a, b := randomCondition(t, r, x, y, d, depth-1), randomCondition(t, r, x, y, d, depth-1)
		switch r.IntN(4) {
		case 0:
			return twin{t.and(a.c, b.c), func(x, y int64, d float64) bool { return a.holds(x, y, d) && b.holds(x, y, d) }}
		case 1:
			return twin{t.or(a.c, b.c), func(x, y int64, d float64) bool { return a.holds(x, y, d) || b.holds(x, y, d) }}
		case 2:
			return twin{t.not(a.c), func(x, y int64, d float64) bool { return !a.holds(x, y, d) }}
		}
		return twin{t.equal(t.truth(a.c), t.truth(b.c)), func(x, y int64, d float64) bool { return a.holds(x, y, d) == b.holds(x, y, d) }}
	}
	if r.IntN(4) == 0 {
		f := []float64{0, math.Copysign(0, -1), 0.5, -1, 2, math.Inf(1), math.NaN(), 0.1}[r.IntN(8)]
		k := t.floatConst(f, 64)
		switch r.IntN(5) {
		case 0:
			return twin{t.floatCompare("<", d, k), func(_, _ int64, d float64) bool { return d < f }}
		case 1:
			return twin{t.floatCompare("<=", k, d), func(_, _ int64, d float64) bool { return f <= d }}
		case 2:
			return twin{t.floatCompare("==", t.magnitude(d), k), func(_, _ int64, d float64) bool { return math.Abs(d) == f }}
		case 3:
			return twin{t.floatCompare("<", t.flip(d), k), func(_, _ int64, d float64) bool { return -d < f }}
		}
		return twin{t.floatCompare("<", t.toFloat(x, 64), k), func(x, _ int64, _ float64) bool { return float64(x) < f }}
	}
	n, value := randomNumber(t, r, x, y, 2)
	k := int64(r.IntN(41) - 20)
	if r.IntN(2) == 0 {
		return twin{t.equal(n, t.num(k)), func(x, y int64, _ float64) bool { return value(x, y) == k }}
	}
	return twin{t.smaller(n, t.num(k)), func(x, y int64, _ float64) bool { return value(x, y) < k }}
}

func randomNumber(t *table, r *rand.Rand, x, y *node, depth int) (*node, func(x, y int64) int64) {
	if depth == 0 {
		if r.IntN(3) == 0 {
			return y, func(_, y int64) int64 { return y }
		}
		return x, func(x, _ int64) int64 { return x }
	}
	a, f := randomNumber(t, r, x, y, depth-1)
	b, g := randomNumber(t, r, x, y, depth-1)
	k := int64(r.IntN(9) + 1)
	switch r.IntN(12) {
	case 0:
		return t.add(a, b), func(x, y int64) int64 { return f(x, y) + g(x, y) }
	case 1:
		return t.sub(a, b), func(x, y int64) int64 { return f(x, y) - g(x, y) }
	case 2:
		return t.scale(a, number(-k)), func(x, y int64) int64 { return -k * f(x, y) }
	case 3:
		return t.divide(a, t.num(-k)), func(x, y int64) int64 { return f(x, y) / -k }
	case 4:
		return t.remainder(a, t.num(k)), func(x, y int64) int64 { return f(x, y) % k }
	case 5:
		return t.wrap(a, 6, true), func(x, y int64) int64 { return f(x, y) << 58 >> 58 }
	case 6:
		return t.wrap(a, 8, false), func(x, y int64) int64 { return f(x, y) & 255 }
	case 7:
		return t.absolute(a), func(x, y int64) int64 { return max(f(x, y), -f(x, y)) }
	case 8:
		return t.shift(">>", a, t.num(k%4)), func(x, y int64) int64 { return f(x, y) >> (k % 4) }
	case 9:
		return t.bitwise("&", a, t.num(k)), func(x, y int64) int64 { return f(x, y) & k }
	case 10:
		return t.bitwise("^", a, b), func(x, y int64) int64 { return f(x, y) ^ g(x, y) }
	}
	return t.either(t.smaller(a, b), a, t.num(k)), func(x, y int64) int64 {
		if f(x, y) < g(x, y) {
			return f(x, y)
		}
		return k
	}
}

// FuzzConditions holds conditions against plain evaluation: what is always or never true as a
// diagram is so of all values, and two that are one diagram agree on all.
func FuzzConditions(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		table := newTable()
		low, high := number(-8), number(9)
		x, y, d := table.symbol("x", low, high), table.symbol("y", low, high), table.floatSymbol("d", 64)
		byDiagram := map[*cond]twin{}
		for range 40 {
			c := randomCondition(table, r, x, y, d, 3)
			other, same := byDiagram[c.c]
			byDiagram[c.c] = c
			for x := low.Int64(); x <= high.Int64(); x++ {
				for y := low.Int64(); y <= high.Int64(); y++ {
					for _, d := range []float64{-1.5, -1, math.Copysign(0, -1), 0, 0.1, 0.5, 2, math.Inf(1), math.Inf(-1), math.NaN()} {
						holds := c.holds(x, y, d)
						if c.c.on == nil && holds != (c.c == table.yes) || same && holds != other.holds(x, y, d) {
							t.Fatalf("x %d, y %d, d %v: %v\n%v", x, y, d, holds, c.c)
						}
					}
				}
			}
		}
	})
}

// TestSets holds sets against lists of their members.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var list []span
		members := map[int64]bool{}
		for range r.IntN(5) {
			lo := int64(r.IntN(40) - 20)
			hi := lo + int64(r.IntN(12)-2)
			p := span{number(lo), number(hi)}
			from, to := lo, hi
			if r.IntN(8) == 0 {
				p.lo, from = nil, -60
			}
			if r.IntN(8) == 0 {
				p.hi, to = nil, 60
			}
			list = append(list, p)
			for v := from; v <= to; v++ {
				members[v] = true
			}
		}
		s := spans(list...)
		back := spans(s.spans()...)
		clipped := s.within(number(-5), number(7))
		for v := int64(-60); v <= 60; v++ {
			k := number(v)
			if s.has(k) != members[v] || back.has(k) != members[v] || s.complement().has(k) == members[v] || v >= -5 && v <= 7 && clipped.has(k) != members[v] {
				t.Fatalf("%v: %d is a member: %v", list, v, members[v])
			}
		}
		for _, c := range clipped.cuts {
			if c.Cmp(number(-5)) <= 0 || c.Cmp(number(7)) > 0 {
				t.Fatalf("cut %v outside", c)
			}
		}
	}
}

// TestUnroundedIsExact holds the conversion of integers to float against every integer near the
// first that float cannot hold.
func TestUnroundedIsExact(t *testing.T) {
	table := newTable()
	lo, hi := rangeOf(32, true)
	x := table.symbol("x", lo, hi)
	c := table.equal(table.toFloat(x, 32), table.floatConst(16777216, 32))
	want := table.in(x, spans(span{number(16777216), number(16777217)}))
	if c != want {
		t.Errorf("(float)x == 16777216 is %v, want %v", c, want)
	}
	for _, f := range []float64{0, 1, -1, 0.1, math.MaxFloat64, -math.SmallestNonzeroFloat64, math.Inf(-1)} {
		if floatOf(floatKey(f)) != f {
			t.Errorf("%v is not the value of its key", f)
		}
	}
}
