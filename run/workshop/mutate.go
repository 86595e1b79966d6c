package workshop

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
)

// mutable returns the library with its mutants, and what runs programs on them.
func (l *OpenLibrary) mutable(ctx context.Context, log *slog.Logger) (*mutation.MutableLibrary, *mutation.Evaluator, error) {
	shop := l.shop
	maker, err := mutation.NewMaker(ctx, shop.Tools, shop.Builder, shop.Mutants, shop.Workers, log)
	if err != nil {
		return nil, nil, err
	}
	lib, err := maker.Make(ctx, l.request(l.Tree, libbuild.Plain))
	if err != nil {
		return nil, nil, err
	}
	driver, err := mutation.BuildDriver(ctx, shop.Tools, shop.Mutants)
	if err != nil {
		return nil, nil, err
	}
	return lib, &mutation.Evaluator{Linker: l.Engine, Driver: driver, Sandbox: shop.Sandbox, Limits: shop.Limits, Workers: shop.Workers}, nil
}

// A mutator runs the programs of an evaluation on the mutants of one library.
type mutator struct {
	l       *OpenLibrary
	sample  int          // as mutation.Options
	among   []int        // as mutation.Options
	store   *store.Store // of scores, by suite
	content func(trial.Program) string
	log     *slog.Logger
}

// Mutate implements metrics.Programs.Mutate.
func (m mutator) Mutate(ctx context.Context, programs []trial.Program) (trial.Mutation, error) {
	parts := []any{"survivors", version, m.l.Plain.Key, m.l.shop.Limits, m.sample, m.among}
	for _, p := range programs {
		parts = append(parts, m.content(p))
	}
	key := store.Key(parts...)
	var score trial.Mutation
	if known, err := m.store.Get(key, &score); known || err != nil {
		return score, err
	}
	lib, e, err := m.l.mutable(ctx, m.log)
	if err != nil {
		return score, err
	}
	res, err := e.Evaluate(ctx, lib, programs, mutation.Options{Sample: m.sample, Among: m.among})
	if err != nil {
		return score, err
	}
	return res.Score, m.store.Put(key, res.Score)
}

// A mutantFeedback implements trial.MutantRunner for one library. It knows the reference and nothing else.
type mutantFeedback struct {
	l *OpenLibrary

	mu    sync.Mutex
	lib   *mutation.MutableLibrary // nil until it is asked for
	eval  *mutation.Evaluator
	known []trial.Mutant
}

// Mutants implements trial.MutantRunner. Mutants in functions to which no public function leads, such as those
// that the compiler puts into their callers, are none of them.
func (f *mutantFeedback) Mutants(ctx context.Context) ([]trial.Mutant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lib != nil {
		return f.known, nil
	}
	lib, eval, err := f.l.mutable(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	leads, err := f.l.leads(ctx)
	if err != nil {
		return nil, err
	}
	f.known = nil
	lines := map[string][]string{} // of files
	for _, m := range lib.ForFeedback() {
		apis := leads[m.Function]
		if len(apis) == 0 {
			continue
		}
		if lines[m.File] == nil {
			text, err := os.ReadFile(filepath.Join(lib.Sources(), m.File))
			if err != nil {
				return nil, err
			}
			lines[m.File] = strings.Split(string(text), "\n")
		}
		if m.Line > len(lines[m.File]) {
			return nil, fmt.Errorf("mutant %d is on line %d of %s, which has fewer", m.ID, m.Line, m.File)
		}
		f.known = append(f.known, trial.Mutant{ID: m.ID, File: m.File, Line: m.Line, Source: strings.TrimSpace(lines[m.File][m.Line-1]),
			Original: m.Original, Mutated: m.Mutated, Function: m.Function, APIs: apis})
	}
	f.lib, f.eval = lib, eval
	return f.known, nil
}

// leads returns the public functions that lead to each function of the library, by their canonical names.
func (l *OpenLibrary) leads(ctx context.Context) (map[string][]string, error) {
	target := headersOf(l.Spec, l.Edition, l.Plain)
	spec, err := l.api(ctx)
	if err != nil {
		return nil, err
	}
	canonical, symbols := map[string]string{}, []string(nil)
	for _, api := range spec.APIs(target.ExcludedAPIs) {
		symbol := api.Symbol
		if target.Language == trial.C {
			symbol = api.Name
		}
		if _, known := canonical[symbol]; !known && symbol != "" {
			canonical[symbol] = api.Canonical()
			symbols = append(symbols, symbol)
		}
	}
	leads, err := touched.Leads(l.Plain, symbols)
	if err != nil {
		return nil, err
	}
	for _, entries := range leads {
		for i, symbol := range entries {
			entries[i] = canonical[symbol]
		}
	}
	return leads, nil
}

// RunMutants implements trial.MutantRunner. What it found is stored, so that a later run of the same programs is told
// the same.
func (f *mutantFeedback) RunMutants(ctx context.Context, programs []trial.Program, ids []int) (trial.MutantRuns, error) {
	if _, err := f.Mutants(ctx); err != nil || len(programs) == 0 || len(ids) == 0 {
		return trial.MutantRuns{}, err
	}
	parts := []any{"mutants told", version, f.l.Plain.Key, f.l.shop.Limits, ids}
	for _, p := range programs {
		parts = append(parts, p.Lang, p.Source)
	}
	key := store.Key(parts...)
	var runs trial.MutantRuns
	if known, err := f.l.shop.Store.Get(key, &runs); known || err != nil {
		return runs, err
	}
	res, err := f.eval.Evaluate(ctx, f.lib, programs, mutation.Options{Among: ids})
	if err != nil {
		return runs, err
	}
	runs.CPU = res.Score.CPU
	for _, v := range res.Mutants {
		if len(v.Reachers) > 0 {
			runs.Reached = append(runs.Reached, trial.MutantReach{ID: v.ID, Programs: v.Reachers, Killed: v.Killer != ""})
		}
	}
	return runs, f.l.shop.Store.Put(key, runs)
}
