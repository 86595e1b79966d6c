package testrun

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A library under test with the builds that the tests need.
type testLibrary struct {
	tools           *toolchain.Tools
	dir             string // holds the builds
	builder         *libbuild.Builder
	spec            *lisabench.Library
	tree            source.Tree
	plain, coverage *libbuild.Build
}

// build makes another variant or tree of the library.
func (l *testLibrary) build(t testing.TB, tree source.Tree, v libbuild.Variant) *libbuild.Build {
	t.Helper()
	b, err := l.builder.Build(t.Context(), libbuild.Request{Library: l.spec, Edition: lisabench.Debian, Tree: tree, Variant: v})
	assert.NilError(t, err)
	return b
}

// readableTempDir is a temporary directory that programs of another user can read.
func readableTempDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	assert.NilError(t, os.Chmod(dir, 0o755))
	return dir
}

// openLibrary builds a library of the benchmark from its Debian source, once for all tests.
func openLibrary(t testing.TB, name string) *testLibrary {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	spec, err := bench.Library(name)
	assert.NilError(t, err)
	return newLibrary(t, spec, testcache.Dir(""), func(string) source.Tree {
		tree, err := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler)).Reference(t.Context(), spec, lisabench.Debian)
		assert.NilError(t, err)
		return tree
	})
}

// tinyLibrary builds a library of one function, without a network.
func tinyLibrary(t testing.TB, source1 string) *testLibrary {
	t.Helper()
	spec := &lisabench.Library{Name: "tiny", Language: trial.C, Headers: []string{"tiny.h"},
		Recipe: lisabench.Recipe{Sources: []string{"tiny.c"}, SONAME: "libtiny.so.1"}}
	return newLibrary(t, spec, readableTempDir(t), func(string) source.Tree { return tinyTree(t, source1) })
}

func tinyTree(t testing.TB, source1 string) source.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"tiny.h": "int twice(int x);\n", "tiny.c": "#include \"tiny.h\"\n" + source1} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return source.Tree{Dir: dir, Key: source1}
}

// newLibrary builds a library in dir, which programs can read.
func newLibrary(t testing.TB, spec *lisabench.Library, dir string, fetch func(dir string) source.Tree) *testLibrary {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	l := &testLibrary{tools: tools, dir: dir, spec: spec}
	l.builder = libbuild.New(tools, l.dir, 2, slog.New(slog.DiscardHandler))
	l.tree = fetch(t.TempDir())
	l.plain = l.build(t, l.tree, libbuild.Plain)
	l.coverage = l.build(t, l.tree, libbuild.Coverage)
	return l
}

func newEngine(t testing.TB, l *testLibrary, limits sandbox.Limits) *Engine {
	t.Helper()
	return newEngineIn(t, l, limits, func(cfg sandbox.Config) (sandbox.Executor, error) { return sandbox.NewBwrap(cfg) })
}

// newEngineIn returns an engine with the executor that open returns.
func newEngineIn(t testing.TB, l *testLibrary, limits sandbox.Limits, open func(sandbox.Config) (sandbox.Executor, error)) *Engine {
	t.Helper()
	dir := readableTempDir(t)
	compiler, err := toolchain.NewCompiler(l.tools, filepath.Join(dir, "preambles"), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	linker, err := toolchain.NewLinker(t.Context(), l.tools, testcache.Dir("stubs"), nil)
	assert.NilError(t, err)
	box, err := open(sandbox.Config{Tools: l.tools, Dir: testcache.Dir("runners"), ReadOnly: []string{dir, l.dir}, Limits: limits})
	assert.NilError(t, err)
	e, err := New(Config{Tools: l.tools, Compiler: compiler, Linker: linker, Sandbox: box, Dir: dir, Workers: 2,
		Limits: limits})
	assert.NilError(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

const twice = "int twice(int x) { return 2 * x; }\n"

func program(id, body string) trial.Program {
	return trial.Program{ID: id, Lang: trial.C, Source: "#include <assert.h>\n#include <tiny.h>\n" + body}
}

func TestSwitchingTheLibraryCompilesNothing(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	programs := []trial.Program{
		program("a", "int main(void) { assert(twice(2) == 4); return 0; }\n"),
		program("b", "void test_zero(void) { assert(twice(0) == 0); }\n"),
	}
	outcomes := func(b *libbuild.Build) string {
		t.Helper()
		results, err := e.Run(t.Context(), b, programs, Options{})
		assert.NilError(t, err)
		return string(results[0].Outcome + " " + results[1].Outcome)
	}
	if got := outcomes(lib.plain); got != "ok ok" {
		t.Fatalf("reference: %s", got)
	}
	// From here on a compiler would fail.
	e.cfg.Compiler, e.cfg.Linker = nil, nil
	buggy := lib.build(t, tinyTree(t, "int twice(int x) { return x + 2 + (x == 0) * -2 + (x == 2); }\n"), libbuild.Plain)
	if got := outcomes(buggy); got != "assertion ok" {
		t.Errorf("buggy build: %s, want the first test to fail", got)
	}
}

func TestResultsNameTheProgram(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	programs := []trial.Program{
		program("p00007", "int main(void) { assert(twice(1) == 3); return 0; }\n"),
		program("p00008", "int main(void) { return nothing; }\n"),
	}
	results, err := e.Run(t.Context(), lib.plain, programs, Options{})
	assert.NilError(t, err)
	if a := results[0].Assertion; a == nil || a.File != "p00007.c" || a.Line != 3 || a.Expr != "twice(1) == 3" {
		t.Errorf("assertion = %+v in %+v", a, results[0])
	}
	if d := results[1].Diagnostic; !strings.Contains(d, "p00008.c:3:25: error: use of undeclared identifier 'nothing'") {
		t.Errorf("diagnostic = %q", d)
	}
}

func TestReferenceRunsRepeatedly(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	ref := Reference{Engine: e, Plain: lib.plain, Sanitizer: func(context.Context) (*libbuild.Build, error) {
		return lib.build(t, lib.tree, libbuild.Sanitizer), nil
	}}
	programs := []trial.Program{
		program("steady", "#include <stdio.h>\nint main(void) { printf(\"%d\", twice(4)); return 0; }\n"),
		program("flaky", "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); printf(\"%ld\", t.tv_nsec); return 0; }\n"),
		program("bad", "#include <stdlib.h>\nint main(void) { volatile char *p = malloc(4); return p[8] * 0; }\n"),
	}
	results, err := ref.Run(t.Context(), programs, trial.ExecOptions{Runs: 3, Stdout: true})
	assert.NilError(t, err)
	assert.Check(t, results[0].Outcome == trial.OK && results[0].Stdout == "8" && results[1].Outcome == trial.Flaky,
		"results = %+v", results)
	if results, err = ref.Run(t.Context(), programs, trial.ExecOptions{Sanitize: true}); err != nil {
		t.Fatal(err)
	}
	if results[0].Outcome != trial.OK || results[2].Outcome != trial.Crash || !strings.Contains(results[2].Diagnostic, "heap-buffer-overflow") {
		t.Errorf("under sanitizers: %+v", results)
	}
}

func TestCoverageOfACrash(t *testing.T) {
	lib := tinyLibrary(t, "int twice(int x) { if (x > 5) {\n return 0; }\n return 2 * x; }\n")
	e := newEngine(t, lib, sandbox.DefaultLimits)
	programs := []trial.Program{program("crash", "#include <stdlib.h>\nint main(void) { twice(1); abort(); }\n")}
	results, err := e.Run(t.Context(), lib.coverage, programs, Options{Counters: true})
	assert.NilError(t, err)
	cov, err := e.Coverage(t.Context(), lib.coverage, results[0].Counters)
	assert.NilError(t, err)
	if results[0].Outcome != trial.Crash || cov.LinesCovered != 2 || cov.LinesTotal != 3 || cov.BranchesCovered != 1 || cov.BranchesTotal != 2 {
		t.Errorf("outcome %s, coverage %+v; want 2 of 3 lines and 1 of 2 branches", results[0].Outcome, cov)
	}
}

// A program that defines a function of the library is judged the plain way.
func TestPlainWayKeepsTheOutput(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	p := program("own", "#include <stdio.h>\nint twice(int x) { return x; }\nint main(void) { printf(\"%d\", twice(4)); return 0; }\n")
	results, err := e.Run(t.Context(), lib.plain, []trial.Program{p}, Options{Stdout: true})
	assert.Check(t, err == nil && results[0].Outcome == trial.OK && results[0].Stdout == "4",
		"results %+v, %v; want ok with the output of its own function", results, err)
}

// Two cells of one library share its engine, and may have equal programs.
func TestEqualProgramsAtTheSameTime(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	var programs []trial.Program
	for i := range 20 {
		programs = append(programs, program(fmt.Sprint(i), fmt.Sprintf("int main(void) { assert(twice(%d) == %d); return 0; }\n", i, 2*i)))
	}
	g, ctx := errgroup.WithContext(t.Context())
	for range 4 {
		g.Go(func() error {
			results, err := e.Run(ctx, lib.plain, programs, Options{})
			for i, r := range results {
				if err == nil && r.Outcome != trial.OK {
					t.Errorf("program %d: %+v", i, r)
				}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

func TestStarved(t *testing.T) {
	for name, tt := range map[string]struct {
		ending sandbox.Ending
		want   bool
	}{
		"ended by itself":    {sandbox.Ending{Wall: 31 * time.Second, CPU: 9 * time.Second}, false},
		"others were busy":   {sandbox.Ending{TimedOut: true, Wall: 30 * time.Second, CPU: 9 * time.Second}, true},
		"asleep":             {sandbox.Ending{TimedOut: true, Wall: 30 * time.Second, CPU: time.Second}, false},
		"at work all along":  {sandbox.Ending{TimedOut: true, Wall: 30 * time.Second, CPU: 29 * time.Second}, false},
		"its processor time": {sandbox.Ending{TimedOut: true, Wall: 32 * time.Second, CPU: 30 * time.Second}, false},
	} {
		assert.Equal(t, starved(tt.ending), tt.want, name)
	}
}
