// Package sandbox runs untrusted programs.
//
// It consumes compiled test programs (shared objects that a warm runner loads beside a
// library) and stand-alone executables, and produces one Verdict each. These are raw
// facts, which Classify turns into an outcome. It refuses nothing about a program. Whatever a program
// does is a verdict; an error means that the harness or the machine is at fault.
//
// A program gets no network, no privileges and no environment of the host. Its file system is
// read-only but for an empty work directory and an empty /tmp. Its time, memory, processes and
// output are limited. When its first process ends, all its processes are killed and its
// directories are gone: nothing passes from one program to the next. What a verdict says
// is said by the supervising process, which the program can neither signal nor trace.
//
// The runner is C (runner/), compiled once for each flavour. bubblewrap makes the outer
// sandbox, once for each runner. The runner makes namespaces for each program inside it,
// which costs a tenth of starting bubblewrap anew. Or the outer sandbox is a container of the
// toolchain image, which has the runners; there the runner is process 1 and cleans up itself.
//
// docs/explanation/sandbox.md has the threat model, what each executor guarantees and what it does not.
package sandbox
