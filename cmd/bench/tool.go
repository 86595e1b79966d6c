package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/examples/agents"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

func (a *app) toolCommand() *cobra.Command {
	return group(&cobra.Command{Use: "tool", Short: "Start your own tool, or check that it keeps the contract"}, a.toolInitCommand(), a.toolCheckCommand())
}

func (a *app) toolInitCommand() *cobra.Command {
	agent := ""
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a small working tool to start from",
		Long: `Writes DIR/tool.yaml, an experiment with one external tool, and DIR/generate.sh, a tool
that writes trivial test programs. Comments in both say how to go on: replace the script with
any executable. The tool is named after DIR. Existing files are not overwritten.

With --agent it writes an experiment that runs a coding agent beside agent and lisa at the same
tokens, and what starts it (docs/howto/running-an-agent.md).`,
		Example: "  bench tool init mytool && bench tool check mytool/tool.yaml\n  bench tool init mycodex --agent codex && bench plan mycodex/tool.yaml",
		Args:    exactArgs("DIR"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.toolInit(args[0], agent) },
	}
	choiceFlag(c, &agent, "agent", "", "a coding agent", agentNames()...)
	return c
}

// agentNames are the agents that have a ready block.
func agentNames() (names []string) {
	entries, err := agents.Files.ReadDir(".")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (a *app) toolInit(dir, agent string) error {
	from, below := exttool.Skeleton, "skeleton"
	if agent != "" {
		from, below = agents.Files, agent
	}
	tool, err := fs.Sub(from, below)
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	name := cmp.Or(strings.Trim(notInNames.ReplaceAllString(filepath.Base(abs), "-"), "_+-"), "mytool")
	drafts := []draft{{"tool.yaml", filepath.Join(dir, "tool.yaml")}}
	scripts, err := fs.Glob(tool, "*.[^y]*")
	if err != nil {
		return err
	}
	for _, file := range scripts {
		drafts = append(drafts, draft{file, filepath.Join(dir, file)})
	}
	if err := a.scaffold(tool, strings.NewReplacer("NAME", name), drafts...); err != nil {
		return err
	}
	next := "bench tool check"
	if agent != "" {
		next = "bench plan"
	}
	fmt.Fprintf(a.Stderr, "next: %s %s\n", next, drafts[0].to)
	return nil
}

// notInNames is what the name of a tool cannot have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_+-]+`)

func (a *app) toolCheckCommand() *cobra.Command {
	var tool string
	c := &cobra.Command{
		Use:   "check EXPERIMENT",
		Short: "Check external tools against the contract",
		Long: `Runs the external tools of an experiment, or of a file with only a tools list, on a library
of five functions, in under two minutes. Checks the contract of docs/howto/adding-a-tool.md: that
each tool writes programs in C or C++, the same ones for the same seed and answers, that it keeps
its budget, stops when told to, and touches nothing else. Prints each problem with a fix.
Questions to a model are answered from a script: no API key is needed and nothing is spent.

Exit codes: 0 all tools keep the contract, 1 one does not, 2 wrong configuration.`,
		Example: "  bench tool check mytool/tool.yaml\n  bench tool check sweep.yaml --tool mytool",
		Args:    exactArgs("EXPERIMENT"),
		RunE:    func(c *cobra.Command, args []string) error { return a.toolCheck(c.Context(), args[0], tool) },
	}
	c.Flags().StringVar(&tool, "tool", "", "check only this `TOOL`")
	return c
}

func (a *app) toolCheck(ctx context.Context, name, only string) error {
	all, err := a.CheckTools(ctx, name, only, a.printFindings)
	if err != nil {
		return err
	}
	var broken []string
	for _, c := range all {
		if !c.Conforms {
			broken = append(broken, c.Tool)
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("%s: breaks the contract (docs/howto/adding-a-tool.md)", strings.Join(broken, ", "))
	}
	return nil
}

// maxProblemLines is how much of one problem is printed.
const maxProblemLines = 30

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
				lines = append(lines[:maxProblemLines], "[…]")
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
