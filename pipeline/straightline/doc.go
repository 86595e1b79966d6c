// Package straightline checks that a generated test program is what LISA asks for, and says
// which APIs it calls, in which order. It judges the syntax tree that clang
// makes of the program, so that macros, comments and layout hide nothing.
//
// It consumes programs and the library's API (package apispec). It produces a Report for each program that compiles:
// its reading, the violations of the policy with their lines, and the API calls of its test functions in execution
// order. Of a program that does not compile it says only that.
//
// # The policy
//
// The paper asks for a "straight-line execution policy" (sec:API-seq-gen,
// sec:straight-line-rationale) and forbids the repair to bring in "control-flow constructs
// such as loops or branches" (sec:error-detection-repair), but its artifact checks nothing.
// Here a program breaks the policy by
//
//   - a loop: for, while, do, goto in either direction, recursion. `do … while (0)` runs once
//     and is none. A loop that a macro brings, such as cJSON_ArrayForEach, is one.
//   - a branch: if, switch, try. The paper allows none. An early-exit guard, `if (c) { cleanup;
//     return …; }` without else, is reported as a Guard of its own, because what remains is still
//     a straight line. One that asks setjmp is accepted, for a library that reports errors with
//     longjmp cannot be used otherwise.
//   - a conditional call: a call of the library, or of the program's own functions, in an
//     operand of &&, || or ?: that may not be evaluated. Where no such call is made these
//     operators only compute a value. In the condition of an assert, the operands of && are
//     always evaluated when the program goes on, so calls are free there.
//   - main; a call outside the tests' own order, such as constructor and cleanup attributes
//     or an initialiser at file scope that calls the library; inline assembly.
//   - naming a function that starts processes, ends the program, uses the network, starts
//     threads, or makes runs differ by time, chance or process identity (policy.go). Naming is
//     enough: a pointer to system is system.
//
// What a macro of a header expands to is the header's, not the program's, but for loops:
// assert and zlib's gzgetc contain branches. Helper functions and callbacks of the program
// are under the same policy.
//
// # The calls
//
// A call counts if the function that the compiler resolved it to is in the API: deflateInit
// is deflateInit_, a parenthesised or dereferenced function name is that function. Arguments
// come before the call they are for, from left to right as clang evaluates them, and the right
// side of an assignment before the left. Of a guard, the condition counts and the body does
// not: where the test goes on, it was not taken. Of the branches of a header's macro all count,
// since which is taken is not in the tree. Calls in sizeof and other operands that are never
// evaluated, through function pointers, in lambdas and callbacks, in default arguments, and
// after the function's return do not count. Those of a helper function count where it is
// called. C++ constructors, methods and overloads have the names of apispec's Canonical.
// Destructors and operators are not in the API, and a constructor that only converts an
// argument does not count either, or StringPiece would be in every N-gram of re2.
package straightline
