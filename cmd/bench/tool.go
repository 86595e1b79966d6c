package main

import (
	"cmp"
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

func (a *app) toolInit(c *cobra.Command) action {
	agent := ""
	choiceFlag(c, &agent, "agent", "", "a coding agent", agentNames()...)
	return func(_ *cobra.Command, args []string) error { return a.writeTool(args[0], agent) }
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

// writeTool writes the experiment and the executables of a tool named after dir, or of an agent.
func (a *app) writeTool(dir, agent string) error {
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

func (a *app) toolCheck(c *cobra.Command) action {
	only := c.Flags().String("tool", "", "check only this `TOOL`")
	return func(c *cobra.Command, args []string) error {
		all, err := a.CheckTools(c.Context(), args[0], *only, a.printFindings)
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
