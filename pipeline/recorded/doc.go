// Package recorded gives any straight-line C program the oracle of a regression test: what each
// call of the library returned and wrote on the reference build, asserted exactly. It is what
// randoop does with its own sequences (package exact), for sequences that came from elsewhere, so
// that oracles can be compared on the same programs.
//
// It consumes programs without assertions and an executor of the reference build. It produces the same programs
// with a wrapper for each function (package interpose). Call by call, the wrapper asserts the values that were
// the same in every run: plain, with other memory, and under the sanitizers. A value that cannot be read
// without a fault is left out everywhere. It refuses C++, and leaves a program that does not pass with its
// assertions as it was.
package recorded
