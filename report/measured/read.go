package measured

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
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/results"
)

// Stages returns the parts of a tool that ask a model.
type Stages func(exp *experiments.Experiment, tool string) []string

// Read reads a run directory, which may be of a run that is under way. The bench describes the bugs.
func Read(dir string, bench *lisabench.Bench, stages Stages) (Run, error) {
	data, err := results.Load(dir)
	if err != nil {
		return Run{}, err
	}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(data.Experiment, &exp); err != nil {
		return Run{}, fmt.Errorf("%s: %w", filepath.Join(dir, "experiment.yaml"), err)
	}
	run := Run{
		Experiment: exp.Name, Command: commandOf(exp), Timed: exp.Timed(), Budgets: map[string]trial.Budget{},
		Evaluate: fmt.Sprintf("--sandbox %s --timeout %s --repeats %d", exp.Sandbox, exp.Test.Timeout, exp.Test.Repeats),
		Sources: func(cellID, file string) (string, error) {
			text, err := os.ReadFile(filepath.Join(dir, "cells", cellID, filepath.Clean("/"+file)))
			return string(text), err
		},
		Turns: func(c trial.Cell) ([]llm.Entry, error) {
			if !exp.IsAgent(c.Tool) {
				return nil, nil
			}
			return llm.ReadTranscript(filepath.Join(dir, "cells", c.ID(), llm.TranscriptFile))
		},
		Models: map[string]string{}, Cutoffs: map[string]string{}, Params: map[string]map[string]float64{},
	}
	plan := exp.Plan()
	for _, c := range plan.Cells {
		run.Budgets[c.ID()] = plan.Whole(c)
		run.Params[ToolOf(c.Cell).String()] = numbers(c.Params)
	}
	models := run.askModels(exp, plan, stages)
	run.Provenance = provenanceOf(data, exp, models)
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
	if run.Bugs, err = bugsOf(exp, bench); err != nil && data.Manifest.Corpus != bench.Version {
		err = fmt.Errorf("%w\nthe run used corpus %s, this bench has %s: use the same, and the same --bench-dir if it has "+
			"libraries or bugs from elsewhere", err, data.Manifest.Corpus, bench.Version)
	}
	return run, err
}

// numbers returns the parameters that are numbers.
func numbers(params map[string]any) map[string]float64 {
	all := map[string]float64{}
	for name, value := range params {
		switch x := value.(type) {
		case int:
			all[name] = float64(x)
		case float64:
			all[name] = x
		}
	}
	return all
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
			list = append(list, BugInfo{Library: l.Name, ID: id, Title: bug.Title, Defect: bug.Defect,
				Selection: string(bug.Selection), Fix: bug.Fix, Date: bug.Date, Witness: bug.Witness.Source, Diff: map[string]string{
					string(lisabench.Debian): bug.Debian.Diff(), string(lisabench.Upstream): bug.Upstream.Diff()}})
		}
	}
	return list, nil
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
func provenanceOf(data *results.Data, exp experiments.Experiment, models []doc.KeyValue) []Facts {
	m := data.Manifest
	facts := []Facts{
		{"Run", []doc.KeyValue{
			doc.Fact("bench", m.Bench), doc.Fact("corpus", m.Corpus), doc.Fact("seed", fmt.Sprint(m.Seed)),
			doc.Fact("sandbox", exp.Sandbox), doc.Fact("test timeout", exp.Test.Timeout.String()),
			doc.Fact("repeats", fmt.Sprint(exp.Test.Repeats)), doc.Fact("again", commandOf(exp)+", in the run directory"),
		}},
		{"Machine", []doc.KeyValue{
			doc.Fact("cpu", fmt.Sprintf("%d × %s", m.Host.CPUs, m.Host.CPU)),
			doc.Fact("os", strings.TrimSpace(m.Host.OS+"/"+m.Host.Arch+" "+m.Host.Kernel)),
		}},
		{"Sources", sortedFacts(m.Sources)},
		{"Programs", sortedFacts(m.Tools)},
		{"Knowledge bases", knowledgeBases(data)},
		{"Models", models},
		{"Reused cells", reusedCells(data)},
	}
	return lists.Filter(facts, func(f Facts) bool { return len(f.Entries) > 0 })
}

func sortedFacts(m map[string]string) []doc.KeyValue {
	var list []doc.KeyValue
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, doc.Fact(k, m[k]))
	}
	return list
}

// reusedCells names the cells that were copied from other runs, and who answered their models.
func reusedCells(data *results.Data) []doc.KeyValue {
	var list []doc.KeyValue
	for _, c := range data.Cells {
		if c.Reused != "" {
			answers := ""
			if c.Record.Answers != "" {
				answers = ", answered by " + c.Record.Answers
			}
			list = append(list, doc.Fact(c.Cell.ID(), "of the run "+c.Reused+answers))
		}
	}
	return list
}

// knowledgeBases says what each knowledge base of the run cost, or why it is not there.
func knowledgeBases(data *results.Data) []doc.KeyValue {
	var list []doc.KeyValue
	for _, c := range data.Cells {
		if c.Cell.Tool != experiments.KnowledgeTool {
			continue
		}
		cost := ""
		if r := c.Record; r != nil {
			cost = fmt.Sprintf("%d LLM calls, %d tokens, $%.4f; %s", r.Usage.LLMCalls, r.Usage.Tokens, r.Usage.Dollars, r.Stop)
		} else {
			cost = "incomplete: " + c.Incomplete.Kind + ": " + c.Incomplete.Message
		}
		list = append(list, doc.Fact(c.Cell.Library+" "+c.Cell.Edition, cost))
	}
	return list
}

// askModels notes the models that each tool asks and their latest cutoffs, and returns how each stage asked, and what
// each model cost. Where the answers came from is left out: a replay's report is that of the run.
func (r *Run) askModels(exp experiments.Experiment, plan experiments.Plan, stages Stages) (facts []doc.KeyValue) {
	if exp.LLM == nil {
		return nil
	}
	for _, c := range plan.Cells {
		name := ToolOf(c.Cell).String()
		if _, known := r.Models[name]; known {
			continue
		}
		var asked []string
		for _, stage := range stages(&exp, c.Tool) {
			s := exp.LLM.With(c.Model).For(stage)
			if !slices.Contains(asked, s.Model) {
				asked = append(asked, s.Model)
			}
			r.Cutoffs[name] = max(r.Cutoffs[name], s.Cutoff)
			if fact := doc.Fact(stage, s.String()); !slices.Contains(facts, fact) {
				facts = append(facts, fact)
			}
		}
		r.Models[name] = strings.Join(asked, " + ")
	}
	slices.SortFunc(facts, func(x, y doc.KeyValue) int { return strings.Compare(x.Key+x.Value, y.Key+y.Value) })
	for _, p := range exp.LLM.Prices {
		if p.Input != nil && p.Output != nil {
			facts = append(facts, doc.Fact("price of "+p.Model,
				fmt.Sprintf("$%g input, $%g output per million tokens", *p.Input, *p.Output)))
		}
	}
	return facts
}
