package straightline

import "fmt"

// A Kind is what a violation is about.
type Kind string

// The kinds of violations.
const (
	Loop            Kind = "loop"
	Branch          Kind = "branch"
	Guard           Kind = "guard" // an if that only leaves early
	Goto            Kind = "goto"
	Recursion       Kind = "recursion"
	ConditionalCall Kind = "conditional_call"
	Main            Kind = "main"
	Hidden          Kind = "hidden_call" // runs outside the order of the tests' statements
	Assembly        Kind = "assembly"
	Process         Kind = "process"
	Exit            Kind = "exit"
	Network         Kind = "network"
	Thread          Kind = "thread"
	Time            Kind = "time"
	Random          Kind = "random"
	NoTest          Kind = "no_test"   // the program defines no function that the harness would call
	TooLong         Kind = "too_long"  // more calls than maxCalls
	TooLarge        Kind = "too_large" // cprog.Program.Unreadable
)

// A Violation is one breach of the policy.
type Violation struct {
	Kind Kind   `json:"kind"`
	Line int    `json:"line"` // 1-based, of the program's source; of a macro where it is used; 0 for the whole program
	What string `json:"what"` // the construct or name, e.g. "for", "system"
}

// String says what is wrong in words for the author of the program.
func (v Violation) String() string {
	text := fmt.Sprintf(explanations[v.Kind], v.What)
	if v.Line == 0 {
		return text
	}
	return fmt.Sprintf("line %d: %s", v.Line, text)
}

var explanations = map[Kind]string{
	Loop:            "%s: a loop in a straight-line program",
	Branch:          "%s: a branch in a straight-line program",
	Guard:           "%s: an early return in a straight-line program",
	Goto:            "%s: a jump in a straight-line program",
	Recursion:       "%s calls itself",
	ConditionalCall: "the call of %s may not be executed",
	Main:            "%s is the harness's to define",
	Hidden:          "%s: a call that no statement makes",
	Assembly:        "%s: inline assembly",
	Process:         "%s: a test must not start or signal processes",
	Exit:            "%s: a test must return, not end the process or jump out",
	Network:         "%s: a test must not use the network",
	Thread:          "%s: a test must not start threads",
	Time:            "%s: a test must not depend on the time",
	Random:          "%s: a test must not depend on chance or on its process",
	NoTest:          "%s: define a function int NAME(void) or void NAME(void) whose name begins with test",
	TooLong:         "%s makes too many calls",
	TooLarge:        "%s is too large to be read",
}
