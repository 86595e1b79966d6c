package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) mineCommand() *cobra.Command {
	var output printing
	var m harness.Mine
	c := &cobra.Command{
		Use:   "mine LIBRARY --since DATE",
		Short: "Look through a library's history for fixes of bugs that the benchmark lacks",
		Long: `Walks the upstream history from a day on, and leaves out what cannot be a fix: merges, commits
that touch nothing that is compiled here or only comments, and those that change no object code
when they are tried on the reference. Prints date, message, functions and what is to be done of
the rest. What is a fix, a person decides: docs/howto/adding-a-bug.md.`,
		Example: "  bench mine zlib --since 2025-07-01\n  bench mine libpng --since 2026-01-01 --repository ~/src/libpng/.git --json",
		Args:    exactArgs("LIBRARY"),
		RunE: func(c *cobra.Command, args []string) error {
			m.Library = args[0]
			found, err := a.Mine(c.Context(), m)
			if err != nil {
				return err
			}
			return output(found, func() error { return a.printMined(found) })
		},
	}
	flags := c.Flags()
	flags.StringVar(&m.Since, "since", "", "first day of the commits, as in 2026-01-01")
	flags.StringVar(&m.Repository, "repository", "", "git directory with upstream's history (default: upstream is fetched)")
	flags.StringVar((*string)(&m.Edition), "edition", string(lisabench.Fresh),
		"edition whose reference the commits are tried on: debian-fresh, debian or upstream")
	output = a.jsonFlag(c, "print JSON")
	return c
}

func (a *app) printMined(found *harness.Mined) error {
	var rows [][]string
	for _, c := range found.Commits {
		rows = append(rows, []string{c.Date, c.Commit[:12], c.Message, strings.Join(c.Functions, " "), string(c.State), c.Todo})
	}
	if err := a.printTable([]string{"Date", "Commit", "Message", "Functions", "State", "To do"}, rows); err != nil {
		return err
	}
	n := found.Left
	_, err := fmt.Fprintf(a.stdout, "walked: %d, in code that is compiled: %d, with other tokens: %d, "+
		"with other object code or not tried: %d\n", n.Walked, n.Code, n.Tokens, n.Objects)
	return err
}
