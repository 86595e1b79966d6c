// Package paper holds the published numbers of the LISA paper as data, and the claims of its text that follow
// from them. ("LLM-Based Invariant Testing for Software Functional Bugs", extended version of ISSRE 2026.)
//
// It consumes tables.yaml and claims.yaml (embedded, checked when loaded) and the records of
// a run. It produces for each claim whether the printed numbers bear it out, and for each
// cell and claim what a run measured beside what was published. It refuses data that
// contradict themselves: rows of the wrong length, formulas over cells that do not exist.
//
// Claims are formulas over cells (see Formula), so that one text serves the published
// numbers, where every cell has a value, and a run, where most may be missing.
package paper
