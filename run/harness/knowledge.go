package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// Knowledge says which contracts are looked for.
type Knowledge struct {
	Experiment    string   // whose model, budget of one cell, and sandbox are used
	Set           []string // its overrides
	Library       string   // of the experiment; "" if it has only one
	APIs          []string // whose documents are read; none for those of all
	SkipDocuments bool     // read no documents
	Programs      string   // directory of programs to observe; "" for none
	Dir           string   // of the libraries' files
}

// BuildKnowledge adds contracts to a library's file, and returns the file and what is in it. What was
// found before an error is kept.
func (e *Env) BuildKnowledge(ctx context.Context, k Knowledge) (file string, base *knowledge.Base, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return "", nil, err
	}
	exp, err := Load(bench, k.Experiment, "", k.Set)
	if err != nil {
		return "", nil, err
	}
	library, err := k.library(exp)
	if err != nil {
		return "", nil, err
	}
	if exp.LLM == nil && !k.SkipDocuments {
		return "", nil, Usagef("%s has no llm block, so no model can read the documents; use --no-documents --sequences DIR to observe calls only", k.Experiment)
	}
	if k.SkipDocuments && k.Programs == "" {
		return "", nil, Usagef("--no-documents needs --sequences DIR: otherwise there is nothing to do")
	}
	var programs []trial.Program
	if k.Programs != "" {
		if programs, err = (exttool.Directory{Path: k.Programs}).Programs(); err != nil {
			return "", nil, &UsageError{err}
		}
	}
	dir, err := filepath.Abs(k.Dir)
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", nil, err
	}
	file = knowledge.File(dir, library.Name)
	place := Workplace{Sandbox: exp.Sandbox, KeyEnv: keyEnv(exp), Limits: workshop.TestLimits(exp.Test.Timeout)}
	err = e.inWorkshop(ctx, bench, place, func(shop *workshop.Workshop) (err error) {
		job, err := shop.Prepare(ctx, runner.Library{Name: library.Name, Edition: string(library.Edition)}, trial.Needs{})
		if err != nil {
			return err
		}
		spec, err := apispec.Load(ctx, shop.Compiler, job.Target)
		if err != nil {
			return err
		}
		b := &knowledge.Builder{Target: job.Target, Spec: spec, Exec: job.Exec, Log: e.Log}
		names, err := b.APIs(k.APIs)
		if err != nil {
			return err
		}
		if k.SkipDocuments {
			names = nil
		}
		if exp.LLM != nil {
			models, err := provider.Open(*exp.LLM, e.Getenv, e.Log)
			if err != nil {
				return &UsageError{err}
			}
			if b.Model, err = models.Session("knowledge."+library.Name, llm.SessionOptions{
				Transcript: filepath.Join(dir, library.Name+".transcript.jsonl"), Config: map[string]string{"knowledge": library.Name, "version": knowledgeBase.Version()},
				Ledger: trial.NewLedger(exp.Budget, trial.Usage{}, e.Now),
			}); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Model.Close()) }()
		}
		base, err = b.Build(ctx, file, names, programs)
		return err
	})
	return file, base, err
}

// library returns the one of the experiment that is named.
func (k Knowledge) library(exp *experiments.Experiment) (experiments.LibrarySpec, error) {
	var names []string
	for _, l := range exp.Libraries {
		if l.Name == k.Library || k.Library == "" && len(exp.Libraries) == 1 {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if k.Library == "" {
		return experiments.LibrarySpec{}, Usagef("--library LIBRARY is required: the experiment has %d libraries", len(names))
	}
	return experiments.LibrarySpec{}, lisabench.NewUnknownError("library of the experiment", k.Library, names)
}
