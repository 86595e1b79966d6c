package randoop

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A varKind is what a variable is; it begins its name.
type varKind string

const (
	varValue  varKind = "r"    // the result of a call, or a pointer that a call may set
	varStruct varKind = "obj"  // a struct of the caller
	varText   varKind = "text" // a constant string
	varBytes  varKind = "data" // bytes that calls read or write
	varList   varKind = "list" // numbers or strings
)

// A variable is a C object of a test program, with what is known of it after the last step.
type variable struct {
	kind   varKind
	typ    *apispec.Type // of an array, its elements' type
	object string        // kind of object that it is or points to, "" for none
	size   int           // elements of varBytes and varList
	init   string        // C initializer; "" of a result
	uses   []use         // the call that made it, and those that took it

	dead  bool // ended, or may be
	null  bool // observed to be NULL
	owned bool // belongs to another object, which ends it
}

// A use is one parameter of one callable, or its result.
type use struct {
	call  *callable
	param int // -1 for the result
}

// An arg is one argument of a call. The zero value is none yet.
type arg struct {
	text  string // C expression, if it is no variable
	v     int    // else the variable
	class string // what kind of value it is, for learning
}

// isVariable reports whether the argument is a variable.
func (a arg) isVariable() bool { return a.text == "" && a.class != "" }

// A step is one call, with the variables that are declared before it.
type step struct {
	call     *callable
	declares []int
	args     []arg
	result   int   // variable, or -1
	watch    []int // its result, and variables that the call may have changed
	keys     []any // what the run of this step teaches about
}

// A sequence is a straight-line program. It is not changed once it was run: growing copies it.
type sequence struct {
	vars  []variable
	steps []step
	merit int // calls that returned no error when they were first run
}

func (q *sequence) clone() *sequence {
	return &sequence{slices.Clone(q.vars), slices.Clone(q.steps), q.merit}
}

func (q *sequence) add(v variable) int {
	q.vars = append(q.vars, v)
	return len(q.vars) - 1
}

func (q *sequence) name(v int) string { return fmt.Sprint(q.vars[v].kind, v+1) }

// join appends the variables and steps of another sequence.
func (q *sequence) join(other *sequence) {
	base := len(q.vars)
	shift := func(list []int) []int {
		list = slices.Clone(list)
		for i := range list {
			list[i] += base
		}
		return list
	}
	q.vars = append(q.vars, other.vars...)
	q.merit += other.merit
	for _, s := range other.steps {
		s.declares, s.watch, s.args = shift(s.declares), shift(s.watch), slices.Clone(s.args)
		for i := range s.args {
			s.args[i].v += base
		}
		if s.result >= 0 {
			s.result += base
		}
		q.steps = append(q.steps, s)
	}
}

// live returns the variables of a kind of object that a call may be given, oldest first.
func (q *sequence) live(object string) (list []int) {
	for i := range q.vars {
		if v := &q.vars[i]; object != "" && v.object == object && !v.dead && !v.null {
			list = append(list, i)
		}
	}
	return list
}

// append adds a step with its result, and follows what it does to its arguments.
func (q *sequence) append(s step) {
	c := s.call
	s.keys, s.result = q.keysOf(&s), -1
	for i, a := range s.args {
		if !a.isVariable() {
			continue
		}
		p, v := &c.params[i], &q.vars[a.v]
		v.uses = append(slices.Clip(v.uses), use{c, i})
		switch {
		case c.destroys && (i == 0 || p.role == roleOutPointer):
			q.end(a.v)
		case p.role == roleObject && c.owns && i != c.receiver:
			v.owned = true
		}
		if p.out && !v.dead && !slices.Contains(s.watch, a.v) {
			s.watch = append(s.watch, a.v)
		}
	}
	if c.removes {
		q.endOwned()
		s.watch = slices.DeleteFunc(s.watch, func(v int) bool { return q.vars[v].dead })
	}
	if r := c.result; r.Kind != apispec.Void {
		borrowed := r.Kind == apispec.Pointer && !c.fresh
		s.result = q.add(variable{kind: varValue, typ: r, object: c.creates, owned: borrowed, uses: []use{{c, -1}}})
		s.watch = append([]int{s.result}, s.watch...)
	}
	q.steps = append(q.steps, s)
}

// end follows the end of an object. A struct of the caller stays. Whatever belongs to some object may have belonged to
// this one.
func (q *sequence) end(v int) {
	if q.vars[v].kind != varStruct {
		q.vars[v].dead = true
		q.endOwned()
	}
}

func (q *sequence) endOwned() {
	for i := range q.vars {
		q.vars[i].dead = q.vars[i].dead || q.vars[i].owned
	}
}

// A pair is two uses of one variable, one after the other.
type pair struct{ first, second use }

// keysOf returns what the run of a step teaches about: the kinds of its arguments together, and each earlier use of a
// variable before this one.
func (q *sequence) keysOf(s *step) []any {
	keys := []any{patternOf(s)}
	for i, a := range s.args {
		if a.isVariable() {
			for _, u := range q.vars[a.v].uses {
				keys = append(keys, pair{u, use{s.call, i}})
			}
		}
	}
	return keys
}

// patternOf describes a call by the classes of its arguments.
func patternOf(s *step) string {
	pattern := s.call.name
	for _, a := range s.args {
		pattern += "," + a.class
	}
	return pattern
}
