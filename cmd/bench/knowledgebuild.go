package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/harness"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/runner"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
)

// knowledgeFlags are those of bench knowledge build.
type knowledgeFlags struct {
	set, apis               []string
	library, sequences, jar string
	skipDocuments           bool
}

func (a *app) knowledgeBuildCommand(dir *string) *cobra.Command {
	var f knowledgeFlags
	c := &cobra.Command{
		Use:   "build EXPERIMENT --library LIBRARY",
		Short: "Ask a model for the contracts in a library's documents, and mine those of observed calls",
		Long: `Asks the model of the experiment's llm block for the contracts that the documents of
a library promise, function by function. With --sequences DIR, also runs the programs
in DIR (such as the suite of a lisa-api cell) on the reference build, mines what held in
every call, and has the model judge it by the documents. What is in the library's file
already stays as it is. The budget is the experiment's, of one cell.`,
		Example: "  bench knowledge build my.yaml --library cJSON --sequences results/runs/my/cells/lisa-api.default.cJSON.debian.1/suite",
		Args:    exactArgs("EXPERIMENT"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.buildKnowledge(c.Context(), args[0], *dir, f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.library, "library", "", "library of the experiment (needed if it has several)")
	flags.StringArrayVar(&f.set, "set", nil, "override a key of the experiment (may be repeated)")
	flags.StringArrayVar(&f.apis, "api", nil, "only this function's documents (may be repeated)")
	flags.StringVar(&f.sequences, "sequences", "", "directory of programs to observe")
	flags.StringVar(&f.jar, "daikon", "", "daikon.jar to mine with, instead of the built-in miner (needs java)")
	flags.BoolVar(&f.skipDocuments, "no-documents", false, "ask for no contracts from documents")
	return c
}

func (a *app) buildKnowledge(ctx context.Context, name, dir string, f knowledgeFlags) (err error) {
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	exp, err := harness.Load(bench, name, "", f.set)
	if err != nil {
		return err
	}
	library, err := f.choose(exp)
	if err != nil {
		return err
	}
	if exp.LLM == nil && !f.skipDocuments {
		return harness.Usagef("%s has no llm block, so nobody can read the documents; with --no-documents --sequences DIR calls are observed only", name)
	}
	if f.skipDocuments && f.sequences == "" {
		return harness.Usagef("--no-documents without --sequences DIR leaves nothing to do")
	}
	var programs []trial.Program
	if f.sequences != "" {
		if programs, err = readPrograms(f.sequences); err != nil {
			return &harness.UsageError{Err: err}
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(dir, ".build-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if err := os.Chmod(scratch, 0o755); err != nil { // programs of another user are run from it
		return err
	}
	shop, err := a.Workshop(ctx, bench, harness.Workplace{Sandbox: exp.Sandbox, Scratch: scratch, Jobs: 1, KeyEnv: harness.KeyEnv(exp), Limits: subject.TestLimits(exp.Test.Timeout)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	prepared, err := shop.Prepare(ctx, runner.Subject{Library: library.Name, Edition: string(library.Edition)})
	if err != nil {
		return err
	}
	spec, err := apispec.Load(ctx, shop.Tools.Clang.Path, prepared.Target)
	if err != nil {
		return err
	}
	b := &knowledge.Builder{Target: prepared.Target, Spec: spec, Exec: prepared.Executor, Jar: f.jar, Compiler: shop.Compiler, Dir: scratch, Log: a.Log}
	return a.runBuilder(ctx, b, exp, dir, f, programs)
}

// runBuilder fills the library's file. What was found before an error is kept.
func (a *app) runBuilder(ctx context.Context, b *knowledge.Builder, exp *experiments.Experiment, dir string, f knowledgeFlags, programs []trial.Program) (err error) {
	library := b.Target.Library
	var names []string
	for _, fn := range b.Spec.APIs(b.Target.ExcludedAPIs) {
		names = append(names, fn.Canonical())
	}
	for _, api := range f.apis {
		if !slices.Contains(names, api) {
			return lisabench.NewUnknownError("function", api, names)
		}
	}
	if len(f.apis) > 0 {
		names = f.apis
	}
	if exp.LLM != nil {
		models, err := llm.Open(*exp.LLM, llm.Env{Getenv: a.Getenv, Now: a.Now, Seed: exp.Seed, Log: a.Log})
		if err != nil {
			return &harness.UsageError{Err: err}
		}
		if b.Model, err = models.Session("knowledge."+library, llm.SessionOptions{
			Transcript: filepath.Join(dir, library+".transcript.jsonl"), Config: map[string]string{"knowledge": library},
			Ledger: trial.NewLedger(exp.Budget, trial.Usage{}, a.Now),
		}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Model.Close()) }()
	}
	file := knowledge.File(dir, library)
	base, err := knowledge.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = &knowledge.Base{Library: library}, nil
	}
	if err != nil {
		return err
	}
	if !f.skipDocuments {
		if err := errors.Join(b.Documents(ctx, base, names), base.Save(file)); err != nil {
			return err
		}
	}
	if len(programs) > 0 {
		if err := errors.Join(b.Observe(ctx, base, programs), base.Save(file)); err != nil {
			return err
		}
	}
	counts := map[knowledge.Status]int{}
	for _, api := range base.APIs {
		for _, c := range api.Contracts {
			counts[c.Status]++
		}
	}
	fmt.Fprintf(a.stdout, "%s: %d accepted, %d rejected, %d open\n", file, counts[knowledge.Accepted], counts[knowledge.Rejected], counts[knowledge.Open])
	return nil
}

// choose returns the experiment's library of the flag.
func (f knowledgeFlags) choose(exp *experiments.Experiment) (experiments.Library, error) {
	var names []string
	for _, l := range exp.Libraries {
		if l.Name == f.library || f.library == "" && len(exp.Libraries) == 1 {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if f.library == "" {
		return experiments.Library{}, harness.Usagef("--library LIBRARY is needed: the experiment has %d", len(names))
	}
	return experiments.Library{}, lisabench.NewUnknownError("library of the experiment", f.library, names)
}

// readPrograms reads a directory of C and C++ programs.
func readPrograms(dir string) ([]trial.Program, error) {
	files, err := exttool.Directory{Path: dir}.Files()
	if err != nil {
		return nil, err
	}
	var list []trial.Program
	for _, file := range files {
		source, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		lang := trial.C
		switch filepath.Ext(file) {
		case ".c":
		case ".cc", ".cpp", ".cxx":
			lang = trial.CXX
		default:
			continue
		}
		list = append(list, trial.Program{ID: file, Lang: lang, Source: string(source)})
	}
	return list, nil
}
