// Package runner carries out an experiment's plan: it prepares libraries, runs tools and the evaluator, and
// stores the results.
//
// It consumes a plan, an open run directory and the three things that do the work (Tool,
// Preparer, Evaluator). It produces one record or one typed reason for each cell, and a
// Summary. A record may lack parts, each for a reason. Whatever goes wrong in one cell leaves
// the others alone; only a disk that takes no more, or an interrupt, ends a run early.
//
// A killed run resumes where it was. Generation is replayed: the tool starts again from its seed, and the
// journal answers for every program that was executed before. So it reaches the point of the kill in the same
// state without executing anything twice. The ledger's clock stands still until then. Evaluation keeps its
// finished steps in a memo: a cell whose record lacks a part is evaluated again by the next session, which
// measures that part alone.
package runner
