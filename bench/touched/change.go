package touched

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
)

// A Change is what differs between two builds of a library.
type Change struct {
	// Functions are the touched functions, sorted, by their symbols.
	Functions []string
	// Everything says why each test must be run whatever it executes; "" if that is not so.
	Everything string
}

// Diff compares the plain builds of a library without and with a change.
func (s *Selector) Diff(ref, changed *libbuild.Build) (Change, error) {
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
	users     map[string][]*section // of both libraries, by what they refer to
	atLoad    map[*section]int      // of a, what runs before a test counts
	followed  map[string]bool
	functions map[string]bool
	whole     []string // reasons why everything is touched
}

func compare(a, b *library) Change {
	c := &comparison{a: a, b: b, users: map[string][]*section{}, followed: map[string]bool{}, functions: map[string]bool{}}
	var loads []*section
	for _, lib := range []*library{a, b} {
		for _, s := range lib.sections {
			for _, ref := range s.refs {
				c.users[ref] = append(c.users[ref], s)
			}
		}
	}
	for _, s := range a.sections {
		if s.kind == load {
			loads = append(loads, s)
		}
	}
	c.atLoad = a.reachable(loads...)
	for name := range union(a.sections, b.sections) {
		x, y := a.sections[name], b.sections[name]
		if x != nil && y != nil && bytes.Equal(x.content, y.content) {
			continue
		}
		if x != nil {
			c.differs(x)
		}
		if y != nil && (x != nil || y.kind != code) { // new code is run by code that differs
			c.differs(y)
		}
	}
	for symbol := range union(a.defined, b.defined) {
		if (a.defined[symbol] == nil) != (b.defined[symbol] == nil) {
			c.follow(symbol)
		}
	}
	for symbol := range union(a.exported, b.exported) {
		if a.exported[symbol] != b.exported[symbol] {
			c.whole = append(c.whole, "only one build exports "+symbol)
		}
	}
	change := Change{Functions: slices.Sorted(maps.Keys(c.functions))}
	if len(c.whole) > 0 {
		change.Everything = slices.Min(c.whole)
	}
	return change
}

// union returns the keys of two maps.
func union[T any](a, b map[string]T) map[string]bool {
	keys := map[string]bool{}
	for key := range a {
		keys[key] = true
	}
	for key := range b {
		keys[key] = true
	}
	return keys
}

// differs notes a section that is not the same in both builds, or uses data that are not. Who calls a function that
// differs is not touched by that.
func (c *comparison) differs(s *section) {
	_, atLoad := c.atLoad[s]
	switch {
	case s.kind == load || atLoad:
		c.whole = append(c.whole, "what runs when the library is loaded differs: "+s.name)
	case s.kind == code && len(s.defines) > 0:
		for _, name := range s.defines {
			c.functions[name] = true
		}
	case s.kind == code:
		if s.size > 0 { // else it is the .text of a file whose functions have sections of their own
			c.whole = append(c.whole, "code without a name differs: "+s.name)
		}
	default:
		for _, name := range s.defines {
			if c.a.exported[name] || c.b.exported[name] {
				c.whole = append(c.whole, "the exported variable "+name+" differs")
			}
			c.follow("=" + name)
		}
		c.follow(s.name)
	}
}

// follow notes those who refer to what differs.
func (c *comparison) follow(ref string) {
	if c.followed[ref] {
		return
	}
	c.followed[ref] = true
	for _, user := range c.users[ref] {
		c.differs(user)
	}
}

// reachable returns the sections that others lead to, themselves included, by calls or by addresses in code or data,
// with how many references lie between at least.
func (lib *library) reachable(from ...*section) map[*section]int {
	steps := map[*section]int{}
	for n := 0; len(from) > 0; n++ {
		var next []*section
		for _, s := range from {
			if _, known := steps[s]; known {
				continue
			}
			steps[s] = n
			for _, ref := range s.refs {
				if other := lib.sections[ref]; other != nil {
					next = append(next, other)
				}
				next = append(next, lib.defined[ref]...)
			}
		}
		from = next
	}
	return steps
}
