// Package mutation measures a suite by the mutants of its library that it kills: small changes
// that a test should notice (mutation analysis; DeMillo, Lipton and Sayward, 1978). It needs no
// historical bugs, and tells suites apart that find the same few of them.
//
// It consumes a library's reference tree and its compile commands, and test programs. A Maker
// lists the mutants by clang's syntax tree (internal/plugin/native/mutants.cc), and
// draws from them where there are more than one build should hold. It makes one build with all: a mutant schema
// (Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", 1993). At each place
// the build asks a global which mutant is selected; with none it is the library. It also notes
// which places it came to.
//
// An Evaluator runs each test once to see that it passes, three times, and what it reaches. Then
// it runs it on the mutants that it reaches and nobody has killed, each in a fork of one process (driver).
// Runs are bounded by CPU time. It produces a Result: what became of each mutant, and the Score
// with an interval where mutants were drawn.
//
// It refuses nothing that compiles. A mutant that the compiler does not take is left out and
// counted. A test that is not judged by the fast way (testrun) kills nothing, and says so.
package mutation
