// Package invariant is LISA: LISA_API (package sequence), then its second stage, LISA_inv, which
// puts assertions into what the first one made (paper, sec:inv-def and sec:inv-gen).
//
// It consumes seeds, that is, programs without assertions, from the first stage in the same cell or from a
// directory (parameter seeds). It also consumes what is known of the APIs (package knowledge). It leaves every
// seed once in the suite, with the assertions that passed, and candidates: those that no repair made pass, for
// a person. It refuses whatever changes a sequence.
//
// # One program
//
//	seed ──split at // STEPn──▶ chunk 1 … chunk N
//	prompt(accepted chunks, chunk i, knowledge of its APIs) ──▶ chunk i with assertions
//	   ──▶ compare (AST) ──▶ straightline ──▶ run: plain, other memory, sanitizers ──▶ accepted
//	            └──────────────── up to K repairs ◀───────────────┘
//	after K: the failing assertion goes, and is a candidate; what fails otherwise leaves the chunk as it was
//	finished: n runs of each kind again; what fails now goes back chunk by chunk
//
// A round asks one question for each program that has a chunk left, whether for the chunk or
// for a repair of it. So a whole wave of programs goes out as one batch and no program
// waits for the repairs of another.
//
// # What an assertion may be
//
// The trees of the seed and of the program with assertions are walked in step (compare.go).
// Added may be: assert(…); temporaries with a value; assignments and copies into temporaries;
// and a temporary that keeps the result of a call that the seed throws away. Conditions and
// values may not assign, and may call only pure functions of the standard library and observers.
// These are functions of the library that, by their types, cannot write through any argument. A function
// that returns a new object made from a const one, such as cJSON_Duplicate, passes for an
// observer; it changes nothing that the sequence sees. Libraries whose handles are never const
// (sqlite3, lcms, libpcap) have few observers, so their assertions rest on the results that the
// sequence itself fetches.
//
// # Where the paper is silent
//
//   - It runs C_1‖…‖C_i alone. Here the rest of the seed follows as it was: what comes later cannot
//     change whether an assertion holds, and a temporary that clashes with a later name is found
//     at once.
//   - Every version is run with perturbed memory and under the sanitizers before it is accepted,
//     not only the finished test, so that a repair can still mend it.
//   - Without repair (inv_repair: false) a chunk with a failing assertion goes back to what it was
//     and nothing becomes a candidate. The paper's tests then ended early, and counted as failed.
//   - Programs that are no valid seeds are in the suite as the first stage left them, so that
//     success rates have the same denominator as LISA_API's.
//   - Which contract an assertion rests on, and its kind, is what the model writes behind it.
package invariant
