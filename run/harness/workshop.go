package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// A Workplace says what a workshop is opened for.
type Workplace struct {
	Sandbox string         // one of experiments.Sandboxes
	Scratch string         // directory for compiled tests
	Cells   string         // directory of the run's cells; "" if there is no run
	Jobs    int            // cells worked on at once
	Limits  sandbox.Limits // of one test program
	Extras  testrun.Extras // of a hand-written suite
	KeyEnv  string         // variable with the key of an endpoint; "" if none is asked
}

// Workshop finds the toolchain and puts together what opens libraries. The caller closes it.
func (e *Env) Workshop(ctx context.Context, bench *lisabench.Bench, p Workplace) (shop *workshop.Workshop, err error) {
	cache, err := e.cacheDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.Scratch, 0o755); err != nil {
		return nil, err
	}
	log, cpus := e.Log, runtime.GOMAXPROCS(0) // fewer than the machine has where a scheduler allots them
	tools, compiler, err := e.compiler(ctx, cpus)
	if err != nil {
		return nil, err
	}
	shop = &workshop.Workshop{
		Bench: bench, Tools: tools, Compiler: compiler, Scratch: p.Scratch, Limits: p.Limits, Extras: p.Extras,
		Mutants: filepath.Join(cache, "mutants"),
		Workers: max(1, cpus/max(1, p.Jobs)),
		RunAll:  e.Select == "off",
		Sources: source.New(filepath.Join(cache, "sources"), withoutKeys(e.Environ, p.KeyEnv), log),
		Builder: libbuild.New(tools, cache, cpus, log),
	}
	if _, err := rand.Read(shop.Secret[:]); err != nil {
		return nil, err
	}
	if e.Remember {
		shop.Store, shop.Confinement = store.New(filepath.Join(cache, "store")), p.Sandbox
	}
	if shop.Linker, err = toolchain.NewLinker(ctx, tools, filepath.Join(cache, "stubs"), nil); err != nil {
		return nil, err
	}
	if shop.Sandbox, err = e.newSandbox(ctx, p, tools, nil); err != nil {
		return nil, err
	}
	shop.Fuzzer = &libfuzzer.Fuzzer{Limits: p.Limits, Now: e.Now, Log: log}
	var readable []string
	if p.Cells != "" { // fuzz targets read their corpora; test programs have nothing to read there
		readable = append(readable, p.Cells)
	}
	shop.Fuzzer.Sandbox, err = e.newSandbox(ctx, p, tools, readable)
	return shop, err
}

// inWorkshop opens a workshop with a scratch directory of its own, calls do, and removes both.
func (e *Env) inWorkshop(ctx context.Context, bench *lisabench.Bench, p Workplace, do func(*workshop.Workshop) error) (err error) {
	if p.Scratch, err = e.cacheDir(); err != nil {
		return err
	}
	if p.Scratch, err = os.MkdirTemp(p.Scratch, durable.TempPrefix+"scratch-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(p.Scratch)) }()
	if err := os.Chmod(p.Scratch, 0o755); err != nil { // programs of another user are run from it
		return err
	}
	p.Jobs = 1
	shop, err := e.Workshop(ctx, bench, p)
	if err != nil {
		return err
	}
	return errors.Join(do(shop), shop.Close())
}

// toolchain finds the programs that everything is built and measured with.
func (e *Env) toolchain(ctx context.Context) (*toolchain.Tools, error) {
	llvm, err := e.llvmDirs()
	if err != nil {
		return nil, err
	}
	// With less, tests cannot be started, and seem to fail.
	const open = 1024 // files
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err == nil && limit.Cur < open {
		return nil, Usagef("this process may open %d files, which is too few: ulimit -n %d", limit.Cur, open)
	}
	tools, err := toolchain.Find(ctx, llvm)
	if err != nil {
		return nil, fmt.Errorf("%w\n`bench doctor` lists everything; scripts/install.sh installs it", err)
	}
	return tools, nil
}

// llvmDirs are the directories that the user wants to be searched first.
func (e *Env) llvmDirs() ([]string, error) {
	if e.LLVM == "" {
		return nil, nil
	}
	return []string{e.LLVM}, checkDir("--llvm", e.LLVM)
}

// compiler finds the toolchain, and makes the compiler of test programs with that many processes at once.
func (e *Env) compiler(ctx context.Context, cpus int) (*toolchain.Tools, *toolchain.Compiler, error) {
	cache, err := e.cacheDir()
	if err != nil {
		return nil, nil, err
	}
	tools, err := e.toolchain(ctx)
	if err != nil {
		return nil, nil, err
	}
	compiler, err := toolchain.NewCompiler(tools, filepath.Join(cache, "preambles"), filepath.Join(cache, "plugins"), cpus, nil)
	return tools, compiler, err
}

// withoutKeys is the environment for git and apt, which need no key of an endpoint.
func withoutKeys(environ []string, keyEnv string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == llm.DefaultKeyEnv || name == keyEnv && keyEnv != ""
	})
}

// newSandbox returns the executor that p names, whose programs can read some directories.
func (e *Env) newSandbox(ctx context.Context, p Workplace, tools *toolchain.Tools, readable []string) (sandbox.Executor, error) {
	cache, err := e.cacheDir()
	if err != nil {
		return nil, err
	}
	cfg := sandbox.Config{Tools: tools, Dir: filepath.Join(cache, "runners"), ReadOnly: readable, Limits: p.Limits}
	for _, dir := range readable {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	switch p.Sandbox {
	case "bwrap":
		return sandbox.NewBwrap(cfg)
	case "none":
		return sandbox.NewNone(cfg), nil
	case "docker":
		return sandbox.NewDocker(ctx, cfg, e.Getenv("DOCKER_HOST"))
	}
	return nil, lisabench.NewUnknownError("sandbox", p.Sandbox, experiments.Sandboxes)
}
