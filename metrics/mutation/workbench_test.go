package mutation

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func findTools(t testing.TB) *toolchain.Tools {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	return tools
}

// A workbench has all that mutants take, in a directory that programs of another user can read.
type workbench struct {
	tools *toolchain.Tools
	maker *Maker
	dir   string
}

func newWorkbench(t testing.TB) *workbench {
	t.Helper()
	tools, dir, log := findTools(t), t.TempDir(), slog.New(slog.DiscardHandler)
	assert.NilError(t, os.Chmod(dir, 0o755))
	plugin, err := tools.Plugin(t.Context(), testcache.Dir("plugins"), nil)
	assert.NilError(t, err)
	return &workbench{tools: tools, dir: dir, maker: &Maker{
		Plugin: plugin, Builder: libbuild.New(tools, dir, 2, log), Tools: tools, Dir: filepath.Join(dir, "mutants"), Workers: 2, Log: log,
	}}
}

// make makes the mutants of a library that consists of these files; of them, headers are public.
func (w *workbench) make(t testing.TB, files map[string]string, headers ...string) *MutableLibrary {
	t.Helper()
	tree := t.TempDir()
	spec := &lisabench.Library{Name: "tiny", Language: trial.C, Headers: headers, Recipe: lisabench.Recipe{SONAME: "libtiny.so.1"}}
	for name, text := range files {
		assert.NilError(t, os.WriteFile(filepath.Join(tree, name), []byte(text), 0o644))
		if strings.HasPrefix(filepath.Ext(name), ".c") {
			spec.Recipe.Sources = append(spec.Recipe.Sources, name)
		}
		if filepath.Ext(name) == ".cc" {
			spec.Language = trial.CXX
		}
	}
	lib, err := w.maker.Make(t.Context(), libbuild.Request{Library: spec, Edition: lisabench.Debian, Tree: source.Tree{Dir: tree, Key: store.Key(files)}})
	assert.NilError(t, err)
	return lib
}

// evaluator returns what runs programs on mutants, and the engine that it links them with.
func (w *workbench) evaluator(t testing.TB) (*Evaluator, *testrun.Engine) {
	t.Helper()
	compiler, err := toolchain.NewCompiler(w.tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	linker, err := toolchain.NewLinker(t.Context(), w.tools, testcache.Dir("stubs"), nil)
	assert.NilError(t, err)
	driver, err := BuildDriver(t.Context(), w.tools, w.dir)
	assert.NilError(t, err)
	box, err := sandbox.NewBwrap(sandbox.Config{Tools: w.tools, Dir: testcache.Dir("runners"), ReadOnly: []string{testcache.Dir("")}})
	assert.NilError(t, err)
	limits := sandbox.DefaultLimits
	limits.CPU = 3 * time.Second // what the source alone cannot tell from a hang
	engine, err := testrun.New(testrun.Config{Tools: w.tools, Compiler: compiler, Linker: linker, Sandbox: box, Dir: w.dir, Workers: 2, Limits: limits})
	assert.NilError(t, err)
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Evaluator{Linker: engine, Driver: driver, Sandbox: box, Limits: limits, Workers: 2}, engine
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}
