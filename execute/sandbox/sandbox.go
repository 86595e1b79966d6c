package sandbox

import (
	"context"
	"syscall"
	"time"
)

// An Executor is one way to confine programs. It is safe for concurrent use.
type Executor interface {
	// Start starts a warm runner of a flavour. The caller closes it.
	Start(ctx context.Context, flavour Flavour) (Runner, error)
	// Exec runs a stand-alone executable once, in a sandbox of its own.
	Exec(ctx context.Context, c Command) (Ending, error)
}

// A Runner runs one job at a time; use one for each worker. When ctx ends, the job is
// killed at once and the error is ctx's cause.
type Runner interface {
	Run(ctx context.Context, j Job) (Ending, error)
	Close() error
}

// A Flavour is the runtime that a program finds in its process.
type Flavour string

// The flavours. The zero value means Plain.
const (
	Plain     Flavour = "plain"
	Sanitized Flavour = "sanitized" // ASan and UBSan
)

// Limits are what one program may use. Zero means no limit of that kind.
type Limits struct {
	Wall time.Duration
	CPU  time.Duration // of each process; rounded up to whole seconds
	// MemoryBytes limits the address space of each process. Under sanitizers, which
	// reserve terabytes of it, it limits what a job makes writable beyond the sanitizers'
	// own; there it does not apply to Command.
	MemoryBytes int64
	// ResidentBytes limits what all processes of a Command have in memory together. It is looked at every so often;
	// under Docker it is of no account, for the container has a limit.
	ResidentBytes int64
	FileBytes     int64 // of each file; those of a work directory and those of /tmp have 128 MiB each
	Processes     int   // processes and threads at a time; not under None for an ordinary user
}

// DefaultLimits are those of a test program. The wall limit is the paper's (section "Error
// Detection and Repair"); the others stop what no test of a library needs.
var DefaultLimits = Limits{
	Wall:        30 * time.Second,
	CPU:         30 * time.Second,
	MemoryBytes: 2 << 30,
	FileBytes:   64 << 20,
	Processes:   64,
}

// An Entry is a function that a job calls.
type Entry struct {
	Symbol string // in C++ the mangled name, or the plain name of a function without parameters
	// ReturnsInt says that the function returns int, and that any value but 0 ends the
	// program with that exit status. "main" is called as main(1, {"test"}).
	ReturnsInt bool
}

// A Job is one run of a test program that is a shared object without a library of its own.
type Job struct {
	ID string // for errors
	// Library and Test are the paths of two shared objects, the library's and the program's. Both are
	// handed over: the program sees no path, name or date of either, nor anything beside them. Code is the
	// program's object itself where there is no Test.
	Library string
	Test    string
	Code    []byte
	Entries []Entry
	Limits  Limits
	Stdin   []byte // nil means /dev/null
	Stdout  bool   // keep standard output
	// Perturb fills fresh and freed memory with a pattern and moves heap, stack, libraries and
	// the date, to show values that depend on them.
	Perturb bool
	// Counters is the number of coverage counters that the library has and the verdict is
	// to have; 0 means none. CountersAt is where they are in the library's memory (toolchain.CounterRange).
	Counters   int
	CountersAt uint64
}

// A Command is a stand-alone executable. Paths inside the sandbox are those of the host.
type Command struct {
	Flavour  Flavour  // of the executable's build: says how its exit status is read
	Program  string   // path of an executable that is handed over, as a Job's objects are; "" means that Args[0] is its path
	Args     []string // Args[0] is an absolute path, or a name where there is a Program
	Env      []string // added to the fixed environment; a name given here wins
	ReadOnly []string // files and directories it may read beside the executor's
	Writable []string // directories it may write; must exist, and change owner if the harness is root
	At       string   // another path of Writable[0], the same in each run; "" for none. The sandbox None ignores it
	Stdin    []byte   // nil means /dev/null
	Stdout   bool     // keep standard output
	Limits   Limits
}

// An Ending is what happened to one program, as its supervisor saw it.
type Ending struct {
	Flavour   Flavour
	LoadError string         // the dynamic linker's words if the program could not be loaded
	TimedOut  bool           // killed at the wall or CPU limit
	Signal    syscall.Signal // that ended it; 0 if it exited
	ExitCode  int            // if it exited
	Stdout    []byte         // first 64 KiB, if asked for
	Stderr    []byte         // first and last 32 KiB
	Wall      time.Duration
	CPU       time.Duration // of all its processes
	// Counters are the library's, counted until the very end of the program however it
	// ended; nil if they were not asked for or the library was not reached.
	Counters []uint64
}
