package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) plan(c *cobra.Command) action {
	var f experimentFlags
	f.add(c)
	atOnce := c.Flags().Int("jobs", 0, "cells to run at once, for the estimate (default: the experiment's, else one per CPU)")
	output := a.jsonFlag(c, "print JSON")
	resolved := c.Flags().Bool("resolved", false, "print the experiment with all defaults filled in")
	c.MarkFlagsMutuallyExclusive("json", "resolved")
	return func(_ *cobra.Command, args []string) error {
		bench, exp, err := f.load(a, args[0])
		if err != nil {
			return err
		}
		if *resolved {
			text, err := exp.YAML()
			if err == nil {
				_, err = a.stdout.Write(text)
			}
			return err
		}
		jobs, err := harness.Jobs(exp, *atOnce)
		if err != nil {
			return err
		}
		variants, err := harness.Variants(exp)
		if err != nil {
			return err
		}
		plan, known := exp.Plan(), harness.Known(bench).With(exp)
		out := planned{plan, plan.Estimate(jobs, known), variants}
		return output(out, func() error { return a.printPlan(out, jobs, known) })
	}
}

func (a *app) schema(*cobra.Command) action {
	return func(*cobra.Command, []string) error {
		_, err := a.stdout.Write(experiments.Schema)
		return err
	}
}

// planned is the JSON form of bench plan.
type planned struct {
	Plan     experiments.Plan     `json:"plan"`
	Estimate experiments.Estimate `json:"estimate"`
	Variants []harness.Variant    `json:"variants"`
}

func (a *app) printPlan(p planned, jobs int, known experiments.Known) error {
	plan, e := p.Plan, p.Estimate
	dollars := func(d float64) string { return fmt.Sprintf("%.2f", d) }
	var rows [][]string
	header := []string{"Experiment", "Cells", "Shared", "About h", "At most h", "About $", "At most $"}
	for _, part := range plan.Parts { // as if it were run alone
		e := plan.Of(part).Estimate(jobs, known)
		rows = append(rows, []string{part.Name, fmt.Sprint(e.Cells), fmt.Sprint(part.Shared), hours(e.About.Wall), hours(e.Most.Wall),
			dollars(e.About.Dollars), dollars(e.Most.Dollars)})
	}
	if len(plan.Parts) == 0 {
		header = []string{"Cell", "Budget", "Bugs"}
		for _, c := range plan.Cells {
			rows = append(rows, []string{c.Cell.ID(), c.Budget.String(), fmt.Sprint(len(c.Bugs))})
		}
	}
	if err := a.printTable(header, rows); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s, %s to build; generation, with --jobs %d, before evaluation:\n",
		trial.Count(e.Cells, "cell"), trial.Count(e.Trees, "library tree"), jobs)
	costs := [][]string{{"hours on the clock", hours(e.About.Wall), hours(e.Most.Wall)},
		{"hours of processors", hours(e.About.Processor), hours(e.Most.Processor)}}
	if e.About.LLMCalls > 0 || e.Most.Model > 0 || e.Most.Dollars > 0 {
		costs = append(costs, []string{"hours of models", hours(e.About.Model), hours(e.Most.Model)},
			[]string{"dollars", dollars(e.About.Dollars), dollars(e.Most.Dollars)})
	}
	if err := a.printTable([]string{"Together", "About", "At most"}, costs); err != nil {
		return err
	}
	for _, c := range plan.Cells {
		if c.Trial == 1 && cannot(known, c) {
			fmt.Fprintf(a.stdout, "%s cannot test %s: it tests C only, so these cells will be incomplete\n", c.Tool, c.Library)
		}
	}
	note := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(a.stdout, "%s %s\n", trial.Count(n, "cell"), what)
		}
	}
	note(e.Unclocked, `without a limit in time: in no hours of "at most"`)
	note(e.Unpriced, `with a model and no limit in dollars: in no dollars of "at most"`)
	note(e.Unknown, `that end when their work is done, or after so many programs: not in "about"`)
	if e.About.LLMCalls > 0 {
		fmt.Fprintf(a.stdout, "about: %s like those of the recordings, answered at %.0f tokens a second\n",
			trial.Count(e.About.LLMCalls, "request"), experiments.TokensPerSecond)
	}
	rows = nil // what makes each variant different, if a tool has several
	for _, v := range p.Variants {
		if v.Differs != "" || v.Variant != trial.DefaultVariant {
			rows = append(rows, []string{v.Tool, v.Variant, cmp.Or(v.Differs, "nothing")})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintln(a.stdout)
	}
	return a.printTable([]string{"Tool", "Variant", "Differs from the default by"}, rows)
}

// cannot reports whether a cell's tool tests only C and its library is in C++.
func cannot(known experiments.Known, c experiments.Cell) bool {
	return slices.ContainsFunc(known.Tools, func(k experiments.ToolKind) bool { return k.Name == c.Tool && k.OnlyC }) &&
		slices.ContainsFunc(known.Libraries, func(l *lisabench.Library) bool { return l.Name == c.Library && l.Language != trial.C })
}

func hours(d time.Duration) string { return fmt.Sprintf("%.2f", d.Hours()) }
