// Package workshop prepares one edition of a library for testing: it fetches the source, builds the variants,
// and gives tools what they may see of it. It consumes the benchmark's data and produces what the runner needs
// from a Workshop; bench validate uses the same opened library. If fetching or building fails,
// the error includes the output of the command.
package workshop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/validate"
)

// version changes whenever what tools are given, or how suites are measured, does.
const version = "6"

// A Workshop opens libraries. Its parts are shared by all of them.
type Workshop struct {
	Bench    *lisabench.Bench
	Sources  *source.Store
	Builder  *libbuild.Builder
	Tools    *toolchain.Tools
	Compiler *toolchain.Compiler
	Linker   *toolchain.Linker
	Sandbox  sandbox.Executor
	Fuzzer   *libfuzzer.Fuzzer
	Store    *store.Store // of earlier evaluations' results; nil: they are not used
	// Confinement names how programs are confined: what is found out in one sandbox is not used in another.
	Confinement string
	Selector    touched.Selector
	RunAll      bool           // tests on each bug's build, also those that cannot tell it from the reference
	Scratch     string         // directory for compiled tests, one below it per library
	Workers     int            // test programs that run at a time, per cell
	Limits      sandbox.Limits // of one test program
	Mutants     string         // directory of the libraries' mutants
	Extras      testrun.Extras // of a hand-written suite
	// Secret is what the builds are drawn from on which detections are confirmed: random, and known to
	// nobody but this process.
	Secret libbuild.Secret

	mu     sync.Mutex
	opened map[string]opening // by library and edition
}

// An opening returns a library, or why it could not be opened, which is not tried again.
type opening func() (*OpenLibrary, error)

// An OpenLibrary is a library in one edition with the reference build that tests are judged on. Its other
// builds are made when they are asked for.
type OpenLibrary struct {
	Spec    *lisabench.Library
	Edition lisabench.Edition
	Tree    source.Tree
	Plain   *libbuild.Build
	Engine  *testrun.Engine

	shop *Workshop
	view string // directory of the tree as tools may see it

	// What is found out or built once, when it is asked for.
	api         func() (*apispec.Spec, error) // what the headers of the reference build declare
	fuzzTargets func() ([]trial.FuzzTarget, error)
	mutable     func() (*mutableLibrary, error)
	mutants     func() ([]trial.Mutant, error)

	mu       sync.Mutex
	counters map[string][]uint64 // of programs, by language and source; nil of one that does not reach the library
}

// Open returns a library, fetched and built. The second call for the same one returns the first one's.
func (w *Workshop) Open(ctx context.Context, name string, edition lisabench.Edition) (*OpenLibrary, error) {
	key := name + "-" + string(edition)
	w.mu.Lock()
	if w.opened == nil {
		w.opened = map[string]opening{}
	}
	if w.opened[key] == nil {
		w.opened[key] = sync.OnceValues(func() (*OpenLibrary, error) { return w.open(ctx, name, edition, key) })
	}
	open := w.opened[key]
	w.mu.Unlock()
	return open()
}

func (w *Workshop) open(ctx context.Context, name string, edition lisabench.Edition, key string) (*OpenLibrary, error) {
	spec, err := w.Bench.Library(name)
	if err != nil {
		return nil, err
	}
	l := &OpenLibrary{Spec: spec, Edition: edition, shop: w, counters: map[string][]uint64{}}
	l.api = sync.OnceValues(func() (*apispec.Spec, error) {
		return apispec.Load(ctx, w.Compiler, headersOf(spec, edition, l.Plain))
	})
	l.fuzzTargets = sync.OnceValues(func() ([]trial.FuzzTarget, error) { return l.findFuzzTargets(ctx) })
	l.mutable = sync.OnceValues(func() (*mutableLibrary, error) { return l.makeMutable(ctx) })
	l.mutants = sync.OnceValues(l.findMutants)
	if l.Tree, err = w.Sources.Reference(ctx, spec, edition); err == nil {
		l.view, err = w.Sources.ToolView(ctx, spec, l.Tree)
	}
	if err != nil {
		return nil, noSource(err)
	}
	if l.Plain, err = w.Builder.Build(ctx, l.request(l.Tree, libbuild.Plain)); err != nil {
		return nil, err
	}
	l.Engine, err = testrun.New(testrun.Config{
		Tools: w.Tools, Compiler: w.Compiler, Linker: w.Linker, Sandbox: w.Sandbox,
		Dir: filepath.Join(w.Scratch, key), Workers: w.Workers, Limits: w.Limits, Extras: w.Extras,
	})
	return l, err
}

// Close ends every opened library's runners and removes the compiled tests.
func (w *Workshop) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, open := range w.opened {
		if l, err := open(); err == nil {
			errs = append(errs, l.Engine.Close())
		}
	}
	w.opened = nil
	return errors.Join(errs...)
}

func (l *OpenLibrary) request(tree source.Tree, v libbuild.Variant) libbuild.Request {
	return libbuild.Request{Library: l.Spec, Edition: l.Edition, Tree: tree, Variant: v}
}

// noSource is the reason of whatever needs a source that cannot be had.
func noSource(err error) error {
	return &trial.IncompleteError{Kind: string(trial.ReasonSource), Message: err.Error(), Err: err}
}

// trees returns the sources without and with a bug.
func (l *OpenLibrary) trees(ctx context.Context, bug *lisabench.Bug) (good, bad source.Tree, err error) {
	if good, bad, err = l.shop.Sources.Buggy(ctx, l.Spec, l.Edition, bug); err != nil {
		return good, bad, noSource(fmt.Errorf("bug %s: %w", bug.ID, err))
	}
	return good, bad, nil
}

// sanitizer returns the sanitizer build of the reference.
func (l *OpenLibrary) sanitizer(ctx context.Context) (*libbuild.Build, error) {
	return l.shop.Builder.Build(ctx, l.request(l.Tree, libbuild.Sanitizer))
}

// Coverage returns the coverage build of the reference.
func (l *OpenLibrary) Coverage(ctx context.Context) (*libbuild.Build, error) {
	return l.shop.Builder.Build(ctx, l.request(l.Tree, libbuild.Coverage))
}

// Bug builds both sides of a bug. The fixed side is the reference build unless the bug is re-introduced as a pair of
// commits. At another commit than the pinned one nobody has proven which bugs can be re-introduced: it shows when it is
// tried, and the witness is run. What cannot be is absent there, for a reason, and no failure of the machine.
func (l *OpenLibrary) Bug(ctx context.Context, bug *lisabench.Bug) (fixed, buggy *libbuild.Build, err error) {
	good, bad, err := l.trees(ctx, bug)
	if err != nil {
		return nil, nil, l.absent(ctx, bug, err)
	}
	if fixed, err = l.shop.Builder.Build(ctx, l.request(good, libbuild.Plain)); err != nil {
		return nil, nil, fmt.Errorf("bug %s: fixed side: %w", bug.ID, err)
	}
	if buggy, err = l.shop.Builder.Build(ctx, l.request(bad, libbuild.Plain)); err != nil {
		return nil, nil, l.absent(ctx, bug, fmt.Errorf("bug %s: buggy side: %w", bug.ID, err))
	}
	if l.Edition.Commit() == "" {
		return fixed, buggy, nil
	}
	problem, err := validate.Discriminates(ctx, l.Engine, l.Spec, bug, fixed, buggy)
	if err == nil && problem != "" {
		err = l.isAbsent(bug, problem+" (the commit may be from before the fix, or the code another)")
	}
	return fixed, buggy, err
}

// absent makes the words of a patch or a compiler that failed the reason why a bug is not there. At the pin,
// and where the source could not be reached, the error stays.
func (l *OpenLibrary) absent(ctx context.Context, bug *lisabench.Bug, err error) error {
	var said *toolchain.CommandError
	var reached interface{ Unreachable() bool }
	if l.Edition.Commit() == "" || ctx.Err() != nil || errors.As(err, &reached) || errors.As(err, &said) && said.DiskFull() {
		return err
	}
	var incomplete *trial.IncompleteError
	if errors.As(err, &incomplete) {
		err = incomplete.Err // without its kind
	}
	return l.isAbsent(bug, err.Error())
}

func (l *OpenLibrary) isAbsent(bug *lisabench.Bug, why string) error {
	return &trial.IncompleteError{Kind: string(trial.ReasonAbsent),
		Message: fmt.Sprintf("bug %s cannot be re-introduced at %s: %s", bug.ID, l.Edition.Commit(), why)}
}

// disguise prepares builds of the disguised builds of a bug, for one cell.
func (l *OpenLibrary) disguise(ctx context.Context, bug *lisabench.Bug, cell trial.Cell) (*libbuild.Disguise, error) {
	good, bad, err := l.trees(ctx, bug)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s %d %s", cell.ID(), cell.Seed, bug.ID)
	d, err := l.shop.Builder.Disguise(ctx, l.request(good, libbuild.Plain), l.request(bad, libbuild.Plain),
		l.shop.Secret, name, l.shop.Scratch)
	if err != nil {
		return nil, fmt.Errorf("bug %s: %w", bug.ID, err)
	}
	return d, nil
}

// Sanitized returns the sanitizer build of a bug's fixed side.
func (l *OpenLibrary) Sanitized(ctx context.Context, bug *lisabench.Bug) (*libbuild.Build, error) {
	good, _, err := l.trees(ctx, bug)
	if err != nil {
		return nil, err
	}
	return l.shop.Builder.Build(ctx, l.request(good, libbuild.Sanitizer))
}

// Keys implements runner.Workshop. It hashes the pins and recipes instead of fetched trees,
// so that it needs no network.
func (w *Workshop) Keys(_ context.Context, lib runner.Library) (runner.Keys, error) {
	spec, err := w.Bench.Library(lib.Name)
	if err != nil {
		return runner.Keys{}, err
	}
	var bugs []string
	for _, id := range lib.Bugs {
		bug, err := spec.Bug(id)
		if err != nil {
			return runner.Keys{}, err
		}
		bugs = append(bugs, bug.Hash())
	}
	generate := trial.Key(version, spec.Hash(), lib.Edition, w.Tools.Clang.Version, w.Limits, w.Extras.Includes)
	if x := w.Extras; len(x.Defines)+len(x.Std)+len(x.Helpers) > 0 {
		generate = trial.Key(generate, x)
	}
	return runner.Keys{Generate: generate, Evaluate: trial.Key(version, generate, bugs)}, nil
}

// Prepare implements runner.Workshop.
func (w *Workshop) Prepare(ctx context.Context, lib runner.Library, n trial.Needs) (job trial.Job, err error) {
	l, err := w.Open(ctx, lib.Name, lisabench.Edition(lib.Edition))
	if err != nil {
		return job, err
	}
	job.Target = l.target()
	job.Exec = testrun.Reference{Engine: l.Engine, Plain: l.Plain, Sanitizer: l.sanitizer}
	job.Mutants, job.Coverage = feedback{l}, feedback{l}
	if n.Sanitizer {
		_, err = l.sanitizer(ctx)
	}
	if err == nil && n.Mutants {
		_, err = l.mutants()
	}
	if err == nil && n.Coverage {
		_, err = l.Coverage(ctx)
	}
	if err == nil && n.FuzzTargets {
		job.Target.FuzzTargets, err = l.fuzzTargets()
	}
	return job, err
}

// Warm fetches and builds all that the cells of a library share: the reference and coverage builds,
// what their tools need beside, and both sides of every bug. What cannot be built does not keep the
// others from it, but for the reference build.
func (w *Workshop) Warm(ctx context.Context, lib runner.Library, n trial.Needs) error {
	l, err := w.Open(ctx, lib.Name, lisabench.Edition(lib.Edition))
	if err != nil {
		return err
	}
	_, needErr := w.Prepare(ctx, lib, n)
	_, coverageErr := l.Coverage(ctx)
	errs := []error{needErr, coverageErr}
	for _, id := range lib.Bugs {
		bug, err := l.Spec.Bug(id)
		if err == nil {
			_, _, err = l.Bug(ctx, bug)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// target is what tools may see of the library, but for what only some of them need.
func (l *OpenLibrary) target() trial.Target {
	t := headersOf(l.Spec, l.Edition, l.Plain)
	t.Description, t.Documents, t.SourceDir = l.Spec.Description, l.Spec.DocumentsFor(l.Edition), l.view
	t.SharedLib, t.StaticLib, t.LinkLibs = l.Plain.SharedLib, l.Plain.StaticLib, l.Plain.LinkLibs
	for _, r := range l.Spec.Rules {
		t.Rules = append(t.Rules, trial.Rule{ID: r.ID, Text: r.Text, APIs: r.APIs})
	}
	return t
}

// headersOf is the part of a target that says what the API of a build is.
func headersOf(spec *lisabench.Library, edition lisabench.Edition, b *libbuild.Build) trial.Target {
	t := trial.Target{Library: spec.Name, Language: spec.Language, Headers: spec.InstalledHeaders(edition), IncludeDirs: []string{b.IncludeDir}}
	for _, x := range spec.ExcludedAPIs {
		t.ExcludedAPIs = append(t.ExcludedAPIs, x.Name)
	}
	return t
}

// TestLimits returns the sandbox limits of an experiment's test programs.
func TestLimits(timeout time.Duration) sandbox.Limits {
	limits := sandbox.DefaultLimits
	limits.Wall = timeout
	return limits
}

// Other builds another version of an opened library: the other edition's reference, or what
// source.Store.Other finds under that name, by the recipe of the upstream edition if there is
// one. It also returns what tells the version apart: a pin, a commit, or a hash.
func (l *OpenLibrary) Other(ctx context.Context, version string) (*libbuild.Build, string, error) {
	edition := lisabench.Edition(version)
	var tree source.Tree
	var id string
	var err error
	if edition.Known() {
		tree, err = l.shop.Sources.Reference(ctx, l.Spec, edition)
		id = l.Spec.Pin(edition)
	} else {
		tree, id, err = l.shop.Sources.Other(ctx, l.Spec, version)
		if edition = l.Edition; l.Spec.Has(lisabench.Upstream) {
			edition = lisabench.Upstream
		}
	}
	if err != nil {
		return nil, "", noSource(err)
	}
	b, err := l.shop.Builder.Build(ctx, libbuild.Request{Library: l.Spec, Edition: edition, Tree: tree, Variant: libbuild.Plain})
	return b, id, err
}
