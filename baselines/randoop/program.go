package randoop

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// An observation is one value that is printed after a step and that a test may assert.
type observation struct {
	recorded.Observation
	v int // variable whose own value it is; -1 of a field or an element
}

// observe returns what to observe after each step of a sequence.
func observe(spec *apispec.Spec, q *sequence) [][]observation {
	out := make([][]observation, len(q.steps))
	for i, s := range q.steps {
		if s.result >= 0 {
			out[i] = q.look(spec, s.result)
		}
		for _, v := range s.watch {
			out[i] = append(out[i], q.look(spec, v)...)
		}
	}
	return out
}

// look returns what to observe of a variable: its value, the fields of its struct, its bytes, its elements.
func (q *sequence) look(spec *apispec.Spec, v int) (list []observation) {
	va, name := &q.vars[v], q.name(v)
	value := func(t *apispec.Type, expr, guard string, of int) {
		for _, ob := range recorded.Look(t, expr, guard, va.kind == varResult && of >= 0) {
			list = append(list, observation{ob, of})
		}
	}
	fields := func(record, prefix, guard string) {
		recorded.Fields(spec, record, prefix, func(t *apispec.Type, expr string) { value(t, expr, guard, -1) })
	}
	switch t := va.typ; va.kind {
	case varResult, varPointer:
		value(t, name, "", v)
		if t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Record {
			fields(t.Elem.Name, name+"->", name)
		} else if t.Kind == apispec.Record {
			fields(t.Name, name+".", "")
		}
	case varStruct:
		fields(va.object, name+".", "")
	case varBytes:
		bytes := recorded.Observation{Kind: recorded.Bytes, Expr: name, Size: fmt.Sprint(va.size)}
		list = append(list, observation{bytes, v})
	case varList:
		for i := range min(va.size, 16) {
			value(t, fmt.Sprintf("%s[%d]", name, i), "", -1)
		}
	}
	return list
}

// instrumented returns a program that prints every observation.
func instrumented(t trial.Target, q *sequence, obs [][]observation) string {
	var body strings.Builder
	n := 0
	for i := range q.steps {
		fmt.Fprintf(&body, "    mark(%d);\n%s", i, q.code(&q.steps[i]))
		for _, ob := range obs[i] {
			fmt.Fprintf(&body, "    %s\n", ob.Print(fmt.Sprint(n)))
			n++
		}
	}
	fmt.Fprintf(&body, "    mark(%d);\n", len(q.steps))
	return program(t, recorded.Printers, body.String())
}

// finished returns the test program: the calls and, if wanted, an assertion for each observation with a stable
// value. asserted is how many there are.
func finished(t trial.Target, c *candidate, assertions bool) (source string, asserted int) {
	var body strings.Builder
	helpers := ""
	n := 0
	for i := range c.seq.steps {
		body.WriteString(c.seq.code(&c.seq.steps[i]))
		for _, ob := range c.obs[i] {
			value, ok := c.values[n]
			n++
			if !ok || !assertions {
				continue
			}
			condition, checksum := ob.Condition(value)
			if condition == "" {
				continue
			}
			fmt.Fprintf(&body, "    assert(%s);\n", condition)
			asserted++
			if checksum {
				helpers = recorded.ChecksumHelper
			}
		}
	}
	title := fmt.Sprintf("/* %d calls on %s, values as observed on the reference build */\n", len(c.seq.steps), t.Library)
	return title + program(t, helpers, body.String()), asserted
}

// code writes a step: what is declared before the call, and the call.
func (q *sequence) code(s *step) string {
	var sb strings.Builder
	for _, v := range s.declares {
		fmt.Fprintf(&sb, "    %s;\n", q.declaration(v))
	}
	args := make([]string, len(s.args))
	for i, a := range s.args {
		args[i] = q.expression(&s.call.params[i], a)
	}
	result := ""
	if s.result >= 0 {
		result = q.declaration(s.result)
	}
	fmt.Fprintf(&sb, "    %s%s(%s);\n", result, s.call.name, strings.Join(args, ", "))
	return sb.String()
}

// declaration begins a variable: with its initializer, or before the call that it is the result of.
func (q *sequence) declaration(v int) string {
	va, name := &q.vars[v], q.name(v)
	if va.size > 0 {
		name += fmt.Sprintf("[%d]", va.size)
	}
	return va.typ.Declare(name) + " = " + va.init
}

// expression writes an argument. Bytes are cast, for some calls want them signed.
func (q *sequence) expression(p *param, a arg) string {
	if !a.isVariable() {
		return a.text
	}
	name := q.name(a.v)
	switch kind := q.vars[a.v].kind; {
	case p.role == roleOutPointer, p.role == roleObject && kind == varStruct:
		return "&" + name
	case kind == varBytes:
		return "(" + p.typ.String() + ")" + name
	}
	return name
}

// program puts the parts together.
func program(t trial.Target, helpers, body string) string {
	includes := recorded.Includes
	for _, h := range t.Headers {
		includes += "#include <" + h + ">\n"
	}
	return includes + "\n" + helpers + "int main(void) {\n" + body + "    return 0;\n}\n"
}
