// Package suspicion keeps what a generator would otherwise throw away: assertions that it argued
// from documents and that failed on the reference build. `bench suspicions` lists, ranks and runs
// them. Each comes with its program made shorter, a script that compiles and runs
// that, and what the record has of it (trial.Generation.Suspicions).
//
//	k := suspicion.New(job, compiler)                        // one for a cell
//	s := k.Keep(trial.Suspicion{                             // when an assertion fails on the reference build
//		Place: "p00007, step 3", Assertion: "n == 2", Line: 41,
//		Argument: "…", Sentence: "returns two", Document: "zlib.h:12",
//	}, program)                                              // that fails with it; nil if the cell has it already
//	s.Fate = trial.FateRemoved                               // once known
//	k.Shorten(ctx)                                           // after a batch: runs all new ones together
//	m, err := k.Messages(s, apis)                            // optional: genloop.Question.Messages of a second opinion,
//	s.Opinion, outcome = suspicion.ReadOpinion(answer)       // read in its Read
//	job.Generation.Suspicions = k.Suspicions()               // at the end
//
// A program may print lines "@value NAME = VALUE" before its assertion: they become the
// suspicion's Values, and a shorter program must print the same.
//
// Statements of the test function that no variable links with the assertion are taken out, while it
// fails with the same values plain, with other memory, and under the sanitizers. So a program that
// became wrong (a handle that is not open any more) is no shorter version.
package suspicion
