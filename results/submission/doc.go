// Package submission packs a run into one file that someone else can verify and rank. It consumes a run
// directory (package results), produces a compressed tar archive whose bytes depend on nothing but the run, and
// reads such an archive back safely. It also compares a submission's figures with those measured again, and
// finds the records that a submission lacks for a ranking.
//
// An archive is a gzip stream of a tar file. Its first entry, submission.json, is the Header:
// the format's version, the submission's name, and path, size and SHA-256 of every other entry
// in their order. It holds
//
//	experiment.yaml, manifest.json
//	cells/<cell>/record.json         and for each cell with a record:
//	cells/<cell>/suite/              suite.json and what it lists
//	cells/<cell>/evaluation/         inputs that the record cites
//	cells/<cell>/transcript.jsonl    where the tool asked models
//	cells/<cell>/incomplete.json     for a cell without a record
//
// Packing refuses a run that is not finished, a suite that is not what its tool made, and a file that seems to
// hold an API key. Reading refuses other files and other versions, unlisted or misplaced entries, links, paths
// that lead out of the archive, and sizes beyond Limits.
package submission
