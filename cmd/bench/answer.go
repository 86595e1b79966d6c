package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/llm/batch"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) answer(c *cobra.Command) action {
	with := c.Flags().String("with", "", "`FILE` with the answer")
	return func(_ *cobra.Command, args []string) error {
		turn, err := batch.NextTurn(args[0])
		switch {
		case err != nil:
			return &harness.UsageError{Err: err}
		case turn == nil:
			fmt.Fprintln(a.stdout, "Every request is answered.")
			return nil
		case *with == "":
			fmt.Fprintf(a.stdout, "<!-- %s; whole: %s; waiting beside it: %d -->\n%s", turn.ID, turn.Whole, turn.Left, turn.New)
			return nil
		case *with == "-":
			*with = "/dev/stdin"
		}
		text, err := os.ReadFile(*with)
		if err == nil {
			err = turn.Answer(text)
		}
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		fmt.Fprintln(a.stdout, "answered", turn.ID)
		return nil
	}
}
