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
	v     int  // variable that it tells about
	field bool // it is a field or element of v
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
	value := func(t *apispec.Type, expr, guard string, field bool) {
		for _, ob := range recorded.Look(t, expr, guard, va.kind == varResult && !field) {
			list = append(list, observation{ob, v, field})
		}
	}
	fields := func(record, prefix, guard string) {
		recorded.Fields(spec, record, prefix, func(t *apispec.Type, expr string) { value(t, expr, guard, true) })
	}
	switch t := va.typ; va.kind {
	case varResult, varCell:
		value(t, name, "", false)
		if t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Record {
			fields(t.Elem.Name, name+"->", name)
		} else if t.Kind == apispec.Record {
			fields(t.Name, name+".", "")
		}
	case varStruct:
		fields(va.object, name+".", "")
	case varBytes:
		bytes := recorded.Observation{Kind: recorded.Bytes, Expr: name, Size: fmt.Sprint(va.size)}
		list = append(list, observation{bytes, v, false})
	}
	return list
}

// instrumented returns a program that prints every observation.
func instrumented(t trial.Target, q *sequence, obs [][]observation) string {
	var body strings.Builder
	n := 0
	for i, s := range q.steps {
		fmt.Fprintf(&body, "    mark(%d);\n%s", i, q.spell(s.code))
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
	for i, s := range c.seq.steps {
		body.WriteString(c.seq.spell(s.code))
		for _, ob := range c.obs[i] {
			if value, ok := c.values[n]; ok && assertions {
				if condition, checksum := ob.Condition(value); condition != "" {
					fmt.Fprintf(&body, "    assert(%s);\n", condition)
					asserted++
					if checksum {
						helpers = recorded.ChecksumHelper
					}
				}
			}
			n++
		}
	}
	title := fmt.Sprintf("/* %d calls on %s, values as observed on the reference build */\n", len(c.seq.steps), t.Library)
	return title + program(t, helpers, body.String()), asserted
}

// spell writes the names of variables into the code of a step.
func (q *sequence) spell(code string) string { return replaceRefs(code, q.name) }

// program puts the parts together.
func program(t trial.Target, helpers, body string) string {
	includes := recorded.Includes
	for _, h := range t.Headers {
		includes += "#include <" + h + ">\n"
	}
	if strings.Contains(body, " fill(") {
		helpers += fillHelper
	}
	return includes + "\n" + helpers + "int main(void) {\n" + body + "    return 0;\n}\n"
}
