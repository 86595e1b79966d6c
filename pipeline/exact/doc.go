// Package exact turns values that a C program computes into the oracle of a regression test. An instrumented
// program prints each value on the reference build. If it is the same in every run, an assertion compares with
// it exactly. These are the regression oracles of Pacheco, Lahiri, Ernst and Ball, "Feedback-Directed Random
// Test Generation", ICSE 2007, section 2.4.
//
// It consumes C expressions with their types and what a run printed, and gives statements and
// conditions in C. It refuses what is no property of the library. Of a pointer it sees only
// whether it is NULL, the text it points to, or how far it is into a text of the program.
package exact
