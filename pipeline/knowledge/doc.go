// Package knowledge is what LISA knows of a library's APIs before it asserts anything: contracts from documents and
// from observed runs (paper, sec:api-contract-doc and the appendix on API contracts), in one YAML file for a library
// that a person can read, edit and review.
//
// A model states the contracts that the documents promise, each with a passage; the program looks for the passage and
// rejects what it does not find. Programs in C run with wrappers around the library's functions; what held in every
// call, in the words of Daikon's templates, is checked in other runs and judged by a model.
package knowledge
