package randoop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

var null = arg{text: "NULL", class: "null"}

// argument chooses argument i of s, and its length where it has one. It reports whether there is any.
func (b builder) argument(s *step, i int) bool {
	p := &s.call.params[i]
	if p.role == roleCallback || p.typ.Kind == apispec.Pointer && b.chance(0.015) {
		s.args[i] = null
		b.length(s, p, 0)
		return true
	}
	switch p.role {
	case roleNumber:
		s.args[i] = arg{text: b.number(p.typ, p.constants), class: "value"}
	case roleText:
		s.args[i] = b.textArgument(s, p)
	case roleBytes:
		b.bytesArgument(s, i)
	case roleList:
		b.listArgument(s, i)
	case roleOutPointer:
		return b.outPointer(s, i)
	case roleObject:
		return b.objectArgument(s, i)
	}
	return true // a length is set with its buffer
}

// declare adds a variable, declares it before s, and passes it.
func (b builder) declare(s *step, v variable, class string) arg {
	id := b.add(v)
	s.declares = append(s.declares, id)
	return arg{v: id, class: class}
}

// mutable returns t without const.
func mutable(t *apispec.Type) *apispec.Type {
	plain := *t
	plain.Const = false
	return &plain
}

// textArgument passes a string: an earlier one of the sequence, or a new one.
func (b builder) textArgument(s *step, p *param) arg {
	var known []int
	for v := range b.vars {
		if b.vars[v].kind == varText {
			known = append(known, v)
		}
	}
	if len(known) > 0 && b.chance(0.25) {
		return arg{v: pick(b.rng, known), class: "value"}
	}
	return b.declare(s, variable{kind: varText, typ: p.typ, init: recorded.CString(b.text())}, "value")
}

// byteType is the element of every buffer.
var byteType = &apispec.Type{Kind: apispec.Int, Name: "unsigned char", Bits: 8}

// room is the size of memory of which nothing tells the size. Every content has room in it.
const room = 10000

// bytesArgument passes memory and its length: content to read, or room to write to.
func (b builder) bytesArgument(s *step, i int) {
	p := &s.call.params[i]
	size, content := 1+b.rng.IntN(1<<b.rng.IntN(16)), ""
	if !p.out || b.chance(0.4) {
		content = b.text()
		size = len(content) + 1
	}
	length := size
	if content != "" {
		length -= b.rng.IntN(2) // the NUL may count
	}
	if p.pair < 0 {
		size = int(max(p.size, room))
	}
	s.args[i] = b.declare(s, variable{kind: varBytes, typ: byteType, size: size, init: recorded.CString(content)}, "bytes")
	b.length(s, p, length)
}

// length fills in the length of a buffer, which holds size elements: mostly right, sometimes less.
func (b builder) length(s *step, p *param, size int) {
	if p.pair < 0 {
		return
	}
	class := "whole"
	if size > 0 && b.chance(0.15) {
		size, class = b.rng.IntN(size), "part"
	}
	text := fmt.Sprint(size)
	if l := &s.call.params[p.pair]; l.typ.Kind == apispec.Pointer {
		v := variable{kind: varList, typ: mutable(l.typ.Elem), size: 1, init: "{" + text + "}"}
		s.args[p.pair] = b.declare(s, v, class)
	} else {
		s.args[p.pair] = arg{text: text, class: class}
	}
}

// listArgument passes numbers or strings and how many there are. What a call sets without a length is one.
func (b builder) listArgument(s *step, i int) {
	p := &s.call.params[i]
	t, n := mutable(p.typ.Elem), 1+b.rng.IntN(6)
	switch {
	case p.size > 0:
		n = int(min(p.size, 256))
	case p.pair < 0 && p.out:
		n = 1
	case p.pair < 0:
		n = 16
	}
	items := make([]string, n)
	for k := range items {
		if t.Kind == apispec.Pointer {
			items[k] = recorded.CString(b.text())
		} else {
			items[k] = b.number(t, nil)
		}
	}
	init := "{" + strings.Join(items, ", ") + "}"
	s.args[i] = b.declare(s, variable{kind: varList, typ: t, size: n, init: init}, "list")
	b.length(s, p, n)
}

// outPointer passes the address of a pointer: NULL for a call that sets it, a live one for one that ends it.
func (b builder) outPointer(s *step, i int) bool {
	p := &s.call.params[i]
	if !s.call.destroys {
		s.args[i] = b.declare(s, variable{kind: varValue, typ: mutable(p.typ.Elem), object: p.object, init: "NULL"}, "out")
		return true
	}
	s.args[i] = null
	if usable := b.usable(s.call, i, s.args[:i]); len(usable) > 0 {
		s.args[i] = b.object(usable[len(usable)-1])
	}
	return i > 0 || s.args[i] != null
}

// object passes an object.
func (b builder) object(v int) arg {
	if b.vars[v].owned {
		return arg{v: v, class: "owned"}
	}
	return arg{v: v, class: "object"}
}

// objectArgument passes an object: a live one, one of an earlier sequence, or a struct of the caller.
func (b builder) objectArgument(s *step, i int) bool {
	p := &s.call.params[i]
	usable := b.usable(s.call, i, s.args[:i])
	if len(usable) == 0 || b.chance(0.15) {
		if !b.api.made[p.object] {
			def := b.api.spec.Struct(p.object)
			if def == nil || def.Opaque {
				return false
			}
			s.args[i] = b.structArgument(s, p)
			return true
		}
		if from := b.earlier(min(b.maxLength/2, b.maxLength-1-len(b.steps)), p.object); from != nil {
			b.join(from)
			usable = b.usable(s.call, i, s.args[:i])
		}
	}
	if len(usable) == 0 {
		return false
	}
	v := usable[len(usable)-1] // the newest most often
	if b.chance(0.4) {
		v = pick(b.rng, usable)
	}
	s.args[i] = b.object(v)
	return true
}

// usable returns the live objects that argument i of c may be after its first arguments, without breaking what is
// known of their owners.
func (b builder) usable(c *callable, i int, before []arg) (list []int) {
	p := &c.params[i]
	for _, v := range b.live(p.object) {
		va := &b.vars[v]
		same := slices.ContainsFunc(before, func(a arg) bool { return a.isVariable() && a.v == v })
		taken := c.destroys || c.owns && i != c.receiver
		misfit := p.role == roleOutPointer && va.kind == varStruct
		if !(va.owned && taken || same && (c.owns || c.destroys) || misfit || b.blocked(va, use{c, i})) {
			list = append(list, v)
		}
	}
	return list
}

// structArgument adds a struct of the caller in which some of the plain fields are set.
func (b builder) structArgument(s *step, p *param) arg {
	var fields []string
	for _, f := range b.api.spec.Struct(p.object).Fields {
		if f.Type.IsScalar() && f.Name != "" && b.chance(0.5) {
			fields = append(fields, "."+f.Name+" = "+b.number(f.Type, constants(b.api.spec, f.Name, f.Type)))
		}
	}
	init := "{" + strings.Join(fields, ", ") + "}"
	return b.declare(s, variable{kind: varStruct, typ: mutable(p.typ.Elem), object: p.object, init: init}, "struct")
}
