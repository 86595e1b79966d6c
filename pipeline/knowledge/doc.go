// Package knowledge is what LISA knows of a library's APIs before it asserts anything: contracts
// from documents and from observed runs (paper, sec:api-contract-doc and the appendix on API
// contracts).
//
// It consumes a library's documents, answers of a model, and sequences that run on the
// reference build. It leaves one YAML file for a library, a Base, which a person can read and
// edit, and gives the accepted contracts of an API to package invariant. It refuses contracts
// without a supporting passage: the program looks for the passage in the document, and what it
// does not find is rejected whatever the model says.
package knowledge
