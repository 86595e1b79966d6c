package knowledge

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// Instrumented programs call the library through wrappers that print what they see before and after each call, as in
// "@trace PROBE enter VALUE…" and "@trace PROBE exit VALUE…".
const (
	traceMark = "@trace"
	unknown   = "-" // a value that is not known
)

const printUnknown = `printf(" ` + unknown + `");`

// maxTracedFields bounds the fields of one struct that are traced.
const maxTracedFields = 24

// The representations of values, as in Daikon.
const (
	intRep     = "int"
	doubleRep  = "double"
	pointerRep = "hashcode"
)

// printing has the statement that prints a value of a representation.
var printing = map[string]string{
	intRep:     `printf(" %%lld", (long long)(%s));`,
	doubleRep:  `printf(" %%.17g", (double)(%s));`,
	pointerRep: `printf(" %%lld", (long long)(__UINTPTR_TYPE__)(%s));`,
}

// A variable is an argument, the result, or a public field behind one of these.
type variable struct {
	name          string // t->count, return
	field         string // its name in the struct; "" if it is no field
	enclosing     string // of a field: the pointer
	rep           string
	comparability int    // only variables with the same may be compared
	param         bool   // a caller sees its value before the call only
	code          string // reads it
	guard         string // the pointer that must not be NULL; "" for none
	gone          bool   // at exit: what the guard points to may have been freed
}

// A probe is one function that is traced.
type probe struct {
	interpose.Function
	enter, exit []variable
}

// point names the function as Daikon does: NAME(types).
func (p *probe) point() string {
	var types []string
	for _, q := range p.Params {
		types = append(types, q.Type.String())
	}
	return p.Name + "(" + strings.Join(types, ", ") + ")"
}

// probes returns what can be traced: functions of C whose types a wrapper can repeat.
func probes(spec *apispec.Spec, target trial.Target) []*probe {
	if target.Language != trial.C {
		return nil
	}
	var list []*probe
	for _, f := range interpose.Functions(spec, target.ExcludedAPIs) {
		p := &probe{Function: f}
		for i, q := range f.Params {
			name := q.Name
			if name == "" {
				name = fmt.Sprintf("arg%d", i+1)
			}
			p.enter = append(p.enter, variables(spec, variable{name: name, code: interpose.Argument(i), param: true}, q.Type)...)
		}
		p.exit = append(slices.Clone(p.enter), variables(spec, variable{name: "return", code: interpose.Result}, f.Result)...)
		for i := range p.exit {
			p.exit[i].gone = p.exit[i].guard != "" && f.Ends()
		}
		list = append(list, p)
	}
	return list
}

// variables are a value of a type and, if it points to a struct whose fields are public, these.
func variables(spec *apispec.Spec, v variable, t *apispec.Type) []variable {
	v.rep, v.comparability = repOf(t), comparability(t)
	if v.rep == "" {
		return nil
	}
	list := []variable{v}
	if t.Kind != apispec.Pointer || t.Elem.Kind != apispec.Record {
		return list
	}
	s := spec.Struct(t.Elem.Name)
	if s == nil || s.Opaque {
		return list
	}
	for _, f := range s.Fields[:min(len(s.Fields), maxTracedFields)] {
		if rep := repOf(f.Type); rep != "" {
			list = append(list, variable{name: v.name + "->" + f.Name, field: f.Name, enclosing: v.name, rep: rep,
				comparability: comparability(f.Type), code: v.code + "->" + f.Name, guard: v.code})
		}
	}
	return list
}

// repOf is the representation of a type; "" for what is not traced.
func repOf(t *apispec.Type) string {
	switch t.Kind {
	case apispec.Bool, apispec.Int, apispec.EnumRef:
		if t.Bits <= 64 {
			return intRep
		}
	case apispec.Float:
		return doubleRep
	case apispec.Pointer:
		if t.Elem.Kind != apispec.Func {
			return pointerRep
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

// instrument returns a C program that prints a trace of the functions that it mentions. headers are the library's.
func instrument(source string, list []*probe, headers []string) string {
	functions := make([]interpose.Function, len(list))
	for i, p := range list {
		functions[i] = p.Function
	}
	return interpose.Program(source, functions, headers, "#include <stdio.h>\n", func(i int) (before, after string) {
		return printed(list[i].enter, i, "enter"), printed(list[i].exit, i, "exit")
	})
}

// printed are the statements that print the values of variables, on one line.
func printed(list []variable, number int, where string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "printf(\"\\n%s %d %s\");\n", traceMark, number, where)
	for _, v := range list {
		value := fmt.Sprintf(printing[v.rep], v.code)
		switch {
		case v.gone:
			value = printUnknown
		case v.guard != "":
			value = fmt.Sprintf("if (%s) %s else %s", v.guard, value, printUnknown)
		}
		b.WriteString(value + "\n")
	}
	return b.String() + "printf(\"\\n\");\n"
}

// A call is what was printed of one call, in the order of the probe's variables.
type call struct {
	probe       int
	enter, exit []string
}

// readCalls reads what an instrumented program printed. Calls within calls end first; one that does not end, or
// whose values are cut off, is left out.
func readCalls(stdout string, list []*probe) []call {
	var done, open []call
	for line := range strings.Lines(stdout) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != traceMark {
			continue
		}
		number, err := strconv.Atoi(words[1])
		if err != nil || number >= len(list) {
			continue
		}
		p, values := list[number], words[3:]
		if words[2] == "enter" && len(values) == len(p.enter) {
			open = append(open, call{probe: number, enter: values})
			continue
		}
		for len(open) > 0 && open[len(open)-1].probe != number { // it was left by longjmp
			open = open[:len(open)-1]
		}
		if last := len(open) - 1; last >= 0 && len(values) == len(p.exit) {
			open[last].exit = values
			done, open = append(done, open[last]), open[:last]
		}
	}
	return done
}

// agreeing keeps the values that are the same in both runs of a program; pointers need only both be NULL or not.
// It returns nil if the runs made different calls.
func agreeing(list []*probe, a, b []call) []call {
	keep := func(vars []variable, values, others []string) {
		for j, v := range values {
			pointers := vars[j].rep == pointerRep && others[j] != unknown && (v == "0") == (others[j] == "0")
			if v != others[j] && !pointers {
				values[j] = unknown
			}
		}
	}
	if !slices.EqualFunc(a, b, func(x, y call) bool { return x.probe == y.probe }) {
		return nil
	}
	for i, c := range a {
		p := list[c.probe]
		keep(p.enter, c.enter, b[i].enter)
		keep(p.exit, c.exit, b[i].exit)
	}
	return a
}
