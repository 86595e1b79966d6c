package auvc

import (
	"math/big"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// A value is what an expression gives: a number or an address, with what its type and its
// origin tell.
type value struct {
	n   *node
	typ *cprog.Type
	// root is the object that an address lies in; 0 if none is known. field is the member array
	// that a pointer walks through.
	root  int
	field string
	text  *string // of a string literal: its bytes, at that address
	// opaque: some part has no meaning here and stands as a function of its parts.
	opaque bool
}

// from marks a value as opaque where one of its parts is.
func (v value) from(parts ...value) value {
	for _, p := range parts {
		v.opaque = v.opaque || p.opaque
	}
	return v
}

// The types that values have without an expression of that type.
var (
	intType  = &cprog.Type{Kind: cprog.Int, Bits: 32, Signed: true, Size: 4, Spelling: "int"}
	sizeType = &cprog.Type{Kind: cprog.Int, Bits: 64, Size: 8, Spelling: "unsigned long"}
	charType = &cprog.Type{Kind: cprog.Int, Bits: 8, Signed: true, Size: 1, Spelling: "char"}
	byteType = &cprog.Type{Kind: cprog.Int, Bits: 8, Size: 1, Spelling: "unsigned char"}
	charPtr  = &cprog.Type{Kind: cprog.Pointer, Bits: 64, Size: 8, Spelling: "char *", Elem: charType}
	voidType = &cprog.Type{Kind: cprog.Void, Size: -1, Spelling: "void"}
)

func isPointer(t *cprog.Type) bool { return t.Kind == cprog.Pointer || t.Kind == cprog.NullPtr }

// isInteger includes truth values and enumerations.
func isInteger(t *cprog.Type) bool {
	return t.Kind == cprog.Int || t.Kind == cprog.Bool || t.Kind == cprog.Enum
}

func isChar(t *cprog.Type) bool { return t != nil && t.Kind == cprog.Int && t.Bits == 8 }

// isRecord reports whether values of the type have no structure here.
func isRecord(t *cprog.Type) bool { return t.Kind == cprog.RecordType || t.Kind == cprog.OtherType }

func isUnion(t *cprog.Type) bool { return t != nil && t.Record != nil && t.Record.Tag == "union" }

// elem is what a pointer or array leads to.
func elem(t *cprog.Type) *cprog.Type {
	if t.Elem == nil {
		return voidType
	}
	return t.Elem
}

// referred is the type itself, or what a reference refers to.
func referred(t *cprog.Type) *cprog.Type {
	if t == nil {
		return voidType
	}
	if t.Kind == cprog.Reference {
		return elem(t)
	}
	return t
}

// typeName is a type's name for methods: of a record, else as it is spelled.
func typeName(t *cprog.Type) string {
	if t.Record != nil && t.Record.Name != "" {
		return t.Record.Name
	}
	return strings.TrimPrefix(t.Desugared, "const ")
}

// signed is whether an integer type has negative numbers.
func signed(t *cprog.Type) bool {
	if t.Kind == cprog.Enum && t.Elem != nil {
		return t.Elem.Signed
	}
	return t.Kind == cprog.Int && t.Signed
}

// limits returns the smallest and the largest number of a type; nil for what is no number.
func limits(t *cprog.Type) (lo, hi *big.Int) {
	switch {
	case t.Kind == cprog.Bool:
		return number(0), one
	case isInteger(t) && t.Bits > 0:
		return rangeOf(t.Bits, signed(t))
	case isPointer(t) || t.Kind == cprog.Array || t.Kind == cprog.FunctionType:
		return rangeOf(64, false)
	}
	return nil, nil
}

// ofType is a function of nodes whose result has a type.
func (t *table) ofType(name string, typ *cprog.Type, args ...*node) *node {
	if typ.Kind == cprog.Float {
		return t.floatSymbol(name, typ.Bits, args...)
	}
	lo, hi := limits(typ)
	return t.function(name, lo, hi, args...)
}

// nothing is the value of a type whose bytes are all 0; nil for records.
func (t *table) nothing(typ *cprog.Type) *node {
	switch {
	case typ.Kind == cprog.Float:
		return t.floatConst(0, typ.Bits)
	case isInteger(typ) || isPointer(typ):
		return t.num(0)
	}
	return nil
}

// constant is an integer of a type.
func (t *table) constant(v uint64, typ *cprog.Type) *node {
	if signed(typ) {
		return t.num(int64(v))
	}
	n := new(big.Int).SetUint64(v)
	if typ.Kind != cprog.Bool && typ.Bits > 0 && typ.Bits < 64 {
		n.And(n, less(power(typ.Bits), one))
	}
	return t.int(n)
}

// truthOf is what a condition asks of a value.
func (t *table) truthOf(v value) *cond {
	if v.n.float > 0 {
		return t.not(t.in(v.n, onlyZero))
	}
	return t.nonzero(v.n)
}

// convert converts a value as C does (C17 6.3.1).
func (t *table) convert(v value, to *cprog.Type) value {
	out := v
	out.typ = to
	if !isPointer(to) {
		out.root, out.field, out.text = 0, "", nil
	}
	n := v.n
	number := n.float == 0 && !isRecord(v.typ)
	switch {
	case to.Kind == cprog.Bool:
		out.n = t.truth(t.truthOf(v))
	case isInteger(to) && n.float > 0:
		n = t.toInt(n)
		if lo, hi := limits(to); n.op == "f2i" || !inRange(n, lo, hi) {
			n = t.ofTypeOnce("f2i", to, v.n)
		}
		out.n = n
	case (isInteger(to) || isPointer(to)) && number:
		out.n = t.resize(n, v.typ, to)
	case to.Kind == cprog.Float && (number || n.float > 0):
		out.n = t.toFloat(n, to.Bits)
	case to == v.typ || to.Same != nil && to.Same == v.typ.Same:
	default:
		out.n = t.ofType("convert", to, n)
		out.opaque = true
	}
	return out
}

// ofTypeOnce is "f2i" with the range of its type: outside of it the conversion is undefined.
func (t *table) ofTypeOnce(op string, to *cprog.Type, n *node) *node {
	lo, hi := limits(to)
	return t.keep(node{op: op, args: []*node{n}, lo: lo, hi: hi, val: number(int64(to.Bits))})
}

// resize puts a number of one type into another. What every number of the old type is in the new
// one stays as it is.
func (t *table) resize(n *node, from, to *cprog.Type) *node {
	lo, hi := limits(to)
	if fromLo, fromHi := limits(from); fromLo != nil && fromLo.Cmp(lo) >= 0 && fromHi.Cmp(hi) <= 0 {
		return n
	}
	bits := to.Bits
	if isPointer(to) {
		bits = 64
	}
	return t.wrap(n, bits, signed(to))
}

// typed puts the result of arithmetic into its type: unsigned numbers wrap, signed ones do not
// overflow.
func (t *table) typed(n *node, typ *cprog.Type) *node {
	if isInteger(typ) && typ.Bits > 0 {
		if n.isInt() || !signed(typ) {
			return t.wrap(n, typ.Bits, signed(typ))
		}
	}
	return n
}
