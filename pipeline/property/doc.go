// Package property is lisa-prop: property tests over whole domains, in free-form C and C++, where LISA
// writes straight lines with one value for each parameter.
//
// It consumes a library's API and documents, and answers of a model. It leaves programs that hold on
// the reference build, with lisa_prop.h (header/) as part of each; and suspicions, for what fails there. It
// refuses programs without a test or a property, and what does not end well in three ways of running it.
//
//	apispec ──families──▶ plan ──tasks: family × aspect──▶ question ──▶ program
//	   program ──▶ run: plain, other memory, sanitizers ──▶ with altered returns ──▶ kept
//	                 │ fails                                  │ notices nothing: back, once
//	                 ▼ each test alone, its case made smaller
//	               second opinion: test wrong ──▶ repaired, at most twice; then it goes, the others stay
//	                               library wrong ──▶ suspicion, and a named exclusion
//	kept ──▶ other seeds, four times the cases ──▶ suite, or suspicions
//
// A sentence that a property cites is looked for in the documents. A program is kept once for each class of its
// properties. The class is specification if the sentence is there, repaired_to_value if the property was
// written after a second opinion had shown an outcome, and otherwise judgement.
//
// docs/explanation/lisa-prop.md describes the method.
package property
