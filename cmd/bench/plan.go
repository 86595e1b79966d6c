package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func (a *app) planCommand() *cobra.Command {
	var set []string
	var jobs int
	var asJSON, resolved bool
	c := &cobra.Command{
		Use:   "plan EXPERIMENT",
		Short: "Show cells, hours, tokens and dollars before anything is spent",
		Args:  exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && resolved {
				return usageError{errors.New("--json and --resolved: the plan is printed in one form")}
			}
			bench, err := a.loadBench()
			if err != nil {
				return err
			}
			exp, err := loadExperiment(bench, args[0], set)
			if err != nil {
				return err
			}
			plan := exp.Plan()
			jobs, err := jobsOf(exp, jobs)
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
				}{plan, estimate})
			}
			return a.printPlan(plan, estimate, jobs)
		},
	}
	c.Flags().StringArrayVar(&set, "set", nil, "override a key of the experiment (may be repeated)")
	c.Flags().IntVar(&jobs, "jobs", 0, "cells worked on at once, for the estimate")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&resolved, "resolved", false, "print the experiment with every default spelled out")
	return c
}

func (a *app) printPlan(plan experiments.Plan, e experiments.Estimate, jobs int) error {
	var rows [][]string
	for _, c := range plan.Cells {
		rows = append(rows, []string{c.Cell.ID(), describeBudget(c.Budget), fmt.Sprint(len(c.Bugs))})
	}
	if err := a.printTable([]string{"Cell", "Budget", "Bugs"}, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d cells, %d library trees to build\n", e.Cells, e.Trees)
	fmt.Fprintf(a.stdout, "generation takes at most %.2f h with %d jobs", e.Wall.Hours(), jobs)
	if e.Unclocked > 0 {
		fmt.Fprintf(a.stdout, ", not counting %d cells without a limit in seconds", e.Unclocked)
	}
	fmt.Fprintf(a.stdout, "; evaluation comes on top\nat most %d LLM calls, %d tokens, $%.2f\n", e.LLMCalls, e.Tokens, e.Dollars)
	return nil
}

// describeBudget lists the limits that are set.
func describeBudget(b trial.Budget) string {
	text := ""
	add := func(set bool, format string, v any) {
		if set {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf(format, v)
		}
	}
	add(b.Wall > 0, "wall %s", b.Wall.Round(time.Millisecond))
	add(b.CPU > 0, "CPU %s", b.CPU.Round(time.Millisecond))
	add(b.Programs > 0, "%d programs", b.Programs)
	add(b.LLMCalls > 0, "%d LLM calls", b.LLMCalls)
	add(b.Tokens > 0, "%d tokens", b.Tokens)
	add(b.Dollars > 0, "$%.2f", b.Dollars)
	return text
}
