// Package invariant is LISA: LISA_API (package sequence), then LISA_inv, which puts assertions into
// what the first stage made (paper, sec:inv-def and sec:inv-gen).
//
// A caller gives it a job, and optionally a directory of seeds and one of contracts (package
// knowledge). Every seed is in the suite once: with the assertions that passed, or as it was. What
// failed on the reference build is kept for a person (package suspicion).
//
// # One program
//
//	seed ──split at // STEPn──▶ chunk 1 … chunk N
//	prompt(accepted chunks, chunk i, knowledge of its APIs) ──▶ chunk i with assertions
//	   ──▶ compare with the seed ──▶ straightline ──▶ run: plain, other memory, sanitizers ──▶ accepted
//	            └──────────────── up to K repairs ◀───────────────┘
//	after K: the failing assertion goes; what fails otherwise leaves the chunk as it was
//	finished: n runs of each kind again; what fails now loses its assertions
//
// A round asks one question for each program that has a chunk left, for the chunk or for a repair
// of it. So a wave of programs goes out as one batch, and none waits for the repairs of another.
//
// What may be added is in compare.go and addition.go: assertions, temporaries, and the result of a
// call that the seed throws away. An assertion may call functions of the library that by their types
// cannot write through any argument (observer.go). Libraries whose handles are never const have few.
//
// # Where the paper is silent
//
//   - It runs C_1‖…‖C_i alone. Here the rest of the seed follows as it was: what comes later cannot
//     change whether an assertion holds, and a temporary that clashes with a later name is found.
//   - Every version runs with perturbed memory and under the sanitizers before it is accepted, not
//     only the finished test, so that a repair can still mend it.
//   - Without repair (inv_repair: false) an assertion that fails is taken out at once, and a chunk
//     that fails otherwise goes back to what it was. The paper's tests then ended early.
//   - Which contract an assertion rests on, and its kind, is what the model writes behind it.
package invariant
