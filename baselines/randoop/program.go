package randoop

import (
	"fmt"
	"slices"
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
		watch := s.watch
		if s.result >= 0 {
			watch = append([]int{s.result}, watch...)
		}
		for _, v := range watch {
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
	case varBytes, varBuffer:
		bytes := recorded.Observation{Kind: recorded.Bytes, Expr: name, Size: fmt.Sprint(va.size)}
		list = append(list, observation{bytes, v, false})
	case varArray:
		for i := range min(va.size, 16) {
			value(t, fmt.Sprintf("%s[%d]", name, i), "", true)
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
	return q.program(t, recorded.Printers, body.String())
}

// finished returns the test program: the calls and, if wanted, an assertion for each observation with a stable
// value. asserted is how many there are.
func finished(t trial.Target, q *sequence, obs [][]observation, stable recorded.Reading, assertions bool) (source string, asserted int) {
	var body strings.Builder
	helpers := ""
	n := 0
	for i := range q.steps {
		body.WriteString(q.code(&q.steps[i]))
		for _, ob := range obs[i] {
			if value, ok := stable[n]; ok && assertions {
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
	title := fmt.Sprintf("/* %d calls on %s, values as observed on the reference build */\n", len(q.steps), t.Library)
	return title + q.program(t, helpers, body.String()), asserted
}

// code writes a step: what comes before the call, and the call.
func (q *sequence) code(s *step) string {
	var sb strings.Builder
	for _, st := range s.before {
		names := make([]any, len(st.vars))
		for i, v := range st.vars {
			names[i] = q.name(v)
		}
		fmt.Fprintf(&sb, "    "+st.format+"\n", names...)
	}
	args := make([]string, len(s.args))
	for i, a := range s.args {
		if args[i] = a.text; a.v < 0 {
			continue
		}
		args[i] = fmt.Sprintf(a.text, q.name(a.v))
		if k, t := q.vars[a.v].kind, s.call.params[i].typ; k == varBytes || k == varBuffer {
			args[i] = "(" + t.String() + ")" + args[i]
		}
	}
	call := s.call.name + "(" + strings.Join(args, ", ")
	if n := len(s.args); s.call.variadic && n > 0 && s.args[n-1].class == "format" {
		call += formatArguments
	}
	if s.result >= 0 {
		call = q.vars[s.result].typ.Declare(q.name(s.result)) + " = " + call
	}
	return sb.String() + "    " + call + ");\n"
}

// stubs writes the callbacks of a sequence, which do nothing and return 0.
func (q *sequence) stubs() (list []string) {
	for _, s := range q.steps {
		for i, a := range s.args {
			if a.class != "stub" {
				continue
			}
			f := s.call.params[i].typ.Elem
			params := []string{"void"}
			for k, p := range f.Params {
				params = append(params[:k:k], p.Declare(fmt.Sprint("a", k)))
			}
			body := "return 0;"
			if f.Elem.Kind == apispec.Void {
				body = ""
			}
			text := fmt.Sprintf("static %s { %s }\n\n", f.Elem.Declare(a.text+"("+strings.Join(params, ", ")+")"), body)
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// program puts the parts together.
func (q *sequence) program(t trial.Target, helpers, body string) string {
	includes := recorded.Includes
	for _, h := range t.Headers {
		includes += "#include <" + h + ">\n"
	}
	if strings.Contains(body, " fill(") {
		helpers += fillHelper
	}
	return includes + "\n" + helpers + strings.Join(q.stubs(), "") + "int main(void) {\n" + body + "    return 0;\n}\n"
}
