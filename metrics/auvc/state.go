package auvc

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/cprog"
)

// A key says what kind of cell a memory access reads: values of another type, or of another
// field, are other cells.
type key struct {
	typ   int // of a type, without qualifiers
	field string
}

// charKey is the type of cells that hold one byte: characters of any sign are the same cells.
const charKey = -1

func keyFor(typ *cprog.Type, field string) key {
	if isChar(typ) {
		return key{charKey, field}
	}
	if typ.Same != nil {
		typ = typ.Same
	}
	return key{typ.ID, field}
}

// A store is a value written to an address.
type store struct{ addr, value *node }

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
	text  *value // the string it was initialised with
	cells map[key]cells
	// A copy of another object: addresses in this one are those in that one.
	here, there *node
}

func (m memory) clone() memory {
	m.cells = maps.Clone(m.cells)
	for k, c := range m.cells {
		c.stores = slices.Clone(c.stores)
		m.cells[k] = c
	}
	return m
}

// An object is something that calls may change as a whole: a variable, or what a pointer that
// came from a call points to. Objects that met in a call that may have linked them are
// changed together.
type object struct {
	group   int // another member, or itself
	memory  memory
	address *node // of a variable
}

// A state is all that changes while a program runs.
type state struct {
	*table
	objects []object // by root; 0 is what pointers of unknown origin point to
	vars    map[*cprog.Decl]int
	refs    map[*cprog.Decl]value
	world   int           // version of what calls without objects depend on
	results map[*node]int // objects that pointers from calls point to
	changed map[int]bool  // roots, since whoever wants to know emptied it
}

func newState(t *table) *state {
	s := &state{table: t, vars: map[*cprog.Decl]int{}, refs: map[*cprog.Decl]value{}, results: map[*node]int{}, changed: map[int]bool{}}
	s.world = s.next()
	s.newObject("far")
	return s
}

// next numbers versions; it is never taken back, so that no two states share a name.
func (t *table) next() int { t.serial++; return t.serial }

func (s *state) clone() *state {
	c := &state{table: s.table, vars: maps.Clone(s.vars), refs: maps.Clone(s.refs), results: maps.Clone(s.results),
		world: s.world, changed: maps.Clone(s.changed)}
	for _, o := range s.objects {
		o.memory = o.memory.clone()
		c.objects = append(c.objects, o)
	}
	return c
}

func (s *state) newObject(name string) int {
	root := len(s.objects)
	s.objects = append(s.objects, object{group: root, memory: memory{name: fmt.Sprintf("%s#%d", name, s.next()), cells: map[key]cells{}}})
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

// move makes the contents of an object and of those linked to it unknown.
func (s *state) move(root int) {
	for _, r := range s.members(root) {
		o := &s.objects[r]
		base, _, _ := strings.Cut(o.memory.name, "@")
		o.memory = memory{name: fmt.Sprintf("%s@%d", base, s.next()), cells: map[key]cells{}}
		s.changed[r] = true
	}
}

// place is an address as the memory of an object knows it: in a copy, where the original is.
func (s *state) place(m memory, at *node) *node {
	if m.here != nil {
		return s.substitute(at, m.here, m.there)
	}
	return at
}

// read returns what is in a cell.
func (s *state) read(root int, at *node, k key, typ *cprog.Type) *node {
	m := s.objects[root].memory
	at = s.place(m, at)
	c := m.cells[k]
	result := typ
	if k.typ == charKey {
		typ = byteType
	}
	var v *node
	if m.zero && c.version == 0 {
		v = s.nothing(typ)
	}
	if v == nil {
		v = s.ofType(fmt.Sprintf("load %d.%s of %s.%d", k.typ, k.field, m.name, c.version), typ, at)
	}
	for _, st := range c.stores {
		if d := s.sub(st.addr, at); d.isInt() && d.val.Sign() == 0 {
			v = st.value
		} else if !d.isInt() {
			v = s.either(s.in(d, onlyZero), st.value, v)
		}
	}
	if k.typ == charKey {
		v = s.resize(v, byteType, result)
	}
	return v
}

// write stores a value. Cells of the object that may be the same ones are then unknown, also
// those of objects linked to it.
func (s *state) write(root int, at *node, k key, v *node) {
	if k.typ == charKey {
		v = s.wrap(v, 8, false)
	}
	for _, r := range s.members(root) {
		s.changed[r] = true
		m := &s.objects[r].memory
		m.text = nil
		for other, c := range m.cells {
			if other != k && other.typ == k.typ && (other.field == "" || k.field == "") {
				c.version, c.stores = s.next(), nil
				m.cells[other] = c
			}
		}
		place := s.place(*m, at)
		c := m.cells[k]
		c.stores = slices.DeleteFunc(slices.Clone(c.stores), func(st store) bool { return st.addr == place })
		if len(c.stores) >= maxStores || r != root {
			c.version, c.stores = s.next(), nil
		}
		if r == root {
			c.stores = append(c.stores, store{place, v})
		}
		m.cells[k] = c
	}
}

// stamp names all that an object holds now, or its cells of the kinds for which ok holds.
func (s *state) stamp(root int, ok func(key) bool) string {
	m := s.objects[root].memory
	var b strings.Builder
	b.WriteString(m.name)
	for _, k := range slices.SortedFunc(maps.Keys(m.cells), func(x, y key) int {
		if x.typ != y.typ {
			return x.typ - y.typ
		}
		return strings.Compare(x.field, y.field)
	}) {
		c := m.cells[k]
		if c.version == 0 && len(c.stores) == 0 || !ok(k) {
			continue
		}
		fmt.Fprintf(&b, "/%d.%s.%d", k.typ, k.field, c.version)
		for _, st := range c.stores {
			fmt.Fprintf(&b, ",%d=%d", st.addr.id, st.value.id)
		}
	}
	return b.String()
}

func everything(key) bool { return true }

// address returns where a variable is.
func (s *state) address(root int) *node {
	o := &s.objects[root]
	if o.address == nil {
		o.address = s.notNull("$&" + o.memory.name)
	}
	return o.address
}
