// Package recordings has what language models answered in experiments, to be replayed: README.md beside it says how the answers were
// made and what the files are. Only the experiments are part of the program; answers are read from a checkout.
package recordings

import "embed"

// Experiments has NAME/experiment.yaml of each recording.
//
//go:embed */experiment.yaml
var Experiments embed.FS
