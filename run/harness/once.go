package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/mine"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/validate"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// witnessTimeout bounds a witness that does not say what it needs.
const witnessTimeout = 10 * time.Second

// Prove validates bugs by their witnesses, which run in that sandbox, and tells of its progress on e.Stderr. Of the proof
// the caller sets Edition and Runs.
func (e *Env) Prove(ctx context.Context, bench *lisabench.Bench, chosen []validate.Choice, proof *validate.Proof, sandbox string) (all []validate.Result, err error) {
	err = e.InWorkshop(ctx, bench, Workplace{Sandbox: sandbox, Limits: workshop.TestLimits(witnessTimeout)}, func(shop *workshop.Workshop) error {
		proof.Out = e.Stderr
		proof.Open = func(ctx context.Context, l *lisabench.Library) (validate.Builds, validate.Runner, error) {
			lib, err := shop.Open(ctx, l.Name, proof.Edition)
			if err != nil {
				return nil, nil, err
			}
			if len(l.Bugs) == 0 { // its builds are all that can be validated
				_, err = lib.Coverage(ctx)
			}
			return lib, lib.Engine, err
		}
		all, err = proof.All(ctx, chosen)
		return err
	})
	return all, err
}

// Mine says where fixes are looked for.
type Mine struct {
	Library    string
	Edition    lisabench.Edition
	Since      string // YYYY-MM-DD
	Repository string // a git repository with upstream's history; "": upstream's, which is fetched
}

// Mined is the JSON form of bench mine.
type Mined struct {
	Schema  int           `json:"schema"` // 1
	Corpus  string        `json:"corpus"` // version
	Library string        `json:"library"`
	Edition string        `json:"edition"`
	Since   string        `json:"since"`
	Left    mine.Count    `json:"left"` // commits after each filter
	Commits []mine.Commit `json:"commits"`
}

// Mine walks the history of a library's upstream and returns the commits that may be fixes.
func (e *Env) Mine(ctx context.Context, m Mine) (*Mined, error) {
	if _, err := time.Parse(time.DateOnly, m.Since); err != nil {
		return nil, Usagef("--since %q: not a day as in 2026-01-01", m.Since)
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	lib, err := bench.Library(m.Library)
	switch {
	case err != nil:
		return nil, &UsageError{err}
	case !m.Edition.Known() || !lib.Has(m.Edition):
		return nil, Usagef("library %s has no edition %q", m.Library, m.Edition)
	}
	found := &Mined{Schema: 1, Corpus: bench.Version, Library: m.Library, Edition: string(m.Edition), Since: m.Since}
	return found, e.InWorkshop(ctx, bench, Workplace{Sandbox: "none"}, func(shop *workshop.Workshop) error {
		s := mine.Search{Git: m.Repository, Since: m.Since, Library: lib, Edition: m.Edition, Sources: shop.Sources, Builder: shop.Builder,
			Tell: func(format string, args ...any) { fmt.Fprintf(e.Stderr, format+"\n", args...) }}
		if s.Git == "" {
			if s.Git, err = shop.Sources.History(ctx, lib); err != nil {
				return err
			}
		}
		if s.Reference, err = shop.Sources.Reference(ctx, lib, m.Edition); err != nil {
			return err
		}
		found.Commits, found.Left, err = s.Commits(ctx)
		return err
	})
}

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
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return "", nil, err
	}
	file = knowledge.File(dir, library.Name)
	place := Workplace{Sandbox: exp.Sandbox, KeyEnv: keyEnv(exp), Limits: workshop.TestLimits(exp.Test.Timeout)}
	err = e.InWorkshop(ctx, bench, place, func(shop *workshop.Workshop) (err error) {
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
func (k Knowledge) library(exp *experiments.Experiment) (l experiments.LibrarySpec, err error) {
	var names []string
	for _, l := range exp.Libraries {
		if l.Name == k.Library || k.Library == "" && len(exp.Libraries) == 1 {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if k.Library == "" {
		return l, Usagef("--library LIBRARY is required: the experiment has %d libraries", len(names))
	}
	return l, lisabench.NewUnknownError("library of the experiment", k.Library, names)
}

// Suspicions returns the suspicions of a run directory, ranked.
func Suspicions(run string) ([]results.RankedSuspicion, error) {
	data, err := results.Load(run)
	if err != nil {
		return nil, err
	}
	return results.RankSuspicions(data.Records(), func(c trial.Cell, file string) (string, error) {
		text, err := os.ReadFile(filepath.Join(run, "cells", c.ID(), file))
		return string(text), err
	})
}

// An Against says on which version suspicions are run.
type Against struct {
	Version string // an edition, a commit or tag of the upstream, or a directory of source
	Earlier bool   // it is older than the run's own
	Sandbox string // one of experiments.Sandboxes
	Runs    int    // of each program on each of both versions
	Timeout time.Duration
}

// Compare runs suspicions of one library and edition on their reference and on another version, each stand-alone, and
// saves the comparison in the run's directory. It returns it with the shared library of that version.
func (e *Env) Compare(ctx context.Context, run string, list []results.RankedSuspicion, a Against) (c trial.Comparison, sharedLib string, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return c, "", err
	}
	err = e.InWorkshop(ctx, bench, Workplace{Sandbox: a.Sandbox, Limits: workshop.TestLimits(a.Timeout)}, func(shop *workshop.Workshop) error {
		cell := list[0].Cell
		lib, err := shop.Open(ctx, cell.Library, lisabench.Edition(cell.Edition))
		if err != nil {
			return err
		}
		other, id, err := lib.Other(ctx, a.Version)
		if err != nil {
			return err
		}
		sharedLib = other.SharedLib
		c = trial.Comparison{Library: cell.Library, Edition: cell.Edition, Version: filepath.Base(a.Version), ID: id, Earlier: a.Earlier}
		for _, s := range list {
			text, err := os.ReadFile(filepath.Join(run, "cells", s.Cell.ID(), s.Program))
			if err != nil {
				return err
			}
			p := trial.Program{ID: s.ID, Lang: lib.Spec.Language, Source: string(text)}
			var ran [2][]trial.Result
			for i, b := range []*libbuild.Build{lib.Plain, other} {
				if ran[i], err = lib.Engine.Plain(ctx, b, p, testrun.PlainOptions{Runs: a.Runs, Stdout: true}); err != nil {
					return err
				}
			}
			change := suspicion.Judge(s.Suspicion, ran[0], ran[1], a.Earlier)
			change.Cell, change.Rank = s.Cell.ID(), s.Rank
			c.Changes = append(c.Changes, change)
		}
		return results.SaveComparison(run, c)
	})
	return c, sharedLib, err
}

// ByLibrary groups suspicions by library and edition, in the order of rank.
func ByLibrary(list []results.RankedSuspicion) [][]results.RankedSuspicion {
	return lists.Group(list, func(s results.RankedSuspicion) [2]string {
		return [2]string{s.Cell.Library, s.Cell.Edition}
	})
}
