package auvc

import (
	"slices"
	"strings"
)

// An object is something that calls may change as a whole: a variable, or what a pointer that
// came from a call points to. Objects that met in a call that may have linked them are
// changed together.
type object struct {
	group  int    // another object of its group, or itself
	linked bool   // its group has others, or had
	base   base   // its content where no write follows
	last   *write // the latest one
	writes int    // how often it may have changed
	fixed  bool   // a string literal: nothing changes it
}

// A base is the content of an object: a text (the empty one for zeros), a value without structure, or unknown.
type base struct {
	text *string
	held *val
	id   uint64 // of an unknown content: equal ids are equal contents
}

// A write is a value that was stored in an object.
type write struct {
	at     uint64
	v      val
	before *write
	depth  int
}

// maxChanges bounds the changes of an object that a read looks through; beyond it, nothing is known of the object.
const maxChanges = 256

// A state is all that changes while a program runs. Objects are told apart by their index, the
// root of the addresses in them; 0 is what pointers of unknown origin point to.
type state struct {
	objects []object
	world   uint64 // version of the state that calls without objects depend on
}

// objectBits is the number of bits of an address that are the place within its object.
const objectBits = 32

// place returns the place of an address within its object.
func place(at uint64) uint64 { return at & (1<<objectBits - 1) }

func width(s shape) uint64 { return uint64(max(s.bits, 8) / 8) }

// newObject makes an object and returns its address.
func (w *walker) newObject() val {
	root := len(w.objects)
	w.objects = append(w.objects, object{group: root, base: base{id: w.next()}})
	at := num(int64(start(root)), addressShape)
	at.root = root
	return at
}

// start is where an object begins.
func start(root int) uint64 { return uint64(root+1) << objectBits }

// isVariable reports whether a place is a whole variable.
func isVariable(at val) bool { return at.root > 0 && start(at.root) == at.n }

func (s *state) group(root int) int {
	for s.objects[root].group != root {
		root = s.objects[root].group
	}
	return root
}

// link makes objects change together from now on.
func (s *state) link(a, b int) {
	if a, b = s.group(a), s.group(b); a != b && !s.objects[a].fixed && !s.objects[b].fixed {
		s.objects[max(a, b)].group = min(a, b)
		s.objects[a].linked, s.objects[b].linked = true, true
	}
}

// set gives an object its content.
func (s *state) set(root int, b base) {
	o := &s.objects[root]
	if o.writes++; !o.fixed {
		o.base, o.last = b, nil
	}
}

func (s *state) setText(root int, text string) { s.set(root, base{text: &text}) }

// move makes the contents of an object and of those linked to it unknown.
func (w *walker) move(root int) { w.moveAll(root, -1) }

func (w *walker) moveAll(root, except int) {
	version, g := w.next(), w.group(root)
	first, end := 0, len(w.objects)
	if !w.objects[root].linked { // as nearly all: a program that calls much has thousands
		first, end = root, root+1
	}
	for r := first; r < end; r++ {
		if r != except && w.group(r) == g {
			w.set(r, base{id: mix(version, uint64(r))})
		}
	}
}

// store writes a value. The contents of objects linked to this one are then unknown.
func (w *walker) store(at, v val) {
	w.moveAll(at.root, at.root)
	o := &w.objects[at.root]
	depth := 1
	if o.last != nil {
		depth = o.last.depth + 1
	}
	if depth > maxChanges {
		w.move(at.root)
	}
	if o.writes++; !o.fixed {
		o.last = &write{at.n, v, o.last, depth}
	}
}

// read returns the value that an object holds at an address.
func (w *walker) read(at val, to shape) val {
	o, size := &w.objects[at.root], width(to)
	for c := o.last; c != nil; c = c.before {
		from, wide := c.v.shape, width(c.v.shape)
		switch {
		case c.at == at.n && from.kind == to.kind && from.bits == to.bits:
			v := c.v
			if v.shape = to; to.kind == number {
				v.n = fit(v.n, to)
			}
			return v
		case size == 1 && to.kind == number && from.kind != float && at.n-c.at < wide: // one of its bytes
			v := c.v
			v.shape, v.origin, v.form = to, origin{}, mix(v.form, at.n-c.at)
			v.n = fit(v.n>>(8*(at.n-c.at)), to)
			return v
		case c.at < at.n+size && at.n < c.at+wide:
			return w.draw(mix(o.base.id, place(at.n), 1), mix(c.v.hash(), at.n-c.at), to)
		}
	}
	b := o.base
	switch {
	case b.text != nil:
		return constantOf(val{n: fit(uint64(charOf(*b.text, at.n-start(at.root))), to)}, to)
	case size == 1 && to.kind == number:
		return w.character(b, at.n, to)
	}
	return w.draw(mix(b.id, place(at.n)), mix(b.id, at.n), to)
}

func charOf(text string, i uint64) byte {
	if i < uint64(len(text)) {
		return text[i]
	}
	return 0
}

// unknownText returns the text of an unknown object, from the start of the object that an address leads into.
func (w *walker) unknownText(b base, at uint64) val {
	return w.draw(b.id, mix(b.id, at-place(at)), textShape)
}

// character returns a character of such a text, or one after its end.
func (w *walker) character(b base, at uint64, to shape) val {
	t := w.unknownText(b, at)
	i := place(at)
	c := charOf(t.s, i)
	t.form = mix(t.form, i)
	if i > uint64(len(t.s)) {
		c = t.origin.pool.char(int(min(i, 1<<10)), w.random(t.form), w.exactness())
	}
	t.origin.at = int(min(i, 1<<10))
	t.shape, t.n, t.s = to, fit(uint64(c), to), ""
	t.unknowns = unknowns{t.form, characters}
	return t
}

// textAt returns the C string that a pointer to characters leads to, or the text that the value is.
func (w *walker) textAt(v val) val {
	const most = 1 << 12
	switch v.shape.kind {
	case text:
		return v
	case address:
	default:
		return w.unknown("text of", textShape, v)
	}
	o := &w.objects[v.root]
	written := false
	for c := o.last; c != nil; c = c.before {
		written = written || c.v.shape.bits == 8
	}
	switch b := o.base; {
	case v.undefined:
		return val{shape: textShape, undefined: true}
	case !written && b.held != nil && b.held.shape.kind == text:
		return *b.held
	case !written && b.text == nil && place(v.n) == 0:
		t := w.unknownText(b, v.n)
		t.unknowns = unknowns{characters}
		return t
	}
	return w.characters(v, most, true)
}

// characters returns the text, cut off after a number of characters.
func (w *walker) characters(at val, most uint64, ends bool) val {
	var b strings.Builder
	out := val{shape: textShape, constant: at.constant, form: at.form, undefined: at.undefined}
	for i := range most {
		c := w.read(val{n: at.n + i, root: at.root}, byteShape)
		if i == 0 {
			out.origin = c.origin
		}
		out.form = mix(out.form, c.form)
		out.constant = out.constant && c.constant
		if ends && c.n == 0 || c.undefined {
			break
		}
		b.WriteByte(byte(c.n))
	}
	out.s, out.unknowns = b.String(), unknowns{characters}
	return out
}

// content returns a number for the content of the object in which an address lies, as seen from there. Equal contents
// have equal numbers.
func (w *walker) content(at val) val {
	o := &w.objects[at.root]
	sum := mix(o.base.id, at.n)
	var seen []uint64
	for c := o.last; c != nil; c = c.before {
		if !slices.Contains(seen, c.at) {
			seen = append(seen, c.at)
			sum += mix(c.at-at.n, c.v.hash())
		}
	}
	switch b := o.base; {
	case b.text != nil:
		sum += hashed(*b.text) - mix(b.id, at.n)
	case b.held != nil:
		sum += mix(b.held.hash(), at.n-start(at.root)) - mix(b.id, at.n)
	}
	return val{shape: otherShape, n: sum, form: sum, undefined: at.undefined, unknowns: unknowns{sum}}
}
