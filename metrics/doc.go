// Package metrics turns a suite and a library's builds into measurements: compile and execution success (CSR, ESR),
// line and branch coverage of the library and its growth, false alarms, unique verifications, and the detection of
// re-introduced bugs (HBDR). It never asks how a suite was made.
//
// What a detection is, and why a test that fails may not count, is in detection.go: read that first. Around it,
// Programs.Evaluate is the list of steps, bugs.go looks for bugs with the tests that can tell a buggy build from the
// reference (reach.go), and confirm.go runs those that fail on disguised builds. Corpus does the same for the inputs
// of a fuzzer. Results are stored by content, so that nothing is run twice.
//
// Every figure comes from running programs or inputs in the sandbox. A part of the record that cannot be measured has a
// reason in place of its value, never a zero, and leaves the others as they are. A Record holds counts; ratios are made
// where they are printed.
package metrics
