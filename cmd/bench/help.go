package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groups are the commands by what they are for. The first screen of help describes those of the first group
// and names the others; `bench help all` describes every one.
var groups = []struct {
	title    string
	commands []string
}{
	{"Start here", []string{"list", "plan", "run", "evaluate", "report", "compare", "doctor"}},
	{"Look", []string{"status", "suspicions", "paper"}},
	{"Share", []string{"leaderboard", "replay"}},
	{"Extend", []string{"tool", "bug", "library", "knowledge", "answer", "schema"}},
	{"Clusters", []string{"submit"}},
	{"Maintain", []string{"validate", "mine", "completion"}},
}

// setHelp gives a command and all below it the help texts of this file.
func setHelp(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.AddCommand(&cobra.Command{Use: "all", Short: "Describe every command", Hidden: true, Long: everyCommand(root)})
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprint(c.OutOrStderr(), usage(c))
		return err
	})
}

// usage is what the help of a command says after its description.
func usage(c *cobra.Command) string {
	var b strings.Builder
	section := func(title, text string) { fmt.Fprintf(&b, "\n%s:\n%s\n", title, strings.TrimRight(text, "\n")) }
	line := c.UseLine()
	if c.HasAvailableSubCommands() {
		line = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if c.HasExample() {
		section("Examples", c.Example)
	}
	switch {
	case !c.HasParent():
		first := groups[0]
		section(first.title, describe(c, first.commands))
		var others strings.Builder
		for _, g := range groups[1:] {
			fmt.Fprintf(&others, "  %-12s%s\n", g.title, strings.Join(g.commands, ", "))
		}
		section("More commands", others.String())
		section("Flags of every command", c.LocalFlags().FlagUsages())
		b.WriteString("\n`bench help COMMAND` describes one command, with examples. `bench help all` lists every command.\n")
	case c.HasAvailableSubCommands():
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		section("Commands", describe(c, names))
	default:
		section("Flags", ownFlags(c).FlagUsages())
	}
	return b.String()
}

// ownFlags are the flags of a command but for those that every command has.
func ownFlags(c *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	add := func(f *pflag.Flag) {
		if c.Root().PersistentFlags().Lookup(f.Name) == nil {
			own.AddFlag(f)
		}
	}
	c.InheritedFlags().VisitAll(add)
	c.LocalFlags().VisitAll(add)
	return own
}

// describe is a line for each of the named commands below a command.
func describe(parent *cobra.Command, names []string) string {
	var b strings.Builder
	for _, name := range names {
		if c, _, err := parent.Find([]string{name}); err == nil && !c.Hidden {
			fmt.Fprintf(&b, "  %-12s%s\n", name, c.Short)
		}
	}
	return b.String()
}

// everyCommand is a line for each command of each group.
func everyCommand(root *cobra.Command) string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "%s:\n%s\n", g.title, describe(root, g.commands))
	}
	return strings.TrimRight(b.String(), "\n")
}
