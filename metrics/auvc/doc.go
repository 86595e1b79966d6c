// Package auvc counts the unique verifications of test programs (the paper's AUVC, sec:eval-metrics).
//
// It consumes programs as package cprog reads them, through a compiler (Counter), and produces a status of each
// assertion: unique, repeated, or one that cannot fail or cannot pass. A program is followed once for each of some
// hundred samples, in which every unknown has a drawn value (draw.go):
//
//   - A walker follows each test in the order of execution and into all branches (walk.go, flow.go, expr.go,
//     operators.go, memory.go, call.go, class.go, library.go). It computes as C does (compute.go, value.go), over the
//     objects of a state (state.go).
//   - Assertions that agree in all samples are one verification (count.go).
//
// It refuses no program: an expression without a meaning here is a function of its parts. Bounds that are the
// same on every machine cut off programs that are too large. docs/reference/metrics.md, "Verifications",
// has the rules and how far they agree with people.
package auvc
