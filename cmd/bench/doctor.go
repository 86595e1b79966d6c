package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) doctorCommand() *cobra.Command {
	var name string
	var output printing
	var f experimentFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything bench needs is installed",
		Long: `Looks for every program that bench calls. Prints its version, or the command that
installs it. Exits with 0 if every required program is there, with 1 otherwise.

With --experiment, also asks each model of the experiment once with the settings of each stage,
as bench run does before it starts, and tells what that cost.`,
		Example: "  bench doctor\n  bench doctor --experiment paper --set llm.base_url=http://localhost:8000/v1",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			list, sound, err := a.Diagnose(c.Context())
			if err != nil {
				return err
			}
			answer := true
			if name != "" {
				_, exp, err := f.load(a, name)
				if err != nil {
					return err
				}
				var models []harness.Diagnosis
				models, answer = a.DiagnoseModels(c.Context(), exp)
				list = append(list, models...)
			}
			if err := output(list, func() error { return a.printDiagnoses(list) }); err != nil {
				return err
			}
			if !sound {
				return errors.New("something that bench needs is missing; to install everything: scripts/install.sh")
			}
			if !answer {
				return errors.New("a model does not answer")
			}
			return nil
		},
	}
	output = a.jsonFlag(c, "print JSON")
	c.Flags().StringVar(&name, "experiment", "", "also ask the models of `EXPERIMENT` whether they answer")
	f.add(c)
	return c
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
