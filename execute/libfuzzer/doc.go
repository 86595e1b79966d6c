// Package libfuzzer runs libFuzzer executables in the sandbox and replays what they found.
//
// It consumes a harness as libbuild.FuzzTarget made it, seeds, a dictionary and a budget.
// A Fuzzer produces inputs with the time at which each was found, and the number of
// inputs executed. A Replayer produces a verdict for each input on any variant of the
// library, and the library's coverage counters, which survive an input that crashes.
//
// One libFuzzer process ends at its first crash (-fork=0, as the paper ran it), so a Session is a row of runs.
// Each has a seed of its own, and starts from everything found before. For a budget in executions the same seed
// leaves the same corpus on any machine. Inputs are passed as a sorted list, because libFuzzer would start from
// the file system's order in a directory. The corpus is never reloaded from disk by the clock.
//
// A harness that fails by itself, before any input, is an error; a crash is a finding.
package libfuzzer
