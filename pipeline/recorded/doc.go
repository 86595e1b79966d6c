// Package recorded gives a straight-line C program the oracle of a regression test: what calls of the library
// return and write on the reference build, asserted exactly. These are the regression oracles of Pacheco, Lahiri,
// Ernst and Ball, "Feedback-Directed Random Test Generation", ICSE 2007, section 2.4.
//
// A caller gets three things. An Observation is a C expression with its type; it makes the statement that prints
// its value, and of what was printed the condition to assert. Of a pointer it sees only whether it is NULL and the
// text it points to. Program puts wrappers around the calls of a library's functions, with macros, so that the
// compiler finds the calls, also those in macros of the library. A Recorder does both for programs that came from
// elsewhere: it asserts, call by call, the values that were the same in every run, plain, with other memory and
// under the sanitizers. A value that cannot be read without a fault is left out, and a program that does not pass
// with its assertions stays as it was. C++ and functions with a variable number of arguments are refused.
package recorded
