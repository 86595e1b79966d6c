// Package results is the write-once store of runs. It stores what the runner and the tools make (events,
// programs, records), so that a killed process loses at most what was in flight. It reads them back to resume a
// run or to report it.
//
// A run is one directory:
//
//	experiment.yaml             the resolved experiment
//	manifest.json               versions, hashes, host, and the planned cells with their keys
//	lock                        held while a process works on the run, alone (Open) or with others (Join)
//	locks/<cell>                held while a process works on the cell; says who does, or did last
//	cells/<cell>/transcript.jsonl  what models answered the tool; package llm writes it
//	cells/<cell>/events.jsonl   the journal: what happened, in order, each line with a checksum
//	cells/<cell>/suite/         the programs or inputs, and suite.json once the tool is done
//	cells/<cell>/work/          the tool's own directory
//	cells/<cell>/record.json    the measurements, written last; also read as record.json.gz
//	cells/<cell>/incomplete.json  why there is no record
//	stale/                      cells whose key changed, kept aside
//	report/                     regenerated at will
//
// It refuses a directory or cell that another process works on, a directory with another experiment, one that
// cannot be written or is nearly full, and a journal that is damaged before its last line.
package results
