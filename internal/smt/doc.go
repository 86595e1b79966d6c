// Package smt asks an SMT solver (z3) whether formulas can be satisfied. One process answers
// many queries; each query is complete in itself, so that a process that dies or hangs costs
// one query and not those before it.
//
// It consumes SMT-LIB 2 text (SMT-LIB Standard, version 2.6): declarations and formulas, and
// the printers here make the parts of it that are easy to get wrong. It produces Sat, Unsat or
// Unknown; Unknown stands for whatever the solver did not answer within the limits of a query,
// and is counted. It refuses a solver that is missing or of another kind (New), and text that
// is not one balanced expression, which would put solver and client out of step.
package smt
