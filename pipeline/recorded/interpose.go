package recorded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// The names that statements around a call may use, beside Argument.
const (
	Result = "lisa_r" // what the call returned, if anything
	Number = "lisa_n" // an int: how many wrapped calls the program began before this one
)

// Argument is the name of parameter i in the wrapper, from 0.
func Argument(i int) string { return fmt.Sprintf("lisa_a%d", i) }

// A Function is one whose calls can go through a wrapper.
type Function struct {
	*apispec.Function
	Names []string // by which programs call it: its own, and macros'
}

// Functions returns the functions of a library that a wrapper can stand in for, without the
// excluded ones.
func Functions(spec *apispec.Spec, excluded []string) []Function {
	var list []Function
	for _, f := range spec.APIs(excluded) {
		if f.Variadic || f.Result == nil || f.Kind != apispec.Free || f.Class != "" || strings.Contains(f.Name, ":") {
			continue
		}
		list = append(list, Function{Function: f, Names: append([]string{f.Name}, spec.CalledThrough(f)...)})
	}
	return list
}

// ends are names of functions after which an argument may be gone.
var ends = regexp.MustCompile(`(?i:free|delete|destroy|close|release|unref|dealloc|finalize|(?:^|[^p])realloc)|(?:End|(?:^|_)end)(?:[^a-z]|$)`)

// Ends reports whether an argument may be gone after a call of f, which its name tells; what is
// preallocated, appended to or pending stays.
func (f Function) Ends() bool { return ends.MatchString(f.Name) }

// Program returns source with wrappers for the functions that it mentions. The prelude comes before the
// wrappers and may need only headers, which are the library's. The statements before and after the call of
// functions[i] come from around.
func Program(source string, functions []Function, headers []string, prelude string,
	around func(i int) (before, after string)) string {
	end := 0 // of the last include
	for _, in := range clex.Includes(source) {
		end = in.End
	}
	head, body, macros := source[:end], source[end:], ""
	for _, h := range headers {
		head += "#include <" + h + ">\n"
	}
	head += prelude + "static int lisa_calls;\n"
	for i, f := range functions {
		if slices.ContainsFunc(f.Names, func(name string) bool { return strings.Contains(body, name) }) {
			head += f.wrapper(around(i))
			macros += fmt.Sprintf("#undef %[1]s\n#define %[1]s lisa_w_%[1]s\n", f.Name)
		}
	}
	return head + macros + body
}

// wrapper is the function that stands in for f.
func (f Function) wrapper(before, after string) string {
	var params, args []string
	for i, q := range f.Params {
		params, args = append(params, q.Type.Declare(Argument(i))), append(args, Argument(i))
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	declaration := f.Function.Result.Declare("lisa_w_" + f.Name + "(" + strings.Join(params, ", ") + ")")
	call, result := f.Name+"("+strings.Join(args, ", ")+")", ""
	if f.Function.Result.Kind != apispec.Void {
		call, result = f.Function.Result.Declare(Result)+" = "+call, "return "+Result+";\n"
	}
	return fmt.Sprintf("static __attribute__((unused)) %s {\nint %s = lisa_calls++;\n(void)%[2]s;\n%[3]s%[4]s;\n%[5]s%[6]s}\n",
		declaration, Number, before, call, after, result)
}
