package main

import (
	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/experiments"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of experiment files, for editors",
		Args:  exactArgs(),
		Long: `Prints the JSON Schema (draft 2020-12) of experiment files. An editor with a YAML
language server checks and completes a file that begins with

  # yaml-language-server: $schema=experiment.schema.json

docs/reference/experiments.md lists the same keys. A schema cannot check everything: use
"bench plan FILE" as well.`,
		Example: "  bench schema > experiment.schema.json",
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(experiments.Schema)
			return err
		},
	}
}
