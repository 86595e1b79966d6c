// Package genloop is the loop of every generator that asks a model: ask, take a program out of the
// answer, check it, repair it, keep it. A generator supplies the rest: prompts, a Checker and a Policy.
//
// A Loop consumes a trial.Job, an open session with a model (Session) and those three. It fills the
// job's suite and tells how it went (Loop.Generation). It refuses nothing but what the suite or the
// endpoint refuses: what no repair mended is for the policy to keep or to drop.
//
// # One round
//
//	Policy.Ask ──[]Question──▶ Prompts ──requests, all at once──▶ model
//	     ▲ Round.Waiting                                            │ answers, in the order of the questions
//	     │                                                          ▼
//	     │                                     Question.Read, or the program of the answer
//	     │ Again, Wait                         Mend ──┐             │ together
//	     └─────────────────── Policy.Settle ◀─────────┴─ Checker.Check
//	                            │ Keep
//	                            ▼
//	                          Suite            Policy.End: what the round taught
//
// Every question of a round is sent before the first answer is looked at. So a round can go
// out as one batch and no item waits for the repairs of another. Answers are taken in the order of
// the questions, whatever comes first. So the same seed and answers give the same suite, transcript
// and record with any number of requests under way, after a kill, and in a replay.
//
// A loop ends when its policy asks nothing (exhausted), a limit of the budget is reached, a replay has used
// every recorded answer (recorded), or Barren rounds kept nothing. What was paid for by then is checked and
// settled; what waits for an answer that will not come is settled once more with Round.Last. Trouble with the
// endpoint, or with the machine, ends it with an error. The example shows a whole generator.
package genloop
