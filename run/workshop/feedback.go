package workshop

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
)

// A mutableLibrary is a library with its mutants, and what runs programs on them.
type mutableLibrary struct {
	*mutation.MutableLibrary
	*mutation.Evaluator
}

func (l *OpenLibrary) makeMutable(ctx context.Context) (*mutableLibrary, error) {
	shop := l.shop
	maker, err := mutation.NewMaker(ctx, shop.Tools, shop.Builder, shop.Mutants, shop.Workers, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	lib, err := maker.Make(ctx, l.request(l.Tree, libbuild.Plain))
	if err != nil {
		return nil, err
	}
	driver, err := mutation.BuildDriver(ctx, shop.Tools, shop.Mutants)
	if err != nil {
		return nil, err
	}
	return &mutableLibrary{lib, &mutation.Evaluator{Linker: l.Engine, Driver: driver, Sandbox: shop.Sandbox, Limits: shop.Limits, Workers: shop.Workers}}, nil
}

// A mutator runs the programs of an evaluation on the mutants of one library.
type mutator struct {
	l       *OpenLibrary
	options mutation.Options
	store   *store.Store // of scores, by suite
	content func(trial.Program) string
}

// Mutate implements metrics.Programs.Mutate.
func (m mutator) Mutate(ctx context.Context, programs []trial.Program) (score trial.Mutation, err error) {
	parts := []any{"survivors", version, m.l.Plain.Key, m.l.shop.Limits, m.options.Sample, m.options.Among}
	for _, p := range programs {
		parts = append(parts, m.content(p))
	}
	key := store.Key(parts...)
	if known, err := m.store.Get(key, &score); known || err != nil {
		return score, err
	}
	lib, err := m.l.mutable()
	if err != nil {
		return score, err
	}
	res, err := lib.Evaluate(ctx, lib.MutableLibrary, programs, m.options)
	if err != nil {
		return score, err
	}
	return res.Score, m.store.Put(key, res.Score)
}

// feedback implements trial.MutantRunner and trial.CoverageRunner for one library. It knows the reference and nothing
// else.
type feedback struct{ *OpenLibrary }

// Mutants implements trial.MutantRunner.
func (f feedback) Mutants(context.Context) ([]trial.Mutant, error) { return f.mutants() }

// findMutants returns the mutants that tools are told of. Those in functions to which no public function leads, such as
// those that the compiler puts into their callers, are none of them.
func (l *OpenLibrary) findMutants() (told []trial.Mutant, err error) {
	lib, err := l.mutable()
	if err != nil {
		return nil, err
	}
	leads, err := l.leads()
	if err != nil {
		return nil, err
	}
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
		told = append(told, trial.Mutant{ID: m.ID, File: m.File, Line: m.Line, Source: strings.TrimSpace(lines[m.File][m.Line-1]),
			Original: m.Original, Mutated: m.Mutated, Function: m.Function, APIs: apis})
	}
	return told, nil
}

// leads returns the public functions that lead to each function of the library, by their canonical names.
func (l *OpenLibrary) leads() (map[string][]string, error) {
	spec, err := l.api()
	if err != nil {
		return nil, err
	}
	target := headersOf(l.Spec, l.Edition, l.Plain)
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
	for _, entries := range leads {
		for i, symbol := range entries {
			entries[i] = canonical[symbol]
		}
	}
	return leads, err
}

// RunMutants implements trial.MutantRunner. What it found is stored, so that a later run of the same programs is told
// the same.
func (f feedback) RunMutants(ctx context.Context, programs []trial.Program, ids []int) (runs trial.MutantRuns, err error) {
	if len(programs) == 0 || len(ids) == 0 {
		return runs, nil
	}
	parts := []any{"mutants told", version, f.Plain.Key, f.shop.Limits, ids}
	for _, p := range programs {
		parts = append(parts, p.Lang, p.Source)
	}
	key := store.Key(parts...)
	if known, err := f.shop.Store.Get(key, &runs); known || err != nil {
		return runs, err
	}
	lib, err := f.mutable()
	if err != nil {
		return runs, err
	}
	res, err := lib.Evaluate(ctx, lib.MutableLibrary, programs, mutation.Options{Among: ids})
	if err != nil {
		return runs, err
	}
	runs.CPU = res.Score.CPU
	for _, v := range res.Mutants {
		if len(v.Reachers) > 0 {
			runs.Reached = append(runs.Reached, trial.MutantReach{ID: v.ID, Programs: v.Reachers, Killed: v.Killer != ""})
		}
	}
	return runs, f.shop.Store.Put(key, runs)
}

// Cover implements trial.CoverageRunner.
func (f feedback) Cover(ctx context.Context, programs []trial.Program, uncovered bool) (c trial.Covered, err error) {
	build, err := f.Coverage(ctx)
	if err != nil {
		return c, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := remembered(f.counters, "", programs, func(missing []trial.Program) (counters [][]uint64, err error) {
		results, err := f.Engine.Run(ctx, build, missing, testrun.Options{Counters: true})
		for _, r := range results {
			counters = append(counters, r.Counters)
			c.CPU += r.CPU()
		}
		return counters, err
	})
	if err != nil {
		return c, err
	}
	sum := make([]uint64, build.Counters)
	for _, counters := range all {
		if counters != nil {
			if err := toolchain.AddCounters(sum, counters); err != nil {
				return c, err
			}
		}
	}
	if c.Coverage, err = f.Engine.Coverage(ctx, build, sum); err != nil || !uncovered {
		return c, err
	}
	missed, err := f.Engine.Uncovered(ctx, build, sum)
	c.Uncovered = &missed
	return c, err
}

// remembered returns what is known of programs on a build, and finds out the rest.
func remembered[T any](known map[string]T, build string, programs []trial.Program, find func(missing []trial.Program) ([]T, error)) ([]T, error) {
	key := func(p trial.Program) string { return build + string(p.Lang) + "\n" + p.Source }
	missing := lists.Filter(programs, func(p trial.Program) bool { _, ok := known[key(p)]; return !ok })
	if len(missing) > 0 {
		found, err := find(missing)
		if err != nil {
			return nil, err
		}
		for i, p := range missing {
			known[key(p)] = found[i]
		}
	}
	all := make([]T, len(programs))
	for i, p := range programs {
		all[i] = known[key(p)]
	}
	return all, nil
}
