package randoop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

func newStep(c *callable) *step {
	s := &step{call: c, args: make([]string, len(c.params)), taken: make([]int, len(c.params))}
	for i := range c.params {
		s.args[i], s.taken[i] = "NULL", -1
	}
	return s
}

// pass gives a variable to the call as argument i.
func (s *step) pass(i, v int, expr string) { s.args[i], s.taken[i] = expr, v }

// address is how an object or a cell is given to a call.
func (q *sequence) address(v int) string {
	if k := q.vars[v].kind; k == varStruct || k == varCell && q.vars[v].object == "" {
		return "&" + ref(v)
	}
	return ref(v)
}

// write adds a line to the code of a step.
func (s *step) write(format string, args ...any) { s.code += fmt.Sprintf("    "+format+"\n", args...) }

// argument chooses argument i of s, and its length where it has one.
func (b *builder) argument(s *step, i, nested int) bool {
	switch p := &s.call.params[i]; p.role {
	case roleNumber:
		s.args[i] = number(b.rng, p)
	case roleText:
		s.args[i] = recorded.CString(b.text(p))
	case roleSize:
		s.args[i] = "sizeof *(" + s.call.params[0].typ.String() + ")0"
	case roleBytes:
		b.bytesArgument(s, i)
	case roleList:
		b.listArgument(s, i)
	case roleCell:
		return b.cellArgument(s, i)
	case roleObject:
		return b.objectArgument(s, i, nested)
	}
	return true // a length is set with what it is the length of, and a callback is NULL
}

// text draws a string for a parameter.
func (b *builder) text(p *param) string {
	switch {
	case pathWords.has(p.words):
		return pick(b.rng, []string{"t0.dat", "t0.dat", "t1.dat", "none/t.dat"})
	case modeWords.has(p.words):
		return pick(b.rng, []string{"r", "w", "rb", "wb", "a", "w+", "r+"})
	}
	for _, k := range b.api.spec.Constants {
		if k.IsText && p.isAbout(k.Name, "") && b.chance(0.5) {
			return k.String
		}
	}
	text, _, _ := strings.Cut(b.contents.draw(b.rng), "\x00")
	return text
}

// room is the least size of memory that a call may write to if nothing tells the size.
const room = 1000

// bytesArgument passes memory, and its length if that is another argument: mostly right, sometimes less.
func (b *builder) bytesArgument(s *step, i int) {
	p := &s.call.params[i]
	if p.pair < 0 && endWords.ends(splitWords(s.call.name)) || b.chance(0.02) {
		b.passLength(s, i, 0)
		return // NULL: nothing is known of what it frees
	}
	isText := p.typ.Elem.Name == "char"
	var v, length int
	switch {
	case p.pair < 0:
		v, length = b.spelled(s, b.text(p), room)
	case p.out && !inputWords.has(p.words):
		v, length = b.output(s)
	case isText:
		v, length = b.spelled(s, b.text(p), 0)
	default:
		v, length = b.input(s)
	}
	s.pass(i, v, "("+p.typ.String()+")"+ref(v))
	b.passLength(s, i, length)
}

// passLength passes the length of argument i.
func (b *builder) passLength(s *step, i, length int) {
	pair := s.call.params[i].pair
	if pair < 0 {
		return
	}
	if length > 0 && b.chance(0.15) {
		length = b.rng.IntN(length)
	}
	if s.args[pair] = fmt.Sprint(length); s.call.params[pair].typ.Kind == apispec.Pointer {
		b.declareCell(s, pair, fmt.Sprint(length), "")
	}
}

// byteType is the element of memory.
var byteType = &apispec.Type{Kind: apispec.Int, Name: "unsigned char", Bits: 8}

// output declares memory for a call to write to.
func (b *builder) output(s *step) (v, size int) {
	size = pick(b.rng, []int{1, 8, 32, 100, 300, 1000, 4096, 40000})
	v = b.add(variable{kind: varBytes, typ: byteType, size: size})
	s.write("unsigned char %s[%d] = {0};", ref(v), size)
	return v, size
}

// spelled declares memory of at least so many bytes that begins with text, and returns how many it spells out.
func (b *builder) spelled(s *step, text string, least int) (v, length int) {
	v = b.add(variable{kind: varBytes, typ: byteType, size: max(len(text)+1, least), text: text})
	s.write("unsigned char %s[%d] = %s;", ref(v), b.vars[v].size, recorded.CString(text))
	return v, len(text)
}

// input returns memory for a call to read, and how many bytes: what earlier calls of the sequence wrote, a content
// of the pool, or a computed one.
func (b *builder) input(s *step) (v, length int) {
	for v := len(b.vars) - 1; v >= 0; v-- {
		if va := &b.vars[v]; va.kind == varBytes && va.written > 0 && b.chance(0.4) {
			return v, va.written
		}
	}
	if b.chance(0.6) {
		return b.spelled(s, b.contents.draw(b.rng), 0)
	}
	length = pick(b.rng, []int{16, 100, 258, 300, 1000, 4096, 20000, 70000})
	v = b.add(variable{kind: varBytes, typ: byteType, size: length})
	s.write("unsigned char %[1]s[%[2]d]; fill(%[1]s, %[2]d, %[3]d);", ref(v), length, b.rng.IntN(1000))
	return v, length
}

// listArgument passes numbers and how many there are.
func (b *builder) listArgument(s *step, i int) {
	p := &s.call.params[i]
	n := 1 + b.rng.IntN(6)
	if p.size > 0 {
		n = int(min(p.size, 256))
	} else if p.pair < 0 {
		n = 16
	}
	item := param{typ: mutable(p.typ.Elem)}
	items := make([]string, n)
	for k := range items {
		items[k] = number(b.rng, &item)
	}
	v := b.add(variable{kind: varList, typ: item.typ})
	s.write("%s = {%s};", item.typ.Declare(fmt.Sprintf("%s[%d]", ref(v), n)), strings.Join(items, ", "))
	s.pass(i, v, ref(v))
	b.passLength(s, i, n)
}

// cellArgument passes the address of a number or a pointer: of a live one to a call that ends it.
func (b *builder) cellArgument(s *step, i int) bool {
	p := &s.call.params[i]
	switch e := p.typ.Elem; {
	case e.Kind != apispec.Pointer:
		if !b.chance(0.08) {
			b.declareCell(s, i, pick(b.rng, []string{"0", "0", "1", "100"}), "")
		}
	case s.call.destroys:
		for _, v := range b.live(p.object) {
			if k := b.vars[v].kind; k == varResult || k == varCell {
				s.pass(i, v, "&"+ref(v))
				return true
			}
		}
		return i > 0
	default:
		b.declareCell(s, i, "NULL", p.object)
	}
	return true
}

// declareCell declares a number or pointer and passes its address.
func (b *builder) declareCell(s *step, i int, value, object string) {
	t := mutable(s.call.params[i].typ.Elem)
	v := b.add(variable{kind: varCell, typ: t, object: object})
	s.write("%s = %s;", t.Declare(ref(v)), value)
	s.pass(i, v, "&"+ref(v))
}

// mutable returns t without const.
func mutable(t *apispec.Type) *apispec.Type {
	plain := *t
	plain.Const = false
	return &plain
}

// objectArgument passes an object: a live one, a new one of its makers or of an earlier sequence, or a struct
// of the caller.
func (b *builder) objectArgument(s *step, i, nested int) bool {
	p, c := &s.call.params[i], s.call
	if b.chance(0.015) {
		return true // NULL
	}
	usable := b.usable(s, i)
	switch makers := b.api.makers[p.object]; {
	case len(usable) > 0 && b.chance(0.85):
	case p.object == "_IO_FILE":
		s.args[i] = "tmpfile()"
		return true
	case len(makers) == 0 || c.init && p.object == c.object:
		if def := b.api.spec.Struct(p.object); def == nil || def.Opaque {
			return false
		}
		usable = []int{b.declareStruct(s, p.typ.Elem, p.object, !c.init)}
	case b.chance(0.35):
		if from := b.earlier(min(b.maxLength/2, b.maxLength-1-len(b.steps)), p.object); from != nil {
			b.join(from)
			usable = b.usable(s, i)
		}
	default:
		if m := b.grower.draw(makers); m != nil && b.call(m, nested+1) {
			usable = b.usable(s, i)
		}
	}
	if len(usable) == 0 {
		return false
	}
	v := usable[len(usable)-1] // the newest most often
	if b.chance(0.4) {
		v = pick(b.rng, usable)
	}
	s.pass(i, v, b.address(v))
	return true
}

// usable returns the live objects that may be argument i after the arguments before, without breaking what is
// known of their owners and initialisers.
func (b *builder) usable(s *step, i int) (list []int) {
	c, object := s.call, s.call.params[i].object
	isFirst := !slices.ContainsFunc(s.taken[:i], func(v int) bool { return v >= 0 && b.vars[v].object != "" })
	initialised := slices.ContainsFunc(b.api.makers[object], func(m *callable) bool { return m.init })
	for _, v := range b.live(object) {
		va := &b.vars[v]
		switch {
		case va.owned && (c.destroys || c.owns && !isFirst), c.owns && slices.Contains(s.taken[:i], v):
		case va.kind == varStruct && initialised && va.ready == (c.init && isFirst):
		default:
			list = append(list, v)
		}
	}
	return list
}

// declareStruct declares a zeroed struct of the caller. It sets some of its numbers, and pairs of a pointer and a
// length through which calls read and write memory, as next_in and avail_in of zlib's z_stream.
func (b *builder) declareStruct(s *step, t *apispec.Type, object string, set bool) int {
	t = mutable(t)
	v := b.add(variable{kind: varStruct, typ: t, object: object})
	s.write("%s = {0};", t.Declare(ref(v)))
	def := b.api.spec.Struct(object)
	if def == nil {
		return v
	}
	for i, f := range def.Fields {
		p := param{words: splitWords(f.Name), typ: f.Type}
		switch {
		case f.Type.IsScalar() && f.Name != "" && set && b.chance(0.6):
			p.constants = constantsFor(b.api.spec, &p)
			s.write("%s.%s = %s;", ref(v), f.Name, number(b.rng, &p))
		case f.Type.Kind == apispec.Pointer && f.Type.Elem.IsChar() && i+1 < len(def.Fields) && isLength(def.Fields[i+1]):
			from, length := b.input(s)
			if !f.Type.Elem.Const && !inputWords.has(p.words) {
				from, length = b.output(s)
				b.vars[v].output = from + 1
			}
			s.write("%[1]s.%[2]s = (void *)%[3]s; %[1]s.%[4]s = %[5]d;", ref(v), f.Name, ref(from), def.Fields[i+1].Name, length)
		}
	}
	return v
}

// isLength reports whether a field of a struct may be the length of the one before.
func isLength(f apispec.Field) bool {
	return f.Type.Kind == apispec.Int && f.Type.Bits >= 32 && lengthWords.has(splitWords(f.Name))
}
