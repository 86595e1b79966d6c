package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that everything bench needs is installed",
		Long: `Looks for every program that bench calls. Prints its version, or the command that
installs it. Exits with 0 if every required program is there, with 1 otherwise.`,
		Example: "  bench doctor\n  bench doctor --json",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			list, sound, err := a.Diagnose(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				if err := a.printJSON(list); err != nil {
					return err
				}
			} else {
				a.printDiagnoses(list)
			}
			if !sound {
				return errors.New("something that bench needs is missing; to install everything: scripts/install.sh")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) printDiagnoses(list []harness.Diagnosis) {
	for _, d := range list {
		mark, what := "ok", strings.TrimSpace(d.Version+"  "+d.Path)
		switch {
		case d.Problem != "" && d.Optional:
			mark, what = "missing (optional)", d.Problem
		case d.Problem != "":
			mark, what = "MISSING", d.Problem
		}
		fmt.Fprintf(a.stdout, "%-14s %-8s %s\n", d.Name, mark, what)
		if d.Fix != "" {
			fmt.Fprintf(a.stdout, "%-14s          needed for %s; to install: %s\n", "", d.NeededFor, d.Fix)
		}
	}
}

func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
