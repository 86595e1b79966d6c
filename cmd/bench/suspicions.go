package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) suspicions(c *cobra.Command) action {
	var f struct {
		harness.Against
		library string
		all     bool
	}
	f.Runs, f.Timeout = 3, 30*time.Second // of each program on each version; all runs must agree
	flags := c.Flags()
	flags.StringVar(&f.library, "library", "", "list only this `LIBRARY`")
	flags.StringVar(&f.Version, "against", "", "also run them on this `VERSION`: an edition, a commit, a tag, or a source directory")
	flags.BoolVar(&f.Earlier, "earlier", false, "the version of --against is older than the run's")
	flags.BoolVar(&f.all, "all", false, "list all, instead of the first 20 of each library")
	sandboxFlag(c, &f.Sandbox, "bwrap", "sandbox for the programs")
	output := a.jsonFlag(c, "print JSON instead of tables")
	return func(c *cobra.Command, args []string) error {
		if f.Earlier && f.Version == "" {
			return harness.Usagef("--earlier needs --against")
		}
		list, err := harness.Suspicions(args[0])
		if err != nil {
			return err
		}
		if f.library != "" {
			list = slices.DeleteFunc(list, func(c results.RankedSuspicion) bool { return c.Cell.Library != f.library })
		}
		out := suspicionList{Schema: suspicionsSchema, Suspicions: list}
		for _, part := range harness.ByLibrary(list) {
			if f.Version == "" {
				break
			}
			c, sharedLib, err := a.Compare(c.Context(), args[0], part, f.Against)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Stderr, "%s %s (%s): %s; pass this library to the scripts as their argument\n", c.Library, c.Version, c.ID, sharedLib)
			out.Comparisons = append(out.Comparisons, c)
		}
		return output(out, func() error { return a.printSuspicions(args[0], out, f.all) })
	}
}

// suspicionsSchema is the version of what bench suspicions --json prints.
const suspicionsSchema = 2

// suspicionList is the JSON form of bench suspicions (docs/howto/suspicions.md).
type suspicionList struct {
	Schema      int                       `json:"schema"`
	Suspicions  []results.RankedSuspicion `json:"suspicions"`
	Comparisons []trial.Comparison        `json:"comparisons,omitempty"`
}

// mostListed is how many suspicions of a library are listed unless all are asked for.
const mostListed = 20

func (a *app) printSuspicions(run string, out suspicionList, all bool) error {
	if len(out.Suspicions) == 0 {
		fmt.Fprintln(a.stdout, "no suspicions: every assertion argued from documents held, or no tool of this run collects them")
		return nil
	}
	for i, part := range harness.ByLibrary(out.Suspicions) {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		first := part[0].Cell
		fmt.Fprintf(a.stdout, "%s, %s edition: %s\n", first.Library, first.Edition, trial.Count(len(part), "suspicion"))
		shown := part
		if !all {
			shown = part[:min(mostListed, len(part))]
		}
		header := []string{"Rank", "Assertion", "Reference returned", "Based on", "Second opinion", "Programs", "Cell and program"}
		var against *trial.Comparison
		if i < len(out.Comparisons) {
			against = &out.Comparisons[i]
			header = append(header, "On "+against.Version)
		}
		var rows [][]string
		for _, c := range shown {
			row := []string{strconv.Itoa(c.Rank), shorten(c.Assertion, 70), shorten(strings.Join(c.Values, ", "), 50), shorten(c.Reason(), 70),
				string(c.Opinion.Verdict), strconv.Itoa(c.Shown), c.Cell.ID() + " " + c.ID}
			if against != nil {
				row = append(row, changed(*against, c))
			}
			rows = append(rows, row)
		}
		if err := a.printTable(header, rows); err != nil {
			return err
		}
		if n := len(part) - len(shown); n > 0 {
			fmt.Fprintf(a.stdout, "%d more: use --all\n", n)
		}
		if against != nil {
			fmt.Fprintf(a.stdout, "on %s (%s): %s\n", against.Version, against.ID, tally(*against))
		}
	}
	fmt.Fprintf(a.stdout, "to run one: sh %s [LIBRARY.so]\n", filepath.Join(run, "cells", out.Suspicions[0].Cell.ID(), out.Suspicions[0].Script))
	return nil
}

// changed says what became of a suspicion.
func changed(against trial.Comparison, c results.RankedSuspicion) string {
	ch, _ := against.Of(c.Cell, c.ID)
	text := string(ch.Outcome)
	switch {
	case ch.Detail == "with other values":
		text += ", with " + strings.Join(ch.Values, ", ")
	case ch.Detail != "" && ch.Outcome != trial.Fixed:
		text += ": " + ch.Detail
	}
	return shorten(text, 70)
}

// tally counts the outcomes of a comparison.
func tally(c trial.Comparison) string {
	counts := map[trial.ChangeOutcome]int{}
	for _, ch := range c.Changes {
		counts[ch.Outcome]++
	}
	var parts []string
	for _, v := range trial.ChangeOutcomes {
		parts = append(parts, fmt.Sprintf("%d %s", counts[v], v))
	}
	return strings.Join(parts, ", ")
}
