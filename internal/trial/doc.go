// Package trial holds the few types that cross more than three stages of the harness.
// They say what a cell is, what a tool is given (Job, Target, Budget), what it leaves (Program,
// Suite) and what was measured of it (Result, Record). It has no behaviour beyond the
// ledger and the random streams, and imports nothing of this module.
package trial
