// Package touched says which functions of a library differ between two of its builds, and which functions a test
// executes. A test that executes none of those that differ cannot tell the builds apart.
//
// Builds are compared by their object code, section by section: in a plain build each function and each variable has a
// section of its own. A function is touched if its section differs, which includes whatever was inlined into it, or if
// it refers to data that differ. Some differences touch everything: headers, exported variables, symbols that only one
// build exports, functions without a counter, and what runs when the library is loaded. Left out is what no argument
// about code can cover: a test that reads the library's code, its addresses or its file.
//
// What a test executes is read from the counters of the coverage build. It counts each function of the sources that is
// entered, wherever it was inlined.
package touched

import (
	"bytes"
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
func Diff(ref, changed *libbuild.Build) (Change, error) {
	switch {
	case ref.HeadersHash != changed.HeadersHash:
		return Change{Everything: "the headers differ"}, nil
	case !slices.Equal(ref.LinkLibs, changed.LinkLibs):
		return Change{Everything: "the libraries that it needs differ"}, nil
	}
	a, err := open(ref.StaticLib)
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
			if lib == a && s.kind == load {
				loads = append(loads, s)
			}
		}
	}
	c.atLoad = a.reachable(loads...)
	for name, x := range a.sections {
		switch y := b.sections[name]; {
		case y == nil:
			c.differs(x)
		case !bytes.Equal(x.content, y.content):
			c.differs(x)
			c.differs(y)
		}
	}
	for name, y := range b.sections {
		if a.sections[name] == nil && y.kind != code { // new code is run by code that differs
			c.differs(y)
		}
	}
	for _, lib := range [][2]*library{{a, b}, {b, a}} {
		for symbol := range lib[0].defined {
			if lib[1].defined[symbol] == nil {
				c.follow(symbol)
			}
		}
		for symbol := range lib[0].exported {
			if !lib[1].exported[symbol] {
				c.whole = append(c.whole, "only one build exports "+symbol)
			}
		}
	}
	change := Change{Functions: slices.Sorted(maps.Keys(c.functions))}
	if len(c.whole) > 0 {
		change.Everything = slices.Min(c.whole)
	}
	return change
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
