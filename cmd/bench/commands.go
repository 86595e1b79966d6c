package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// An action is what a command does. Who makes it has given the command its flags.
type action = func(c *cobra.Command, args []string) error

// actions are the commands by their paths. One of commands.yaml that is not here has only others below it.
func (a *app) actions() map[string]func(*cobra.Command) action {
	return map[string]func(*cobra.Command) action{
		"answer": a.answer, "bug init": a.bugInit, "compare": a.compare, "doctor": a.doctor, "evaluate": a.evaluate,
		"knowledge build": a.knowledgeBuild, "knowledge list": a.knowledgeList, "knowledge review": a.knowledgeReview,
		"leaderboard": a.leaderboard, "library init": a.libraryInit, "list": a.list, "mine": a.mine, "paper": a.paper,
		"plan": a.plan, "replay": a.replay, "report": a.report, "run": a.run, "schema": a.schema, "status": a.status,
		"submit": a.submit, "suspicions": a.suspicions, "tool check": a.toolCheck, "tool init": a.toolInit,
		"validate": a.validate,
	}
}

// groups are the titles of bench --help, in their order.
var groups = []string{"Start here", "Look and share", "Extend", "Clusters and maintenance"}

// words is what help says of a command.
type words struct{ Group, Use, Args, Short, Long, Example string }

//go:embed commands.yaml
var commandWords []byte

// addCommands gives root the commands of commands.yaml.
func (a *app) addCommands(root *cobra.Command) {
	for _, title := range groups {
		root.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
	}
	var all map[string]words
	if err := yaml.Unmarshal(commandWords, &all); err != nil {
		panic(err) // the file is part of the program
	}
	made, actions := map[string]*cobra.Command{"": root}, a.actions()
	for _, path := range slices.Sorted(maps.Keys(all)) { // a command before those below it
		w, parent, name := all[path], "", path
		if above, below, is := strings.Cut(path, " "); is {
			parent, name = above, below
		}
		c := &cobra.Command{Use: strings.TrimSpace(name + " " + w.Use), GroupID: w.Group, Short: w.Short, Args: w.fit,
			Long: strings.ReplaceAll(w.Long, "DEFECTS", strings.Join(lisabench.Defects, "\n  "))}
		if w.Example != "" {
			c.Example = "  " + strings.ReplaceAll(w.Example, "\n", "\n  ")
		}
		made[path] = c
		made[parent].AddCommand(c)
		if act := actions[path]; act != nil {
			c.RunE = act(c)
		} else {
			c.Args, c.RunE = noSuchCommand, help
		}
	}
	made["knowledge"].PersistentFlags().String("dir", "knowledge", "`DIR` of the knowledge bases")
}

func help(c *cobra.Command, _ []string) error { return c.Help() }

// fit refuses a number of arguments that is not that of the words. Those in brackets may be left out; dots stand for
// any number.
func (w words) fit(c *cobra.Command, args []string) error {
	names := cmp.Or(w.Args, w.Use, "no arguments")
	required, _, _ := strings.Cut(names, "[")
	least, most := len(strings.Fields(required)), len(strings.Fields(names))
	if strings.HasPrefix(names, "no arguments") {
		least, most = 0, 0
	}
	if len(args) >= least && (len(args) <= most || strings.Contains(names, "...")) {
		return nil
	}
	got := "none"
	if len(args) > 0 {
		got = fmt.Sprintf("%d: %s", len(args), strings.Join(args, " "))
	}
	return harness.Usagef("%s takes %s; got %s (see: %[1]s --help)", c.CommandPath(), names, got)
}

// noSuchCommand refuses the arguments of a command that only has others below it: cobra has found none in them.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range c.Commands() {
		known = append(known, sub.Name())
	}
	return lisabench.NewUnknownError("command", args[0], known)
}
