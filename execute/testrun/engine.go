package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Config is what an Engine works with.
type Config struct {
	Tools    *toolchain.Tools
	Compiler *toolchain.Compiler
	Linker   *toolchain.Linker
	Sandbox  sandbox.Executor
	Dir      string // compiled programs are kept here
	Workers  int    // programs that run at a time
	Limits   sandbox.Limits
	Extras
}

// An Engine compiles and runs test programs. Safe for concurrent use.
type Engine struct {
	cfg   Config
	store *store
	slots chan struct{} // a token for each program that may run

	mu      sync.Mutex
	idle    map[sandbox.Flavour][]sandbox.Runner
	symbols map[string]map[string]bool // see librarySymbols; by path of the shared library
	read    map[string]*test           // programs that were read and not compiled, by testKey

	compiled map[string]func() (*helpers, error) // by headers and flags
}

// New returns an engine; Close ends its runners.
func New(cfg Config) (*Engine, error) {
	store, err := newStore(filepath.Join(cfg.Dir, "tests"))
	if err != nil {
		return nil, err
	}
	cfg.Workers = max(cfg.Workers, 1)
	return &Engine{cfg: cfg, store: store, slots: make(chan struct{}, cfg.Workers), idle: map[sandbox.Flavour][]sandbox.Runner{}, symbols: map[string]map[string]bool{},
		read: map[string]*test{}}, nil
}

// Options says how Run runs programs.
type Options struct {
	Perturb  bool // another heap fill, stack layout and date (trial.ExecOptions)
	Stdout   bool // keep standard output
	Counters bool // return the library's coverage counters; the build must have them
	// CPU and Wall limit what each program uses, by its index; nil, 0 and what is above the engine's limit mean that one.
	CPU, Wall []time.Duration
}

// limits are those of the ith program.
func (o Options) limits(i int, most sandbox.Limits) sandbox.Limits {
	if i < len(o.CPU) {
		most.CPU = lower(most.CPU, o.CPU[i])
	}
	if i < len(o.Wall) {
		most.Wall = lower(most.Wall, o.Wall[i])
	}
	return most
}

// lower is the lower of two limits, of which 0 is none.
func lower(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// Run compiles the programs for b's headers, unless that was done before, and runs each of
// them once on b. results[i] belongs to programs[i]. Programs of a Sanitizer build are
// compiled with the sanitizers too.
func (e *Engine) Run(ctx context.Context, b *libbuild.Build, programs []trial.Program, o Options) ([]trial.Result, error) {
	tests, err := e.compile(ctx, b, programs)
	if err != nil {
		return nil, err
	}
	results := make([]trial.Result, len(programs))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(e.cfg.Workers, len(programs)) {
		g.Go(func() error {
			return e.withRunner(ctx, flavourOf(b), func(r sandbox.Runner) error {
				for i := int(taken.Add(1)) - 1; i < len(programs); i = int(taken.Add(1)) - 1 {
					res, err := e.one(ctx, r, b, programs[i], tests[i], o, o.limits(i, e.cfg.Limits))
					if err != nil {
						return fmt.Errorf("program %s: %w", programs[i].ID, err)
					}
					results[i] = res
				}
				return nil
			})
		})
	}
	return results, g.Wait()
}

// one returns the verdict on one program.
func (e *Engine) one(ctx context.Context, r sandbox.Runner, b *libbuild.Build, p trial.Program, t *test, o Options, limits sandbox.Limits) (trial.Result, error) {
	if t.Outcome != "" {
		return named(trial.Result{Outcome: t.Outcome, Diagnostic: t.Diagnostic}, p, t.file), nil
	}
	if plain, err := e.needsPlain(b, t); err != nil {
		return trial.Result{}, err
	} else if plain {
		results, err := e.Plain(ctx, b, p, PlainOptions{Stdout: o.Stdout, Timeout: limits.Wall, CPU: limits.CPU})
		if err != nil {
			return trial.Result{}, err
		}
		return results[0], nil
	}
	code, err := os.ReadFile(t.shared)
	if err != nil {
		return trial.Result{}, err
	}
	job := sandbox.Job{
		ID: p.ID, Library: b.SharedLib, Code: code, Entries: t.Entries,
		Limits: limits, Perturb: o.Perturb, Stdout: o.Stdout,
	}
	if o.Counters {
		job.CountersAt, job.Counters = b.CountersAt, b.Counters
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return trial.Result{}, context.Cause(ctx)
	}
	v, err := r.Run(ctx, job)
	if err == nil && starved(v) {
		job.Limits.Wall *= starvedPatience // its limit of processor time still holds
		v, err = r.Run(ctx, job)
	}
	if err != nil {
		return trial.Result{}, err
	}
	if v.LoadError != "" {
		h, err := e.helpers(ctx, b)
		if err != nil {
			return trial.Result{}, err
		}
		v.LoadError = unlinked(v.LoadError, b, h.left)
	}
	return named(sandbox.Classify(v), p, t.file), nil
}

// A test that ran out of wall time had to wait for a processor if it was at work for a share of the time between
// these two: below asleepPct it slept, above busyPct it had one. It runs again with starvedPatience times the limit.
const (
	asleepPct       = 5
	busyPct         = 80
	starvedPatience = 5
)

// starved reports whether a test ran out of wall time because others had the processor.
func starved(v sandbox.Ending) bool {
	return v.TimedOut && v.CPU > v.Wall*asleepPct/100 && v.CPU < v.Wall*busyPct/100
}

// named puts the program's ID into its result, also where the compiler or an assertion
// named the file under which it was compiled.
func named(r trial.Result, p trial.Program, file string) trial.Result {
	r.ID = p.ID
	own := p.ID + p.Lang.Ext()
	r.Diagnostic = strings.ReplaceAll(r.Diagnostic, file, own)
	r.Stderr = strings.ReplaceAll(r.Stderr, file, own)
	if r.Assertion != nil && filepath.Base(r.Assertion.File) == file {
		a := *r.Assertion
		a.File = own
		r.Assertion = &a
	}
	return r
}

// needsPlain reports whether only the plain way can judge a test. That is so if it could not be
// linked alone, or because it defines a symbol that b's library defines or imports too
// (malloc, operator new). The library would go on calling its own, where a static link
// refuses the second definition or takes the test's. Two weak definitions are two copies
// of one inline function or template of C++, and do no harm.
func (e *Engine) needsPlain(b *libbuild.Build, t *test) (bool, error) {
	if t.Plain {
		return true, nil
	}
	known, err := e.librarySymbols(b)
	if err != nil {
		return false, err
	}
	for _, s := range t.Defined {
		if _, both := known[s]; both {
			return true, nil
		}
	}
	for _, s := range t.Weak {
		if known[s] {
			return true, nil
		}
	}
	return false, nil
}

// librarySymbols returns the symbols that b's library defines or imports: true for those
// that it defines and that are not weak.
func (e *Engine) librarySymbols(b *libbuild.Build) (map[string]bool, error) {
	e.mu.Lock()
	known := e.symbols[b.SharedLib]
	e.mu.Unlock()
	if known != nil {
		return known, nil
	}
	strong, weak, imported, err := toolchain.Symbols(b.SharedLib)
	if err != nil {
		return nil, err
	}
	known = map[string]bool{}
	for _, s := range slices.Concat(weak, imported) {
		known[s] = false
	}
	for _, s := range strong {
		known[s] = true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.symbols[b.SharedLib] = known
	return known, nil
}

func flavourOf(b *libbuild.Build) sandbox.Flavour {
	if b.Variant == libbuild.Sanitizer {
		return sandbox.Sanitized
	}
	return sandbox.Plain
}

// withRunner lends f a warm runner, which is kept for the next call unless f failed.
func (e *Engine) withRunner(ctx context.Context, flavour sandbox.Flavour, f func(sandbox.Runner) error) error {
	r, err := e.takeRunner(ctx, flavour)
	if err != nil {
		return err
	}
	if err := f(r); err != nil {
		return errors.Join(err, r.Close())
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle[flavour] = append(e.idle[flavour], r)
	return nil
}

func (e *Engine) takeRunner(ctx context.Context, flavour sandbox.Flavour) (sandbox.Runner, error) {
	e.mu.Lock()
	if idle := e.idle[flavour]; len(idle) > 0 {
		r := idle[len(idle)-1]
		e.idle[flavour] = idle[:len(idle)-1]
		e.mu.Unlock()
		return r, nil
	}
	e.mu.Unlock()
	return e.cfg.Sandbox.Start(ctx, flavour)
}

// Close ends the warm runners and removes the compiled programs.
func (e *Engine) Close() error {
	return errors.Join(e.closeRunners(), os.RemoveAll(e.store.dir))
}

func (e *Engine) closeRunners() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	for flavour, idle := range e.idle {
		for _, r := range idle {
			errs = append(errs, r.Close())
		}
		delete(e.idle, flavour)
	}
	return errors.Join(errs...)
}

// A Reference is the trial.Executor that tools get: it runs programs on the reference
// build, or on its sanitizer build, which is made when it is first asked for.
type Reference struct {
	Engine    *Engine
	Plain     *libbuild.Build
	Sanitizer func(ctx context.Context) (*libbuild.Build, error)
}

// Run implements trial.Executor.
func (r Reference) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	b := r.Plain
	if o.Sanitize {
		var err error
		if b, err = r.Sanitizer(ctx); err != nil {
			return nil, err
		}
	}
	opts := Options{Perturb: o.Perturb, Stdout: o.Stdout}
	results, err := r.Engine.Run(ctx, b, programs, opts)
	for n := 1; n < o.Runs && err == nil; n++ {
		var again []trial.Result
		again, err = r.Engine.Run(ctx, b, programs, opts)
		for i := range again {
			results[i] = merge(results[i], again[i])
		}
	}
	return results, err
}

// merge makes a result flaky when another run of the same program disagrees with it.
func merge(a, b trial.Result) trial.Result {
	if a.Outcome != trial.Flaky && (a.Outcome != b.Outcome || a.Stdout != b.Stdout) {
		a.Diagnostic = fmt.Sprintf("runs disagree: %s, then %s", a.Outcome, b.Outcome)
		a.Outcome = trial.Flaky
	}
	a.WallMs += b.WallMs
	a.CPUMs += b.CPUMs
	return a
}

// Coverage returns what summed counters of a coverage build mean in lines and branches.
func (e *Engine) Coverage(ctx context.Context, b *libbuild.Build, counters []uint64) (trial.Coverage, error) {
	return exported(e, b, func(p *toolchain.Profile, work string) (trial.Coverage, error) {
		return e.cfg.Tools.ExportCoverage(ctx, b.SharedLib, p, counters, work)
	})
}

// Uncovered returns which functions and branches summed counters of a coverage build leave out.
func (e *Engine) Uncovered(ctx context.Context, b *libbuild.Build, counters []uint64) (trial.Uncovered, error) {
	return exported(e, b, func(p *toolchain.Profile, work string) (trial.Uncovered, error) {
		return e.cfg.Tools.ExportUncovered(ctx, b.SharedLib, p, counters, work)
	})
}

func exported[T any](e *Engine, b *libbuild.Build, export func(p *toolchain.Profile, work string) (T, error)) (none T, err error) {
	text, err := os.ReadFile(b.Profile)
	if err != nil {
		return none, err
	}
	profile, err := toolchain.ParseProfile(text)
	if err != nil {
		return none, fmt.Errorf("%s: %w", b.Profile, err)
	}
	work, err := os.MkdirTemp(e.cfg.Dir, ".coverage-")
	if err != nil {
		return none, err
	}
	defer os.RemoveAll(work)
	return export(profile, work)
}
