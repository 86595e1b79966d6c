package knowledge

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/interpose"
)

// Instrumented programs call the library through wrappers that print a sample before and after
// each call, one line for each value. C only.

// traceMark begins the printed lines: "@trace point nonce" and "@value index value".
const traceMark = "@trace "

// maxTracedFields bounds the fields of one struct that are traced.
const maxTracedFields = 24

// A probe is one function that is traced.
type probe struct {
	interpose.Function
	enter, exit *point
	in, out     []expression // in the order of the points' variables
}

// An expression is a variable as the wrapper reads it.
type expression struct {
	code  string // "" where it is never read
	guard string // pointer that must not be NULL; "" for none
	rep   string
	from  int // C++: the parameter that it is about, or another number of cxx.go
}

// probes returns what can be traced: functions whose types a wrapper can repeat.
func probes(spec *apispec.Spec, excluded []string) []*probe {
	var list []*probe
	for _, f := range interpose.Functions(spec, excluded) {
		list = append(list, newProbe(spec, f))
	}
	return list
}

func newProbe(spec *apispec.Spec, f interpose.Function) *probe {
	var types []string
	for _, p := range f.Params {
		types = append(types, p.Type.String())
	}
	name := f.Name + "(" + strings.Join(types, ", ") + ")"
	pr := &probe{Function: f, enter: &point{Name: name + ":::ENTER"}, exit: &point{Name: name + ":::EXIT1"}}
	gone := f.Ends()
	add := func(v traceVariable, e expression, entry bool) {
		if entry {
			pr.enter.Vars, pr.in = append(pr.enter.Vars, v), append(pr.in, e)
		}
		if gone && e.guard != "" && v.Kind != "return" {
			e.code = "" // what it points to may be freed
		}
		pr.exit.Vars, pr.out = append(pr.exit.Vars, v), append(pr.out, e)
	}
	for i, p := range f.Params {
		shown := p.Name
		if shown == "" {
			shown = fmt.Sprintf("arg%d", i+1)
		}
		variables(spec, shown, interpose.Argument(i), p.Type, true, func(v traceVariable, e expression) { add(v, e, true) })
	}
	variables(spec, "return", interpose.Result, f.Result, false, func(v traceVariable, e expression) { add(v, e, false) })
	return pr
}

// variables calls add for a value and, if it points to a struct whose fields are public, for
// these.
func variables(spec *apispec.Spec, shown, code string, t *apispec.Type, param bool, add func(traceVariable, expression)) {
	v := traceVariable{Name: shown, Kind: "variable", RepType: repOf(t), Param: param, Comparability: comparability(t)}
	if shown == "return" {
		v.Kind = "return"
	}
	if v.RepType == "" {
		return
	}
	add(v, expression{code: code, rep: v.RepType})
	if t.Kind != apispec.Pointer || t.Elem.Kind != apispec.Record {
		return
	}
	s := spec.Struct(t.Elem.Name)
	if s == nil || s.Opaque {
		return
	}
	for i, f := range s.Fields {
		rep := repOf(f.Type)
		if i == maxTracedFields || rep == "" {
			continue
		}
		add(traceVariable{Name: shown + "->" + f.Name, Kind: "field " + f.Name, Enclosing: shown, RepType: rep, Comparability: comparability(f.Type)},
			expression{code: code + "->" + f.Name, guard: code, rep: rep})
	}
}

// repOf is Daikon's rep-type of a type; "" for what is not traced.
func repOf(t *apispec.Type) string {
	switch t.Kind {
	case apispec.Bool, apispec.Int, apispec.EnumRef:
		if t.Bits > 64 {
			return ""
		}
		return "int"
	case apispec.Float:
		return "double"
	case apispec.Pointer:
		if t.Elem.Kind != apispec.Func {
			return "hashcode"
		}
	}
	return ""
}

// comparability lets numbers be compared with numbers, pointers with those to the same type,
// and the values of an enumeration with each other.
func comparability(t *apispec.Type) int {
	name := ""
	switch t.Kind {
	case apispec.Pointer:
		name = "*" + strings.TrimPrefix(t.Elem.String(), "const ")
	case apispec.EnumRef:
		name = t.Name
	default:
		return 1
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return 2 + int(h.Sum32()>>8)
}

// instrument returns a C program that prints a trace of the functions that it mentions; function
// number i of probes is point i. headers are the library's.
func instrument(source string, list []*probe, headers []string) string {
	functions := make([]interpose.Function, len(list))
	for i, p := range list {
		functions[i] = p.Function
	}
	return interpose.Program(source, functions, headers, "#include <stdio.h>\n", func(i int) (before, after string) {
		return printed(list[i].in, i, "enter"), printed(list[i].out, i, "exit") + "printf(\"=end\\n\");\n"
	})
}

// printed are the statements that print a sample.
func printed(values []expression, number int, where string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "printf(\"\\n%s%d %s %%d\\n\", %s);\n", traceMark, number, where, interpose.Number)
	for _, e := range values {
		e.print(&b)
	}
	return b.String()
}

// print writes the statement that prints one value.
func (e expression) print(b *strings.Builder) {
	format := map[string]string{
		"int": `printf("=%%lld\n", (long long)(%s));`, "double": `printf("=%%.17g\n", (double)(%s));`, "hashcode": `printf("=%%lld\n", (long long)(__UINTPTR_TYPE__)(%s));`,
	}[e.rep]
	switch value := fmt.Sprintf(format, e.code); {
	case e.code == "":
		b.WriteString("printf(\"=\\n\");\n")
	case e.guard != "":
		fmt.Fprintf(b, "if (%s) %s else printf(\"=\\n\");\n", e.guard, value)
	default:
		b.WriteString(value + "\n")
	}
}

// readSamples reads what an instrumented program printed; a sample that is cut off, or has no
// end, is left out.
func readSamples(stdout string, list []*probe, firstNonce int) []sample {
	var samples []sample
	var open *sample
	finish := func() {
		if open != nil && len(open.Values) == len(open.Point.Vars) {
			samples = append(samples, *open)
		}
		open = nil
	}
	for line := range strings.Lines(stdout) {
		line = strings.TrimRight(line, "\n")
		var number, nonce int
		var where string
		if rest, ok := strings.CutPrefix(line, traceMark); ok {
			finish()
			if n, _ := fmt.Sscanf(rest, "%d %s %d", &number, &where, &nonce); n == 3 && number < len(list) {
				open = &sample{Point: list[number].enter, Nonce: firstNonce + nonce}
				if where == "exit" {
					open.Point = list[number].exit
				}
			}
		} else if value, ok := strings.CutPrefix(line, "="); ok && open != nil && value != "end" {
			open.Values = append(open.Values, value)
		}
	}
	finish()
	return samples
}

// agreeing keeps the values that are the same in both runs of a program; identities of
// pointers need only both be NULL or not. It returns nil if the runs made different calls.
func agreeing(a, b []sample) []sample {
	if len(a) != len(b) {
		return nil
	}
	out := make([]sample, len(a))
	for i := range a {
		if a[i].Point != b[i].Point || a[i].Nonce != b[i].Nonce {
			return nil
		}
		out[i] = sample{Point: a[i].Point, Nonce: a[i].Nonce, Values: make([]string, len(a[i].Values))}
		for j, v := range a[i].Values {
			w := b[i].Values[j]
			pointer := a[i].Point.Vars[j].RepType == "hashcode"
			if v == w || pointer && v != "" && w != "" && (v == "0") == (w == "0") {
				out[i].Values[j] = v
			}
		}
	}
	return out
}
