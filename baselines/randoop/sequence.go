package randoop

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A varKind is what a variable is; it begins its name.
type varKind string

const (
	varResult varKind = "r"    // the result of a call
	varStruct varKind = "obj"  // a struct of the caller
	varCell   varKind = "val"  // a number or pointer whose address is passed
	varBytes  varKind = "data" // bytes that calls read or write
	varList   varKind = "list" // numbers
)

// A variable is a C object of a test program, with what is known of it after the last step.
type variable struct {
	kind    varKind
	typ     *apispec.Type // of a list, its elements' type
	object  string        // kind of object that it is or points to, "" for none
	size    int           // of varBytes
	text    string        // what it holds or points to, as observed
	written int           // of varBytes: how many bytes it holds, as observed

	dead  bool // ended, or may be
	null  bool // observed to be NULL
	owned bool // belongs to another object, which ends it
	ready bool // a struct that was initialised

	output int // of a struct: 1 + the varBytes that its calls write to, 0 for none
}

// canEnd reports whether a call may end the life of an object.
func (v *variable) canEnd() bool {
	return v.object != "" && !v.dead && !v.null && !v.owned && (v.kind != varStruct || v.ready)
}

// A step is one call with what it needs declared and set before. In its code ref stands for the names of variables.
type step struct {
	call   *callable
	code   string
	args   []string // C expressions
	taken  []int    // by argument: its variable, or -1
	result int      // variable, or -1
	watch  []int    // variables that the call may have changed
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

// ref stands for the name of a variable in the code of a step; no C program has these characters.
func ref(v int) string { return fmt.Sprintf("\x01%d\x02", v) }

var refs = regexp.MustCompile("\x01([0-9]+)\x02")

// replaceRefs writes something else for each variable in code.
func replaceRefs(code string, with func(v int) string) string {
	return refs.ReplaceAllStringFunc(code, func(m string) string {
		v, _ := strconv.Atoi(m[1 : len(m)-1])
		return with(v)
	})
}

func (q *sequence) name(v int) string { return fmt.Sprint(q.vars[v].kind, v+1) }

// join appends the variables and steps of another sequence.
func (q *sequence) join(other *sequence) {
	base := len(q.vars)
	shift := func(list []int) []int {
		list = slices.Clone(list)
		for i := range list {
			if list[i] >= 0 {
				list[i] += base
			}
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
		s.code = replaceRefs(s.code, func(v int) string { return ref(v + base) })
		s.taken, s.watch = shift(s.taken), shift(s.watch)
		s.result = shift([]int{s.result})[0]
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
	first := -1 // the first object of the call
	for i, a := range s.taken {
		if a < 0 {
			continue
		}
		p, v := &c.params[i], &q.vars[a]
		switch {
		case c.destroys && i == 0:
			q.end(a)
		case p.role == roleObject && first < 0:
			first = a
			v.ready = v.ready || c.init
			if c.removes {
				q.endOwned()
			}
		case p.role == roleObject && c.owns && a != first && v.kind != varStruct:
			v.owned = true
		}
		if p.out && !v.dead && !slices.Contains(s.watch, a) {
			s.watch = append(s.watch, a)
			if v.output > 0 {
				s.watch = append(s.watch, v.output-1)
			}
		}
	}
	s.result = -1
	call := fmt.Sprintf("%s(%s);", c.name, strings.Join(s.args, ", "))
	if c.result.Kind != apispec.Void {
		objects := slices.ContainsFunc(c.params, func(p param) bool { return p.role == roleObject })
		s.result = q.add(variable{kind: varResult, typ: c.result, object: c.creates, owned: objects})
		call = c.result.Declare(ref(s.result)) + " = " + call
	}
	s.code += "    " + call + "\n"
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
