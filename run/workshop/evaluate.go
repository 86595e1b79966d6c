package workshop

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/metrics/auvc"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
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
	var bugs []*lisabench.Bug
	for _, id := range ev.Cell.Bugs {
		bug, err := l.Spec.Bug(id)
		if err != nil {
			return nil, err
		}
		bugs = append(bugs, bug)
	}
	var interim *store.Store
	if ev.Interim != "" {
		interim = store.New(ev.Interim)
	}
	if ev.Suite.Kind == trial.KindCorpus {
		err = l.evaluateCorpus(ctx, ev, bugs, interim, rec) // the results name files of the cell
	} else {
		err = l.evaluatePrograms(ctx, ev, bugs, cmp.Or(w.Store, interim), rec)
	}
	if err == nil && len(rec.Gaps()) == 0 { // nothing is to go on with
		err = os.RemoveAll(ev.Interim)
	}
	return rec, err
}

func (l *OpenLibrary) evaluatePrograms(ctx context.Context, ev runner.Evaluation, bugs []*lisabench.Bug, results *store.Store, rec *trial.Record) error {
	var programs []trial.Program
	for _, entry := range ev.Suite.Programs {
		text, err := os.ReadFile(filepath.Join(ev.Dir, "suite", entry.File))
		if err != nil {
			return fmt.Errorf("suite: %w", err)
		}
		programs = append(programs, trial.Program{ID: entry.ID, Lang: entry.Lang, Source: string(text), Oracle: entry.Oracle, Origin: entry.Origin})
	}
	content, err := l.content()
	if err != nil {
		return err
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
		among, err := ev.Test.MutantIDs()
		if err != nil {
			return err
		}
		m.Mutator = mutator{l, mutation.Options{Sample: n, Among: among}, results, content}
		m.Uncovered = l.Engine.Uncovered
	}
	for _, bug := range bugs {
		m.Bugs = append(m.Bugs, metrics.Bug{ID: bug.ID, Builds: func(ctx context.Context) (fixed, buggy *libbuild.Build, err error) {
			return l.Bug(ctx, bug)
		}, Disguise: func(ctx context.Context) (metrics.Disguiser, error) {
			return l.disguise(ctx, bug, ev.Cell.Cell)
		}})
	}
	return m.Evaluate(ctx, ev.Suite.Programs, programs, rec)
}

func (l *OpenLibrary) evaluateCorpus(ctx context.Context, ev runner.Evaluation, bugs []*lisabench.Bug, results *store.Store, rec *trial.Record) error {
	targets, err := l.fuzzTargets()
	if err != nil {
		return err
	}
	budget, seed := ev.Cell.Budget, ev.Cell.Seed
	m := metrics.Corpus{
		Runner: l.shop.Fuzzer, Cov: l.Engine, Coverage: l.Coverage, Targets: targets,
		Replay: func(ctx context.Context) (map[string]*libbuild.FuzzBuild, error) {
			return l.fuzzBuilds(ctx, l.Tree, targets)
		},
		Repeats: ev.Test.Repeats, Timeout: ev.Test.Timeout, Budget: budget, Generated: ev.Suite.Usage.Wall, Seed: seed, CellDir: ev.Dir,
		Looking: ev.Looking, Log: ev.Log, Store: results,
		Key: store.Key(version, l.Spec.Hash(), ev.Suite.Inputs, ev.Test, budget, seed, l.shop.Tools.Clang.Version),
	}
	for _, bug := range bugs {
		m.Bugs = append(m.Bugs, metrics.FuzzBug{ID: bug.ID, Key: bug.Hash(), Builds: func(ctx context.Context) (fixed, buggy metrics.FuzzBuilds, err error) {
			if fixed.Plain, buggy.Plain, err = l.Bug(ctx, bug); err != nil {
				return fixed, buggy, err
			}
			good, bad, err := l.trees(ctx, bug)
			if err == nil {
				fixed.Targets, err = l.fuzzBuilds(ctx, good, targets)
			}
			if err == nil {
				buggy.Targets, err = l.fuzzBuilds(ctx, bad, targets)
			}
			return fixed, buggy, err
		}})
	}
	return m.Evaluate(ctx, ev.Suite.Inputs, rec)
}

// content returns what hashes a program with all that it may include. That is every file below the directories of a
// hand-written suite: a change of one makes each program another one.
func (l *OpenLibrary) content() (func(trial.Program) string, error) {
	x := l.shop.Extras
	included, err := hashFiles(slices.Concat(x.Includes, x.Helpers))
	if len(x.Defines)+len(x.Std)+len(x.Helpers) > 0 {
		included = store.Key(included, x)
	}
	return func(p trial.Program) string { return store.Key(l.Plain.HeadersHash, included, p.Lang, p.Source) }, err
}

func hashFiles(dirs []string) (string, error) {
	var files []any
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			sum := sha256.Sum256(data)
			files = append(files, path, hex.EncodeToString(sum[:]))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return store.Key(files...), nil
}

// A verifier implements metrics.Verifier for one library.
type verifier struct {
	l     *OpenLibrary
	store *store.Store // of counts, by program
}

// Verify implements metrics.Verifier.
func (v verifier) Verify(ctx context.Context, b *libbuild.Build, programs []trial.Program) (sum trial.Verifications, err error) {
	shop := v.l.shop
	counter := auvc.Counter{Compiler: shop.Compiler, Store: v.store}
	if len(shop.Extras.Includes) > 0 {
		included, err := hashFiles(shop.Extras.Includes)
		if err != nil {
			return sum, err
		}
		counter.Includes = func(string) string { return included }
	}
	units := make([]toolchain.Unit, len(programs))
	for i, p := range programs {
		units[i] = toolchain.Unit{ID: fmt.Sprintf("v%05d", i), Lang: p.Lang, Source: p.Source}
	}
	dir, err := os.MkdirTemp(shop.Scratch, "verify-")
	if err != nil {
		return sum, err
	}
	defer os.RemoveAll(dir)
	results, err := counter.Count(ctx, dir, shop.Extras.Flags(b.IncludeDir), units)
	if err != nil {
		return sum, err
	}
	for _, r := range results {
		if !r.Compiles || r.Unreadable {
			sum.Unreadable++
		}
		if r.Count.Truncated {
			sum.Truncated++
		}
		sum.Unique += r.Count.Unique
		sum.Assertions += r.Count.Assertions
		sum.Repeated += r.Count.Repeated
		sum.Tautologies += r.Count.Tautologies
		sum.Contradictions += r.Count.Contradictions
		sum.Translated += r.Count.Translated
		sum.Structural += r.Count.Structural
		sum.GivenUp += r.Count.GivenUp
	}
	return sum, nil
}
