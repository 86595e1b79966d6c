package randoop

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// byteType is the element of every buffer.
var byteType = &apispec.Type{Kind: apispec.Int, Name: "unsigned char", Bits: 8}

// buffer adds a zeroed buffer for output. Lengths that earlier calls returned are often the least room, or one less.
func (b *builder) buffer(s *step) (a arg, size int) {
	size = pick(b.rng, []int{1, 8, 32, 100, 300, 1000, 4096, 4096, 40000, 40000})
	var lengths []int
	for _, v := range b.vars {
		if v.number > 0 && v.number < 40000 {
			lengths = append(lengths, v.number)
		}
	}
	if len(lengths) > 0 && b.chance(0.4) {
		size = pick(b.rng, lengths) + b.rng.IntN(2)
	}
	format := fmt.Sprintf("unsigned char %%[1]s[%d] = {0};", size)
	return b.declare(s, variable{kind: varBuffer, typ: byteType, size: size}, format, "output"), size
}

// spelled adds bytes that a program spells out.
func (b *builder) spelled(s *step, text string, size int, class string) arg {
	spelling := strings.ReplaceAll(recorded.CString(strings.TrimRight(text, "\x00")), "%", "%%")
	format := fmt.Sprintf("unsigned char %%[1]s[%d] = %s;", size, spelling)
	return b.declare(s, variable{kind: varBytes, typ: byteType, size: size, text: text}, format, class)
}

// input returns bytes for parameter i to read, and how many: what earlier calls of this sequence wrote, or new
// content.
func (b *builder) input(s *step, i int) (a arg, size int) {
	for v := len(b.vars) - 1; v >= 0; v-- {
		if va := &b.vars[v]; va.kind == varBuffer && va.written > 0 && b.chance(0.4) {
			return b.pass(v, "written"), va.written
		}
	}
	class := b.class(s.call, i, "usual", "made", "changed", "accepted", "pattern", "pattern")
	if class != "pattern" {
		if text := b.content(class, b.blobs, valueKey(s.call, i, "")); text != "" {
			return b.spelled(s, text, len(text), class), len(text)
		}
	}
	size = pick(b.rng, []int{16, 100, 258, 300, 1000, 4096, 20000, 70000})
	format := fmt.Sprintf("unsigned char %%[1]s[%[1]d]; fill(%%[1]s, %[1]d, %[2]d, %[3]d);", size, b.rng.IntN(4), b.rng.IntN(1000))
	return b.declare(s, variable{kind: varBytes, typ: byteType, size: size}, format, "pattern"), size
}

// room is the size of memory of which nothing tells the size.
const room = 1000

// bytesArgument passes memory and its length.
func (b *builder) bytesArgument(s *step, i int) {
	p := &s.call.params[i]
	isText := p.typ.Elem.Name == "char"
	size := 0
	switch {
	case p.pair >= 0 && b.chance(0.02):
		s.args[i] = null
	case p.pair < 0 && (!isText || p.size > 0):
		text := ""
		if !p.out || b.chance(0.5) {
			text = b.content(b.class(s.call, i, "usual", "made", "changed", "accepted"), b.blobs, valueKey(s.call, i, ""))
		}
		s.args[i] = b.spelled(s, text, room, "room")
	case isText && (p.pair < 0 || !p.out):
		text, class := b.text(s.call, i)
		s.args[i] = b.spelled(s, text, len(text)+1, class)
		size = len(text) + b.rng.IntN(2)
	case p.out && b.isOutput(p):
		s.args[i], size = b.buffer(s)
	default:
		s.args[i], size = b.input(s, i)
	}
	b.lengths(s, i, size)
}

// isOutput decides whether a call writes to memory that it may both read and write.
func (b *builder) isOutput(p *param) bool {
	out, in := outputWords.has(p.words), inputWords.has(p.words)
	if out != in {
		return out
	}
	return b.chance(0.6)
}

// lengths fills in the length of buffer i, which holds size elements: mostly right, sometimes less.
func (b *builder) lengths(s *step, i, size int) {
	pair := s.call.params[i].pair
	if pair < 0 {
		return
	}
	class := "whole"
	if b.chance(0.15) && size > 0 {
		size, class = b.rng.IntN(size), "part"
	}
	if s.args[pair] = literal(fmt.Sprint(size), class); s.call.params[pair].role == roleLengthPtr {
		s.args[pair] = b.cell(s, s.call.params[pair].typ.Elem, fmt.Sprint(size), class)
	}
}

// arrayArgument passes numbers or strings and how many there are.
func (b *builder) arrayArgument(s *step, i int) {
	p := &s.call.params[i]
	n := 1 + b.rng.IntN(6)
	if p.size > 0 {
		n = int(min(p.size, 256))
	} else if p.pair < 0 {
		n = 16
	}
	item := param{typ: mutable(p.typ.Elem)}
	if p.typ.Elem.Kind == apispec.Pointer { // const char *const *
		item.typ = p.typ.Elem
		for _, text := range texts {
			item.choices = append(item.choices, choice{recorded.CString(text), 1})
		}
	} else {
		item.choices = numbers(b.api.spec, &item)
	}
	items := make([]string, n)
	for k := range items {
		items[k] = strings.ReplaceAll(pick(b.rng, item.choices).text, "%", "%%")
	}
	format := item.typ.Declare(fmt.Sprintf("%%[1]s[%d]", n)) + " = {" + strings.Join(items, ", ") + "};"
	s.args[i] = b.declare(s, variable{kind: varArray, typ: item.typ, size: n}, format, "array")
	b.lengths(s, i, n)
}
