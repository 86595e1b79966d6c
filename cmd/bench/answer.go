package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/llm/batch"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) answerCommand() *cobra.Command {
	var with string
	c := &cobra.Command{
		Use:   "answer DIR",
		Short: "Show the next question of a batch, or answer it",
		Long: `Shows what is new in the first request of DIR that has no answer. DIR is one cell's directory
of the provider batch; whoever answers there is the model (docs/howto/models.md).

--with answers it from FILE: a text, or {"text": "...", "tool_calls": [{"function": {"name":
"write", "arguments": {...}}}]}. "-" reads from standard input.`,
		Example: "  bench answer batch/agent.default.zlib.debian.1\n  bench answer batch/agent.default.zlib.debian.1 --with turn.json",
		Args:    exactArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			turn, err := batch.NextTurn(args[0])
			switch {
			case err != nil:
				return &harness.UsageError{Err: err}
			case turn == nil:
				fmt.Fprintln(a.stdout, "Every request is answered.")
				return nil
			case with == "":
				fmt.Fprintf(a.stdout, "<!-- %s; whole: %s; waiting beside it: %d -->\n%s", turn.ID, turn.Whole, turn.Left, turn.New)
				return nil
			}
			file := with
			if with == "-" {
				file = "/dev/stdin"
			}
			text, err := os.ReadFile(file)
			if err == nil {
				err = turn.Answer(text)
			}
			if err != nil {
				return &harness.UsageError{Err: err}
			}
			fmt.Fprintln(a.stdout, "answered", turn.ID)
			return nil
		},
	}
	c.Flags().StringVar(&with, "with", "", "`FILE` with the answer")
	return c
}
