package randoop

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A varKind is how a variable comes to be.
type varKind int

const (
	varResult varKind = iota // result of a call
	varStruct                // a struct of the caller, zero before its first use
	varScalar                // a number whose address is passed
	varPtr                   // a pointer whose address is passed, NULL before
	varText                  // a constant string
	varBytes                 // bytes that calls read, and may write
	varBuffer                // zeroed bytes that calls write
	varArray                 // numbers or strings with a length
)

// A variable is a C object of a test program. Its name is its kind and its index.
type variable struct {
	kind varKind
	typ  *apispec.Type // of the object; of varBytes, varBuffer and varArray the element
	key  string        // of the library object it is or points to, "" if none
	size int           // elements of varBytes, varBuffer and varArray
	init string        // C initialiser; "" for none
	fill *fill         // varBytes too long to spell out
	text string        // content of varText and short varBytes, for reuse
}

// A fill is a deterministic content that a test program computes.
type fill struct {
	pattern int // one of the patterns of the emitted helper
	seed    int
}

// An argKind is how an argument is written.
type argKind int

const (
	argLiteral argKind = iota
	argVar
	argAddress
)

// An arg is one argument of a call.
type arg struct {
	kind  argKind
	v     int    // variable
	text  string // argLiteral
	class string // what kind of value it is, for learning
}

// An assignment sets a field of a struct of the caller before a call.
type assignment struct {
	v       int
	field   string
	value   string // literal, or "" for
	from    int    // this variable
	pair    int    // index of the feed pair it belongs to, -1 for a plain field
	isInput bool
	class   string // of the bytes of an input, for learning
}

// A fileInit is a file that the program writes before a call that names it.
type fileInit struct {
	path string
	from int // variable with its content
	size int
}

// A step is one call with what it needs declared and set before.
type step struct {
	call    *callable
	decls   []int // variables declared just before
	sets    []assignment
	files   []fileInit
	args    []arg
	result  int // variable, or -1
	cleanup bool
}

// A sequence is a straight-line program. It is never changed once it was run: growing
// copies it.
type sequence struct {
	vars  []variable
	steps []step
}

func (s *sequence) clone() *sequence {
	return &sequence{vars: slices.Clone(s.vars), steps: slices.Clone(s.steps)}
}

func (s *sequence) add(v variable) int {
	s.vars = append(s.vars, v)
	return len(s.vars) - 1
}

// calls returns how many steps are not cleanup.
func (s *sequence) calls() int {
	n := 0
	for i := range s.steps {
		if !s.steps[i].cleanup {
			n++
		}
	}
	return n
}

// truncate returns the first n steps and the variables that they use.
func (s *sequence) truncate(n int) *sequence {
	used := 0
	for i := range s.steps[:n] {
		st := &s.steps[i]
		used = max(used, st.result+1)
		for _, v := range st.decls {
			used = max(used, v+1)
		}
		for _, a := range st.sets {
			used = max(used, a.v+1, a.from+1)
		}
		for _, a := range st.args {
			if a.kind != argLiteral {
				used = max(used, a.v+1)
			}
		}
	}
	return &sequence{vars: slices.Clone(s.vars[:used]), steps: slices.Clone(s.steps[:n])}
}

// appendAll appends the steps of o and returns the offset of its variables.
func (s *sequence) appendAll(o *sequence) int {
	base := len(s.vars)
	s.vars = append(s.vars, o.vars...)
	for _, st := range o.steps {
		st.decls = slices.Clone(st.decls)
		for i := range st.decls {
			st.decls[i] += base
		}
		st.sets = slices.Clone(st.sets)
		for i := range st.sets {
			st.sets[i].v += base
			st.sets[i].from += base
		}
		st.files = slices.Clone(st.files)
		for i := range st.files {
			st.files[i].from += base
		}
		st.args = slices.Clone(st.args)
		for i := range st.args {
			st.args[i].v += base
		}
		if st.result >= 0 {
			st.result += base
		}
		s.steps = append(s.steps, st)
	}
	return base
}

// A status is what is known of a variable after the steps so far.
type status struct {
	declared bool
	dead     bool      // destroyed, or may be
	null     bool      // observed to be NULL
	owner    int       // variable that will destroy it, or -1
	borrowed bool      // part of owner, not to be destroyed
	heap     bool      // came from a constructor and must be destroyed
	initBy   *callable // of a struct of the caller
	inited   bool
	fed      bool
	buffers  []int  // output buffers attached to a struct's feed pairs, newest last
	uses     []use  // calls that took it
	produced int    // bytes that calls wrote into it, as observed; -1 unknown
	content  string // produced bytes or string as observed, "" unknown
}

// A use is one parameter of one callable.
type use struct {
	call  *callable
	param int
}

// A state follows a sequence's variables through its steps.
type state struct {
	seq   *sequence
	vars  []status
	facts map[int]fact
}

// A fact is what a run showed of a variable.
type fact struct {
	null     bool
	failed   bool // a call's result says that it failed
	produced int
	content  string
}

// newState replays the steps of s with what is known of its variables.
func newState(s *sequence, facts map[int]fact) *state {
	st := &state{seq: s, facts: facts}
	for i := range s.steps {
		st.apply(&s.steps[i])
	}
	st.sync()
	for v := range st.vars {
		if f, ok := facts[v]; ok {
			st.vars[v].null, st.vars[v].produced, st.vars[v].content = f.null, f.produced, f.content
		}
	}
	return st
}

// factsBelow returns the facts of the first n variables.
func (st *state) factsBelow(n int) map[int]fact {
	facts := map[int]fact{}
	for v := range n {
		if f, ok := st.facts[v]; ok {
			facts[v] = f
		}
	}
	return facts
}

// sync makes room for variables added to the sequence.
func (st *state) sync() {
	for len(st.vars) < len(st.seq.vars) {
		st.vars = append(st.vars, status{owner: -1, produced: -1})
	}
}

// root returns the outermost owner of v.
func (st *state) root(v int) int {
	for range st.vars {
		if st.vars[v].owner < 0 {
			break
		}
		v = st.vars[v].owner
	}
	return v
}

// apply updates the state by one step.
func (st *state) apply(s *step) {
	st.sync()
	for _, v := range s.decls {
		st.vars[v].declared = true
	}
	for _, a := range s.sets {
		if a.pair >= 0 && a.value == "" {
			st.vars[a.v].fed = true
			if !a.isInput {
				st.vars[a.v].buffers = append(slices.Clone(st.vars[a.v].buffers), a.from)
			}
		}
	}
	c := s.call
	container := -1
	for i, a := range s.args {
		if a.kind == argLiteral {
			continue
		}
		vs := &st.vars[a.v]
		vs.uses = append(slices.Clone(vs.uses), use{c, i})
		if c.params[i].role == roleAny && c.destroys {
			st.kill(a.v)
		}
		if c.params[i].role != roleObject && c.params[i].role != roleOutPointer {
			continue
		}
		if c.params[i].role == roleOutPointer && !c.destroys {
			vs.declared, vs.heap = true, c.params[i].object != ""
		}
		switch {
		case container < 0:
			container = a.v
			st.useContainer(c, a.v, s.result >= 0 && st.facts[s.result].failed)
		case c.copies:
			st.vars[container].initBy, st.vars[container].inited = vs.initBy, vs.inited
		case c.owns && a.v != container && st.seq.vars[a.v].kind != varStruct:
			vs.owner, vs.heap = container, false
		}
	}
	if s.result >= 0 {
		r := &st.vars[s.result]
		r.declared = true
		r.heap = c.fresh
		if c.creates != "" && !c.fresh && container >= 0 {
			r.owner, r.borrowed = container, true
		}
	}
}

// useContainer applies what a call does to the first object it is given.
func (st *state) useContainer(c *callable, v int, failed bool) {
	vs := &st.vars[v]
	switch {
	case c.destroys && st.seq.vars[v].kind != varStruct:
		st.kill(st.root(v))
		vs.dead = true
	case c.finishes:
		vs.inited, vs.fed = false, false
	case c.init && !failed:
		vs.initBy, vs.inited = c, true
	case c.removes:
		for i := range st.vars {
			if st.vars[i].owner == v {
				st.kill(i)
			}
		}
	}
}

// kill marks v and everything it owns as dead.
func (st *state) kill(v int) {
	if st.vars[v].dead {
		return
	}
	st.vars[v].dead, st.vars[v].heap = true, false
	for i := range st.vars {
		if st.vars[i].owner == v {
			st.kill(i)
		}
	}
}

// live returns the variables of an object kind that a call may be given, oldest first.
func (st *state) live(key string) []int {
	var out []int
	for v := range st.vars {
		vs := &st.vars[v]
		if st.seq.vars[v].key == key && vs.declared && !vs.dead && !vs.null {
			out = append(out, v)
		}
	}
	return out
}
