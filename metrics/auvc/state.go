package auvc

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// A key says what kind of cell a memory access reads: values of another type, or of another
// field, are other cells.
type key struct{ typ, field string }

// A store is a value written to an address.
type store struct {
	addr  string
	value term
}

// A cells is what one kind of cell holds: what was there at a version, with the stores since.
type cells struct {
	version int
	stores  []store // oldest first
}

// maxStores bounds the stores that a load looks through; beyond it the cells are taken to have
// changed in a way that is not known.
const maxStores = 16

// A memory is what an object holds.
type memory struct {
	name  string // of its version
	zero  bool   // what was not stored is 0
	text  string // the string it was initialised with, as a term; "" if none
	cells map[key]cells
	// A copy of another object: addresses in this one are those in that one.
	here, there string
}

func (m memory) clone() memory {
	m.cells = maps.Clone(m.cells)
	for k, c := range m.cells {
		c.stores = slices.Clone(c.stores)
		m.cells[k] = c
	}
	return m
}

// load reads a cell.
func (m memory) load(addr term, k key, typ ctype) term {
	at := addr.text
	if m.here != "" {
		at = strings.ReplaceAll(at, m.here, m.there)
	}
	c := m.cells[k]
	value, known := zero(typ)
	if !m.zero || c.version > 0 || !known {
		from := addr
		from.text = at
		value = apply(fmt.Sprintf("load:%s:%s:%s.%d", k.typ, k.field, m.name, c.version), typ.sort(), from)
		value.typ = typ
	}
	value = value.with(addr)
	for _, s := range c.stores {
		switch {
		case s.addr == at:
			value = s.value.with(addr)
		case s.value.sort == value.sort && !distinctOffsets(s.addr, at):
			value.text = fmt.Sprintf("(ite (= %s %s) %s %s)", at, s.addr, s.value.text, value.text)
			value = value.with(s.value)
		}
	}
	value.typ = typ
	return value
}

// distinctOffsets reports whether two addresses are the same sum but for its constant.
func distinctOffsets(a, b string) bool {
	const tail = len(" #x0000000000000000)")
	cut := func(s string) (string, string) {
		if len(s) > tail && strings.HasPrefix(s, "(bvadd ") && strings.HasPrefix(s[len(s)-tail:], " #x") {
			return s[len("(bvadd ") : len(s)-tail], s[len(s)-tail:]
		}
		return s, ""
	}
	baseA, offsetA := cut(a)
	baseB, offsetB := cut(b)
	const none = " #x0000000000000000)"
	if offsetA == "" {
		offsetA = none
	}
	if offsetB == "" {
		offsetB = none
	}
	return baseA == baseB && offsetA != offsetB
}

// An object is something that calls may change as a whole: a variable, or what a pointer that
// came from a call points to. Objects that met in a call that may have linked them are
// changed together.
type object struct {
	group  int // another member, or itself
	memory memory
	// address is the symbol of where it is, for variables.
	address string
}

// A state is all that changes while a program runs.
type state struct {
	objects []object       // by root; 0 is what pointers of unknown origin point to
	vars    map[string]int // variables by clang's id: root
	refs    map[string]term
	world   int            // version of what calls without objects depend on
	results map[string]int // objects that pointers from calls point to, by the call's term
	changed map[int]bool   // roots, since whoever wants to know emptied it
	serial  *serial
}

func newState(n *serial) *state {
	s := &state{vars: map[string]int{}, refs: map[string]term{}, results: map[string]int{}, changed: map[int]bool{}, serial: n, world: n.next()}
	s.newObject("far")
	return s
}

func (s *state) clone() *state {
	c := &state{vars: maps.Clone(s.vars), refs: maps.Clone(s.refs), results: maps.Clone(s.results),
		world: s.world, changed: maps.Clone(s.changed), serial: s.serial}
	for _, o := range s.objects {
		o.memory = o.memory.clone()
		c.objects = append(c.objects, o)
	}
	return c
}

func (s *state) newObject(name string) int {
	root := len(s.objects)
	s.objects = append(s.objects, object{group: root, memory: memory{name: fmt.Sprintf("%s#%d", name, s.serial.next()), cells: map[key]cells{}}})
	return root
}

func (s *state) group(root int) int {
	for s.objects[root].group != root {
		root = s.objects[root].group
	}
	return root
}

// link makes objects change together from now on.
func (s *state) link(roots ...int) {
	for _, r := range roots[min(1, len(roots)):] {
		if a, b := s.group(roots[0]), s.group(r); a != b {
			s.objects[max(a, b)].group = min(a, b)
		}
	}
}

// members returns the objects that change together with root.
func (s *state) members(root int) []int {
	var all []int
	g := s.group(root)
	for r := range s.objects {
		if s.group(r) == g {
			all = append(all, r)
		}
	}
	return all
}

// serial numbers versions; it is never taken back, so that no two states share a name.
type serial struct{ n int }

func (s *serial) next() int { s.n++; return s.n }

// move makes the contents of an object and of those linked to it unknown.
func (s *state) move(root int) {
	for _, r := range s.members(root) {
		o := &s.objects[r]
		base, _, _ := strings.Cut(o.memory.name, "@")
		o.memory = memory{name: fmt.Sprintf("%s@%d", base, s.serial.next()), cells: map[key]cells{}}
		s.changed[r] = true
	}
}

// write stores a value. Cells of the object that may be the same ones are then unknown, also
// those of objects linked to it.
func (s *state) write(addr term, k key, value term) {
	for _, r := range s.members(addr.root) {
		s.changed[r] = true
		o := &s.objects[r]
		o.memory.text = ""
		at := addr.text
		if o.memory.here != "" {
			at = strings.ReplaceAll(at, o.memory.here, o.memory.there)
		}
		for other, c := range o.memory.cells {
			if other != k && other.typ == k.typ && (other.field == "" || k.field == "") {
				c.version, c.stores = s.serial.next(), nil
				o.memory.cells[other] = c
			}
		}
		c := o.memory.cells[k]
		c.stores = slices.DeleteFunc(slices.Clone(c.stores), func(st store) bool { return st.addr == at })
		if len(c.stores) >= maxStores || r != addr.root {
			c.version, c.stores = s.serial.next(), nil
		}
		if r == addr.root {
			c.stores = append(c.stores, store{addr: at, value: value})
		}
		o.memory.cells[k] = c
	}
}

// stamp names all that an object holds now.
func (s *state) stamp(root int) string {
	m := s.objects[root].memory
	var b strings.Builder
	b.WriteString(m.name)
	for _, k := range slices.SortedFunc(maps.Keys(m.cells), func(x, y key) int {
		return strings.Compare(x.typ+"\x00"+x.field, y.typ+"\x00"+y.field)
	}) {
		c := m.cells[k]
		if c.version == 0 && len(c.stores) == 0 {
			continue
		}
		fmt.Fprintf(&b, "/%s.%s.%d", k.typ, k.field, c.version)
		for _, st := range c.stores {
			fmt.Fprintf(&b, ",%s=%s", st.addr, st.value.text)
		}
	}
	return b.String()
}

// address returns the address of a variable's object.
func (s *state) address(root int) term {
	o := &s.objects[root]
	if o.address == "" {
		o.address = smt.Symbol(fmt.Sprintf("&%s:>%s", o.memory.name, bitVec(64)))
	}
	symbol := o.address
	t := term{text: symbol, sort: bitVec(64), typ: bytePtr, root: root}
	return t.assuming("(not (= " + symbol + " #x0000000000000000))")
}
