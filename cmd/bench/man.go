package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the manual pages of every command.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write manual pages of all commands to a directory",
		Long:    "Writes one page of section 1 per command (bench.1, bench-run.1, …) to DIR, which it\ncreates if needed.",
		Example: "  bench man ~/.local/share/man/man1 && man bench-run",
		Args:    exactArgs("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			c.Root().DisableAutoGenTag = true
			day := time.Unix(0, 0).UTC() // equal pages for equal commands
			return doc.GenManTree(c.Root(), &doc.GenManHeader{Section: "1", Source: "Lisa-Bench", Manual: "Lisa-Bench", Date: &day}, args[0])
		},
	}
}
