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
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/tools/exttool"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// Read reads a run directory, which may be of a run that is under way. The bench describes the bugs, and
// stages returns the parts of a tool that ask a model.
func Read(dir string, bench *lisabench.Bench, stages func(exp *experiments.Experiment, tool string) []string) (Run, error) {
	data, exp, err := load(dir)
	if err != nil {
		return Run{}, err
	}
	run := Run{
		Experiment: exp.Name, Command: commandOf(exp), Timed: exp.Timed(),
		Evaluate:   fmt.Sprintf("--sandbox %s --timeout %s --repeats %d", exp.Sandbox, exp.Test.Timeout, exp.Test.Repeats),
		Provenance: provenance(data, exp, stages), Budgets: budgetsOf(exp),
		Sources: func(cellID, file string) (string, error) {
			text, err := os.ReadFile(filepath.Join(dir, "cells", cellID, filepath.Clean("/"+file)))
			return string(text), err
		},
	}
	run.Models, run.Cutoffs = modelsOf(exp, stages)
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
	for _, l := range exp.AllLibraries() {
		lib, err := bench.Library(l.Name)
		if err != nil {
			return Run{}, otherCorpus(err, data.Manifest, bench)
		}
		for _, id := range l.Bugs {
			if slices.ContainsFunc(run.Bugs, func(b BugInfo) bool { return b.Library == l.Name && b.ID == id }) {
				continue // of another edition of the library
			}
			bug, err := lib.Bug(id)
			if err != nil {
				return Run{}, otherCorpus(err, data.Manifest, bench)
			}
			run.Bugs = append(run.Bugs, BugInfo{Library: l.Name, ID: id, Title: bug.Title,
				Defect: bug.Defect, Selection: string(bug.Selection), Fix: bug.Fix, Date: bug.Date,
				Diff: map[string]string{string(lisabench.Debian): bug.Debian.Diff(), string(lisabench.Upstream): bug.Upstream.Diff()}})
		}
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
	if len(exp.Tools) > 0 && exp.Tools[0].Name == (exttool.Directory{}).Name() {
		return fmt.Sprintf("bench evaluate --library %s --edition %s --suite DIR", exp.Libraries[0].Name, exp.Libraries[0].Edition)
	}
	return "bench run experiment.yaml --dir ."
}

// provenance says what a run was made with. Nothing in it may depend on a clock: reports of
// equal results are equal.
func provenance(data *results.Data, exp experiments.Experiment, stages func(*experiments.Experiment, string) []string) []Facts {
	m := data.Manifest
	facts := []Facts{
		{Title: "Run", Entries: []KeyValue{
			{Key: "bench", Value: m.Bench}, {Key: "corpus", Value: m.Corpus}, {Key: "seed", Value: fmt.Sprint(m.Seed)},
			{Key: "sandbox", Value: exp.Sandbox}, {Key: "test timeout", Value: exp.Test.Timeout.String()},
			{Key: "repeats", Value: fmt.Sprint(exp.Test.Repeats)},
			{Key: "again", Value: commandOf(exp) + ", in the run directory"},
		}},
		{Title: "Machine", Entries: []KeyValue{
			{Key: "cpu", Value: fmt.Sprintf("%d × %s", m.Host.CPUs, m.Host.CPU)},
			{Key: "os", Value: strings.TrimSpace(m.Host.OS + "/" + m.Host.Arch + " " + m.Host.Kernel)},
		}},
		{Title: "Sources", Entries: sortedFacts(m.Sources)},
		{Title: "Programs", Entries: sortedFacts(m.Tools)},
	}
	if bases := knowledgeBases(data); len(bases) > 0 {
		facts = append(facts, Facts{Title: "Knowledge bases", Entries: bases})
	}
	if exp.LLM != nil {
		facts = append(facts, Facts{Title: "Models", Entries: models(exp, stages)})
	}
	return facts
}

// modelsOf names the models that each tool asks, in the order of its stages, and their latest cutoff.
func modelsOf(exp experiments.Experiment, stages func(*experiments.Experiment, string) []string) (models, cutoffs map[string]string) {
	models, cutoffs = map[string]string{}, map[string]string{}
	for _, c := range exp.Plan().Cells {
		tool := contender{c.Tool, c.Variant}.String()
		if _, known := models[tool]; known || exp.LLM == nil {
			continue
		}
		var names []string
		config := exp.LLM.With(c.Model)
		for _, stage := range stages(&exp, c.Tool) {
			s := config.For(stage)
			if !slices.Contains(names, s.Model) {
				names = append(names, s.Model)
			}
			cutoffs[tool] = max(cutoffs[tool], s.Cutoff)
		}
		models[tool] = strings.Join(names, " + ")
	}
	return models, cutoffs
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

// models says how each stage asked and what its model cost. Where the answers came from is left
// out: a replay's report is that of the run.
func models(exp experiments.Experiment, stages func(*experiments.Experiment, string) []string) []KeyValue {
	chosen := map[string][]string{} // by tool: its cells' models
	for _, c := range exp.Plan().Cells {
		if !slices.Contains(chosen[c.Tool], c.Model) {
			chosen[c.Tool] = append(chosen[c.Tool], c.Model)
		}
	}
	var list []KeyValue
	var names, external []string
	for _, t := range exp.Tools {
		if t.IsExternal() {
			external = append(external, t.Name)
		} else {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	for _, name := range append(names, external...) {
		for _, model := range chosen[name] {
			config := exp.LLM.With(model)
			for _, stage := range stages(&exp, name) {
				entry := KeyValue{Key: stage, Value: settingsText(config.For(stage))}
				if !slices.Contains(list, entry) {
					list = append(list, entry)
				}
			}
		}
	}
	for _, p := range exp.LLM.Prices {
		if p.Input != nil && p.Output != nil {
			list = append(list, KeyValue{Key: "price of " + p.Model, Value: fmt.Sprintf("$%g input, $%g output per million tokens", *p.Input, *p.Output)})
		}
	}
	return list
}

// settingsText says how a stage asks.
func settingsText(s llm.Settings) string {
	words := []string{s.Model}
	if s.Temperature != nil {
		words = append(words, fmt.Sprintf("temperature %g", *s.Temperature))
	}
	if s.Seed != nil {
		words = append(words, fmt.Sprintf("seed %d", *s.Seed))
	}
	if s.Cutoff != "" {
		words = append(words, "training data up to "+s.Cutoff)
	}
	if s.ReasoningEffort != "" {
		words = append(words, "reasoning effort "+s.ReasoningEffort)
	}
	if s.MaxTokens > 0 {
		words = append(words, fmt.Sprintf("at most %d tokens", s.MaxTokens))
	}
	return strings.Join(words, ", ")
}

func sortedFacts(m map[string]string) []KeyValue {
	var list []KeyValue
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, KeyValue{Key: k, Value: m[k]})
	}
	return list
}
