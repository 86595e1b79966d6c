package auvc

import (
	"math/big"
	"slices"
)

// A set is a set of integers: it begins, at minus infinity, inside or outside, and changes at
// each cut.
type set struct {
	inside bool
	cuts   []*big.Int // ascending; each is the first number of the next region
}

// A span is the numbers from lo to hi, both included; nil is infinite.
type span struct{ lo, hi *big.Int }

var (
	one      = big.NewInt(1)
	onlyZero = spans(span{new(big.Int), new(big.Int)})
)

func number(v int64) *big.Int { return big.NewInt(v) }

// power returns 2 to the power of bits.
func power(bits int) *big.Int { return new(big.Int).Lsh(one, uint(bits)) }

func sum(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func less(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func times(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func negative(a *big.Int) *big.Int { return new(big.Int).Neg(a) }

// floorDiv and ceilDiv divide by a positive number.
func floorDiv(a, b *big.Int) *big.Int { return new(big.Int).Div(a, b) }

func ceilDiv(a, b *big.Int) *big.Int { return negative(floorDiv(negative(a), b)) }

// bound is a function of a bound, which is nil where it is infinite.
func bound(v *big.Int, f func(*big.Int) *big.Int) *big.Int {
	if v == nil {
		return nil
	}
	return f(v)
}

// higher is the higher of two upper bounds.
func higher(a, b *big.Int) *big.Int {
	if a == nil || b != nil && a.Cmp(b) > 0 {
		return a
	}
	return b
}

// lower is the lower of two lower bounds.
func lower(a, b *big.Int) *big.Int {
	return bound(higher(bound(a, negative), bound(b, negative)), negative)
}

// clamp returns the span with its ends moved between lo and hi.
func (p span) clamp(lo, hi *big.Int) span {
	if p.lo == nil || p.lo.Cmp(lo) < 0 {
		p.lo = lo
	}
	if p.hi == nil || p.hi.Cmp(hi) > 0 {
		p.hi = hi
	}
	return p
}

// spans makes the set of all numbers in any of some spans; an empty one may be among them.
func spans(list ...span) set {
	list = slices.DeleteFunc(slices.Clone(list), func(s span) bool { return s.lo != nil && s.hi != nil && s.lo.Cmp(s.hi) > 0 })
	slices.SortFunc(list, func(a, b span) int {
		switch {
		case a.lo == nil && b.lo == nil:
			return 0
		case a.lo == nil:
			return -1
		case b.lo == nil:
			return 1
		}
		return a.lo.Cmp(b.lo)
	})
	var s set
	var end *big.Int // the first number behind what is in the set
	for i, p := range list {
		switch {
		case i > 0 && (p.lo == nil || p.lo.Cmp(end) <= 0):
			s.cuts = s.cuts[:len(s.cuts)-1] // goes on from the span before
		case p.lo == nil:
			s.inside = true
		default:
			s.cuts = append(s.cuts, p.lo)
		}
		if p.hi == nil {
			return s
		}
		if next := sum(p.hi, one); end == nil || next.Cmp(end) > 0 {
			end = next
		}
		s.cuts = append(s.cuts, end)
	}
	return s
}

// spans returns the spans of the set, ascending.
func (s set) spans() []span {
	var list []span
	in := s.inside
	var from *big.Int
	for _, c := range s.cuts {
		if in {
			list = append(list, span{from, less(c, one)})
		}
		from, in = c, !in
	}
	if in {
		list = append(list, span{from, nil})
	}
	return list
}

func (s set) complement() set { return set{inside: !s.inside, cuts: s.cuts} }

func (s set) has(v *big.Int) bool {
	in := s.inside
	for _, c := range s.cuts {
		if v.Cmp(c) < 0 {
			break
		}
		in = !in
	}
	return in
}

// within returns the set as far as numbers from lo to hi are concerned: no cut lies outside.
func (s set) within(lo, hi *big.Int) set {
	out := set{inside: s.inside}
	for _, c := range s.cuts {
		switch {
		case lo != nil && c.Cmp(lo) <= 0:
			out.inside = !out.inside
		case hi == nil || c.Cmp(hi) <= 0:
			out.cuts = append(out.cuts, c)
		}
	}
	return out
}

// each maps every span.
func (s set) each(f func(span) []span) set {
	var list []span
	for _, p := range s.spans() {
		list = append(list, f(p)...)
	}
	return spans(list...)
}

// zeroAmong reports whether the set tells 0 from all other numbers from lo to hi; holds is whether
// 0 is in it.
func (s set) zeroAmong(lo, hi *big.Int) (holds, ok bool) {
	if lo != nil && lo.Sign() > 0 || hi != nil && hi.Sign() < 0 {
		return false, false
	}
	if len(s.cuts) == 0 {
		return false, false
	}
	zero := s.has(new(big.Int))
	want := onlyZero.within(lo, hi)
	if !zero {
		want = want.complement()
	}
	return zero, want.inside == s.inside && slices.EqualFunc(want.cuts, s.cuts, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
}
