package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The library under test. twice is what tests call; the constructor is for coverage.
const librarySource = `
int calls;
__attribute__((constructor)) static void load(void) { calls = 1; }
int twice(int n) { calls++; if (n < 0) return 0; return 2 * n; }
void overrun(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 'x'; }
`

const libraryHeader = `
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int twice(int n);
void overrun(char *p, int n);
`

// A workshop compiles what the tests run. Its directory is shared by all tests.
type workshop struct {
	dir      string
	tools    *toolchain.Tools
	linker   *toolchain.Linker
	plain    string // the library, with coverage counters
	counters int
	// countersAt is where in its memory they are.
	countersAt uint64
	programs   map[string]string // directories, by source
	asan       string            // the library with sanitizers
	cxx        string            // the library linked as one in C++, for tests in C++
}

var sharedDir string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if sharedDir, err = os.MkdirTemp("", "sandbox-test-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(sharedDir)
		return m.Run()
	}())
}

var shared = sync.OnceValues(func() (*workshop, error) {
	ctx := context.Background()
	if err := os.Chmod(sharedDir, 0o755); err != nil {
		return nil, err
	}
	w := &workshop{dir: sharedDir, programs: map[string]string{}}
	var err error
	if w.tools, err = toolchain.Find(ctx, nil); err != nil {
		return nil, err
	}
	if w.linker, err = toolchain.NewLinker(ctx, w.tools, testcache.Dir("stubs"), nil); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(w.dir, "lib.h"), []byte(libraryHeader), 0o644); err != nil {
		return nil, err
	}
	if w.plain, err = w.library(ctx, "plain", toolchain.CoverageFlags, toolchain.LibraryLink{Lang: trial.C, Coverage: true}); err != nil {
		return nil, err
	}
	if w.countersAt, w.counters, err = toolchain.CounterRange(w.plain); err != nil {
		return nil, err
	}
	if w.asan, err = w.library(ctx, "asan", toolchain.SanitizeFlags, toolchain.LibraryLink{Lang: trial.C, Sanitize: true}); err != nil {
		return nil, err
	}
	w.cxx, err = w.library(ctx, "cxx", nil, toolchain.LibraryLink{Lang: trial.CXX})
	return w, err
})

func (w *workshop) library(ctx context.Context, name string, flags []string, link toolchain.LibraryLink) (string, error) {
	dir := filepath.Join(w.dir, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	object, err := w.compile(ctx, filepath.Join(dir, "lib.c"), librarySource, flags...)
	if err != nil {
		return "", err
	}
	link.Objects, link.SONAME, link.Out = []string{object}, "libtoy.so.1", filepath.Join(dir, "libtoy.so")
	return link.Out, w.tools.LinkLibrary(ctx, link, nil)
}

func (w *workshop) compile(ctx context.Context, file, source string, flags ...string) (object string, err error) {
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		return "", err
	}
	clang := w.tools.Clang.Path
	if filepath.Ext(file) == ".cc" {
		clang = w.tools.ClangXX.Path
	}
	args := append([]string{clang, "-O0", "-w", "-fPIC", "-I" + w.dir, "-c", filepath.Base(file), "-o", file + ".o"}, flags...)
	_, err = toolchain.Run(ctx, toolchain.Command{Args: args, Dir: filepath.Dir(file)})
	return file + ".o", err
}

func newWorkshop(t testing.TB) *workshop {
	t.Helper()
	w, err := shared()
	assert.NilError(t, err)
	return w
}

func (w *workshop) config() Config {
	return Config{Tools: w.tools, Dir: filepath.Join(w.dir, "runners"), ReadOnly: []string{w.dir}, Limits: testLimits}
}

// executors are the implementations that the conformance suite runs on.
var executors = []string{"bwrap", "docker", "none"}

// each runs a test of the conformance suite on every executor.
func (w *workshop) each(t *testing.T, test func(t *testing.T, name string, e Executor)) {
	for _, name := range executors {
		t.Run(name, func(t *testing.T) { test(t, name, w.executor(t, name)) })
	}
}

// executor returns one for the tests' limits. Without a docker daemon or its image the test
// is skipped, unless LISA_BENCH_DOCKER=1 says that they must be there.
func (w *workshop) executor(t testing.TB, name string) Executor {
	t.Helper()
	switch name {
	case "none":
		return NewNone(w.config())
	case "docker":
		if testing.Short() && os.Getenv("LISA_BENCH_DOCKER") != "1" {
			t.Skip("starts containers (LISA_BENCH_DOCKER=1 runs it all the same)")
		}
		d, err := NewDocker(t.Context(), w.config(), os.Getenv("DOCKER_HOST"))
		var missing *DockerError
		if errors.As(err, &missing) && os.Getenv("LISA_BENCH_DOCKER") != "1" {
			t.Skipf("%v (LISA_BENCH_DOCKER=1 makes this a failure)", err)
		}
		assert.NilError(t, err)
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
	b, err := NewBwrap(w.config())
	assert.NilError(t, err)
	return b
}

// openDir returns a new directory that every user can read.
func (w *workshop) openDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(w.dir, "dir-")
	assert.NilError(t, errors.Join(err, os.Chmod(dir, 0o755)))
	return dir
}

// program compiles and links a test in C, or in C++ if its name ends so. The same source
// is compiled once.
func (w *workshop) program(t testing.TB, name, source string, flags ...string) (object, shared string) {
	t.Helper()
	key := fmt.Sprint(name, flags, source)
	if dir, ok := w.programs[key]; ok {
		return filepath.Join(dir, name+".o"), filepath.Join(dir, "test.so")
	}
	dir := w.openDir(t)
	w.programs[key] = dir
	lang := trial.C
	var err error
	if filepath.Ext(name) == ".cc" {
		lang = trial.CXX
	} else {
		source = "#include \"lib.h\"\n#line 1\n" + source
	}
	if object, err = w.compile(t.Context(), filepath.Join(dir, name), source, flags...); err != nil {
		t.Fatal(err)
	}
	shared = filepath.Join(dir, "test.so")
	assert.NilError(t, w.linker.LinkShared(t.Context(), lang, object, shared))
	return object, shared
}

// executable links a program with the library, once.
func (w *workshop) executable(t testing.TB, object string) string {
	t.Helper()
	exe := filepath.Join(filepath.Dir(object), "test")
	if _, err := os.Stat(exe); err == nil {
		return exe
	}
	args := []string{w.tools.Clang.Path, object, filepath.Join(filepath.Dir(w.plain), "lib.c.o"),
		"-fprofile-instr-generate", "--ld-path=" + w.tools.LLD.Path, "-o", exe}
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: args}); err != nil {
		t.Fatal(err)
	}
	return exe
}

// job is a job that calls main with the limits that most tests want.
func (w *workshop) job(t testing.TB, source string, flags ...string) Job {
	t.Helper()
	_, test := w.program(t, "test.c", source, flags...)
	return Job{ID: t.Name(), Library: w.plain, Test: test, Entries: []Entry{{Symbol: "main", ReturnsInt: true}}, Stdout: true, Limits: testLimits}
}

// grace is what processes get to be gone after they were killed.
const grace = time.Minute

// testLimits let every program that ends by itself end.
var testLimits = Limits{Wall: 5 * time.Minute, CPU: 2 * time.Minute, MemoryBytes: 1 << 30, FileBytes: 16 << 20, Processes: 32}

func start(t testing.TB, e Executor, f Flavour) Runner {
	t.Helper()
	r, err := e.Start(t.Context(), f)
	assert.NilError(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

func run(t testing.TB, r Runner, j Job) Ending {
	t.Helper()
	v, err := r.Run(t.Context(), j)
	assert.NilError(t, err)
	return v
}
