package auvc

import (
	"math"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A kind says how a value is computed with.
type kind byte

const (
	number  kind = iota // integers and truth values
	address             // pointers, and where arrays and functions are
	float
	text  // the value of a C string or of a class that holds one text
	other // records, of which only equality is known
)

// A shape is a kind of values with its width and sign.
type shape struct {
	kind   kind
	bits   int
	signed bool
}

var (
	intShape     = shape{number, 32, true}
	sizeShape    = shape{number, 64, false}
	wideShape    = shape{number, 64, true}
	byteShape    = shape{number, 8, false}
	addressShape = shape{address, 64, false}
	textShape    = shape{kind: text}
	otherShape   = shape{kind: other}
)

// shapeOf returns the shape of a type's values.
func shapeOf(t *cprog.Type) shape {
	switch {
	case t.Kind == cprog.Bool:
		return shape{number, 1, false}
	case isInteger(t) && t.Bits > 0:
		return shape{number, min(t.Bits, 64), t.Kind == cprog.Int && t.Signed || t.Kind == cprog.Enum && elem(t).Signed}
	case t.Kind == cprog.Float:
		return shape{float, t.Bits, true}
	case isPointer(t) || t.Kind == cprog.Array || t.Kind == cprog.FunctionType:
		return addressShape
	case stringLike(t):
		return textShape
	case isRecord(t):
		return otherShape
	}
	return sizeShape
}

// A val is a value in one sample.
type val struct {
	shape shape
	n     uint64  // a number, sign-extended if its shape is signed; an address; or the identity of a record
	f     float64 // of a floating-point value
	s     string  // of a text
	root  int     // of an address: the object that it lies in; 0 if none is known
	// undefined: the sample has undefined behaviour on the way here, so it says nothing.
	undefined bool
	constant  bool   // the same in all samples
	form      uint64 // equal computations on equal unknowns have equal forms
	origin    origin
	unknowns  unknowns
}

// A value is a val with its type.
type value struct {
	val
	typ *cprog.Type
}

func (v val) as(typ *cprog.Type) value { return value{v, typ} }

func (v val) hash() uint64 { return mix(v.n, hashed(v.s), math.Float64bits(v.f+0)) }

func (v val) isNull() bool { return v.constant && v.shape.kind != float && v.n == 0 }

// unknowns are the first three that a value depends on.
type unknowns [3]uint64

// characters stands for those of a text, of which each is an unknown.
const characters = 1

func (u *unknowns) add(other unknowns) {
	for _, x := range other {
		if i := slices.Index(u[:], 0); x != 0 && i >= 0 && !slices.Contains(u[:], x) {
			u[i] = x
		}
	}
}

// many reports whether a condition depends on so many that equal results in all samples prove nothing. The rule is
// stricter for a condition that never holds: samples rarely make one true that is on several unknowns, or on the
// characters of a text.
func (u unknowns) many(never bool) bool {
	return u[2] != 0 || never && (u[1] != 0 || u[0] == characters)
}

func constantOf(v val, s shape) val {
	v.shape, v.constant, v.form = s, true, mix(v.hash(), uint64(s.bits))
	return v
}

func num(n int64, s shape) val { return constantOf(val{n: uint64(n)}, s) }

// cast is the operation of conversions between shapes.
const cast = "cast"

// make applies an operation whose result follows from its operands.
func (s *sampler) make(op string, to shape, args ...val) val {
	s.learn(op, args)
	out := apply(op, to, args)
	out.shape, out.constant, out.root = to, true, 0
	out.form, out.unknowns = mix(hashed(op), uint64(to.bits)), unknowns{}
	for _, a := range args {
		out.constant = out.constant && a.constant
		out.form = mix(out.form, a.form)
		out.unknowns.add(a.unknowns)
	}
	return out
}

// truth returns the condition that a value is not 0.
func (s *sampler) truth(v val) val { return s.make("!=", intShape, v, constantOf(val{}, v.shape)) }

func (s *sampler) not(c val) val { return s.make("!", intShape, c) }

// choose returns a if c holds, and else b.
func choose(c, a, b val) val {
	out := b
	if c.isTrue() {
		out = a
	}
	if a.form == b.form {
		return out
	}
	out.undefined = out.undefined || c.undefined
	out.constant = out.constant && c.constant
	out.form = mix(c.form, a.form, b.form)
	out.unknowns.add(c.unknowns)
	return out
}
