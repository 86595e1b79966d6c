package workshop

import (
	"context"
	"os"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// An Evaluator measures suites on the workshop's libraries: it implements runner.Evaluator.
type Evaluator struct {
	Shop *Workshop
}

// Version implements runner.Evaluator.
func (e Evaluator) Version() string { return version }

// Evaluate implements runner.Evaluator.
func (e Evaluator) Evaluate(ctx context.Context, ev runner.Evaluation) (*trial.Record, error) {
	rec := &trial.Record{}
	if ev.Suite.Kind == trial.KindKnowledge { // there is nothing to measure
		return rec, nil
	}
	l, err := e.Shop.Open(ctx, ev.Subject.Library, lisabench.Edition(ev.Subject.Edition))
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
	programs, err := readPrograms(ev.SuiteDir, ev.Suite.Programs)
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
		Verifier: verifier{l, results}, Selector: &l.shop.Selector, RunAll: l.shop.RunAll, Looking: ev.Looking, Log: ev.Log,
		Workers: l.shop.Workers, Secret: l.shop.Secret, Store: results, Content: content,
		Settings: store.Key(version, l.shop.Tools.Clang.Version, l.shop.Limits, l.shop.Confinement),
	}
	if ev.Test.Explain {
		m.Observer = &observer{l: l, printed: map[string]recorded.Printed{}}
	}
	if n := ev.Test.Mutants; n != 0 {
		m.Mutator = mutator{l, n, results, content, ev.Log}
	}
	for _, id := range ev.Subject.Bugs {
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

// interim is the store of one evaluation, with which it goes on after a kill.
func interim(ev runner.Evaluation) *store.Store {
	if ev.Interim == "" {
		return nil
	}
	return store.New(ev.Interim)
}

func (l *OpenLibrary) evaluateCorpus(ctx context.Context, ev runner.Evaluation, rec *trial.Record) error {
	if err := checkInputs(ev.SuiteDir, ev.Suite.Inputs); err != nil {
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
		Repeats: ev.Test.Repeats, Timeout: ev.Test.Timeout, Budget: ev.Budget, Generated: ev.Suite.Usage.Wall, Seed: ev.Cell.Seed, CellDir: ev.CellDir, Looking: ev.Looking, Log: ev.Log,
		Store: interim(ev), // the results name files of the cell
		Key:   store.Key(version, l.Spec.Hash(), ev.Suite.Inputs, ev.Test, ev.Budget, ev.Cell.Seed, l.shop.Tools.Clang.Version),
	}
	for _, id := range ev.Subject.Bugs {
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
