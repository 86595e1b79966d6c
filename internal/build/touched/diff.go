package touched

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
)

// A Change is what differs between two builds of a library.
type Change struct {
	// Functions are the touched functions, sorted, by their symbols.
	Functions []string
	// Everything says why each test must be run whatever it executes; "" if that is not so.
	Everything string
}

// diff compares the plain builds of a library without and with a change.
func (s *Selector) diff(ref, changed *libbuild.Build) (Change, error) {
	for _, b := range []*libbuild.Build{ref, changed} {
		if b.Variant != libbuild.Plain {
			return Change{}, fmt.Errorf("compare builds: %s is a %s build", b.Dir, b.Variant)
		}
	}
	switch {
	case ref.HeadersHash != changed.HeadersHash:
		return Change{Everything: "the headers differ"}, nil
	case !slices.Equal(ref.LinkLibs, changed.LinkLibs):
		return Change{Everything: "the libraries that it needs differ"}, nil
	}
	a, err := s.reference(ref)
	if err != nil {
		return Change{}, err
	}
	b, err := open(changed.StaticLib)
	if err != nil {
		return Change{}, err
	}
	return compare(a, b), nil
}

// A comparison follows what differs to the functions that it touches.
type comparison struct {
	a, b      *library
	users     map[string][]*atom // of both libraries, by atom or "=" and symbol
	functions map[string]bool
	whole     []string // reasons why everything is touched
	queue     []string // atoms and symbols that differ and are no code, to be followed to their users
	seen      map[string]bool
}

func compare(a, b *library) Change {
	c := &comparison{a: a, b: b, users: map[string][]*atom{}, functions: map[string]bool{}, seen: map[string]bool{}}
	for _, lib := range []*library{a, b} {
		for _, at := range lib.atoms {
			for _, ref := range at.refs {
				c.users[ref] = append(c.users[ref], at)
			}
		}
	}
	atLoad := c.atLoad()
	for name := range union(a.atoms, b.atoms) {
		if x, y := a.atoms[name], b.atoms[name]; x == nil || y == nil || !bytes.Equal(x.content, y.content) {
			c.differs(x, atLoad)
			if y != nil && (x != nil || !y.exec || y.loads) { // new code is run by code that differs
				c.differs(y, atLoad)
			}
		}
	}
	for name := range union(a.globals, b.globals) {
		x, inA := a.globals[name]
		y, inB := b.globals[name]
		if inA && inB && x.place == y.place && x.kind == y.kind && x.binding == y.binding && x.exported == y.exported {
			continue
		}
		c.follow("=" + name)
		if inA != inB || x.exported != y.exported {
			if x.exported || y.exported {
				c.whole = append(c.whole, "only one build exports "+name)
			}
		}
	}
	for len(c.queue) > 0 {
		at := c.queue[0]
		c.queue = c.queue[1:]
		for _, user := range c.users[at] {
			c.differs(user, atLoad)
		}
	}
	change := Change{Functions: slices.Sorted(maps.Keys(c.functions))}
	if len(c.whole) > 0 {
		change.Everything = slices.Min(c.whole)
	}
	return change
}

func union[T any](a, b map[string]T) map[string]bool {
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	return names
}

// differs notes an atom that is not the same in both builds, or uses what is not. Who calls a function
// that differs is not touched by that; who reads data is.
func (c *comparison) differs(a *atom, atLoad map[string]bool) {
	switch {
	case a == nil:
		return
	case a.loads || atLoad[a.name]:
		c.whole = append(c.whole, "what runs when the library is loaded differs: "+a.name)
	case a.exec && len(a.defines) == 0 && len(a.refs) == 0 && !bytes.Contains(a.content, []byte("\n@")):
		// .text of a file that has only functions with sections of their own
	case a.exec && len(a.defines) == 0:
		c.whole = append(c.whole, "code without a name differs: "+a.name)
	case a.exec:
		for _, name := range a.defines {
			c.functions[name] = true
		}
	default:
		for _, name := range a.defines {
			if c.a.globals[name].exported || c.b.globals[name].exported {
				c.whole = append(c.whole, "the exported variable "+name+" differs")
			}
			c.follow("=" + name)
		}
		c.follow(a.name)
	}
}

func (c *comparison) follow(ref string) {
	if !c.seen[ref] {
		c.seen[ref] = true
		c.queue = append(c.queue, ref)
	}
}

// atLoad are the atoms that can run while the reference is loaded, when no test counts yet: what can
// be reached from its constructors and resolvers.
func (c *comparison) atLoad() map[string]bool {
	reached := map[string]bool{}
	var queue []*atom
	reach := func(a *atom) {
		if a != nil && !reached[a.name] {
			reached[a.name] = true
			queue = append(queue, a)
		}
	}
	for _, a := range c.a.atoms {
		if a.loads {
			reach(a)
		}
	}
	for len(queue) > 0 {
		a := queue[0]
		queue = queue[1:]
		for _, ref := range a.refs {
			if ref[0] == '=' {
				reach(c.a.globals[ref[1:]].atom)
			} else {
				reach(c.a.atoms[ref])
			}
		}
	}
	return reached
}
