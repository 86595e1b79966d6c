// Package recordings holds recorded answers of language models, to be replayed. README.md describes how they
// were made and what the files are. Only the experiments are embedded; the answers are read from a checkout.
package recordings

import "embed"

// Experiments has NAME/experiment.yaml of each recording.
//
//go:embed */experiment.yaml
var Experiments embed.FS
