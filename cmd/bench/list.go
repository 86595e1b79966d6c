package main

import (
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
)

func (a *app) listCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:       "list libraries|bugs|tools|experiments",
		Short:     "List what an experiment can name",
		ValidArgs: []string{"libraries", "bugs", "tools", "experiments"},
		Args:      exactArgs("libraries|bugs|tools|experiments"),
		RunE: func(c *cobra.Command, args []string) error {
			bench, err := lisabench.Load(lisabench.Embedded())
			if err != nil {
				return err
			}
			var header []string
			var rows [][]string
			var values any
			switch args[0] {
			case "libraries":
				header, rows, values = listLibraries(bench)
			case "bugs":
				header, rows, values = listBugs(bench)
			case "tools":
				header, rows, values = listTools()
			case "experiments":
				header, rows, values, err = listExperiments()
			default:
				err = usageError{lisabench.NewUnknownError("list", args[0], c.ValidArgs)}
			}
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(values)
			}
			return a.printTable(header, rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// listedLibrary and its like are the stable JSON forms of bench list --json.
type listedLibrary struct {
	Name     string   `json:"name"`
	Language string   `json:"language"`
	Domain   string   `json:"domain"`
	Licence  string   `json:"licence"`
	Editions []string `json:"editions"`
	Bugs     int      `json:"bugs"`
}

func listLibraries(bench *lisabench.Bench) (header []string, rows [][]string, values any) {
	var list []listedLibrary
	for _, l := range bench.Libraries {
		e := listedLibrary{Name: l.Name, Language: string(l.Language), Domain: l.Domain, Licence: l.Licence, Bugs: len(l.Bugs)}
		if l.Upstream != nil {
			e.Editions = append(e.Editions, fmt.Sprintf("%s %.7s", lisabench.Upstream, l.Upstream.Commit))
		}
		if l.Debian != nil {
			e.Editions = append(e.Editions, fmt.Sprintf("%s %s", lisabench.Debian, l.Debian.Version))
		}
		list = append(list, e)
		rows = append(rows, []string{e.Name, e.Language, e.Domain, strings.Join(e.Editions, "\n"), fmt.Sprint(e.Bugs)})
	}
	return []string{"Library", "Language", "Domain", "Editions", "Bugs"}, rows, list
}

type listedBug struct {
	ID        string   `json:"id"`
	Library   string   `json:"library"`
	Fix       string   `json:"fix"`
	Date      string   `json:"date"`
	Title     string   `json:"title"`
	Symptom   string   `json:"symptom"`
	APIs      []string `json:"apis"`
	Defect    string   `json:"defect"`
	Selection string   `json:"selection"`
	Upstream  string   `json:"upstream"` // strategy
	Debian    string   `json:"debian"`   // strategy
}

func listBugs(bench *lisabench.Bench) (header []string, rows [][]string, values any) {
	var list []listedBug
	for _, l := range bench.Libraries {
		for _, b := range l.Bugs {
			e := listedBug{
				ID: b.ID, Library: b.Library, Fix: b.Fix, Date: b.Date, Title: b.Title, Symptom: b.Symptom, APIs: b.APIs,
				Defect: b.Defect, Selection: string(b.Selection),
				Upstream: strategyIn(b, lisabench.Upstream), Debian: strategyIn(b, lisabench.Debian),
			}
			list = append(list, e)
			rows = append(rows, []string{e.ID, e.Date, e.Defect, e.Selection, e.Upstream, e.Debian, e.Title})
		}
	}
	return []string{"Bug", "Fixed", "Defect", "Selection", "Upstream", "Debian", "Title"}, rows, list
}

func strategyIn(b *lisabench.Bug, e lisabench.Edition) string {
	if how := b.In(e); how != nil {
		return string(how.Strategy)
	}
	return string(lisabench.Absent)
}

type listedTool struct {
	Name      string `json:"name"`
	Summary   string `json:"summary"`
	UsesModel bool   `json:"uses_model"`
}

func listTools() (header []string, rows [][]string, values any) {
	var list []listedTool
	for _, t := range toolKinds {
		list = append(list, listedTool{t.name, t.summary, t.usesModel})
		rows = append(rows, []string{t.name, t.summary})
	}
	return []string{"Tool", "What it is"}, rows, list
}

func listExperiments() (header []string, rows [][]string, values any, err error) {
	list, err := experiments.List()
	for _, e := range list {
		rows = append(rows, []string{e.Name, e.Description})
	}
	return []string{"Experiment", "What it is for"}, rows, list, err
}

func (a *app) printTable(header []string, rows [][]string) error {
	t := tablewriter.NewTable(a.stdout)
	t.Header(header)
	if err := t.Bulk(rows); err != nil {
		return err
	}
	return t.Render()
}
