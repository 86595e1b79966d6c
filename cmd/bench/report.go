package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/harness"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/results"
)

// terminalSections are the parts of a report that fit a terminal.
var terminalSections = []string{"overview", "success", "verifications", "coverage", "bugs", "matrix", "incomplete"}

// printers write a report as one text.
var printers = map[string]func(*report.Document, io.Writer) error{
	"text":     (*report.Document).Text,
	"markdown": (*report.Document).Markdown,
	"json":     (*report.Document).JSON,
	"html":     (*report.Document).HTML,
}

func (a *app) reportCommand() *cobra.Command {
	var format, only string
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Make a run's report again from its files, also while it runs",
		Long: `Reads a run directory and makes its report/ anew: index.html (one file that opens
offline), text, Markdown, LaTeX and CSV. With --format, prints that format instead
and writes nothing. With --only, prints one table as CSV or one figure as SVG;
the page names each beside it.`,
		Args: exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			bench, err := a.LoadBench()
			if err != nil {
				return err
			}
			doc, err := buildReport(args[0], bench)
			if err != nil {
				return err
			}
			if only != "" {
				return printOnly(doc, only, a.stdout)
			}
			if format == "" {
				dir := filepath.Join(args[0], "report")
				fmt.Fprintf(a.Stderr, "report: %s\n", filepath.Join(dir, "index.html"))
				return writeReport(doc, dir)
			}
			printer := printers[format]
			if printer == nil {
				known := []string{"text", "markdown", "json", "html"}
				return lisabench.NewUnknownError("report format", format, known)
			}
			return printer(doc, a.stdout)
		},
	}
	c.Flags().StringVar(&format, "format", "", "print text, markdown, json or html")
	c.Flags().StringVar(&only, "only", "", "print this table as CSV, or this figure as SVG")
	c.MarkFlagsMutuallyExclusive("format", "only")
	return c
}

// printOnly prints one table or figure of a report.
func printOnly(doc *report.Document, id string, w io.Writer) error {
	file, err := doc.Only(id)
	if err != nil {
		return err
	}
	if file == nil {
		return lisabench.NewUnknownError("table or figure", id, doc.Names())
	}
	_, err = w.Write(file.Data)
	return err
}

// buildReport makes the report of a run directory.
func buildReport(dir string, bench *lisabench.Bench) (*report.Document, error) {
	run, err := readRun(dir, bench)
	if err != nil {
		return nil, err
	}
	return report.Build(run)
}

// readRun reads a run directory.
func readRun(dir string, bench *lisabench.Bench) (report.Run, error) {
	data, err := results.Load(dir)
	if err != nil {
		return report.Run{}, err
	}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(data.Experiment, &exp); err != nil {
		return report.Run{}, fmt.Errorf("%s: %w", filepath.Join(dir, "experiment.yaml"), err)
	}
	run := report.Run{
		Experiment: exp.Name, Command: commandOf(exp), Timed: exp.Timed(),
		Provenance: provenance(data, exp), Walls: map[string]time.Duration{},
		Sources: func(cellID, file string) (string, error) {
			text, err := os.ReadFile(filepath.Join(dir, "cells", cellID, filepath.Clean("/"+file)))
			return string(text), err
		},
	}
	for _, c := range exp.Plan().Cells {
		if c.Budget.Wall > 0 {
			run.Walls[c.ID()] = c.Budget.Wall
		}
	}
	for _, c := range data.Cells {
		run.Planned = append(run.Planned, c.Cell)
		if c.Record != nil {
			run.Cells = append(run.Cells, *c.Record)
		} else {
			run.Incomplete = append(run.Incomplete, *c.Incomplete)
		}
	}
	for _, l := range exp.Subjects() {
		lib, err := bench.Library(l.Name)
		if err != nil {
			return report.Run{}, otherCorpus(err, data.Manifest, bench)
		}
		for _, id := range l.Bugs {
			bug, err := lib.Bug(id)
			if err != nil {
				return report.Run{}, otherCorpus(err, data.Manifest, bench)
			}
			run.Bugs = append(run.Bugs, report.BugInfo{Library: l.Name, ID: id, Title: bug.Title,
				Defect: bug.Defect, Selection: string(bug.Selection), Fix: bug.Fix})
		}
	}
	return run, nil
}

// otherCorpus adds to an error about a name that the run was made with another corpus, if so.
func otherCorpus(err error, m results.Manifest, bench *lisabench.Bench) error {
	switch {
	case m.Corpus == "" || m.Corpus == bench.Version:
		return err
	case strings.Contains(m.Corpus, "+local."):
		return fmt.Errorf("%w\nthe run was made with libraries or bugs from outside: give the same --bench-dir", err)
	}
	return fmt.Errorf("%w\nthe run was made with corpus %s, this bench has %s", err, m.Corpus, bench.Version)
}

// commandOf is the command that makes such a run again. Where it wrote to and how many
// cells it worked on at once changes no result and is left out.
func commandOf(exp experiments.Experiment) string {
	if len(exp.Tools) > 0 && exp.Tools[0].Name == (exttool.Directory{}).Name() {
		return fmt.Sprintf("bench evaluate --library %s --edition %s --suite DIR", exp.Libraries[0].Name, exp.Libraries[0].Edition)
	}
	return "bench run experiment.yaml"
}

// provenance says what a run was made with. Nothing in it may depend on a clock: reports of
// equal results are equal.
func provenance(data *results.Data, exp experiments.Experiment) []report.Facts {
	m := data.Manifest
	facts := []report.Facts{
		{Title: "Run", Entries: []report.KeyValue{
			{Key: "bench", Value: m.Bench}, {Key: "corpus", Value: m.Corpus}, {Key: "seed", Value: fmt.Sprint(m.Seed)},
			{Key: "sandbox", Value: exp.Sandbox}, {Key: "test timeout", Value: exp.Test.Timeout.String()},
			{Key: "repeats", Value: fmt.Sprint(exp.Test.Repeats)},
			{Key: "again", Value: commandOf(exp) + ", in the run directory"},
		}},
		{Title: "Machine", Entries: []report.KeyValue{
			{Key: "cpu", Value: fmt.Sprintf("%d × %s", m.Host.CPUs, m.Host.CPU)},
			{Key: "os", Value: strings.TrimSpace(m.Host.OS + "/" + m.Host.Arch + " " + m.Host.Kernel)},
		}},
		{Title: "Sources", Entries: sorted(m.Sources)},
		{Title: "Programs", Entries: sorted(m.Tools)},
	}
	if exp.LLM != nil {
		facts = append(facts, report.Facts{Title: "Models", Entries: models(exp)})
	}
	return facts
}

// models says how each stage asked and what its model cost. Where the answers came from is left
// out: a replay's report is that of the run.
func models(exp experiments.Experiment) []report.KeyValue {
	var list []report.KeyValue
	var names []string
	for _, t := range harness.Kinds {
		names = append(names, t.Name)
	}
	for _, t := range exp.Externals() {
		names = append(names, t.Name)
	}
	for _, name := range names {
		if !slices.ContainsFunc(exp.Tools, func(used experiments.Tool) bool { return used.Name == name }) {
			continue
		}
		for _, stage := range harness.Stages(&exp, name) {
			s := exp.LLM.For(stage)
			words := []string{s.Model}
			if s.Temperature != nil {
				words = append(words, fmt.Sprintf("temperature %g", *s.Temperature))
			}
			if s.Seed != nil {
				words = append(words, fmt.Sprintf("seed %d", *s.Seed))
			}
			if s.ReasoningEffort != "" {
				words = append(words, "reasoning effort "+s.ReasoningEffort)
			}
			if s.MaxTokens > 0 {
				words = append(words, fmt.Sprintf("at most %d tokens", s.MaxTokens))
			}
			entry := report.KeyValue{Key: stage, Value: strings.Join(words, ", ")}
			if !slices.Contains(list, entry) {
				list = append(list, entry)
			}
		}
	}
	for _, p := range exp.LLM.Prices {
		if p.Input != nil && p.Output != nil {
			list = append(list, report.KeyValue{Key: "price of " + p.Model, Value: fmt.Sprintf("$%g input, $%g output per million tokens", *p.Input, *p.Output)})
		}
	}
	return list
}

func sorted(m map[string]string) []report.KeyValue {
	var list []report.KeyValue
	for k, v := range m {
		list = append(list, report.KeyValue{Key: k, Value: v})
	}
	slices.SortFunc(list, func(a, b report.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// writeReport writes the report's files, each replaced whole, and removes those of an earlier
// report that this one does not have, such as the table of incomplete cells.
func writeReport(doc *report.Document, dir string) error {
	files, err := doc.Files()
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		written[path] = true
		tmp := path + ".tmp"
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(tmp, f.Data, 0o644))
		if err == nil {
			err = os.Rename(tmp, path)
		}
		if err != nil {
			return fmt.Errorf("write report: %w\nthe results are kept: `bench report %s` makes it again", err, filepath.Dir(dir))
		}
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || written[path] {
			return err
		}
		return os.Remove(path)
	})
}
