// Package testrun compiles generated test programs and runs them against any variant of a
// library: the inner loop of every tool and of every metric.
//
// It consumes trial.Programs and libbuild.Builds and produces one trial.Result per
// program. Programs are compiled many at a time, each its own translation unit
// (internal/toolchain), and linked alone as a bare shared object without the library. They are
// run by a warm runner in the sandbox (execute/sandbox). The same object runs on every
// build whose public headers are the same by switching the library. Compiled
// programs are kept by content: a suite is compiled once for all builds.
//
// The plain way (Engine.Plain: one compiler driver call with the static library, one process) is the reference
// for every verdict. It judges the programs for which the fast way is known to differ: those that define a
// symbol of the library, which a static link resolves differently.
package testrun
