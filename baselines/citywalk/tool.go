package citywalk

import (
	"context"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// A Tool is CITYWALK.
type Tool struct {
	Compiler *toolchain.Compiler // reads the headers and the library's sources
	Models   *llm.Models
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "citywalk" }

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string { return []string{stageTest, stageFix, stageEmbedding} }

// Version changes whenever the same seed and answers may give another suite or other prompts.
func (t *Tool) Version() string { return "2" }

// Generate fills the job's suite with one test file for each focal function, until all are done or
// the budget is used up.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	book, missing, err := t.read(ctx, job.Target, o)
	if err != nil {
		return "", err
	}
	if err := book.findGoogleTest(ctx, job.Exec); err != nil {
		return "", err
	}
	return genloop.Session(ctx, t.Models, job, job.Identity(t.Name(), t.Version()), func(model *llm.Session) (trial.StopReason, error) {
		p := &policy{workbook: book, job: job, model: model, embed: t.Models.HasOwnModel(stageEmbedding)}
		loop := &genloop.Loop[draft]{
			Job: job, Model: model, Prompts: prompts, Checker: p, Policy: p, Stages: []string{stageTest, stageFix},
		}
		if o.Fixing {
			loop.Repairs = 1
		}
		stop, err := loop.Run(ctx)
		g := loop.Generation()
		g.Passes, g.Notes = p.passes(g.Final.Programs), p.notes(missing)
		*job.Generation = g
		return stop, err
	})
}

// read looks at the library. missing are the functions without a definition.
func (t *Tool) read(ctx context.Context, target trial.Target, o options) (book *workbook, missing []string, err error) {
	spec, err := apispec.Load(ctx, t.Compiler, target)
	if err != nil {
		return nil, nil, err
	}
	p, err := readProject(target.SourceDir)
	if err != nil {
		return nil, nil, fmt.Errorf("citywalk: sources of %s: %w", target.Library, err)
	}
	focals, missing, err := p.focals(ctx, t.Compiler, target, spec)
	if err != nil {
		return nil, nil, err
	}
	if len(focals) == 0 {
		return nil, nil, fmt.Errorf("citywalk: no public function of %s is defined in %s", target.Library, target.SourceDir)
	}
	known := focals
	if focals, err = chosen(focals, o.Functions); err != nil {
		return nil, nil, fmt.Errorf("citywalk: %w", err)
	}
	config, err := p.readConfiguration(target.Library)
	return &workbook{target: target, options: o, project: p, config: config, focals: focals, known: known}, missing, err
}

// notes tell what a reader of the results must know.
func (p *policy) notes(missing []string) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if p.options.Intentions {
		how := fmt.Sprintf("by their words (BM25, k1 %g, b %g): no embedding model is configured", bm25K1, bm25B)
		if p.embed {
			how = "by embeddings (cosine)"
		}
		add("citywalk retrieves documents %s.", how)
	}
	if n := len(p.options.Functions); n > 0 {
		add("citywalk tests only the %d functions that the parameter functions names.", n)
	}
	if n := len(missing); n > 0 {
		add("citywalk does not test %d public functions whose definition is not in the library's tree: %s.", n, strings.Join(missing, ", "))
	}
	if p.googleTest() {
		add("citywalk writes GoogleTest files; one with a failed EXPECT is one failed test.")
	}
	return list
}
