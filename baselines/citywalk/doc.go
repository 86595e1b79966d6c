// Package citywalk re-implements CITYWALK (ACM TOSEM 2025, arXiv 2501.16155). A model writes one
// test file for each public function of the library, from a prompt that holds what a programmer
// would look up first.
//
// It consumes a trial.Job: the library's own sources as tools may see them (no tests, no history),
// its public headers, its documents, and models. It produces one test program for each focal
// function, in the order of the headers, until all are done or the budget ends.
//
//	Target ──focal.go (clang's AST)──▶ focal functions ──prompt.go──▶ one request each
//	  │ config.go   words of build files                                 │ answer
//	  │ crossfile.go  what the function calls, in other files            ▼
//	  │ intent.go   documents by meaning, code by exact call   syntax.go ▸ fixes.go ▸ one model round
//	                                                                     │ a test file, compiling or not
//	                                                                     ▼ Suite
//
// A file that does not compile in the end stays in the suite: it belongs to the denominator of the
// compile success rate. One that compiles and fails when it runs is never repaired. A repair would
// copy what the library does into the assertions. docs/explanation/baselines.md says what is the
// paper's, what was adapted, and what the paper leaves open.
package citywalk
