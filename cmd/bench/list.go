package main

import (
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/harness"
)

func (a *app) listCommand() *cobra.Command {
	var asJSON, measure bool
	c := &cobra.Command{
		Use:       "list libraries|bugs|tools|experiments",
		Short:     "List what an experiment can name",
		ValidArgs: []string{"libraries", "bugs", "tools", "experiments"},
		Args:      exactArgs("libraries|bugs|tools|experiments"),
		Long: `Lists what an experiment can name. "list libraries --measure" also fetches and builds
each library, and shows its lines of code (those that hold more than white space and
comments, in the recipe's sources and in all of the tree) and its public functions. The JSON of libraries
and bugs is described in docs/lisa-bench.md.`,
		RunE: func(c *cobra.Command, args []string) error {
			if measure && args[0] != "libraries" {
				return harness.Usagef("--measure goes with list libraries")
			}
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			var header []string
			var rows [][]string
			var values any
			switch args[0] {
			case "libraries":
				header, rows, values, err = a.listLibraries(c.Context(), bench, measure)
			case "bugs":
				header, rows, values = listBugs(bench)
			case "tools":
				header, rows, values = listTools()
			case "experiments":
				header, rows, values, err = listExperiments(harness.Known(bench))
			default:
				err = lisabench.NewUnknownError("list", args[0], c.ValidArgs)
			}
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(values)
			}
			return a.printTable(header, rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&measure, "measure", false, "count lines of code and public functions (libraries; fetches and builds them)")
	return c
}

type listedTool struct {
	Name      string `json:"name"`
	Summary   string `json:"summary"`
	UsesModel bool   `json:"uses_model"`
}

func listTools() (header []string, rows [][]string, values any) {
	var list []listedTool
	for _, t := range harness.Kinds {
		list = append(list, listedTool{t.Name, t.Summary, len(t.Stages) > 0})
		rows = append(rows, []string{t.Name, t.Summary})
	}
	return []string{"Tool", "What it is"}, rows, list
}

func listExperiments(k experiments.Known) (header []string, rows [][]string, values any, err error) {
	list, err := experiments.List(k)
	for _, e := range list {
		rows = append(rows, []string{e.Name, e.Description, strings.Join(e.Profiles, ", ")})
	}
	return []string{"Experiment", "What it is for", "Profiles"}, rows, list, err
}

func (a *app) printTable(header []string, rows [][]string) error {
	t := tablewriter.NewTable(a.stdout)
	t.Header(header)
	if err := t.Bulk(rows); err != nil {
		return err
	}
	return t.Render()
}
