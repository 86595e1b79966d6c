package metrics

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	// firstReferences is how many tests a record has in full per bug.
	firstReferences = 5
	// nearestReferences is how many tests a record keeps of those that came nearest to a bug that no test detects.
	nearestReferences = 3
	// mostFailures is how many a record has of the false alarms, and of the other programs that fail.
	mostFailures = 1000
)

// A TestRunner compiles and runs test programs against a build (testrun.Engine).
type TestRunner interface {
	// Run runs every program once; results[i] belongs to programs[i].
	Run(ctx context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error)
	// Plain compiles one program stand-alone, without any of Run's short cuts, and runs it.
	Plain(ctx context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error)
}

// A Bug is a re-introduced bug as it is evaluated. Its builds are made on demand.
type Bug struct {
	ID string
	// Builds returns the build without the bug, which is the reference most often, and the one with it.
	Builds func(ctx context.Context) (fixed, buggy *libbuild.Build, err error)
	// Disguise makes builds of both that differ recognisably only in their behaviour.
	Disguise func(ctx context.Context) (Disguiser, error)
}

// Programs evaluates a suite of test programs.
type Programs struct {
	Runner TestRunner
	Cov    CoverageReader
	// Uncovered lists what no test executes; nil: that is not listed.
	Uncovered func(ctx context.Context, coverage *libbuild.Build, counters []uint64) (trial.Uncovered, error)
	Reference *libbuild.Build                                    // plain
	Coverage  func(ctx context.Context) (*libbuild.Build, error) // of the reference, made on demand
	Bugs      []Bug
	// Verify counts what programs verify, all together: every field of the result but Seeds, Programs and Passing. A program
	// that is missing is a *toolchain.MissingError. nil: verifications are not counted.
	Verify func(ctx context.Context, b *libbuild.Build, programs []trial.Program) (trial.Verifications, error)
	// Mutate runs programs on mutants of the reference (package metrics/mutation); nil: none are run.
	Mutate   func(ctx context.Context, programs []trial.Program) (trial.Mutation, error)
	Selector Selector // nil: it is not known what tests execute
	RunAll   bool     // on each bug's build, also the tests that cannot tell it from the reference
	Observer Observer // nil: how far bugs come is not asked
	Repeats  int      // n of a detection: see detection.go
	Workers  int      // builds that are made and run at a time
	Secret   libbuild.Secret
	Looking  func(bug string, done bool) // told when a bug is looked for and when that is done; may be nil
	Log      *slog.Logger

	Store *store.Store // of earlier evaluations' results; nil: nothing is stored
	// Settings are of all that changes results beside programs and builds: limits, compiler, sandbox.
	Settings string
	// Content is the hash of a program with all that it includes; "" if that is not known.
	Content func(trial.Program) string
}

// A suite is the tests in evaluation, and the record that is made of them.
type suite struct {
	tests []*test
	known bool // how they end on the reference build
	seen  bool // what they execute
	rec   *trial.Record
}

func (s *suite) passing() []*test { return where(s.tests, (*test).passes) }

// Evaluate fills the record's parts. What keeps one from being measured is its reason in the record, and the others
// are tried all the same. The error ends the evaluation: an interruption, a full disk, or a store that cannot be
// written; what was finished is then stored.
func (e *Programs) Evaluate(ctx context.Context, entries []trial.SuiteEntry, programs []trial.Program, rec *trial.Record) error {
	s := &suite{tests: tests(entries, programs, e.Content), rec: rec}
	for _, step := range []struct {
		name string
		do   func(context.Context, *suite) error
	}{
		{"run on the reference build", e.success},
		{"measure coverage", e.coverage},
		{"count verifications", e.verifications},
		{"run on mutants", e.mutation},
		{"look for bugs", e.bugs},
		{"see how far bugs come", e.explain},
	} {
		if err := step.do(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// protocol is the version of how programs are judged: results stored under another one are not used. It changes
// whenever a stored result could be another one.
const protocol = 10

// key is the key of a result of that kind on builds, "" if one of the tests that it is of is not known by content.
func (e *Programs) key(kind string, builds []*libbuild.Build, tests []*test, parts ...any) string {
	parts = append(parts, protocol, kind, e.Settings, e.Repeats)
	for _, b := range builds {
		parts = append(parts, b.Key)
	}
	for _, t := range tests {
		if t.key == "" {
			return ""
		}
		parts = append(parts, t.key)
	}
	return store.Key(parts...)
}

func (e *Programs) get(key string, v any) (bool, error) {
	if key == "" {
		return false, nil
	}
	return e.Store.Get(key, v)
}

func (e *Programs) put(key string, v any) error {
	if key == "" {
		return nil
	}
	return e.Store.Put(key, v)
}

// of returns what find finds of tests, and what is stored of the others under their keys. What does not last may be
// another result the next time, and is not stored.
func of[T any](e *Programs, tests []*test, key func(*test) string, find func([]*test) ([]T, error), lasts func(T) bool) (map[*test]T, error) {
	all := map[*test]T{}
	var fresh []*test
	for _, t := range tests {
		var stored T
		known, err := e.get(key(t), &stored)
		if err != nil {
			return nil, err
		}
		if known {
			all[t] = stored
		} else {
			fresh = append(fresh, t)
		}
	}
	results, err := find(fresh)
	if err != nil {
		return nil, err
	}
	for i, t := range fresh {
		if all[t] = results[i]; !lasts(results[i]) {
			continue
		}
		if err := e.put(key(t), results[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// endings are how tests end on a build. On a buggy one each has a limit of processor time. On the reference those that
// fail are run again: one that ends otherwise in another run is flaky.
func (e *Programs) endings(ctx context.Context, b *libbuild.Build, tests []*test, buggy bool) (map[*test]ending, error) {
	key := func(t *test) string { return e.key("reference", []*libbuild.Build{b}, []*test{t}) }
	if buggy {
		key = func(t *test) string { return e.key("buggy", []*libbuild.Build{b}, []*test{t}, t.limit()) }
	}
	find := func(fresh []*test) ([]ending, error) {
		o := testrun.Options{Stdout: true} // in which frameworks say what fails
		for _, t := range fresh {
			if buggy {
				o.CPU = append(o.CPU, t.limit())
			}
		}
		results, err := e.Runner.Run(ctx, b, programsOf(fresh), o)
		if err != nil {
			return nil, as(trial.ReasonSandbox, err)
		}
		endings := make([]ending, len(fresh))
		for i, r := range results {
			endings[i] = endingOf(r)
		}
		if buggy {
			return endings, nil
		}
		return endings, e.again(ctx, fresh, endings)
	}
	return of(e, tests, key, find, func(e ending) bool { return !e.Chance })
}
