package randoop

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A varKind is what a variable is; it begins its name.
type varKind string

const (
	varResult varKind = "r"    // the result of a call
	varStruct varKind = "obj"  // a struct of the caller
	varCell   varKind = "val"  // a number or pointer whose address is passed
	varText   varKind = "text" // a constant string
	varBytes  varKind = "data" // bytes that calls read, and may write
	varBuffer varKind = "out"  // zeroed bytes that calls write
	varArray  varKind = "list" // numbers or strings
)

// A variable is a C object of a test program, with what is known of it after the last step.
type variable struct {
	kind   varKind
	typ    *apispec.Type // of an array, its elements' type
	object string        // kind of object that it is or points to, "" for none
	size   int           // elements of varBytes, varBuffer and varArray
	text   string        // content of varText and varBytes that is spelled out; of others, what it points to as observed

	dead    bool  // ended, or may be
	null    bool  // observed to be NULL
	owned   bool  // belongs to another object, which ends it
	ready   bool  // a struct that was initialised
	output  int   // of a struct: 1 + the varBuffer that its calls write to, 0 for none
	written int   // bytes that calls wrote into it, as observed
	number  int   // of a whole number: its value, as observed
	uses    []use // calls that took it
}

// A use is one parameter of one callable.
type use struct {
	call  *callable
	param int
}

// A statement is C in which %s stand for the names of variables.
type statement struct {
	format string
	vars   []int
}

// An arg is one argument of a call.
type arg struct {
	v     int    // variable, or -1
	text  string // C expression; with a variable, %s is its name
	class string // what kind of value it is, for learning; "" if it is not chosen yet
}

// A step is one call with what it needs declared and set before.
type step struct {
	call   *callable
	before []statement
	args   []arg
	result int      // variable, or -1
	watch  []int    // variables that the call may have changed
	keys   []string // what the run of this step teaches about
}

// A sequence is a straight-line program. It is not changed once it was run: growing copies it.
type sequence struct {
	vars  []variable
	steps []step
}

func (q *sequence) clone() *sequence { return &sequence{slices.Clone(q.vars), slices.Clone(q.steps)} }

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
	for _, v := range other.vars {
		if v.output > 0 {
			v.output += base
		}
		q.vars = append(q.vars, v)
	}
	for _, s := range other.steps {
		s.before, s.args, s.watch = slices.Clone(s.before), slices.Clone(s.args), shift(s.watch)
		for i := range s.before {
			s.before[i].vars = shift(s.before[i].vars)
		}
		for i := range s.args {
			if s.args[i].v >= 0 {
				s.args[i].v += base
			}
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
		if v := &q.vars[i]; v.object == object && !v.dead && !v.null {
			list = append(list, i)
		}
	}
	return list
}

// append adds a step with its result, and follows what it does to its arguments.
func (q *sequence) append(s step) {
	c := s.call
	s.keys, s.result = q.keysOf(&s), -1
	first := -1 // the first object of the call
	for i, a := range s.args {
		if a.v < 0 {
			continue
		}
		p, v := &c.params[i], &q.vars[a.v]
		v.uses = append(slices.Clip(v.uses), use{c, i})
		switch {
		case c.destroys && i == 0:
			q.end(a.v)
		case p.role == roleObject && first < 0:
			first = a.v
			v.ready = v.ready || c.init
			if c.removes {
				q.endOwned()
			}
		case p.role == roleObject && c.owns && a.v != first && v.kind != varStruct:
			q.vars[a.v].owned = true
		}
		if p.out && !v.dead && !slices.Contains(s.watch, a.v) {
			s.watch = append(s.watch, a.v)
			if v.output > 0 {
				s.watch = append(s.watch, v.output-1)
			}
		}
	}
	if r := c.result; r.Kind != apispec.Void {
		object := c.creates
		if object == "" && r.Kind == apispec.Pointer && !r.Elem.Const && (r.Elem.Kind == apispec.Void || r.Elem.Name == "char") {
			object = memory
		}
		s.result = q.add(variable{kind: varResult, typ: r, object: object, owned: c.creates != "" && !c.fresh})
	}
	q.steps = append(q.steps, s)
}

// end follows the end of an object. Whatever belongs to some object may have belonged to this one.
func (q *sequence) end(v int) {
	if q.vars[v].kind == varStruct {
		q.vars[v].ready = false
		return
	}
	q.vars[v].dead = true
	q.endOwned()
}

func (q *sequence) endOwned() {
	for i := range q.vars {
		q.vars[i].dead = q.vars[i].dead || q.vars[i].owned
	}
}

// keysOf returns what the run of a step teaches about: its call, the classes of its arguments together, each
// argument, and each earlier use of a variable before this one.
func (q *sequence) keysOf(s *step) []string {
	keys := []string{s.call.name, patternOf(s)}
	for i, a := range s.args {
		keys = append(keys, valueKey(s.call, i, a.class))
		if a.v >= 0 {
			for _, u := range q.vars[a.v].uses {
				keys = append(keys, pairKey(u, use{s.call, i}))
			}
		}
	}
	return keys
}

// patternOf describes a call by the classes of its arguments. Numbers and strings are one class each.
func patternOf(s *step) string {
	pattern := s.call.name
	for i, a := range s.args {
		if r := s.call.params[i].role; a.class != "null" && (r == roleNumber || r == roleText) {
			pattern += ",value"
		} else {
			pattern += "," + a.class
		}
	}
	return pattern
}

func valueKey(c *callable, param int, class string) string {
	return fmt.Sprintf("%s/%d/%s", c.name, param, class)
}

func pairKey(first, second use) string {
	return fmt.Sprintf("%s#%d>%s#%d", first.call.name, first.param, second.call.name, second.param)
}
