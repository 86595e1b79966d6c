package workshop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/metrics/auvc"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// Evaluate implements runner.Workshop.
func (w *Workshop) Evaluate(ctx context.Context, ev runner.Evaluation) (*trial.Record, error) {
	rec := &trial.Record{}
	if ev.Suite.Kind == trial.KindKnowledge { // there is nothing to measure
		return rec, nil
	}
	l, err := w.Open(ctx, ev.Cell.Library, lisabench.Edition(ev.Cell.Edition))
	if err != nil {
		return nil, err
	}
	if ev.Suite.Kind == trial.KindCorpus {
		err = l.evaluateCorpus(ctx, ev, rec)
	} else {
		err = l.evaluatePrograms(ctx, ev, rec)
	}
	if err == nil && len(rec.Gaps()) == 0 { // nothing is to go on with
		err = os.RemoveAll(ev.Interim)
	}
	return rec, err
}

func (l *OpenLibrary) evaluatePrograms(ctx context.Context, ev runner.Evaluation, rec *trial.Record) error {
	programs, err := readPrograms(suiteDir(ev), ev.Suite.Programs)
	if err != nil {
		return err
	}
	content, err := l.content()
	if err != nil {
		return err
	}
	results := l.shop.Store
	if results == nil {
		results = interim(ev)
	}
	m := metrics.Programs{
		Runner: l.Engine, Cov: l.Engine, Reference: l.Plain, Coverage: l.Coverage, Repeats: ev.Test.Repeats,
		Verify: l.verifier(results), Selector: &l.shop.Selector, RunAll: l.shop.RunAll, Looking: ev.Looking, Log: ev.Log,
		Workers: l.shop.Workers, Secret: l.shop.Secret, Store: results, Content: content,
		Settings: store.Key(version, l.shop.Tools.Clang.Version, l.shop.Limits, l.shop.Confinement),
	}
	if ev.Test.Explain {
		m.Observer = &observer{l: l, printed: map[string]recorded.Printed{}}
	}
	if n := ev.Test.Mutants; n != 0 {
		among, err := ev.Test.MutantIDs()
		if err != nil {
			return err
		}
		m.Mutate = mutator{l, n, among, results, content, ev.Log}.Mutate
		m.Uncovered = l.Engine.Uncovered
	}
	for _, id := range ev.Bugs {
		bug, err := l.Spec.Bug(id)
		if err != nil {
			return err
		}
		m.Bugs = append(m.Bugs, metrics.Bug{ID: id, Builds: func(ctx context.Context) (fixed, buggy *libbuild.Build, err error) {
			return l.Bug(ctx, bug)
		}, Disguise: func(ctx context.Context) (metrics.Disguiser, error) {
			return l.disguise(ctx, bug, ev.Cell)
		}})
	}
	return m.Evaluate(ctx, ev.Suite.Programs, programs, rec)
}

func suiteDir(ev runner.Evaluation) string { return filepath.Join(ev.Dir, "suite") }

// interim is the store of one evaluation, with which it goes on after a kill.
func interim(ev runner.Evaluation) *store.Store {
	if ev.Interim == "" {
		return nil
	}
	return store.New(ev.Interim)
}

func (l *OpenLibrary) evaluateCorpus(ctx context.Context, ev runner.Evaluation, rec *trial.Record) error {
	if err := checkInputs(suiteDir(ev), ev.Suite.Inputs); err != nil {
		return err
	}
	targets, err := l.fuzzTargets(ctx)
	if err != nil {
		return err
	}
	m := metrics.Corpus{
		Runner: l.shop.Fuzzer, Cov: l.Engine, Coverage: l.Coverage, Targets: targets,
		Replay: func(ctx context.Context) (map[string]*libbuild.FuzzBuild, error) {
			return l.fuzzBuilds(ctx, l.Tree, targets)
		},
		Repeats: ev.Test.Repeats, Timeout: ev.Test.Timeout, Budget: ev.Budget, Generated: ev.Suite.Usage.Wall, Seed: ev.Cell.Seed, CellDir: ev.Dir, Looking: ev.Looking, Log: ev.Log,
		Store: interim(ev), // the results name files of the cell
		Key:   store.Key(version, l.Spec.Hash(), ev.Suite.Inputs, ev.Test, ev.Budget, ev.Cell.Seed, l.shop.Tools.Clang.Version),
	}
	for _, id := range ev.Bugs {
		bug, err := l.Spec.Bug(id)
		if err != nil {
			return err
		}
		m.Bugs = append(m.Bugs, metrics.FuzzBug{ID: id, Key: bug.Hash(), Builds: func(ctx context.Context) (fixed, buggy metrics.FuzzBuilds, err error) {
			return l.fuzzBug(ctx, bug, targets)
		}})
	}
	return m.Evaluate(ctx, ev.Suite.Inputs, rec)
}

// fuzzBug builds both sides of a bug with their fuzz targets.
func (l *OpenLibrary) fuzzBug(ctx context.Context, bug *lisabench.Bug, targets []trial.FuzzTarget) (fixed, buggy metrics.FuzzBuilds, err error) {
	if fixed.Plain, buggy.Plain, err = l.Bug(ctx, bug); err != nil {
		return fixed, buggy, err
	}
	good, bad, err := l.trees(ctx, bug)
	if err != nil {
		return fixed, buggy, err
	}
	if fixed.Targets, err = l.fuzzBuilds(ctx, good, targets); err != nil {
		return fixed, buggy, err
	}
	buggy.Targets, err = l.fuzzBuilds(ctx, bad, targets)
	return fixed, buggy, err
}

// verifier returns what counts verifications, and keeps the counts of programs in a store.
func (l *OpenLibrary) verifier(counts *store.Store) func(context.Context, *libbuild.Build, []trial.Program) (trial.Verifications, error) {
	return func(ctx context.Context, b *libbuild.Build, programs []trial.Program) (sum trial.Verifications, err error) {
		counter := auvc.Counter{Compiler: l.shop.Compiler, Store: counts}
		if len(l.shop.Extras.Includes) > 0 {
			if counter.Included, err = hashFiles(l.shop.Extras.Includes); err != nil {
				return sum, err
			}
		}
		units := make([]toolchain.Unit, len(programs))
		for i, p := range programs {
			units[i] = toolchain.Unit{ID: fmt.Sprintf("v%05d", i), Lang: p.Lang, Source: p.Source}
		}
		dir, err := os.MkdirTemp(l.shop.Scratch, "verify-")
		if err != nil {
			return sum, err
		}
		defer os.RemoveAll(dir)
		return counter.Count(ctx, dir, l.shop.Extras.Flags(b.IncludeDir), units)
	}
}
