package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/check/probe"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// probeStage is the stage under which models are probed.
const probeStage = "probe"

// Probe asks each model of a run which bugs it can name of each library of the run, and keeps prompts and answers
// there. What was asked before is answered from its transcript.
func (e *Env) Probe(ctx context.Context, run string, set []string) ([]probe.Probe, error) {
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	exp, err := Load(bench, filepath.Join(run, "experiment.yaml"), "", set)
	if err != nil {
		return nil, err
	}
	if exp.LLM == nil || !asksModels(exp) {
		return nil, Usagef("%s: none of its tools asks a model", run)
	}
	models, err := llm.Open(*exp.LLM, llm.Env{Getenv: e.Getenv, Now: e.Now, Seed: exp.Seed, Log: e.Log})
	if err != nil {
		return nil, &UsageError{err}
	}
	var list []probe.Probe
	for _, model := range askedModels(exp) {
		for _, s := range exp.Subjects() {
			library, err := bench.Library(s.Name)
			if err != nil {
				return nil, err
			}
			p, err := e.probe(ctx, run, models, model, library, s)
			if err != nil {
				return list, fmt.Errorf("%s on %s: %w", model, s.Name, err)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// askedModels are the models of an experiment's cells, in their order.
func askedModels(exp *experiments.Experiment) (list []string) {
	for _, c := range exp.Plan().Cells {
		if m := exp.LLM.With(c.Model).Model; len(Stages(exp, c.Tool)) > 0 && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// probe asks one model of one library.
func (e *Env) probe(ctx context.Context, run string, models *llm.Models, model string, library *lisabench.Library, s experiments.LibrarySpec) (p probe.Probe, err error) {
	dir := probe.Dir(run, s.Name, string(s.Edition), model)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return p, err
	}
	ledger := trial.NewLedger(trial.Budget{}, trial.Usage{}, e.Now)
	session, err := models.Session(filepath.Base(dir), llm.SessionOptions{
		Transcript: filepath.Join(dir, llm.TranscriptFile), Config: map[string]string{"protocol": probe.Protocol}, Model: model, Ledger: ledger,
	})
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	version := versionOf(library, s.Edition)
	p = probe.Probe{Protocol: probe.Protocol, Library: s.Name, Edition: string(s.Edition), Version: version, Model: model,
		Prompt: probe.Prompt(s.Name, library.Language, version)}
	answer, err := session.Complete(ctx, session.Request(probeStage, llm.Message{Role: "user", Content: p.Prompt}))
	if err != nil {
		return p, err
	}
	var bugs []*lisabench.Bug
	for _, id := range s.Bugs {
		b, err := library.Bug(id)
		if err != nil {
			return p, err
		}
		bugs = append(bugs, b)
	}
	p.Answer, p.Dollars = answer.Text, answer.Dollars
	p.Lines, p.Bugs = probe.Judge(p.Answer, bugs)
	return p, p.Save(dir)
}

// versionOf is what a model is told of a library's version.
func versionOf(library *lisabench.Library, e lisabench.Edition) string {
	if e.Base() == lisabench.Debian {
		return library.Debian.Version + " of Debian 12"
	}
	at := e.Commit()
	if at == "" {
		at = library.Upstream.Commit
	}
	return "of commit " + at
}
