// Package report turns the stored files of a run into a Document: sections of typed tables and charts. Package render
// writes a Document in every format.
//
// Read takes a Run from the files of a run directory, and Build makes its Document: a row of the table of sections for
// each section. Build refuses a Run whose parts contradict each other, such as a cell recorded twice or a result of an
// unknown bug. CompareRuns, Paper, PaperBeside and Leaderboard make the other documents.
//
// A value that does not exist is shown with its reason, never as 0. No clock appears in a report
// unless the budget was in seconds, so equal records give equal bytes. Cells hold unrounded
// numbers; Column.Format rounds them.
package report
