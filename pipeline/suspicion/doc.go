// Package suspicion keeps what a generator would otherwise throw away: assertions that it argued
// from documents and that failed on the reference build. Its repair makes the test agree with
// the library; the suspicion stays, for a person. `bench candidates` lists, ranks and runs
// them.
//
// It consumes a trial.Suspicion with the program that shows it, and an executor. It produces, for
// each, the shortest program that it finds, a script that compiles and runs that, and the
// typed part of the record (trial.Generation.Suspicions). It refuses nothing: what cannot be made
// shorter is kept as it is.
//
// # Use by a generator
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
// # What is shorter
//
// Statements of the test function that no variable links with the assertion are removed, in groups and then one by one,
// while the same assertion fails with the same values. It must do so plain, with other memory, and under the
// sanitizers. So a program that became wrong (a handle that is not open any more) is no shorter version, and
// the call stays that stored what the assertion asks for.
package suspicion
