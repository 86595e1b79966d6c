package auvc

import (
	"math/big"
	"strings"
)

// maxSpelled is the longest literal that is compared character by character.
const maxSpelled = 16

// cut ends a text where C's string functions see its end.
func cut(text string) string {
	s, _, _ := strings.Cut(text, "\x00")
	return s
}

// contents returns the text that a pointer to characters, or an object that is a text, holds now:
// a node that is equal for equal texts. Of a literal, text is set.
func (w *walker) contents(at value) value {
	if at.text != nil {
		return value{n: w.function("text "+*at.text, nil, nil), text: at.text}
	}
	m := w.objects[at.root].memory
	if m.text != nil && w.isVariable(at) {
		return w.contents(*m.text)
	}
	if isRecord(referred(at.typ)) {
		if v, ok := w.texts[m.name]; ok && v.text != nil {
			return w.contents(v)
		} else if ok {
			return v
		}
		return value{n: w.record(at, at.typ).n, opaque: at.opaque}
	}
	name := w.stamp(at.root, func(k key) bool { return k.typ == charKey && (k.field == "" || k.field == at.field) })
	return value{n: w.function("text of "+short(name), nil, nil, w.place(m, at.n)), opaque: at.opaque}
}

// character is the one at an offset from a pointer to a string.
func (w *walker) character(at value, i int) *node {
	if at.text != nil {
		c := byte(0)
		if i < len(*at.text) {
			c = (*at.text)[i]
		}
		return w.num(int64(int8(c)))
	}
	return w.read(at.root, w.add(at.n, w.num(int64(i))), key{charKey, at.field}, charType)
}

// stringLength translates strlen: it is 0 if and only if the first character is.
func (w *walker) stringLength(at value) value {
	c := w.contents(at)
	if c.text != nil {
		return value{n: w.num(int64(len(cut(*c.text)))), typ: sizeType}
	}
	n := node{op: "strlen", args: []*node{c.n}, lo: new(big.Int)}
	if isPointer(at.typ) {
		n.zero = w.in(w.character(at, 0), onlyZero)
	} else {
		n.zero = w.sameTexts(at, w.literalOf(""))
	}
	_, n.hi = rangeOf(64, false)
	return value{n: w.keep(n), typ: sizeType, opaque: c.opaque}
}

// compareTexts translates strcmp and what is like it: 0 if and only if the contents are equal,
// and the sign turns when the arguments are exchanged (C17 7.24.4).
func (w *walker) compareTexts(a, b value) value {
	x, y := w.contents(a), w.contents(b)
	if x.text != nil && y.text != nil {
		return value{n: w.num(int64(strings.Compare(cut(*x.text), cut(*y.text)))), typ: intType}
	}
	return w.difference("strcmp", x, y, w.sameTexts(a, b))
}

// difference is a comparison function of two contents: which is 0 under a condition.
func (w *walker) difference(name string, x, y value, zero *cond, more ...*node) value {
	args := append([]*node{x.n, y.n}, more...)
	turned := x.n.id > y.n.id
	if turned {
		args[0], args[1] = y.n, x.n
	}
	lo, hi := limits(intType)
	n := w.keep(node{op: name, args: args, lo: lo, hi: hi, zero: zero})
	if turned {
		n = w.scale(n, number(-1)) // of which only the sign is told
	}
	return value{n: n, typ: intType}.from(x, y)
}

// sameTexts is the condition that two contents are equal: with a short literal, that the
// characters are.
func (w *walker) sameTexts(a, b value) *cond {
	x, y := w.contents(a), w.contents(b)
	switch {
	case x.n == y.n:
		return w.yes
	case x.text != nil && y.text != nil:
		return w.always(cut(*x.text) == cut(*y.text))
	case x.text != nil:
		return w.sameTexts(b, a)
	case y.text != nil && isPointer(a.typ) && len(cut(*y.text)) < maxSpelled:
		return w.spelled(a, cut(*y.text)+"\x00")
	}
	return w.atomEqual(x.n, y.n)
}

// atomEqual is the condition that two values without structure are equal.
func (w *walker) atomEqual(x, y *node) *cond {
	if x.id > y.id {
		x, y = y, x
	}
	return w.in(w.function("same text", number(0), one, x, y), onlyZero.complement())
}

// spelled is the condition that the bytes at a pointer are those of a text.
func (w *walker) spelled(at value, text string) *cond {
	all := w.yes
	for i := len(text) - 1; i >= 0; i-- {
		c := number(int64(int8(text[i])))
		all = w.and(w.in(w.character(at, i), spans(span{c, c})), all)
	}
	return all
}

// comparePart translates strncmp and memcmp. With a literal that ends within the length strncmp
// compares whole strings.
func (w *walker) comparePart(name string, a, b, n value) value {
	x, y := w.contents(a), w.contents(b)
	if x.n == y.n {
		return value{n: w.num(0), typ: intType}.from(x, y)
	}
	zero := (*cond)(nil)
	if n.n.isInt() && n.n.val.IsInt64() {
		bytes := n.n.val.Int64()
		for _, side := range [][2]value{{a, y}, {b, x}} {
			at, lit := side[0], side[1]
			if lit.text == nil || bytes < 0 {
				continue
			}
			text := *lit.text + "\x00"
			if name == "strncmp" {
				if bytes > int64(len(cut(text))) {
					return w.compareTexts(a, b)
				}
				text = cut(text)
			}
			if bytes <= int64(len(text)) && bytes <= maxSpelled && at.text == nil && isPointer(at.typ) {
				zero = w.spelled(at, text[:bytes])
			}
		}
	}
	return w.difference(name, x, y, zero, n.n)
}
