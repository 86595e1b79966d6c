package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/check/probe"
)

func (a *app) probeCommand() *cobra.Command {
	var set []string
	var jsonOut bool
	c := &cobra.Command{
		Use:   "probe RUN",
		Short: "Ask the models of a run which bugs they can name from memory",
		Long: `Tells each model of a run the name and the version of each of the run's libraries, nothing
else, and asks which functional bugs of it were fixed. Prompt and answer stay in the run
directory (probe/), and from then on the report says which of the run's bugs are named: a
bug that a model remembers is no proof of its tests (docs/howto/models.md). What was asked once
is not asked again.`,
		Example: "  bench probe results/runs/lisa-cjson",
		Args:    exactArgs("RUN"),
		RunE:    func(c *cobra.Command, args []string) error { return a.probe(c.Context(), args[0], set, jsonOut) },
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the run's experiment, e.g. llm.base_url=… (may be repeated)")
	c.Flags().BoolVar(&jsonOut, "json", false, "print prompts, answers and what they name as JSON")
	return c
}

func (a *app) probe(ctx context.Context, run string, set []string, jsonOut bool) error {
	list, err := a.Probe(ctx, run, set)
	if err != nil {
		return err
	}
	if jsonOut {
		return a.printJSON(struct {
			Schema int           `json:"schema"`
			Probes []probe.Probe `json:"probes"`
		}{1, list})
	}
	for _, p := range list {
		fmt.Fprintf(a.stdout, "%s on %s: says it knows %d bugs; they may be %d of the run's %d, by their functions; it names the fix of %d\n",
			p.Model, p.Library, p.Lines, p.AtMost(), len(p.Bugs), p.Fixes())
	}
	return nil
}
