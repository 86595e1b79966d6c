// Package toolchain drives the compiler, the linkers and the llvm-* tools.
//
// It consumes generated programs, object files and raw coverage counters, and produces
// objects with the compiler's verdict on each program, shared libraries, archives and
// coverage figures. It refuses any LLVM but llvmMajor, because the arguments of
// clang -cc1 and the interface of its plugins change between major versions.
//
// Nothing here runs a generated program: that is execute/sandbox. A program that does
// not compile is a verdict (Compiled), never an error; an error means that the harness or
// the machine is at fault.
//
// The fast ways (batches over a precompiled preamble, bare shared objects) must never
// change a verdict. Whatever they do not compile is compiled again alone with the plain
// driver, and that verdict counts.
package toolchain
