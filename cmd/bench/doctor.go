package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) doctor(c *cobra.Command) action {
	output := a.jsonFlag(c, "print JSON")
	name := c.Flags().String("experiment", "", "also ask the models of `EXPERIMENT` whether they answer")
	var f experimentFlags
	f.add(c)
	return func(c *cobra.Command, _ []string) error {
		list, sound, err := a.Diagnose(c.Context())
		if err != nil {
			return err
		}
		answer := true
		if *name != "" {
			_, exp, err := f.load(a, *name)
			if err != nil {
				return err
			}
			var models []harness.Diagnosis
			models, answer = a.DiagnoseModels(c.Context(), exp)
			list = append(list, models...)
		}
		err = output(list, func() error { return a.printDiagnoses(list) })
		switch {
		case err != nil:
			return err
		case !sound:
			return errors.New("something that bench needs is missing; to install everything: scripts/install.sh")
		case !answer:
			return errors.New("a model does not answer")
		}
		return nil
	}
}

func (a *app) printDiagnoses(list []harness.Diagnosis) error {
	for _, d := range list {
		mark, what := "ok", strings.TrimSpace(d.Version+"  "+d.Path)
		switch {
		case d.Problem != "" && d.Optional:
			mark, what = "missing (optional)", d.Problem
		case d.Problem != "" && d.Name == "model":
			mark, what = "NO ANSWER", strings.TrimSpace(d.Path+": "+d.Problem)
		case d.Problem != "":
			mark, what = "MISSING", d.Problem
		}
		fmt.Fprintf(a.stdout, "%-14s %-8s %s\n", d.Name, mark, what)
		if d.Fix != "" {
			fmt.Fprintf(a.stdout, "%-14s          needed for %s; to install: %s\n", "", d.NeededFor, d.Fix)
		}
	}
	return nil
}
