package randoop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

// variableNames names the variables in the order of their declaration.
func variableNames(s *sequence) []string {
	names := make([]string, len(s.vars))
	counts := map[string]int{}
	name := func(v int) {
		if names[v] == "" {
			p := prefix(&s.vars[v])
			counts[p]++
			names[v] = fmt.Sprint(p, counts[p])
		}
	}
	for i := range s.steps {
		for _, v := range s.steps[i].decls {
			name(v)
		}
		if r := s.steps[i].result; r >= 0 {
			name(r)
		}
	}
	return names
}

func prefix(v *variable) string {
	switch v.kind {
	case varStruct:
		return "obj"
	case varScalar:
		return "val"
	case varPtr:
		return "ptr"
	case varText:
		return "text"
	case varBytes:
		return "data"
	case varBuffer:
		return "out"
	case varArray:
		return "list"
	}
	switch v.typ.Kind {
	case apispec.Pointer:
		return "p"
	case apispec.Float:
		return "d"
	}
	return "r"
}

// An emitter writes one sequence as a C program.
type emitter struct {
	target   trial.Target
	seq      *sequence
	names    []string
	declared map[int]bool
	body     strings.Builder
	stubs    []string
	needFill bool
	needFile bool
	needSum  bool
	asserts  int
}

func newEmitter(t trial.Target, s *sequence) *emitter {
	return &emitter{target: t, seq: s, names: variableNames(s), declared: map[int]bool{}}
}

func (e *emitter) line(format string, args ...any) {
	fmt.Fprintf(&e.body, "    "+format+"\n", args...)
}

// step writes declarations, assignments and the call of step i.
func (e *emitter) step(i int) {
	s := &e.seq.steps[i]
	for _, v := range s.decls {
		if !e.declared[v] {
			e.declared[v] = true
			e.declare(v)
		}
	}
	for _, f := range s.files {
		e.needFile = true
		e.line("put_file(%q, %s, %d);", f.path, e.names[f.from], f.size)
	}
	for _, a := range s.sets {
		value := a.value
		if value == "" {
			value = "(void *)" + e.names[a.from]
		}
		e.line("%s.%s = %s;", e.names[a.v], a.field, value)
	}
	call := s.call.name + "(" + strings.Join(e.arguments(s), ", ") + ");"
	if s.result >= 0 {
		call = e.seq.vars[s.result].typ.Declare(e.names[s.result]) + " = " + call
	}
	e.line("%s", call)
}

func (e *emitter) declare(v int) {
	va, name := &e.seq.vars[v], e.names[v]
	switch va.kind {
	case varStruct:
		e.line("%s = {0};", va.typ.Declare(name))
	case varScalar:
		e.line("%s = %s;", va.typ.Declare(name), va.init)
	case varPtr:
		e.line("%s = NULL;", va.typ.Declare(name))
	case varText:
		e.line("const char *%s = %s;", name, exact.CString(va.text))
	case varBuffer:
		e.line("unsigned char %s[%d] = {0};", name, va.size)
	case varArray:
		e.line("%s = %s;", va.typ.Declare(fmt.Sprintf("%s[%d]", name, va.size)), va.init)
	case varBytes:
		if va.fill != nil {
			e.needFill = true
			e.line("unsigned char %s[%d];", name, va.size)
			e.line("fill(%s, %d, %d, %d);", name, va.size, va.fill.pattern, va.fill.seed)
			return
		}
		text := strings.TrimRight(va.text, "\x00")
		if len(text) == va.size { // exactly as long: no room for the literal's own NUL
			e.line("unsigned char %s[%d] = %s;", name, max(va.size, 1), exact.CString(text))
			return
		}
		e.line("unsigned char %s[%d] = %s;", name, va.size, exact.CString(text))
	}
}

// arguments writes the call's arguments, with casts where C would not convert.
func (e *emitter) arguments(s *step) []string {
	var out []string
	for i, a := range s.args {
		switch a.kind {
		case argLiteral:
			if a.class == "stub" {
				e.stub(s.call, i, a.text)
			}
			out = append(out, a.text)
		case argAddress:
			out = append(out, "&"+e.names[a.v])
		case argVar:
			name := e.names[a.v]
			if k := e.seq.vars[a.v].kind; i < len(s.call.params) && (k == varBytes || k == varBuffer) && !plainBytes(s.call.params[i].typ) {
				name = "(" + s.call.params[i].typ.String() + ")" + name
			}
			out = append(out, name)
		}
	}
	return out
}

// plainBytes reports whether unsigned char * converts to t without a cast.
func plainBytes(t *apispec.Type) bool {
	return t.Kind == apispec.Pointer && (t.Elem.Kind == apispec.Void || t.Elem.Name == "unsigned char")
}

// stub writes a callback that does nothing and returns 0.
func (e *emitter) stub(c *callable, i int, name string) {
	f := c.params[i].typ.Elem
	var params []string
	for k, p := range f.Params {
		params = append(params, p.Declare(fmt.Sprint("a", k)))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	body := "{ return 0; }"
	if f.Elem.Kind == apispec.Void {
		body = "{ }"
	}
	text := "static " + f.Elem.Declare(name+"("+strings.Join(params, ", ")+")") + " " + body
	for _, known := range e.stubs {
		if known == text {
			return
		}
	}
	e.stubs = append(e.stubs, text)
}

// instrumented returns a program that prints every observation.
func instrumented(t trial.Target, s *sequence, obs [][]observation) string {
	e := newEmitter(t, s)
	n := 0
	for i := range s.steps {
		e.line("mark(%d);", i)
		e.step(i)
		for _, ob := range obs[i] {
			e.line("%s", ob.Print(strconv.Itoa(n)))
			n++
		}
	}
	e.line("mark(%d);", len(s.steps))
	return e.program("", exact.Printers)
}

// finished returns the test program: the calls and an assertion for each observation with
// a stable value. asserted is how many there are.
func finished(t trial.Target, s *sequence, obs [][]observation, stable exact.Reading, assertions bool) (source string, asserted int) {
	e := newEmitter(t, s)
	n := 0
	for i := range s.steps {
		e.step(i)
		for _, ob := range obs[i] {
			value, ok := stable[n]
			n++
			if ok && assertions {
				e.assert(ob, value)
			}
		}
	}
	title := fmt.Sprintf("/* %d calls on %s, values as observed on the reference build */\n", len(s.steps), t.Library)
	return e.program(title, ""), e.asserts
}

func (e *emitter) assert(ob observation, value string) {
	condition, checksum := ob.Condition(value)
	if condition == "" {
		return
	}
	e.needSum = e.needSum || checksum
	e.asserts++
	e.line("assert(%s);", condition)
}

// program puts the parts together.
func (e *emitter) program(title, prelude string) string {
	var sb strings.Builder
	sb.WriteString(title + exact.Includes)
	for _, h := range e.target.Headers {
		fmt.Fprintf(&sb, "#include <%s>\n", h)
	}
	sb.WriteString("\n" + prelude)
	if e.needSum && prelude == "" {
		sb.WriteString(exact.ChecksumHelper)
	}
	if e.needFill {
		sb.WriteString(fillHelper)
	}
	if e.needFile {
		sb.WriteString(fileHelper)
	}
	for _, s := range e.stubs {
		sb.WriteString(s + "\n\n")
	}
	sb.WriteString("int main(void) {\n" + e.body.String() + "    return 0;\n}\n")
	return sb.String()
}
