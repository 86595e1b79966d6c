// Package harness connects the other packages for the commands. It loads the benchmark and the experiments,
// finds the toolchain, manages the cache, opens the tools and models that an experiment names, and executes it.
// It consumes an Env (settings of the process) and produces run directories. Wrong settings are a *UsageError.
// It prints only progress.
package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

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
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// An Env is all that the harness knows of the process that it runs in.
type Env struct {
	Cache string // directory of sources and builds; "" for the default below Getenv's home
	Bench string // directory of libraries and bugs that is laid over those built in; "" for none
	LLVM  string // directory that is searched first for LLVM's programs; "" for none

	// Select is "off" where every test is run on every bug's build, "on" or "" where those are that execute a function
	// that differs there.
	Select string

	// Remember says that results of earlier evaluations are used, and those of this one kept.
	Remember bool

	Getenv  func(string) string
	Environ []string // for git and apt, which have settings of the user's in it
	Now     func() time.Time
	Log     *slog.Logger
	Stderr  io.Writer      // for progress
	Screen  *runner.Screen // the terminal that Stderr is; nil if it is none, or cannot move its cursor

	cacheReady bool // it was found to be writable, and was swept
}

// A UsageError is a wrong flag, argument or configuration.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef is fmt.Errorf for a *UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// LoadBench returns the benchmark: what is built in, and what e.Bench lays over it.
func (e *Env) LoadBench() (*lisabench.Bench, error) {
	files := lisabench.Embedded()
	if e.Bench != "" {
		over, err := lisabench.Over(files, e.Bench)
		if err != nil {
			return nil, Usagef("--bench-dir: %w", err)
		}
		files = over
	}
	return lisabench.Load(files)
}

// checkDir refuses the value of a flag that is not a directory.
func checkDir(flag, dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Usagef("%s %s: no such directory", flag, dir)
	case err != nil:
		return Usagef("%s: %w", flag, err)
	case !info.IsDir():
		return Usagef("%s %s: not a directory", flag, dir)
	}
	return nil
}

// cacheDir returns the cache directory, which can be written and is swept.
func (e *Env) cacheDir() (string, error) {
	dir, err := e.CachePath()
	if err != nil || e.cacheReady {
		return dir, err
	}
	if err = os.MkdirAll(dir, 0o755); err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, durable.TempPrefix); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err == nil {
		err = sweepCache(dir, e.Now().Add(-sweepAfter))
	}
	if err != nil {
		return "", fmt.Errorf("cache of sources and builds: %w: make it writable, or name another directory with --cache", err)
	}
	e.cacheReady = true
	return dir, nil
}

// CachePath returns where the cache is, and makes nothing.
func (e *Env) CachePath() (string, error) {
	if e.Cache != "" {
		dir, err := filepath.Abs(e.Cache)
		if strings.Contains(dir, ",") {
			return "", Usagef("--cache %s: a linker takes a comma for the end of a name: choose another directory", e.Cache)
		}
		return dir, err
	}
	if dir := e.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "lisa-bench"), nil
	}
	home := e.Getenv("HOME")
	if home == "" {
		return "", Usagef("HOME and XDG_CACHE_HOME are not set; choose a directory for sources and builds with --cache DIR")
	}
	return filepath.Join(home, ".cache", "lisa-bench"), nil
}

// sweepAfter is how old a temporary file of the cache is before it is taken for one of a killed process: nothing takes
// an hour to make.
const sweepAfter = 24 * time.Hour

// sweepCache removes the temporary files and directories of the cache that nobody has changed since before.
func sweepCache(dir string, before time.Time) (err error) {
	for _, below := range []string{".", "*", "sources/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, below, durable.TempPrefix+"*"))
		for _, path := range found {
			if info, statErr := os.Lstat(path); statErr == nil && info.ModTime().Before(before) {
				err = errors.Join(err, os.RemoveAll(path))
			}
		}
	}
	return err
}

// A Workplace says what a workshop is opened for.
type Workplace struct {
	Sandbox string         // one of experiments.Sandboxes
	Scratch string         // directory in which one for compiled tests is made; "" for the cache
	Cells   string         // directory of the run's cells; "" if there is no run
	Jobs    int            // cells worked on at once; 0 is 1
	Limits  sandbox.Limits // of one test program
	Extras  testrun.Extras // of a hand-written suite
	KeyEnv  string         // variable with the key of an endpoint; "" if none is asked
}

// workshop finds the toolchain and puts together what opens libraries. The caller closes it.
func (e *Env) workshop(ctx context.Context, bench *lisabench.Bench, p Workplace) (shop *workshop.Workshop, err error) {
	cache, err := e.cacheDir()
	if err != nil {
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

// InWorkshop opens a workshop with a scratch directory of its own, calls do, and removes both.
func (e *Env) InWorkshop(ctx context.Context, bench *lisabench.Bench, p Workplace, do func(*workshop.Workshop) error) (err error) {
	cache, err := e.cacheDir()
	if err != nil {
		return err
	}
	prefix := "bench-"
	if p.Scratch == "" {
		p.Scratch, prefix = cache, durable.TempPrefix+"scratch-"
	}
	if p.Scratch, err = filepath.Abs(p.Scratch); err == nil {
		err = os.MkdirAll(p.Scratch, 0o755)
	}
	if err == nil {
		p.Scratch, err = os.MkdirTemp(p.Scratch, prefix)
	}
	if err != nil {
		return fmt.Errorf("directory for compiled tests: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(p.Scratch)) }()
	if err := os.Chmod(p.Scratch, 0o755); err != nil { // programs of another user are run from it
		return err
	}
	shop, err := e.workshop(ctx, bench, p)
	if err != nil {
		return err
	}
	return errors.Join(do(shop), shop.Close())
}

// llvmDirs are the directories that the user wants to be searched first.
func (e *Env) llvmDirs() ([]string, error) {
	if e.LLVM == "" {
		return nil, nil
	}
	return []string{e.LLVM}, checkDir("--llvm", e.LLVM)
}

// compiler finds the programs that everything is built and measured with, and makes the compiler of test programs with
// that many processes at once.
func (e *Env) compiler(ctx context.Context, cpus int) (*toolchain.Tools, *toolchain.Compiler, error) {
	cache, err := e.cacheDir()
	if err != nil {
		return nil, nil, err
	}
	llvm, err := e.llvmDirs()
	if err != nil {
		return nil, nil, err
	}
	// With less, tests cannot be started, and seem to fail.
	const open = 1024 // files
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err == nil && limit.Cur < open {
		return nil, nil, Usagef("this process may open %d files, which is too few: ulimit -n %d", limit.Cur, open)
	}
	tools, err := toolchain.Find(ctx, llvm)
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n`bench doctor` lists everything; scripts/install.sh installs it", err)
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

// A Diagnosis says of one program or service whether it is there.
type Diagnosis struct {
	toolchain.Program
	Fix string `json:"fix,omitempty"` // command that mends it
}

// Diagnose looks for everything that a command may need. It reports whether all is there that
// every experiment needs unless it asks for something else.
func (e *Env) Diagnose(ctx context.Context) (list []Diagnosis, sound bool, err error) {
	llvm, err := e.llvmDirs()
	if err != nil {
		return nil, false, err
	}
	tools, missing := toolchain.Find(ctx, llvm)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	list = []Diagnosis{{Program: toolchain.Program{Name: "go", Version: runtime.Version(), NeededFor: "building bench"}}}
	for _, t := range tools.Describe() {
		d := Diagnosis{Program: t}
		if t.Problem != "" {
			d.Fix = "apt-get install " + t.Package
		}
		list = append(list, d)
	}
	src := Diagnosis{Program: toolchain.Program{Name: "deb-src", NeededFor: "the debian edition", Optional: true}}
	if out, err := toolchain.Run(ctx, toolchain.Command{Args: []string{"apt-cache", "showsrc", "zlib"}}); err != nil || len(out.Stdout) == 0 {
		src.Problem, src.Fix = "apt sees no source packages", "scripts/install.sh"
	}
	docker := Diagnosis{Program: toolchain.Program{Name: "docker", NeededFor: "sandbox: docker", Optional: true}}
	box, err := sandbox.NewDocker(ctx, sandbox.Config{}, e.Getenv("DOCKER_HOST")) // the daemon, and the toolchain image
	var lacks *sandbox.DockerError
	switch {
	case errors.As(err, &lacks):
		docker.Problem, docker.Fix = lacks.Problem, lacks.Fix
	case err != nil:
		docker.Problem = err.Error()
	default:
		docker.Version, docker.Path = box.Daemon(), sandbox.ToolchainImage+" "+box.Image()
		_ = box.Close() // nothing was started
	}
	return append(list, src, docker), missing == nil && tools.Bwrap.Problem == "", nil
}
