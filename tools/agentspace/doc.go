// Package agentspace is what an agent gets for a cell, whoever drives it: a directory with the task, documents,
// headers and a place for tests, and commands that check tests on the reference build and tell what they
// leave unnoticed.
//
//	work/TASK.md   the task, and what a test is
//	work/docs/     the library's documents
//	work/include/  its public headers
//	work/tests/    where the agent writes
//
// It consumes a trial.Job, by whose executor and runners everything is charged and journalled. It produces the
// suite: a file that passes check is kept as it is then. It refuses names that lead out of tests/, and files that are
// none of C or C++.
package agentspace
