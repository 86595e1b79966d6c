package workshop

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/metrics/auvc"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
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
	extras, err := hashExtras(l.shop.Extras)
	if err != nil {
		return err
	}
	content := func(p trial.Program) string { return store.Key(l.Plain.HeadersHash, extras, p.Lang, p.Source) }
	m := metrics.Programs{
		Runner: l.Engine, Cov: l.Engine, Reference: l.Plain, Coverage: l.Coverage, Repeats: ev.Test.Repeats,
		Verify: l.verifier(results, extras), Selector: &l.shop.Selector, RunAll: l.shop.RunAll, Looking: ev.Looking, Log: ev.Log,
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
		m.Mutate = mutator{l, mutation.Options{Sample: n, Among: among}, results, content}.Mutate
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

// hashExtras hashes all that programs of a hand-written suite may include and are compiled with: every file below its
// directories, so that a change of one makes each program another one.
func hashExtras(x testrun.Extras) (string, error) {
	files := map[string]string{}
	for _, dir := range slices.Concat(x.Includes, x.Helpers) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files[path], err = durable.FileSum(path)
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return store.Key(x, files), nil
}

// verifier returns what counts verifications, and keeps the counts of programs in a store. extras is the hash of what
// programs include.
func (l *OpenLibrary) verifier(counts *store.Store, extras string) func(context.Context, *libbuild.Build, []trial.Program) (trial.Verifications, error) {
	return func(ctx context.Context, b *libbuild.Build, programs []trial.Program) (sum trial.Verifications, err error) {
		counter := auvc.Counter{Compiler: l.shop.Compiler, Store: counts, Included: extras}
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

// onlyC is why the values of a library in C++ are not known: pipeline/recorded has wrappers for C alone.
const onlyC = "what calls return is observed in C only"

// An observer implements metrics.Observer for one library.
type observer struct {
	l       *OpenLibrary
	printed map[string]recorded.Printed // by build and text of the program: many bugs are compared with the same build
}

// Observe implements metrics.Observer. Programs are changed so that they print what calls of the library return.
func (o *observer) Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, limits []time.Duration, repeats int) (seen []metrics.Observation, why string, err error) {
	if o.l.Spec.Language != trial.C {
		why = onlyC
	}
	if len(programs) == 0 {
		return nil, why, nil
	}
	printed, err := o.print(ctx, fixed, programs)
	if err != nil {
		return nil, "", err
	}
	if !slices.ContainsFunc(printed, func(p recorded.Printed) bool { return p.Problem == "" }) {
		why = printed[0].Problem
	}
	var left []int // programs that got another value so far
	seen = make([]metrics.Observation, len(programs))
	for i, p := range printed {
		if p.Problem != "" {
			printed[i].Program, seen[i].Unobserved = programs[i], true
		}
		left = append(left, i)
	}
	for n := 0; n < repeats && len(left) > 0; n++ {
		got, err := o.run(ctx, changed, printed, left, limits)
		if err != nil {
			return nil, "", err
		}
		// One that does not compile, where the API is an older one, says nothing.
		differs := func(i int) bool { return got[i].Outcome.Compiled() && printed[i].Differs(got[i]) }
		left = slices.DeleteFunc(left, func(i int) bool { return !differs(i) })
		if n > 0 || len(left) == 0 {
			continue
		}
		// What has another value on the fixed build by now, such as the time, is no difference.
		again, err := o.run(ctx, fixed, printed, left, nil)
		if err != nil {
			return nil, "", err
		}
		left = slices.DeleteFunc(left, func(i int) bool {
			printed[i] = printed[i].Keep(again[i])
			return again[i].Outcome != trial.OK || !differs(i)
		})
	}
	for _, i := range left {
		seen[i].Differs = repeats > 0
	}
	return seen, why, nil
}

// run runs some of the programs on a build, and returns their results at their places.
func (o *observer) run(ctx context.Context, b *libbuild.Build, printed []recorded.Printed, some []int, limits []time.Duration) ([]trial.Result, error) {
	var programs []trial.Program
	options := testrun.Options{Stdout: true}
	for _, i := range some {
		programs = append(programs, printed[i].Program)
		if limits != nil {
			options.CPU = append(options.CPU, limits[i])
		}
	}
	results, err := o.l.Engine.Run(ctx, b, programs, options)
	if err != nil {
		return nil, err
	}
	all := make([]trial.Result, len(printed))
	for k, i := range some {
		all[i] = results[k]
	}
	return all, nil
}

// print returns what programs print on a build.
func (o *observer) print(ctx context.Context, b *libbuild.Build, programs []trial.Program) ([]recorded.Printed, error) {
	target := headersOf(o.l.Spec, o.l.Edition, b)
	if target.Language != trial.C {
		return slices.Repeat([]recorded.Printed{{Problem: onlyC}}, len(programs)), nil
	}
	return remembered(o.printed, b.Key, programs, func(missing []trial.Program) ([]recorded.Printed, error) {
		spec, err := apispec.Load(ctx, o.l.shop.Compiler, target)
		if err != nil {
			return nil, err
		}
		r, err := recorded.New(target, spec, testrun.Reference{Engine: o.l.Engine, Plain: b}, 1)
		if err != nil {
			return nil, err
		}
		return r.Print(ctx, missing)
	})
}
