// Package metrics turns a suite and a library's builds into measurements. They are compile and
// execution success (CSR, ESR), line and branch coverage of the library, growth of
// coverage, false alarms, and the detection of re-introduced bugs (HBDR). It never asks
// how a suite was made.
//
// It consumes a suite directory (trial.Suite) and builds (libbuild.Build) and fills a
// trial.Record. Every figure comes from running the suite's programs or inputs in the
// sandbox. A part of the record that cannot be measured has a reason in place of its value,
// never a zero, and leaves the others as they are. Undefined ratios are left to the renderer:
// a Record holds counts.
package metrics
