package randoop

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

func literal(text, class string) arg { return arg{v: -1, text: text, class: class} }

var null = literal("NULL", "null")

// argument chooses argument i of s, and its length where it has one.
func (b *builder) argument(s *step, i, nested int) bool {
	p := &s.call.params[i]
	switch p.role {
	case roleNumber:
		s.args[i] = b.number(s.call, i)
	case roleLength: // of a buffer it is set with the buffer
		if p.pair < 0 {
			s.args[i] = literal("1", "one")
		}
	case roleText:
		s.args[i] = b.textArgument(s, i)
	case roleBytes:
		b.bytesArgument(s, i)
	case roleArray:
		b.arrayArgument(s, i)
	case roleOutNumber:
		if s.args[i] = null; !b.chance(0.08) {
			s.args[i] = b.cell(s, p.typ.Elem, pick(b.rng, []string{"0", "0", "1", "100"}), "out")
		}
	case roleOutPointer:
		return b.outPointer(s, i)
	case roleObject:
		return b.objectArgument(s, i, nested)
	case roleStruct:
		s.args[i] = b.structArgument(s, p.typ, p.object, 0.8)
		s.args[i].text = "%s"
	case roleCallback:
		if s.args[i] = null; b.chance(0.5) {
			s.args[i] = literal(fmt.Sprintf("stub_%s_%d", s.call.name, i), "stub")
		}
	case roleAny:
		return b.anyArgument(s, i)
	}
	return true
}

// pass passes an existing variable; structs and cells by their address.
func (q *sequence) pass(v int, class string) arg {
	text := "%s"
	if k := q.vars[v].kind; k == varStruct || k == varCell && class != "live" && q.vars[v].object == "" {
		text = "&%s"
	}
	return arg{v, text, class}
}

// declare adds a variable, declares it before s, and passes it. In format %[1]s is its name.
func (b *builder) declare(s *step, v variable, format, class string) arg {
	id := b.add(v)
	s.before = append(s.before, statement{format, []int{id}})
	return b.pass(id, class)
}

// cell passes the address of a new number or pointer.
func (b *builder) cell(s *step, t *apispec.Type, init, class string) arg {
	t = mutable(t)
	a := b.declare(s, variable{kind: varCell, typ: t}, t.Declare("%[1]s")+" = "+init+";", class)
	a.text = "&%s"
	return a
}

// mutable returns t without const.
func mutable(t *apispec.Type) *apispec.Type {
	plain := *t
	plain.Const = false
	return &plain
}

// number draws a value that suits the parameter and has not only led to errors, or an earlier result of the
// same typedef: plain int is not enough to tell that two numbers are of one kind.
func (b *builder) number(c *callable, i int) arg {
	p := &c.params[i]
	if p.typ.Typedef != "" && b.chance(0.08) {
		for v := len(b.vars) - 1; v >= 0; v-- {
			if va := &b.vars[v]; va.kind == varResult && va.typ.Typedef == p.typ.Typedef {
				return arg{v, "%s", "earlier"}
			}
		}
	}
	if p.typ.Kind == apispec.Int && p.typ.Bits >= 32 && len(p.choices) > 1 && b.chance(0.04) {
		return literal(fmt.Sprint(b.rng.IntN(1<<(1+b.rng.IntN(16)))), "random")
	}
	weights := make([]float64, len(p.choices))
	for k, ch := range p.choices {
		key := valueKey(c, i, ch.text)
		weights[k] = ch.weight * b.safety(key)
		if t := b.tallies[c.name]; t != nil && t.fine > 0 { // before that, an error says nothing about this one value
			weights[k] *= math.Max(b.success(key), 0.02)
		}
	}
	text := p.choices[max(b.weighted(weights), 0)].text
	return literal(text, text)
}

// textArgument passes a string: an earlier one of the sequence, or a new one.
func (b *builder) textArgument(s *step, i int) arg {
	var known []int
	for v := range b.vars {
		if va := &b.vars[v]; va.kind == varText || va.kind == varResult && va.text != "" && !va.dead {
			known = append(known, v)
		}
	}
	if len(known) > 0 && b.chance(0.25) {
		return arg{pick(b.rng, known), "%s", "earlier"}
	}
	text, class := b.text(s.call, i)
	format := "const char *%[1]s = " + strings.ReplaceAll(recorded.CString(text), "%", "%%") + ";"
	return b.declare(s, variable{kind: varText, typ: s.call.params[i].typ, text: text}, format, class)
}

// text draws a string for parameter i and names its class.
func (b *builder) text(c *callable, i int) (text, class string) {
	p := &c.params[i]
	switch {
	case pathWords.has(p.words):
		return pick(b.rng, []string{"t0.dat", "t0.dat", "t1.dat", "none/t.dat"}), "path"
	case c.variadic && i == len(c.params)-1:
		return formatText, "format"
	case slices.Contains(p.words, "mode"):
		mode := pick(b.rng, []string{"r", "w", "rb", "wb", "a", "w+", "r+"})
		return mode, "mode:" + mode
	}
	for _, k := range b.api.spec.Constants {
		if k.IsText && p.isAbout(k.Name, "") && b.chance(0.5) {
			return k.String, "constant"
		}
	}
	class = b.class(c, i, "usual", "made", "changed", "accepted", "accepted", "long")
	return b.content(class, b.texts, valueKey(c, i, "")), class
}

// formatText is the format of calls with a variable number of arguments, and formatArguments suit it.
const formatText, formatArguments = "%d %s", `, 42, "abc"`

// class draws a class of contents for parameter i by how often it led to no error.
func (b *builder) class(c *callable, i int, classes ...string) string {
	weights := make([]float64, len(classes))
	for k, class := range classes {
		key := valueKey(c, i, class)
		weights[k] = math.Max(b.success(key), 0.1) * b.safety(key)
	}
	return classes[max(b.weighted(weights), 0)]
}

// content draws a content of a class. What calls made is in made, what this parameter took in accepted[key].
func (b *builder) content(class string, made *pool, key string) string {
	switch class {
	case "made":
		return made.draw(b.rng)
	case "changed":
		return mutate(b.rng, made.draw(b.rng))
	case "accepted":
		if text := b.accepted[key].draw(b.rng); b.chance(0.6) {
			return text
		} else {
			return mutate(b.rng, text)
		}
	case "long":
		return strings.Repeat(pick(b.rng, texts)+pick(b.rng, []string{"", " ", ","}), 20+b.rng.IntN(100))
	}
	return pick(b.rng, texts)
}

// outPointer passes the address of a pointer: NULL for a call that sets it, a live one for one that ends it.
func (b *builder) outPointer(s *step, i int) bool {
	p := &s.call.params[i]
	if !s.call.destroys {
		s.args[i] = b.cell(s, p.typ.Elem, "NULL", "out")
		b.vars[s.args[i].v].object = p.object
		return true
	}
	for _, v := range b.live(p.object) {
		if k := b.vars[v].kind; k == varResult || k == varCell {
			s.args[i] = arg{v, "&%s", "live"}
			return true
		}
	}
	s.args[i] = null
	return i > 0
}

// anyArgument passes NULL or some bytes; what frees memory gets memory.
func (b *builder) anyArgument(s *step, i int) bool {
	s.args[i] = null
	if !s.call.destroys {
		if b.chance(0.5) {
			s.args[i], _ = b.input(s, i)
		}
		return true
	}
	for _, v := range b.live(memory) {
		if !b.blocked(&b.vars[v], use{s.call, i}) {
			s.args[i] = b.pass(v, "memory")
			return true
		}
	}
	return b.chance(0.1)
}

// objectArgument passes an object: a live one, a new one of its makers or of an earlier sequence, or a struct
// of the caller.
func (b *builder) objectArgument(s *step, i, nested int) bool {
	p, c := &s.call.params[i], s.call
	makers := b.api.makers[p.object]
	usable := b.usable(c, i, s.args[:i])
	isNew := c.init && p.object == c.object && !slices.ContainsFunc(s.args[:i], isVariable)
	switch {
	case b.chance(0.015):
		s.args[i] = null
		return true
	case len(usable) > 0 && b.chance(0.85):
	case p.object == "_IO_FILE":
		s.args[i] = literal("tmpfile()", "file")
		return true
	case len(makers) == 0 || isNew:
		if def := b.api.spec.Struct(p.object); def == nil || def.Opaque {
			return false
		}
		share := 0.6 // of its fields that are set
		if isNew {
			share = 0
		}
		usable = []int{b.structArgument(s, p.typ.Elem, p.object, share).v}
	case b.chance(0.35):
		if from := b.earlier(min(b.maxLength/2, b.maxLength-1-len(b.steps)), p.object); from != nil {
			b.join(from)
			usable = b.usable(c, i, s.args[:i])
		}
	default:
		weights := make([]float64, len(makers))
		for k, m := range makers {
			if m != c {
				weights[k] = b.eagerness(m) * b.success(m.name)
			}
			if m.object == p.object && !m.init {
				weights[k] *= 0.2 // needs one to make one
			}
		}
		if k := b.weighted(weights); k >= 0 && b.call(makers[k], nested+1) {
			usable = b.usable(c, i, s.args[:i])
		}
	}
	if len(usable) == 0 {
		return false
	}
	v := usable[len(usable)-1] // the newest most often
	if b.chance(0.4) {
		v = pick(b.rng, usable)
	}
	s.args[i] = b.passObject(v)
	if b.vars[v].kind == varStruct && !c.destroys && p.out {
		b.feed(s, v)
	}
	return true
}

func (q *sequence) passObject(v int) arg {
	if q.vars[v].owned {
		return q.pass(v, "owned")
	}
	return q.pass(v, "object")
}

func isVariable(a arg) bool { return a.class != "" && a.v >= 0 }

// usable returns the live objects that argument i of c may take after its first arguments, without breaking
// what is known of their owners and initialisers.
func (b *builder) usable(c *callable, i int, before []arg) (list []int) {
	p := &c.params[i]
	if p.role != roleObject {
		return nil
	}
	taken := slices.ContainsFunc(before, isVariable)
	initialised := slices.ContainsFunc(b.api.makers[p.object], func(m *callable) bool { return m.init })
	for _, v := range b.live(p.object) {
		va := &b.vars[v]
		same := slices.ContainsFunc(before, func(a arg) bool { return isVariable(a) && a.v == v })
		switch {
		case va.owned && (c.destroys || c.owns && taken), c.owns && same, b.blocked(va, use{c, i}):
		case va.kind == varStruct && initialised && va.ready == (c.init && !taken):
		default:
			list = append(list, v)
		}
	}
	return list
}

// feed points a struct's fields for memory at input and output, always before their first use and now and
// then later, so that calls also go on where they stopped.
func (b *builder) feed(s *step, v int) {
	p := 0.35
	if b.vars[v].output == 0 {
		p = 0.95
	}
	if s.call.init {
		p = 0.2
	}
	if !b.chance(p) {
		return
	}
	for _, f := range b.api.feeds[b.vars[v].object] {
		var from arg
		var size int
		if f.out {
			from, size = b.buffer(s)
			b.vars[v].output = from.v + 1
		} else {
			from, size = b.input(s, 0)
		}
		set := fmt.Sprintf("%%s.%s = (void *)%%s; %%[1]s.%s = %d;", f.pointer, f.length, size)
		s.before = append(s.before, statement{set, []int{v, from.v}})
	}
}

// structArgument adds a zeroed struct of the caller and sets a share of its plain fields.
func (b *builder) structArgument(s *step, t *apispec.Type, object string, share float64) arg {
	t = mutable(t)
	a := b.declare(s, variable{kind: varStruct, typ: t, object: object}, t.Declare("%[1]s")+" = {0};", "struct")
	def := b.api.spec.Struct(object)
	if def == nil {
		return a
	}
	for _, f := range def.Fields {
		if f.Type.IsScalar() && f.Name != "" && b.chance(share) {
			p := param{words: splitWords(f.Name), typ: f.Type}
			p.choices = numbers(b.api.spec, &p)
			if value := b.number(&callable{name: def.Name + "." + f.Name, params: []param{p}}, 0); value.v < 0 {
				s.before = append(s.before, statement{"%s." + f.Name + " = " + value.text + ";", []int{a.v}})
			}
		}
	}
	return a
}
