package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
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

// The representations of values: statements that print them.
const (
	integer  = `printf(" %%lld", (long long)(%s));`
	fraction = `printf(" %%.17g", (double)(%s));`
	pointer  = `printf(" %%lld", (long long)(__UINTPTR_TYPE__)(%s));`
)

// maxTracedFields bounds the fields of one struct that are traced.
const maxTracedFields = 24

// A variable is an argument, the result, or a public field behind one of these.
type variable struct {
	name  string // t->count, return
	rep   string
	like  string // only variables of which this is the same are compared
	code  string // reads it
	guard string // the pointer that must not be NULL; "" for none
}

// A probe is one function that is traced.
type probe struct {
	interpose.Function
	enter, exit []variable
}

// columns are what is known of a call: what is so after it, and, as orig(…), what was so before.
func (p *probe) columns() []variable {
	list := slices.Clone(p.exit)
	for _, v := range p.enter {
		v.name = "orig(" + v.name + ")"
		list = append(list, v)
	}
	return list
}

// place names the end of the function as Daikon does.
func (p *probe) place() string {
	var types []string
	for _, q := range p.Params {
		types = append(types, q.Type.String())
	}
	return p.Name + "(" + strings.Join(types, ", ") + "):::EXIT (built-in miner)"
}

// probes returns what can be traced: functions of C whose types a wrapper can repeat. What a parameter holds after a
// call no caller sees, and what it pointed to may be gone.
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
			seen := variables(spec, name, interpose.Argument(i), q.Type)
			p.enter = append(p.enter, seen...)
			p.exit = append(p.exit, seen[min(len(seen), 1):]...)
		}
		p.exit = append(p.exit, variables(spec, "return", interpose.Result, f.Result)...)
		if f.Ends() {
			p.exit = lists.Filter(p.exit, func(v variable) bool { return v.guard == "" })
		}
		list = append(list, p)
	}
	return list
}

// variables are a value of a type and, if it points to a struct whose fields are public, these.
func variables(spec *apispec.Spec, name, code string, t *apispec.Type) (list []variable) {
	add := func(t *apispec.Type, v variable) {
		if v.rep, v.like = represent(t); v.rep != "" {
			list = append(list, v)
		}
	}
	add(t, variable{name: name, code: code})
	if t.Kind != apispec.Pointer || t.Elem.Kind != apispec.Record {
		return list
	}
	if s := spec.Struct(t.Elem.Name); s != nil && !s.Opaque {
		for _, f := range s.Fields[:min(len(s.Fields), maxTracedFields)] {
			add(f.Type, variable{name: name + "->" + f.Name, code: code + "->" + f.Name, guard: code})
		}
	}
	return list
}

// represent is how a type is printed, "" for what is not traced, and what it can be compared with: numbers with
// numbers, pointers with those to the same type, and the values of an enumeration with each other.
func represent(t *apispec.Type) (rep, like string) {
	switch {
	case t.Kind == apispec.Float:
		return fraction, "fraction"
	case t.Kind == apispec.Pointer && t.Elem.Kind != apispec.Func:
		return pointer, "*" + strings.TrimPrefix(t.Elem.String(), "const ")
	case t.Bits > 64:
	case t.Kind == apispec.EnumRef:
		return integer, "enum " + t.Name
	case t.Kind == apispec.Bool || t.Kind == apispec.Int:
		return integer, "integer"
	}
	return "", ""
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
	text := fmt.Sprintf("printf(\"\\n%s %d %s\");\n", traceMark, number, where)
	for _, v := range list {
		if v.guard != "" {
			text += fmt.Sprintf("if (!%s) printf(\" %s\"); else ", v.guard, unknown)
		}
		text += fmt.Sprintf(v.rep, v.code) + "\n"
	}
	return text + "printf(\"\\n\");\n"
}

// A call is what was printed of one call, in the order of the probe's columns.
type call struct {
	probe  int
	values []string
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
		if words[2] == "enter" {
			if len(values) == len(p.enter) {
				open = append(open, call{number, values})
			}
			continue
		}
		for len(open) > 0 && open[len(open)-1].probe != number { // it was left by longjmp
			open = open[:len(open)-1]
		}
		if last := len(open) - 1; last >= 0 && len(values) == len(p.exit) {
			done = append(done, call{number, append(values, open[last].values...)})
			open = open[:last]
		}
	}
	return done
}

// agreeing keeps the values that are the same in both runs of a program; pointers need only both be NULL or not.
// It returns nil if the runs made different calls.
func agreeing(list []*probe, a, b []call) []call {
	if !slices.EqualFunc(a, b, func(x, y call) bool { return x.probe == y.probe }) {
		return nil
	}
	for i, c := range a {
		for j, v := range list[c.probe].columns() {
			one, other := c.values[j], b[i].values[j]
			if one != other && (v.rep != pointer || other == unknown || (one == "0") != (other == "0")) {
				c.values[j] = unknown
			}
		}
	}
	return a
}

// trace runs instrumented programs, each with two fillings of memory, and deals their calls into two halves, by probe.
// Programs that do not run to their end are left out.
func (b *Builder) trace(ctx context.Context, list []*probe, programs []trial.Program) (halves [2]map[int][]call, err error) {
	instrumented := make([]trial.Program, len(programs))
	for i, p := range programs {
		source := instrument(p.Source, list, b.Target.Headers)
		instrumented[i] = trial.Program{ID: fmt.Sprintf("k%05d", i+1), Lang: p.Lang, Source: source}
	}
	var runs [2][]trial.Result
	for i := range runs {
		o := trial.ExecOptions{Stdout: true, Perturb: i == 1}
		if runs[i], err = trial.Execute(ctx, b.Exec, instrumented, o); err != nil {
			return halves, err
		}
	}
	halves = [2]map[int][]call{{}, {}}
	good := 0
	for i, r := range runs[0] {
		if r.Outcome != trial.OK || runs[1][i].Outcome != trial.OK {
			b.Log.Debug("not observed", "program", programs[i].ID, "outcome", r.Outcome, "diagnostic", r.Diagnostic)
			continue
		}
		for _, c := range agreeing(list, readCalls(r.Stdout, list), readCalls(runs[1][i].Stdout, list)) {
			halves[good%2][c.probe] = append(halves[good%2][c.probe], c)
		}
		good++
	}
	b.Log.Info("observed", "programs", good, "of", len(programs))
	return halves, nil
}
