package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/check/probe"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func (a *app) probeCommand() *cobra.Command {
	var set []string
	var jsonOut bool
	c := &cobra.Command{
		Use:   "probe RUN",
		Short: "Ask the models of a run which bugs they can name from memory",
		Long: `Gives each model of a run the name and version of each library and asks which functional
bugs in it have been fixed. A bug that a model knows by heart says nothing about its
tests. The report then marks the bugs that the models named (docs/howto/models.md). Prompts
and answers are stored in the run directory (probe/); no question is asked twice.`,
		Example: "  bench probe results/runs/lisa-cjson\n  bench probe results/runs/lisa-cjson --json",
		Args:    exactArgs("RUN"),
		RunE:    func(c *cobra.Command, args []string) error { return a.probe(c.Context(), args[0], set, jsonOut) },
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the run's experiment: `KEY=VALUE`, e.g. llm.base_url=… (repeatable)")
	c.Flags().BoolVar(&jsonOut, "json", false, "print prompts, answers and the bugs named as JSON")
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
		fmt.Fprintf(a.stdout, "%s on %s: claims to know %s; by function names, at most %d of the run's %d; names the fix of %d\n",
			p.Model, p.Library, trial.Count(p.Lines, "bug"), p.AtMost(), len(p.Bugs), p.Fixes())
	}
	return nil
}
