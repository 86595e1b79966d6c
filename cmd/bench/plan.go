package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) planCommand() *cobra.Command {
	var f experimentFlags
	var jobs int
	var asJSON, resolved bool
	c := &cobra.Command{
		Use:   "plan EXPERIMENT",
		Short: "Show an experiment's cells, time, tokens and dollars before it runs",
		Long: `Shows the cells of an experiment, the most they can spend, and how each variant of a tool
differs from the default. The cells include those that others depend on (seeds: auto and
knowledge: auto). Two variants that would do the same are an error. Nothing is run.`,
		Example: "  bench plan quickstart\n  bench plan paper --profile quick",
		Args:    exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && resolved {
				return harness.Usagef("--json and --resolved exclude each other")
			}
			_, exp, err := f.load(a, args[0])
			if err != nil {
				return err
			}
			plan := exp.Plan()
			jobs, err := harness.Jobs(exp, jobs)
			if err != nil {
				return err
			}
			variants, err := harness.Variants(exp)
			if err != nil {
				return err
			}
			estimate := plan.Estimate(jobs)
			switch {
			case resolved:
				text, err := exp.YAML()
				if err != nil {
					return err
				}
				_, err = a.stdout.Write(text)
				return err
			case asJSON:
				return a.printJSON(struct {
					Plan     experiments.Plan     `json:"plan"`
					Estimate experiments.Estimate `json:"estimate"`
					Variants []harness.Variant    `json:"variants"`
				}{plan, estimate, variants})
			}
			if err := a.printPlan(exp, plan, estimate, jobs); err != nil {
				return err
			}
			if exp.LLM != nil && exp.LLM.Upload {
				fmt.Fprintln(a.stdout, "answers come in batches, each within 24 h, which count as no time; the rounds of --jobs cells go out together")
			}
			return a.printVariants(variants)
		},
	}
	f.add(c)
	c.Flags().IntVar(&jobs, "jobs", 0, "cells to run at once, for the estimate (default: the experiment's, else one per CPU)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&resolved, "resolved", false, "print the experiment with all defaults filled in")
	return c
}

func (a *app) printPlan(exp *experiments.Experiment, plan experiments.Plan, e experiments.Estimate, jobs int) error {
	header, rows := []string{"Cell", "Budget", "Bugs"}, cellRows(plan)
	if len(plan.Parts) > 0 {
		header, rows = []string{"Experiment", "Cells", "Shared", "Hours", "Tokens", "Dollars"}, partRows(plan, jobs)
	}
	if err := a.printTable(header, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s, %s to build\n", trial.Count(e.Cells, "cell"), trial.Count(e.Trees, "library tree"))
	fmt.Fprintf(a.stdout, "generation: at most %.2f h with --jobs %d", e.Wall.Hours(), jobs)
	if e.Unclocked > 0 {
		fmt.Fprintf(a.stdout, ", plus %d cells without a time limit", e.Unclocked)
	}
	fmt.Fprintf(a.stdout, "; evaluation takes extra time\nmodels: %s\n", asked(e, unpriced(exp, plan)))
	return nil
}

// asked says what models may cost at most, beside the cells that have no limit in dollars.
func asked(e experiments.Estimate, unpriced int) string {
	most := trial.Budget{LLMCalls: e.LLMCalls, Tokens: e.Tokens, Dollars: e.Dollars}.String()
	switch {
	case most == "" && unpriced == 0:
		return "none is asked"
	case most == "":
		return fmt.Sprintf("%d cells ask one without a limit", unpriced)
	case unpriced > 0:
		return fmt.Sprintf("at most %s, plus %d cells that ask one without a limit in dollars", most, unpriced)
	}
	return "at most " + most
}

// printVariants prints what makes each variant different, if a tool has several.
func (a *app) printVariants(list []harness.Variant) error {
	var rows [][]string
	for _, v := range list {
		if v.Differs != "" || v.Variant != trial.DefaultVariant {
			rows = append(rows, []string{v.Tool, v.Variant, cmp.Or(v.Differs, "nothing")})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	return a.printTable([]string{"Tool", "Variant", "Differs from the default by"}, rows)
}

func cellRows(plan experiments.Plan) [][]string {
	var rows [][]string
	for _, c := range plan.Cells {
		rows = append(rows, []string{c.Cell.ID(), c.Budget.String(), fmt.Sprint(len(c.Bugs))})
	}
	return rows
}

// partRows sums up each part as if it were run alone, and says how many of its cells parts
// before it have too.
func partRows(plan experiments.Plan, jobs int) [][]string {
	var rows [][]string
	for _, part := range plan.Parts {
		e := plan.Of(part).Estimate(jobs)
		rows = append(rows, []string{part.Name, fmt.Sprint(e.Cells), fmt.Sprint(part.Shared),
			fmt.Sprintf("%.2f", e.Wall.Hours()), fmt.Sprint(e.Tokens), fmt.Sprintf("%.2f", e.Dollars)})
	}
	return rows
}

// unpriced counts the cells whose dollars nothing limits.
func unpriced(exp *experiments.Experiment, plan experiments.Plan) int {
	n := 0
	for _, c := range plan.Cells {
		if c.Budget.Dollars == 0 && len(harness.Stages(exp, c.Tool)) > 0 {
			n++
		}
	}
	return n
}
