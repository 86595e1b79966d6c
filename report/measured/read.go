package measured

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
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
	run.addProvenance(data, exp)
	run.askModels(exp, plan, stages)
	if run.Against, err = results.LoadComparisons(dir); err != nil {
		return Run{}, err
	}
	for _, c := range data.Cells {
		switch {
		case c.Reused != "": // and who answered its models
			run.add("Reused cells", c.Cell.ID(), strings.TrimSuffix("of the run "+c.Reused+", answered by "+c.Record.Answers,
				", answered by "))
		case c.Cell.Tool == experiments.KnowledgeTool && c.Record != nil:
			u := c.Record.Usage
			run.add("Knowledge bases", c.Cell.Library+" "+c.Cell.Edition,
				fmt.Sprintf("%d LLM calls, %d tokens, $%.4f; %s", u.LLMCalls, u.Tokens, u.Dollars, c.Record.Stop))
		case c.Cell.Tool == experiments.KnowledgeTool:
			run.add("Knowledge bases", c.Cell.Library+" "+c.Cell.Edition,
				"incomplete: "+c.Incomplete.Kind+": "+c.Incomplete.Message)
		}
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
		if x, err := strconv.ParseFloat(fmt.Sprint(value), 64); err == nil {
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
			list = append(list, BugInfo{Library: l.Name, ID: id, Title: bug.Title,
				Selection: string(bug.Selection), Date: bug.Date, Witness: bug.Witness.Source, Diff: map[string]string{
					string(lisabench.Debian): bug.Debian.Diff(), string(lisabench.Upstream): bug.Upstream.Diff()}})
		}
	}
	return list, nil
}

// commandOf is the command that makes such a run again. Where it wrote to and how many
// cells it worked on at once changes no result and is left out.
func commandOf(exp experiments.Experiment) string {
	if len(exp.Tools) > 0 && exp.Tools[0].Name == experiments.SuiteTool {
		return fmt.Sprintf("bench evaluate --library %s --edition %s --suite DIR", exp.Libraries[0].Name,
			exp.Libraries[0].Edition)
	}
	return "bench run experiment.yaml --dir ."
}

func (r *Run) add(of, name, value string) {
	r.Provenance = append(r.Provenance, Origin{of, name, value})
}

// addProvenance says what a run was made with. Nothing in it may depend on a clock: reports of
// equal results are equal.
func (r *Run) addProvenance(data *results.Data, exp experiments.Experiment) {
	m := data.Manifest
	r.add("Run", "bench", m.Bench)
	r.add("Run", "corpus", m.Corpus)
	r.add("Run", "seed", fmt.Sprint(m.Seed))
	r.add("Run", "sandbox", exp.Sandbox)
	r.add("Run", "test timeout", exp.Test.Timeout.String())
	r.add("Run", "repeats", fmt.Sprint(exp.Test.Repeats))
	r.add("Run", "again", commandOf(exp)+", in the run directory")
	r.add("Machine", "cpu", fmt.Sprintf("%d × %s", m.Host.CPUs, m.Host.CPU))
	r.add("Machine", "os", strings.TrimSpace(m.Host.OS+"/"+m.Host.Arch+" "+m.Host.Kernel))
	for _, name := range slices.Sorted(maps.Keys(m.Sources)) {
		r.add("Sources", name, m.Sources[name])
	}
	for _, name := range slices.Sorted(maps.Keys(m.Tools)) {
		r.add("Programs", name, m.Tools[name])
	}
}

// askModels notes the models that each tool asks and their latest cutoffs, how each stage asked, and what
// each model cost. Where the answers came from is left out: a replay's report is that of the run.
func (r *Run) askModels(exp experiments.Experiment, plan experiments.Plan, stages Stages) {
	if exp.LLM == nil {
		return
	}
	var asking []Origin
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
			asking = append(asking, Origin{"Models", stage, s.String()})
		}
		r.Models[name] = strings.Join(asked, " + ")
	}
	slices.SortFunc(asking, func(x, y Origin) int { return strings.Compare(x.Name+x.Value, y.Name+y.Value) })
	r.Provenance = append(r.Provenance, slices.Compact(asking)...)
	for _, p := range exp.LLM.Prices {
		if p.Input != nil && p.Output != nil {
			r.add("Models", "price of "+p.Model, fmt.Sprintf("$%g input, $%g output per million tokens", *p.Input, *p.Output))
		}
	}
}
