// Package randoop generates regression tests for C libraries by feedback-directed random testing, after
// Pacheco, Lahiri, Ernst and Ball, "Feedback-Directed Random Test Generation", ICSE 2007, adapted to C.
//
// From a trial.Job with a library's headers and reference build it makes straight-line C programs. Each
// is a sequence of calls with an assertion for each value that was the same in every run on the reference
// build: plain, with other memory, and under the sanitizers. It knows no particular library: values come
// from pools by type, filled with constants of the headers, extremes, and what calls returned and wrote.
// Each growth ends with calls that only read the objects it changed.
//
// As in the paper, a sequence that ran without fault and showed something new is kept, and later extended
// or joined with others. One that crashes, hangs or is undefined behaviour is dropped. What C does not say,
// namely which call makes, takes over or ends an object, is guessed from names and corrected by crashes.
//
// The same seed and the same results of the executor give the same programs, byte for byte.
package randoop
