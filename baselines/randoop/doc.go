// Package randoop generates regression tests for C libraries by feedback-directed random
// testing, after Pacheco, Lahiri, Ernst and Ball, "Feedback-Directed Random Test
// Generation", ICSE 2007, adapted to C.
//
// It consumes a trial.Job: the headers, documents and reference build of one library, an executor, a seed and a
// budget. It produces straight-line C programs. Each is a sequence of calls, with an assert for each value
// observed on the reference build that is stable: over runs, with other heap contents and addresses, and under
// ASan and UBSan. It knows nothing of any particular library: everything comes from the types, names and
// comments of the headers, from strings in the documents, and from running.
//
// As in the paper, a sequence that ran without fault is kept and later extended or joined
// with others. One that crashes, hangs, waits for the clock or is undefined behaviour is dropped. A program
// that shows nothing new is not kept as a test. C needs more: who owns an
// object and which call ends it is guessed from names and corrected by crashes. Lengths
// are paired with their buffers, structs of the caller are initialised and fed, and what
// calls wrote is read back by later calls.
//
// The same seed and the same results of the executor give the same programs, byte for
// byte, however long anything takes.
package randoop
