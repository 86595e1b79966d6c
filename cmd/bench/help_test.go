package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/run/harness"
)

// TestHelp holds testdata/help.txt, for a reader of a change, to what every command's --help prints.
func TestHelp(t *testing.T) {
	golden.Assert(t, allHelp((&app{}).rootCommand()), "help.txt")
}

// allHelp is the help of every command.
func allHelp(root *cobra.Command) string {
	var b strings.Builder
	var page func(c *cobra.Command)
	page = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" || c.Parent() != nil && c.Parent().Name() == "completion" {
			return
		}
		var help bytes.Buffer
		c.SetOut(&help)
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		_ = c.Help()
		fmt.Fprintf(&b, "== %s ==\n%s\n\n", c.CommandPath(), strings.TrimSpace(help.String()))
		for _, sub := range c.Commands() {
			page(sub)
		}
	}
	page(root)
	return b.String()
}

// TestToolsOfTheREADME holds the README's table to the tools that there are.
func TestToolsOfTheREADME(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "../../README.md"), "| tool |")
	table, _, _ = strings.Cut(table, "\n\n")
	var named []string
	for line := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for i, part := range strings.Split(first, "`") {
			if i%2 == 1 {
				named = append(named, part)
			}
		}
	}
	var known []string
	for _, k := range harness.Kinds {
		known = append(known, k.Name())
	}
	slices.Sort(named)
	slices.Sort(known)
	assert.Check(t, slices.Equal(named, known), "the README's table has %v, and the tools are %v", named, known)
}
