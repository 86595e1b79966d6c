package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

func (a *app) list(c *cobra.Command) action {
	c.ValidArgs = []string{"libraries", "bugs", "tools", "experiments"}
	output := a.jsonFlag(c, "print JSON")
	return func(c *cobra.Command, args []string) error {
		what, one := args[0], args[1:]
		if len(one) > 0 && (what == "libraries" || what == "experiments") {
			return harness.Usagef("list %s takes no more arguments; got %s", what, one[0])
		}
		bench, err := a.LoadBench()
		if err != nil {
			return err
		}
		var l listed
		switch what {
		case "libraries":
			l = listLibraries(bench)
		case "bugs":
			l, err = listBugs(bench, one)
		case "tools":
			l, err = listTools(one)
		case "experiments":
			l, err = listExperiments()
		default:
			err = lisabench.NewUnknownError("list", what, c.ValidArgs)
		}
		if err != nil {
			return err
		}
		return output(l.values, func() error { return a.printTable(l.header, l.rows) })
	}
}

// listed is what bench list prints: a table, or values as JSON.
type listed struct {
	header []string
	rows   [][]string
	values any
}

type listedTool struct {
	Name      string   `json:"name"`
	Summary   string   `json:"summary"`
	UsesModel bool     `json:"uses_model"`
	Budgets   []string `json:"budgets"` // the keys of a budget that limit it

	Parameters []trial.Parameter `json:"parameters"`
}

// listTools lists all tools, or the parameters of one.
func listTools(one []string) (listed, error) {
	var names []string
	var list []listedTool
	all := listed{header: []string{"Tool", "What it is", "Budgets"}}
	for _, t := range harness.Kinds {
		budgets := t.Kind().Budgets()
		names = append(names, t.Name())
		list = append(list, listedTool{t.Name(), t.Summary, t.Kind().UsesModel, budgets, t.Parameters()})
		all.rows = append(all.rows, []string{t.Name(), t.Summary, strings.Join(budgets, ", ")})
	}
	if len(one) == 0 {
		all.values = list
		return all, nil
	}
	i := slices.Index(names, one[0])
	if i < 0 {
		return listed{}, lisabench.NewUnknownError("tool", one[0], names)
	}
	l := listed{header: []string{"Parameter", "Value", "Default", "Meaning"}, values: list[i]}
	for _, p := range list[i].Parameters {
		l.rows = append(l.rows, []string{p.Name, p.Value, p.Default, p.Doc})
	}
	return l, nil
}

func listExperiments() (l listed, err error) {
	list, err := experiments.List()
	l.header, l.values = []string{"Experiment", "What it is for", "Profiles"}, list
	for _, e := range list {
		l.rows = append(l.rows, []string{e.Name, e.Description, strings.Join(e.Profiles, ", ")})
	}
	return l, err
}

// printTable prints a table, if it has a row.
func (a *app) printTable(header []string, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	t := tablewriter.NewTable(a.stdout)
	t.Header(header)
	if err := t.Bulk(rows); err != nil {
		return err
	}
	return t.Render()
}

func listLibraries(bench *lisabench.Bench) listed {
	list := bench.ListLibraries()
	l := listed{values: list, header: []string{"Library", "Language", "Domain", "Edition", "Pin", "Bugs", "Strategies", "Selection"}}
	for _, e := range list.Libraries {
		for i, ed := range e.Editions {
			row := []string{e.Name, e.Language, e.Domain, ed.Edition, shortPin(ed), fmt.Sprint(e.Bugs),
				counts(ed.Strategies), counts(e.Selection)}
			if i > 0 {
				row[0], row[1], row[2], row[5], row[7] = "", "", "", "", ""
			}
			l.rows = append(l.rows, row)
		}
	}
	return l
}

// shortPin is a commit as git shortens it, or a version.
func shortPin(e lisabench.ListedEdition) string {
	if e.Edition == string(lisabench.Upstream) {
		return e.Pin[:7]
	}
	return e.Pin
}

// counts shows how many there are of each as "7 revert, 3 pair".
func counts(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(parts, ", ")
}

// listBugs lists the bugs of one library, or of all.
func listBugs(bench *lisabench.Bench, library []string) (listed, error) {
	libraries := bench.Libraries
	if len(library) == 1 {
		one, err := bench.Library(library[0])
		if err != nil {
			return listed{}, err
		}
		libraries = []*lisabench.Library{one}
	}
	list := bench.ListBugs(libraries)
	var rows [][]string
	for _, b := range list.Bugs {
		rows = append(rows, []string{b.ID, b.Date, b.Defect, b.Selection, b.Upstream.String(), b.Debian.String(), b.Title})
	}
	return listed{[]string{"Bug", "Fixed", "Defect", "Selection", "Upstream", "Debian", "Title"}, rows, list}, nil
}
