package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) mine(c *cobra.Command) action {
	var m harness.Mine
	flags := c.Flags()
	flags.StringVar(&m.Since, "since", "", "first day of the commits, as in 2026-01-01")
	flags.StringVar(&m.Repository, "repository", "", "git directory with upstream's history (default: upstream is fetched)")
	flags.StringVar((*string)(&m.Edition), "edition", string(lisabench.Fresh),
		"edition whose reference the commits are tried on: debian-fresh, debian or upstream")
	output := a.jsonFlag(c, "print JSON")
	return func(c *cobra.Command, args []string) error {
		m.Library = args[0]
		found, err := a.Mine(c.Context(), m)
		if err != nil {
			return err
		}
		return output(found, func() error {
			var rows [][]string
			for _, c := range found.Commits {
				functions := strings.Join(c.Functions, " ")
				rows = append(rows, []string{c.Date, c.Commit[:12], c.Message, functions, string(c.State), c.Todo})
			}
			err := a.printTable([]string{"Date", "Commit", "Message", "Functions", "State", "To do"}, rows)
			n := found.Left
			fmt.Fprintf(a.stdout, "walked: %d, in code that is compiled: %d, with other tokens: %d, "+
				"with other object code or not tried: %d\n", n.Walked, n.Code, n.Tokens, n.Objects)
			return err
		})
	}
}
