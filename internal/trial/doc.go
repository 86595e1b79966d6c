// Package trial holds the types that more than three stages of the harness share: a cell, what a tool is given
// (Job, Target, Budget), what it produces (Program, Suite), and what was measured (Result, Record). Its only
// behaviour is the budget's ledger, the random streams and the hashes of keys. It imports no other package of this module.
package trial
