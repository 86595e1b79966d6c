// Package auvc counts the unique verifications of test programs (the paper's AUVC,
// sec:eval-metrics), and compares such counts with people's labels.
//
// It consumes programs as package cprog reads them, through a compiler (Counter), and produces a
// verdict on each assertion: unique, repeated, or one that cannot fail or cannot pass. A walker
// follows each test in the order of execution (walk.go, flow.go, expr.go, call.go) over a state of
// objects (state.go) and makes a condition of each assertion. Values are nodes in a normal form
// (node.go, arith.go, float.go), conditions decision diagrams over the regions in which nodes lie
// (cond.go, member.go). Two assertions are one verification if their conditions are one diagram.
//
// It refuses nothing: what it has no meaning for stands as a function of its parts. What is too
// large is given up by bounds that are the same on every machine. docs/reference/metrics.md, "Verifications",
// has the rules and how far they agree with people.
package auvc
