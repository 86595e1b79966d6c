package straightline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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

// A Rule is one thing that a test program has to keep, as its author is told: one sentence or two. Prompts are
// filled from Rules, and every kind of violation breaks one of them, so that nothing is refused that was not told.
type Rule struct{ ID, Text string }

// Rules are what a test is, for every tool that asks a model for sequences: LISA and the model alone.
var Rules = []Rule{
	{"function", "Define a test function, `void NAME(void)` or `int NAME(void)` with a name that begins with `test`, and no `main`."},
	{"straight", "Every statement of a test is executed once: no loop (`for`, `while`, `do`, a macro that holds one), no `goto`, no recursion. Helper functions and callbacks keep this too."},
	{"branches", "No `if`, `switch` or `try`. The one exception is `if (setjmp(…)) { …; return; }`, where the library reports errors with longjmp."},
	{"conditional", "`?:`, `&&` and `||` may compute a value, but no call of the library or of your own functions may stand behind them, where it might not be executed; in an assertion, calls may stand on both sides of `&&`."},
	{"visible", "Nothing runs but by a statement of the test: no call of the library in an initialiser at file scope, no constructor, destructor, cleanup or alias attribute, no inline assembly."},
	{"ends", "A test returns: no function that ends the process or jumps out of it, and no `throw` (`exit`, `abort`, `longjmp`, …)."},
	{"alone", "No processes or signals (`system`, `fork`, `signal`, …), no threads (`pthread_create`, …), no network (`socket`, `connect`, …)."},
	{"same", "The same on every run: no time (`time`, `clock`, `sleep`, …), no chance and no process identity (`rand`, `getpid`, `tmpnam`, …)."},
	{"size", fmt.Sprintf("At most %d API calls in a test, and no program too large to be read.", maxCalls)},
}

// kinds has of each kind the rule that it breaks, what is wrong with a construct or name %s, and the names
// that break it: functions, and macros and standard classes.
var kinds = map[Kind]struct{ rule, explanation, names string }{
	NoTest:          {"function", "%s: define a function int NAME(void) or void NAME(void) whose name begins with test", ""},
	Main:            {"function", "%s is the harness's to define", ""},
	Loop:            {"straight", "%s: a loop in a straight-line program", ""},
	Goto:            {"straight", "%s: a jump in a straight-line program", ""},
	Recursion:       {"straight", "%s calls itself", ""},
	Branch:          {"branches", "%s: a branch in a straight-line program", ""},
	Guard:           {"branches", "%s: an early return in a straight-line program", ""},
	ConditionalCall: {"conditional", "the call of %s may not be executed", ""},
	Hidden:          {"visible", "%s: a call that no statement makes", ""},
	Assembly:        {"visible", "%s: inline assembly", ""},
	TooLong:         {"size", "%s makes too many calls", ""},
	TooLarge:        {"size", "%s is too large to be read", ""},
	Exit: {"ends", "%s: a test must return, not end the process or jump out", `
		exit _exit _Exit quick_exit abort atexit at_quick_exit on_exit __cxa_atexit longjmp _longjmp siglongjmp
		err errx verr verrx error terminate rethrow_exception __assert_fail __assert_perror_fail __assert
		__builtin_trap __builtin_unreachable pthread_exit thrd_exit`},
	Process: {"alone", "%s: a test must not start or signal processes", `
		system popen fork vfork _Fork clone execl execlp execle execv execve execvp execvpe fexecve posix_spawn
		posix_spawnp kill killpg raise signal sigaction bsd_signal sigqueue ptrace syscall daemon dlopen dlmopen dlsym
		wordexp prctl setrlimit prlimit mprotect`},
	Thread: {"alone", "%s: a test must not start threads", "pthread_create thrd_create async std::thread std::jthread"},
	Network: {"alone", "%s: a test must not use the network", `
		socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg
		recvmmsg getaddrinfo getnameinfo gethostbyname gethostbyname2 gethostbyaddr getservbyname res_query res_search
		rcmd rexec`},
	Time: {"same", "%s: a test must not depend on the time", `
		time clock gettimeofday clock_gettime clock_getres timespec_get ftime times getrusage sleep usleep nanosleep
		clock_nanosleep sleep_for sleep_until alarm ualarm setitimer timer_create timerfd_create __rdtsc
		__builtin_readcyclecounter __builtin_ia32_rdtsc __DATE__ __TIME__ __TIMESTAMP__`},
	Random: {"same", "%s: a test must not depend on chance or on its process", `
		rand srand rand_r random srandom random_r initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48
		srand48 getrandom getentropy arc4random arc4random_uniform arc4random_buf getpid getppid gettid tmpnam tempnam
		std::random_device`},
}

// banned has the kind of violation that a name is.
var banned = func() map[string]Kind {
	of := map[string]Kind{}
	for kind, k := range kinds {
		for _, name := range strings.Fields(k.names) {
			of[name] = kind
		}
	}
	return of
}()

// RuleOf returns the rule that a violation breaks.
func RuleOf(k Kind) Rule {
	return Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == kinds[k].rule })]
}

// A Violation is one breach of the policy.
type Violation struct {
	Kind Kind
	Line int    // 1-based, of the program's source; of a macro where it is used; 0 for the whole program
	What string // the construct or name, e.g. "for", "system"
}

// String says what is wrong in words for the author of the program.
func (v Violation) String() string {
	text := fmt.Sprintf(kinds[v.Kind].explanation, v.What)
	if v.Line == 0 {
		return text
	}
	return fmt.Sprintf("line %d: %s", v.Line, text)
}

// Reason joins violations into the text that a repair prompt or a log shows, one a line.
func Reason(violations []Violation) string {
	var lines []string
	for _, v := range violations {
		lines = append(lines, v.String())
	}
	return strings.Join(lines, "\n")
}

// Broken returns the IDs of the rules that a report breaks, sorted.
func (r Report) Broken() []string {
	ids := map[string]bool{}
	for _, v := range r.Violations {
		ids[kinds[v.Kind].rule] = true
	}
	return slices.Sorted(maps.Keys(ids))
}
