// Package sequence is LISA's first stage, LISA_API: it asks a language model for test programs
// that are sequences of API calls (paper, sections sec:API-seq-gen to sec:n-gram).
//
// It consumes a trial.Job and a session with a model. It leaves a suite of programs without assertions (the
// seeds of LISA's second stage) and a trial.Generation that says how it went. It refuses unknown parameters,
// and programs that break the straight-line policy.
//
// # One round
//
//	Scheduler.Combination ──▶ prompt ──▶ model ──▶ programs ──▶ policy (straightline), compile, run
//	        ▲                   ▲ rules, examples                │ ok: N-grams, examples
//	        └───────────────────┴──────────── feedback ◀─────────┤ failed: one repair, error signatures
//
// A round asks for several answers to one prompt. At the same time it asks for the repairs of the round before,
// and for rules about recurring errors. So the model need not wait for the compiler, and a whole round can be
// one batch. Answers take effect in the order of the questions. So the same seed and answers give the same suite
// whatever arrives first.
//
// # Where the paper is silent
//
//   - A repaired program counts for the feedback one round later than one that was right at once.
//   - A program that breaks the policy gets a repair like one that does not compile. If it still
//     breaks it, it is kept in the suite as refused: generated, but neither compiled nor run.
//   - A program that crashes is run once more under the sanitizers, for words to put into the
//     repair prompt and into the error's signature. Its verdict stays that of the plain run.
//   - A rule about a recurring error is worded by the model. Where its answer is no rule, the
//     error's own text is made one.
//   - What an answer without a program is (refusal, prose, cut off) is counted, and it is no program.
package sequence
