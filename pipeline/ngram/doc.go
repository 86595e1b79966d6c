// Package ngram is the feedback of LISA's first stage (paper, section "API N-Gram Feedback",
// sec:n-gram): which choices the next round's prompt asks for.
//
// A caller gives it the API calls of programs that ran successfully, each a list of names in the
// order of execution. It gets combinations of APIs, drawn by weights that grow with the new N-grams
// that an API took part in, and the state of the feedback. The scheduler knows nothing of programs,
// models or libraries, and is a pure function of its configuration, what it observed, and a seed.
//
// # The equations
//
// The labels are those of the paper.
//
//	eqn:energy-update            E(a) <- E(a)+1 for each a of a new N-gram   Scheduler.Observe
//	eqn:energy-normalization     Ê = ε + (1-ε)(E-Emin)/(Emax-Emin)           normalize
//	sec:api-scheduling, ACNE     s = σ/μ of Ê                                skew
//	eqn:adaptive-condensation    α = αmin + (1-αmin)·exp(-s)                 alpha
//	eqn:power-condense           C = Ê^α                                     condense
//	eqn:sampling-prob            P = C/ΣC                                    draw
//
// The paper's values are N = 3, E0 = 1, ε = 0.01, αmin = 0.5 (Default).
//
// # What the paper leaves open, and where its artifact differs
//
//   - An API at several positions of a new N-gram is rewarded once for each position: the
//     equation ranges over a tuple. The artifact does the same.
//   - σ is the population's standard deviation, as in the artifact; the energies are all of
//     them and no sample.
//   - While all energies are equal, normalisation is skipped and the choice is uniform
//     (paper). The artifact divides 0 by 0 there and stops.
//   - An N-gram is new if it was never seen, and a program is novel by the number of its new
//     N-grams. The artifact compares a hash table's capacity instead.
//   - The size of a combination is not in the paper. It is 4 or 5 with equal odds, as in the
//     artifact; all choices if there are fewer.
//   - Sampling is successive: each draw has the probabilities of eqn:sampling-prob among the
//     choices not drawn yet. So the first of a combination has exactly those probabilities; of
//     the whole combination, an API's chance is greater but in the same order.
//   - The calls are those that the compiler sees (package straightline), where the artifact
//     takes every call expression in source order, libc's included.
package ngram
