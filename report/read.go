package report

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// Stages returns the parts of a tool that ask a model.
type Stages func(exp *experiments.Experiment, tool string) []string

// Read reads a run directory, which may be of a run that is under way. The bench describes the bugs.
func Read(dir string, bench *lisabench.Bench, stages Stages) (Run, error) {
	data, exp, err := load(dir)
	if err != nil {
		return Run{}, err
	}
	run := Run{
		Experiment: exp.Name, Command: commandOf(exp), Timed: exp.Timed(), Budgets: budgetsOf(exp),
		Evaluate: fmt.Sprintf("--sandbox %s --timeout %s --repeats %d", exp.Sandbox, exp.Test.Timeout, exp.Test.Repeats),
		Sources: func(cellID, file string) (string, error) {
			text, err := os.ReadFile(filepath.Join(dir, "cells", cellID, filepath.Clean("/"+file)))
			return string(text), err
		},
	}
	models := modelsOf(exp, stages)
	run.Models, run.Cutoffs = models.names, models.cutoffs
	run.Provenance = provenanceOf(data, exp, models.facts)
	if run.Against, err = results.LoadComparisons(dir); err != nil {
		return Run{}, err
	}
	for _, c := range data.Cells {
		if c.Cell.Tool == experiments.KnowledgeTool { // it makes no tests: no table has a row for it
			continue
		}
		run.Planned = append(run.Planned, c.Cell)
		if c.Record != nil {
			run.Cells = append(run.Cells, *c.Record)
		} else {
			run.Incomplete = append(run.Incomplete, *c.Incomplete)
		}
	}
	if run.Bugs, err = bugsOf(exp, bench); err != nil {
		return Run{}, otherCorpus(err, data.Manifest, bench)
	}
	return run, nil
}

// load reads a run directory and its experiment.
func load(dir string) (data *results.Data, exp experiments.Experiment, err error) {
	if data, err = results.Load(dir); err != nil {
		return nil, exp, err
	}
	if err := yaml.Unmarshal(data.Experiment, &exp); err != nil {
		return nil, exp, fmt.Errorf("%s: %w", filepath.Join(dir, "experiment.yaml"), err)
	}
	return data, exp, nil
}

// bugsOf describes the bugs of an experiment, each library's once.
func bugsOf(exp experiments.Experiment, bench *lisabench.Bench) ([]BugInfo, error) {
	var list []BugInfo
	for _, l := range exp.AllLibraries() {
		lib, err := bench.Library(l.Name)
		if err != nil {
			return nil, err
		}
		for _, id := range l.Bugs {
			if slices.ContainsFunc(list, func(b BugInfo) bool { return b.Library == l.Name && b.ID == id }) {
				continue // of another edition of the library
			}
			bug, err := lib.Bug(id)
			if err != nil {
				return nil, err
			}
			list = append(list, BugInfo{Library: l.Name, ID: id, Title: bug.Title, Defect: bug.Defect, Selection: string(bug.Selection), Fix: bug.Fix, Date: bug.Date,
				Diff: map[string]string{string(lisabench.Debian): bug.Debian.Diff(), string(lisabench.Upstream): bug.Upstream.Diff()}})
		}
	}
	return list, nil
}

// budgetsOf returns the budget of each cell that an experiment plans, by its ID, with that of the seeds
// that another cell makes for it.
func budgetsOf(exp experiments.Experiment) map[string]trial.Budget {
	all := map[string]trial.Budget{}
	plan := exp.Plan()
	for _, c := range plan.Cells {
		all[c.ID()] = plan.Whole(c)
	}
	return all
}

// otherCorpus adds to an error about a name that the run was made with another corpus, if so.
func otherCorpus(err error, m results.Manifest, bench *lisabench.Bench) error {
	switch {
	case m.Corpus == "" || m.Corpus == bench.Version:
		return err
	case strings.Contains(m.Corpus, "+local."):
		return fmt.Errorf("%w\nthe run used libraries or bugs from elsewhere: use the same --bench-dir", err)
	}
	return fmt.Errorf("%w\nthe run used corpus %s, this bench has %s", err, m.Corpus, bench.Version)
}

// commandOf is the command that makes such a run again. Where it wrote to and how many
// cells it worked on at once changes no result and is left out.
func commandOf(exp experiments.Experiment) string {
	if len(exp.Tools) > 0 && exp.Tools[0].Name == experiments.SuiteTool {
		return fmt.Sprintf("bench evaluate --library %s --edition %s --suite DIR", exp.Libraries[0].Name, exp.Libraries[0].Edition)
	}
	return "bench run experiment.yaml --dir ."
}

// provenanceOf says what a run was made with. Nothing in it may depend on a clock: reports of
// equal results are equal.
func provenanceOf(data *results.Data, exp experiments.Experiment, models []KeyValue) []Facts {
	m := data.Manifest
	facts := []Facts{
		{"Run", []KeyValue{
			{"bench", m.Bench}, {"corpus", m.Corpus}, {"seed", fmt.Sprint(m.Seed)}, {"sandbox", exp.Sandbox},
			{"test timeout", exp.Test.Timeout.String()}, {"repeats", fmt.Sprint(exp.Test.Repeats)}, {"again", commandOf(exp) + ", in the run directory"},
		}},
		{"Machine", []KeyValue{
			{"cpu", fmt.Sprintf("%d × %s", m.Host.CPUs, m.Host.CPU)},
			{"os", strings.TrimSpace(m.Host.OS + "/" + m.Host.Arch + " " + m.Host.Kernel)},
		}},
		{"Sources", sortedFacts(m.Sources)},
		{"Programs", sortedFacts(m.Tools)},
		{"Knowledge bases", knowledgeBases(data)},
		{"Models", models},
	}
	return slices.DeleteFunc(facts, func(f Facts) bool { return len(f.Entries) == 0 })
}

func sortedFacts(m map[string]string) []KeyValue {
	var list []KeyValue
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, KeyValue{k, m[k]})
	}
	return list
}

// knowledgeBases says what each knowledge base of the run cost, or why it is not there.
func knowledgeBases(data *results.Data) []KeyValue {
	var list []KeyValue
	for _, c := range data.Cells {
		if c.Cell.Tool != experiments.KnowledgeTool {
			continue
		}
		entry := KeyValue{Key: c.Cell.Library + " " + c.Cell.Edition}
		if r := c.Record; r != nil {
			entry.Value = fmt.Sprintf("%d LLM calls, %d tokens, $%.4f; %s", r.Usage.LLMCalls, r.Usage.Tokens, r.Usage.Dollars, r.Stop)
		} else {
			entry.Value = "incomplete: " + c.Incomplete.Kind + ": " + c.Incomplete.Message
		}
		list = append(list, entry)
	}
	return list
}

// A models says what a run asked. Where the answers came from is left out: a replay's report is that of the run.
type models struct {
	names   map[string]string // the models that each tool asks, by its name as in tables
	cutoffs map[string]string // their latest cutoffs
	facts   []KeyValue        // how each stage asked, and what each model cost
}

func modelsOf(exp experiments.Experiment, stages Stages) models {
	m := models{names: map[string]string{}, cutoffs: map[string]string{}}
	if exp.LLM == nil {
		return m
	}
	for _, c := range exp.Plan().Cells {
		name := tool{c.Tool, c.Variant}.String()
		if _, known := m.names[name]; known {
			continue
		}
		var asked []string
		for _, stage := range stages(&exp, c.Tool) {
			s := exp.LLM.With(c.Model).For(stage)
			if !slices.Contains(asked, s.Model) {
				asked = append(asked, s.Model)
			}
			m.cutoffs[name] = max(m.cutoffs[name], s.Cutoff)
			if fact := (KeyValue{stage, s.String()}); !slices.Contains(m.facts, fact) {
				m.facts = append(m.facts, fact)
			}
		}
		m.names[name] = strings.Join(asked, " + ")
	}
	slices.SortFunc(m.facts, func(x, y KeyValue) int { return strings.Compare(x.Key+x.Value, y.Key+y.Value) })
	for _, p := range exp.LLM.Prices {
		if p.Input != nil && p.Output != nil {
			m.facts = append(m.facts, KeyValue{"price of " + p.Model, fmt.Sprintf("$%g input, $%g output per million tokens", *p.Input, *p.Output)})
		}
	}
	return m
}
