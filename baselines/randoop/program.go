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
	number int // by which it is printed
	v      int // variable whose own value it is; -1 of a field or an element
}

// observe returns what to observe after each step of a sequence.
func observe(spec *apispec.Spec, q *sequence) [][]observation {
	all := make([][]observation, len(q.steps))
	n := 0
	for i, s := range q.steps {
		for _, v := range s.watch {
			q.look(spec, v, func(ob recorded.Observation, of int) {
				all[i] = append(all[i], observation{ob, n, of})
				n++
			})
		}
	}
	return all
}

// look calls add for what to observe of a variable: its value, the fields of its struct, its bytes, its elements.
func (q *sequence) look(spec *apispec.Spec, v int, add func(ob recorded.Observation, of int)) {
	va, name := &q.vars[v], q.name(v)
	value := func(t *apispec.Type, expr, guard string, of int) {
		for _, ob := range recorded.Look(t, expr, guard, of >= 0) {
			add(ob, of)
		}
	}
	fields := func(record, prefix, guard string) {
		recorded.Fields(spec, record, prefix, func(t *apispec.Type, expr string) { value(t, expr, guard, -1) })
	}
	switch t := va.typ; va.kind {
	case varValue:
		value(t, name, "", v)
		if t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Record {
			fields(t.Elem.Name, name+"->", name)
		} else if t.Kind == apispec.Record {
			fields(t.Name, name+".", "")
		}
	case varStruct:
		fields(va.object, name+".", "")
	case varBytes:
		add(recorded.Observation{Kind: recorded.Bytes, Expr: name, Size: fmt.Sprint(va.size)}, v)
	case varList:
		for i := range min(va.size, 16) {
			value(t, fmt.Sprintf("%s[%d]", name, i), "", -1)
		}
	}
}

// instrumented returns a program that prints every observation.
func (c *candidate) instrumented(t trial.Target) string {
	body := c.body(true, func(ob observation) string { return ob.Print(fmt.Sprint(ob.number)) })
	return program(t, recorded.Printers, body+fmt.Sprintf("    mark(%d);\n", len(c.seq.steps)))
}

// finished returns the test program: the calls, and an assertion for each observation with a stable value.
func (c *candidate) finished(t trial.Target) string {
	helpers := ""
	body := c.body(false, func(ob observation) string {
		condition := ob.Condition(c.values[ob.number])
		if condition == "" {
			return ""
		}
		return "assert(" + condition + ");"
	})
	if strings.Contains(body, "checksum(") {
		helpers = recorded.ChecksumHelper
	}
	title := fmt.Sprintf("/* %d calls on %s, values as observed on the reference build */\n", len(c.seq.steps), t.Library)
	return title + program(t, helpers, body)
}

// body writes the steps: if wanted, a mark of its number before each, and a line for each observation after it.
func (c *candidate) body(marked bool, line func(observation) string) string {
	var sb strings.Builder
	for i := range c.seq.steps {
		if marked {
			fmt.Fprintf(&sb, "    mark(%d);\n", i)
		}
		sb.WriteString(c.seq.code(&c.seq.steps[i]))
		for _, ob := range c.obs[i] {
			if text := line(ob); text != "" {
				sb.WriteString("    " + text + "\n")
			}
		}
	}
	return sb.String()
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
