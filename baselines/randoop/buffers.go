package randoop

import (
	"math"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

func itoa(n int) string { return strconv.Itoa(n) }

// byteType is the element of every buffer.
var byteType = &apispec.Type{Kind: apispec.Int, Name: "unsigned char", Bits: 8}

// spelledOut is the longest content that a test spells out; longer ones are computed.
const spelledOut = poolItemLen

// byteContent draws bytes for a call and names their class: what such a call took before,
// text, what some call wrote, the same damaged, or a pattern. Classes that the call takes
// without error are drawn more often.
func (b *builder) byteContent(call string) (v variable, class string) {
	classes := []string{"text", "documents", "accepted", "random", "pattern", "pattern", "damaged"}
	for _, origin := range b.blobs.origins {
		classes = append(classes, "from "+origin)
	}
	weights := make([]float64, len(classes))
	for k, c := range classes {
		weights[k] = math.Max(b.memory.values[feedKey(call, c)].success(), 0.1)
		if k >= 7 {
			weights[k] *= min(1, 4/float64(len(b.blobs.origins)))
		}
	}
	class = classes[b.weighted(weights)]
	text, ok := "", true
	switch class {
	case "text":
		text = pick(b.rng, textMakers).make(b.rng)
	case "documents":
		text, ok = b.documents.pick(b.rng)
	case "accepted":
		text, ok = b.acceptedInput(call)
	case "random":
		for range 1 + b.rng.IntN(12) {
			text += string([]byte{byte(b.rng.IntN(256))})
		}
	case "damaged":
		if text, ok = b.blobs.pick(b.rng, pickOrNone(b.rng, b.blobs.origins)); ok {
			text = mutate(b.rng, text)
		}
	case "pattern":
		ok = false
	default:
		text, ok = b.blobs.pick(b.rng, strings.TrimPrefix(class, "from "))
	}
	if ok && len(text) <= spelledOut {
		return variable{kind: varBytes, typ: byteType, size: len(text), text: text}, class
	}
	size := pick(b.rng, []int{16, 100, 258, 300, 1000, 4096, 5000, 20000, 40000, 70000})
	return variable{kind: varBytes, typ: byteType, size: size,
		fill: &fill{pattern: b.rng.IntN(fillPatterns), seed: b.rng.IntN(1000)}}, "pattern"
}

// feedKey is the memory's key of a class of bytes that a call was given.
func feedKey(call, class string) string { return call + "/bytes/" + class }

func (b *builder) newBytes(s *step, v variable) int {
	id := b.newVar(v)
	s.decls = append(s.decls, id)
	return id
}

func (b *builder) newBuffer(s *step, size int) int {
	return b.newBytes(s, variable{kind: varBuffer, typ: byteType, size: size})
}

// capacity draws the size of an output buffer: what such a call needed before, best in this
// very sequence, or one more or less, or any size. Room that fits exactly is where many
// errors are.
func (b *builder) capacity(call string) int {
	if b.chance(0.3) {
		needed := b.memory.needed[call]
		if here := b.writtenHere(call); len(here) > 0 {
			needed = here
		}
		if len(needed) > 0 {
			return max(pick(b.rng, needed)+b.rng.IntN(3)-1, 1)
		}
	}
	return pick(b.rng, []int{1, 8, 32, 100, 300, 1000, 4096, 4096, 40000, 40000})
}

// writtenHere returns how many bytes calls of that name wrote earlier in the sequence.
func (b *builder) writtenHere(call string) []int {
	var sizes []int
	for v := range b.st.vars {
		vs := &b.st.vars[v]
		for _, u := range vs.uses {
			if u.call.name == call && b.seq.vars[v].kind == varBuffer && vs.produced >= 0 {
				sizes = append(sizes, vs.produced, vs.produced+1)
			}
		}
	}
	return sizes
}

// inputBytes returns bytes to read and how many: what earlier calls of this sequence
// wrote, earlier input, or new content.
func (b *builder) inputBytes(s *step) (v, size int, class string) {
	var produced, given []int
	for v := range b.seq.vars {
		vs := &b.st.vars
		if v >= len(*vs) || !(*vs)[v].declared {
			continue
		}
		switch b.seq.vars[v].kind {
		case varBuffer:
			if (*vs)[v].produced > 0 {
				produced = append(produced, v)
			}
		case varBytes:
			given = append(given, v)
		}
	}
	switch {
	case len(produced) > 0 && b.chance(0.45):
		v = b.recent(produced)
		return v, b.st.vars[v].produced, "produced"
	case len(given) > 0 && b.chance(0.2):
		v, class = pick(b.rng, given), "given"
	default:
		var content variable
		content, class = b.byteContent(s.call.name)
		v = b.newBytes(s, content)
	}
	return v, b.seq.vars[v].size, class
}

// newInput passes input bytes as argument i and returns how many there are.
func (b *builder) newInput(s *step, i int) int {
	v, size, class := b.inputBytes(s)
	s.args[i] = arg{kind: argVar, v: v, class: class}
	return size
}

// bytesArgument passes memory and its length.
func (b *builder) bytesArgument(s *step, i int) {
	p := &s.call.params[i]
	size := 0
	switch {
	case p.pair < 0:
		b.loneBytes(s, i)
		return
	case b.chance(0.02):
		s.args[i] = literal("NULL", "null")
	case p.out && b.isOutput(p):
		size = b.capacity(s.call.name)
		s.args[i] = arg{kind: argVar, v: b.newBuffer(s, size), class: "output"}
	case p.typ.Elem.Name == "char" && !p.out:
		text, class := b.textContent(s.call, p, i)
		v := b.newBytes(s, variable{kind: varBytes, typ: byteType, size: len(text) + 1, text: text + "\x00"})
		s.args[i] = arg{kind: argVar, v: v, class: class}
		size = len(text) + b.rng.IntN(2)
	default:
		size = b.newInput(s, i)
	}
	b.lengths(s, i, size)
}

// isOutput decides whether a call writes to memory that it may both read and write.
func (b *builder) isOutput(p *param) bool {
	switch {
	case !p.in || outputWords.has(p.words) && !inputWords.has(p.words):
		return true
	case inputWords.has(p.words):
		return false
	}
	return b.chance(0.6)
}

// loneBytes passes memory of unknown extent: a writable string, or bytes with room.
func (b *builder) loneBytes(s *step, i int) {
	p := &s.call.params[i]
	const room = 1000
	if p.typ.Elem.Name == "char" && p.size == 0 {
		text, class := b.textContent(s.call, p, i)
		v := b.newBytes(s, variable{kind: varBytes, typ: byteType, size: len(text) + 1, text: text + "\x00"})
		s.args[i] = arg{kind: argVar, v: v, class: class}
		return
	}
	if p.out && b.chance(0.5) {
		s.args[i] = arg{kind: argVar, v: b.newBuffer(s, room), class: "output"}
		return
	}
	content, class := b.byteContent(s.call.name)
	if content.fill == nil {
		content.text += strings.Repeat("\x00", max(room-content.size, 1))
		content.size = len(content.text)
	}
	s.args[i] = arg{kind: argVar, v: b.newBytes(s, content), class: class}
}

// lengths fills in the length arguments of buffer i, which holds size elements: mostly
// right, sometimes less.
func (b *builder) lengths(s *step, i, size int) {
	p := &s.call.params[i]
	if p.pair < 0 {
		return
	}
	told, class := size, "whole"
	if b.chance(0.15) && size > 0 {
		told, class = b.rng.IntN(size), "part"
	}
	first := told
	if p.second >= 0 {
		first = pick(b.rng, []int{1, 1, 2, 4})
		s.args[p.second] = literal(itoa(told/first), class)
	}
	if s.call.params[p.pair].role == roleLength {
		s.args[p.pair] = literal(itoa(first), class)
		return
	}
	elem := *s.call.params[p.pair].typ.Elem
	elem.Const = false
	v := b.newVar(variable{kind: varScalar, typ: &elem, init: itoa(first)})
	s.decls = append(s.decls, v)
	s.args[p.pair] = arg{kind: argAddress, v: v, class: class}
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
	elem := *p.typ.Elem
	var items []string
	if elem.Kind == apispec.Pointer {
		for range n {
			items = append(items, exact.CString(pick(b.rng, pick(b.rng, [][]string{words, awkward}))))
		}
	} else {
		elem.Const = false
		c := &callable{name: s.call.name + "[]", params: []param{{typ: &elem}}}
		for range n {
			a := b.scalar(c, 0)
			if a.kind != argLiteral {
				a.text = "1"
			}
			items = append(items, a.text)
		}
	}
	v := b.newVar(variable{kind: varArray, typ: &elem, size: n, init: "{" + strings.Join(items, ", ") + "}"})
	s.decls = append(s.decls, v)
	s.args[i] = arg{kind: argVar, v: v, class: "array"}
	b.lengths(s, i, n)
}
