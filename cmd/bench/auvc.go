package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/metrics/auvc"
)

// auvcFlags are the flags of bench auvc.
type auvcFlags struct {
	pairs  string
	labels []string
	list   bool
}

func (a *app) auvcCommand() *cobra.Command {
	var f auvcFlags
	c := &cobra.Command{
		Use:   "auvc",
		Short: "Measure how well the unique-verification count agrees with human labels",
		Long: `Checks the program that counts unique verifications (AUVC) against pairs of assertions
that people labelled as same, different or trivial. Prints precision, recall, and Cohen's
kappa with its 95 % confidence interval. Uses the built-in pairs unless --pairs is given.

With --labels, also compares annotators with the program and with each other. A label
file is YAML with two keys: annotator (a name) and labels (same, different or trivial for
each pair ID).`,
		Example: "  bench auvc --list\n  bench auvc --labels anna.yaml --labels ben.yaml",
		Args:    exactArgs(),
		RunE:    func(c *cobra.Command, _ []string) error { return a.auvc(c.Context(), f) },
	}
	c.Flags().StringVar(&f.pairs, "pairs", "", "`FILE` with labelled pairs to use instead of the built-in ones")
	c.Flags().StringArrayVar(&f.labels, "labels", nil, "`FILE` with one annotator's labels (repeatable)")
	c.Flags().BoolVar(&f.list, "list", false, "also list the pairs on which the program disagrees with the labels")
	return c
}

func (a *app) auvc(ctx context.Context, f auvcFlags) error {
	set, err := auvc.LoadLabelled(f.pairs)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	var annotators []*auvc.Annotation
	for _, file := range f.labels {
		annotation, err := auvc.LoadAnnotation(file, set)
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		annotators = append(annotators, annotation)
	}
	program, err := a.JudgePairs(ctx, set)
	if err != nil {
		return err
	}
	if err := auvc.Compare(set.Labels(), program).Write(a.stdout, "labels", "program"); err != nil {
		return err
	}
	if f.list {
		a.printDifferences(set, program)
	}
	for i, x := range annotators {
		fmt.Fprintln(a.stdout)
		if err := auvc.Compare(x.Labels, program).Write(a.stdout, x.Annotator, "program"); err != nil {
			return err
		}
		for _, y := range annotators[i+1:] {
			fmt.Fprintln(a.stdout)
			if err := auvc.Compare(x.Labels, y.Labels).Write(a.stdout, x.Annotator, y.Annotator); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *app) printDifferences(set *auvc.Labelled, program map[string]auvc.Label) {
	people := set.Labels()
	pairs := map[string]auvc.Pair{}
	for _, p := range set.Pairs {
		pairs[p.ID] = p
	}
	for _, id := range auvc.Disagreements(people, program) {
		p := pairs[id]
		fmt.Fprintf(a.stdout, "%-8s label %s, program %s: %s | %s (%s)\n", id, p.Label, program[id], p.First, p.Second, p.Why)
	}
}
