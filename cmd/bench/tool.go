package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/tools/exttool"
)

func (a *app) toolCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tool",
		Short: "Start a tool of your own, or check that it keeps the contract",
		Args:  noSuchCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.toolInitCommand(), a.toolCheckCommand())
	return c
}

func (a *app) toolInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a commented skeleton of a tool that works at once",
		Long: `Writes DIR/tool.yaml, an experiment with one external tool, and DIR/generate.sh, a tool
that leaves trivial programs. Both are commented: replace the part of the script that makes programs by
anything that can be executed. The tool is named after DIR. Files that are there already are left alone.`,
		Example: "  bench tool init mytool && bench tool check mytool/tool.yaml",
		Args:    exactArgs("DIR"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.toolInit(args[0]) },
	}
}

func (a *app) toolInit(dir string) error {
	files, err := exttool.WriteSkeleton(dir)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	for _, f := range files {
		fmt.Fprintln(a.stdout, f)
	}
	fmt.Fprintf(a.Stderr, "next: bench tool check %s\n", files[0])
	return nil
}

func (a *app) toolCheckCommand() *cobra.Command {
	var tool string
	var asJSON bool
	c := &cobra.Command{
		Use:   "check EXPERIMENT",
		Short: "Check external tools against the contract, and say what is wrong",
		Long: `Runs the external tools of an experiment, or of a file with nothing but a tools list, on a
library of five functions, in under two minutes: do they leave programs in C or C++, the same for the same
seed and answers, within their budget; do they end when they are told to; do they leave everything else alone.
What is wrong is said in plain words, with what to change and the first lines that the tool printed.
A tool that asks a model is answered from a script: no key is needed and nothing is spent. No library of the
benchmark is fetched. docs/howto/adding-a-tool.md is the contract.

Exit codes: 0 the tools keep the contract, 1 one does not, 2 wrong configuration, such as a
command that is missing or not executable.`,
		Example: "  bench tool check mytool/tool.yaml\n  bench tool check sweep.yaml --tool mytool",
		Args:    exactArgs("EXPERIMENT"),
		RunE:    func(c *cobra.Command, args []string) error { return a.toolCheck(c.Context(), args[0], tool, asJSON) },
	}
	c.Flags().StringVar(&tool, "tool", "", "check this external tool only")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) toolCheck(ctx context.Context, name, only string, asJSON bool) error {
	all, err := a.CheckTools(ctx, name, only, func(c harness.Conformance) {
		if !asJSON {
			a.printFindings(c)
		}
	})
	if err != nil {
		return err
	}
	if asJSON {
		if err := a.printJSON(all); err != nil {
			return err
		}
	}
	var broken []string
	for _, c := range all {
		if !c.Conforms {
			broken = append(broken, c.Tool)
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("%s: the contract is not kept (docs/howto/adding-a-tool.md)", strings.Join(broken, ", "))
	}
	return nil
}

// maxProblemLines is how much of one problem is printed; --json has all of it.
const maxProblemLines = 8

func (a *app) printFindings(t harness.Conformance) {
	fmt.Fprintf(a.stdout, "%s\n", t.Tool)
	for _, f := range t.Findings {
		switch {
		case len(f.Problems) > 0:
			fmt.Fprintf(a.stdout, "  FAIL  %s\n", f.Check)
		case f.Skipped != "":
			fmt.Fprintf(a.stdout, "  skip  %s: %s\n", f.Check, f.Skipped)
		default:
			fmt.Fprintf(a.stdout, "  ok    %s\n", f.Check)
		}
		for _, p := range f.Problems {
			lines := strings.Split(strings.TrimSpace(p), "\n")
			if len(lines) > maxProblemLines {
				lines = append(lines[:maxProblemLines], "[…] (--json shows all of it)")
			}
			fmt.Fprintf(a.stdout, "          %s\n", strings.Join(lines, "\n          "))
		}
		for _, c := range f.Change {
			fmt.Fprintf(a.stdout, "        change: %s\n", c)
		}
		if len(f.Said) > 0 {
			fmt.Fprintf(a.stdout, "        it said:\n          %s\n", strings.Join(f.Said, "\n          "))
		}
		for _, n := range f.Notes {
			fmt.Fprintf(a.stdout, "        note: %s\n", n)
		}
	}
}
