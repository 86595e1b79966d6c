// Package auvc counts the unique verifications of test programs (the paper's AUVC, sec:eval-metrics).
//
// It consumes programs as package cprog reads them, through a compiler (Counter), and produces a status of each
// assertion: unique, repeated, or one that cannot fail or cannot pass. It has four parts:
//
//   - Conditions are read (walk.go, flow.go, expr.go, operators.go, memory.go, call.go, class.go, library.go): a walker
//     follows each test in the order of execution, over the objects of a state (state.go), and makes a
//     term (term.go) of each assertion and of the path to it.
//   - Samples are drawn (draw.go): values of the unknowns, such as results of calls.
//   - Terms are evaluated in each sample (evaluate.go, sample.go), as C computes.
//   - Assertions that agree in all samples are one verification (count.go).
//
// It refuses nothing: what it has no meaning for stands as a function of its parts. What is too
// large is cut off by bounds that are the same on every machine. docs/reference/metrics.md, "Verifications",
// has the rules and how far they agree with people.
package auvc
