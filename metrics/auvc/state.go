package auvc

import (
	"fmt"
)

// An object is something that calls may change as a whole: a variable, or what a pointer that
// came from a call points to. Objects that met in a call that may have linked them are
// changed together.
type object struct {
	group  int // another member, or itself
	memory *term
	writes int  // how often it may have changed
	fixed  bool // a string literal: nothing changes it
}

// maxChanges bounds the changes of an object that a read looks through; beyond it, nothing is known of the object.
const maxChanges = 256

// A state is all that changes while a program runs. Objects are told apart by their index, the
// root of the addresses in them; 0 is what pointers of unknown origin point to.
type state struct {
	*table
	objects []object
	world   int // version of what calls without objects depend on
}

func newState(t *table) state {
	s := state{table: t, world: t.next()}
	s.newObject()
	return s
}

// blank is memory of which nothing is known.
func (t *table) blank() *term { return t.keep(term{op: anything, name: fmt.Sprint(t.next())}) }

func (s *state) newObject() int {
	s.objects = append(s.objects, object{group: len(s.objects), memory: s.blank()})
	return len(s.objects) - 1
}

// address returns where an object is.
func (s *state) address(root int) *term { return s.num(int64(root+1)<<objectBits, addressShape) }

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
		if o := &s.objects[r]; !o.fixed {
			o.memory, o.writes = s.blank(), o.writes+1
		}
	}
}

// write stores a value. What objects linked to this one hold is then unknown.
func (s *state) write(root int, at, v *term) {
	for _, r := range s.members(root) {
		o := &s.objects[r]
		o.writes++
		switch {
		case o.fixed:
		case r != root || o.memory.depth >= maxChanges:
			o.memory = s.blank()
		case o.memory.op == stored && o.memory.args[1] == at && o.memory.args[2].shape == v.shape:
			o.memory = o.memory.args[0] // of which nothing is left
		}
		if r == root && !o.fixed {
			o.memory = s.keep(term{op: stored, args: []*term{o.memory, at, v}})
		}
	}
}

// load returns what an object holds at an address of it.
func (s *state) load(root int, at, start *term, of shape) *term {
	m := s.objects[root].memory
	for m.op == stored {
		if m.args[1] == at && m.args[2].shape == of {
			return m.args[2]
		}
		base, offset := split(at)
		other, there := split(m.args[1])
		width := int64(max(m.args[2].shape.bits, 8) / 8)
		if base != other || offset < there+width && there < offset+int64(max(of.bits, 8)/8) {
			break
		}
		m = m.args[0]
	}
	if m.op == zeroed {
		return s.constant(val{}, of)
	}
	return s.keep(term{op: read, shape: of, args: []*term{m, at, start}})
}

// changedSince returns the objects of a snapshot that may have changed.
func (s *state) changedSince(before []object) []int {
	var all []int
	for r, o := range before {
		if s.objects[r].writes != o.writes {
			all = append(all, r)
		}
	}
	return all
}

// join goes on where two branches meet, of which the first, taken if c holds, left the objects one behind.
func (s *state) join(c *term, one []object, world int) {
	for r := range one {
		if r >= len(s.objects) {
			s.objects = append(s.objects, one[r])
			continue
		}
		o := &s.objects[r]
		o.memory, o.writes = s.choose(c, one[r].memory, o.memory), max(o.writes, one[r].writes)
		s.link(r, one[r].group)
	}
	if world != s.world {
		s.world = s.next()
	}
}
