package invariant

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A rule is one thing that a program with assertions must keep from its seed. The prompt tells it to the model;
// the comparison (compare.go, addition.go) enforces it.
type rule struct{ id, text string }

// rules are all of them. Names of functions come from the lists that the comparison uses.
var rules = []rule{
	{"keep", "Keep every statement as it is, in its order. Add only `assert(…);` statements, variables for them, and assignments and copies into these variables."},
	{"results", "You may keep the result of a call that the program throws away: `f(x);` becomes `int rc = f(x);`."},
	{"copies", "Copies are made with " + listed(copies) + ", into a variable or array of your own, also at an offset (`memcpy(copy + 4, …)`), never through a pointer variable."},
	{"temporaries", "Give every scalar variable a value, and a name that the program does not use. No `static` variable, and no other declaration."},
	{"straight", "No loops, branches or functions."},
	{"pure", "Assertions, and the values of your variables, change nothing: no assignment, no `++`. Of the standard library they may call " + listed(told) + "."},
	{"conditional", straightline.RuleOf(straightline.ConditionalCall).Text},
	{"addresses", "Nothing may depend on the value of an address (no pointer as a number), on memory that was not set, on time or chance."},
}

// told are the pure functions that a prompt names: all but those that only macros call.
var told = func() map[string]bool {
	names := maps.Clone(pureFunctions)
	maps.DeleteFunc(names, func(name string, _ bool) bool {
		return strings.HasPrefix(name, "__") || slices.Contains([]string{"begin", "end", "min", "max"}, name)
	})
	return names
}()

func listed(names map[string]bool) string {
	return fmt.Sprintf("`%s`", strings.Join(slices.Sorted(maps.Keys(names)), "`, `"))
}
