package straightline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Rule is one thing that a test program has to keep: what its author is told, and the violations
// that the checker reports where it is broken. Prompts are filled from Rules, and every kind of
// violation is in exactly one of them, so that nothing is refused that was not told.
type Rule struct {
	ID    string
	Text  string // for the author: one sentence or two
	Kinds []Kind
}

// Rules are what a test is, for every tool that asks a model for sequences: LISA and the model alone.
var Rules = []Rule{
	{"function", "Define a test function, `void NAME(void)` or `int NAME(void)` with a name that begins with `test`, and no `main`.", []Kind{NoTest, Main}},
	{"straight", "Every statement of a test is executed once: no loop (`for`, `while`, `do`, a macro that holds one), no `goto`, no recursion. Helper functions and callbacks keep this too.", []Kind{Loop, Goto, Recursion}},
	{"branches", "No `if`, `switch` or `try`. The one exception is `if (setjmp(…)) { …; return; }`, where the library reports errors with longjmp.", []Kind{Branch, Guard}},
	{"conditional", "`?:`, `&&` and `||` may compute a value, but no call of the library or of your own functions may stand behind them, where it might not be executed; in an assertion, calls may stand on both sides of `&&`.", []Kind{ConditionalCall}},
	{"visible", "Nothing runs but by a statement of the test: no call of the library in an initialiser at file scope, no constructor, destructor, cleanup or alias attribute, no inline assembly.", []Kind{Hidden, Assembly}},
	{"ends", "A test returns: no function that ends the process or jumps out of it, and no `throw` (" + named(Exit) + ").", []Kind{Exit}},
	{"alone", "No processes or signals (" + named(Process) + "), no threads (" + named(Thread) + "), no network (" + named(Network) + ").", []Kind{Process, Thread, Network}},
	{"same", "The same on every run: no time (" + named(Time) + "), no chance and no process identity (" + named(Random) + ").", []Kind{Time, Random}},
	{"size", fmt.Sprintf("At most %d API calls in a test, and no program too large to be read.", maxCalls), []Kind{TooLong, TooLarge}},
}

// named are some of the functions that are banned for one reason.
func named(k Kind) string {
	shown := map[Kind]string{
		Exit: "exit abort longjmp", Process: "system fork signal", Thread: "pthread_create", Network: "socket connect", Time: "time clock sleep", Random: "rand getpid tmpnam",
	}
	return "`" + strings.Join(strings.Fields(shown[k]), "`, `") + "`, …"
}

// RuleOf returns the rule that a violation breaks.
func RuleOf(k Kind) Rule {
	for _, r := range Rules {
		if slices.Contains(r.Kinds, k) {
			return r
		}
	}
	return Rule{ID: string(k)}
}

// Broken returns the IDs of the rules that a report breaks, sorted.
func (r Report) Broken() []string {
	ids := map[string]bool{}
	for _, v := range r.Violations {
		ids[RuleOf(v.Kind).ID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}
