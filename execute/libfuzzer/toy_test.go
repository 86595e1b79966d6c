package libfuzzer

import (
	"fmt"
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
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An edit plants a bug in the toy library.
type edit struct{ anchor, replacement string }

var (
	overread = edit{"i < size /* end */", "i <= size"} // seen by ASan only
	endless  = edit{"i += 0 /* step */", "i -= 1"}
	abort    = edit{"free(copy);", "free(copy); if (digits == 2) abort();"}
	always   = edit{"int digits = 0;", "int digits = 0; abort();"}
)

// A toy is the toy library with its harness, built with some bugs.
type toy struct {
	build  func(libbuild.Variant) *libbuild.Build
	target *libbuild.FuzzBuild
}

// cache is shared by the tests of one run of the package.
var cache string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if cache, err = os.MkdirTemp("", "libfuzzer-test-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(cache)
		if err := os.Chmod(cache, 0o755); err != nil { // programs are another user
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func buildToy(t *testing.T, bugs ...edit) toy {
	t.Helper()
	builder := libbuild.New(findTools(t), cache, 2, slog.New(slog.DiscardHandler))
	tree := source.Tree{Dir: t.TempDir(), Key: fmt.Sprint(bugs)}
	assert.NilError(t, os.CopyFS(tree.Dir, os.DirFS("testdata/toy")))
	text, err := os.ReadFile("testdata/toy/toy.c")
	assert.NilError(t, err)
	for _, b := range bugs {
		assert.Assert(t, strings.Count(string(text), b.anchor) == 1, "%q is not in toy.c once", b.anchor)
		text = []byte(strings.Replace(string(text), b.anchor, b.replacement, 1))
	}
	writeFile(t, filepath.Join(tree.Dir, "toy.c"), string(text))
	request := libbuild.Request{
		Library: &lisabench.Library{Name: "toy", Language: trial.C, Headers: []string{"toy.h"},
			Recipe: lisabench.Recipe{Sources: []string{"toy.c"}, SONAME: "libtoy.so.1"}},
		Tree: tree,
	}
	target, err := builder.FuzzTarget(t.Context(), request, trial.FuzzTarget{Name: "toy_fuzzer", Source: filepath.Join(tree.Dir, "toy_fuzzer.c")})
	assert.NilError(t, err)
	return toy{target: target, build: func(v libbuild.Variant) *libbuild.Build {
		request.Variant = v
		b, err := builder.Build(t.Context(), request)
		assert.NilError(t, err)
		return b
	}}
}

func newFuzzer(t *testing.T) *Fuzzer {
	t.Helper()
	executor, err := sandbox.NewBwrap(sandbox.Config{Tools: findTools(t), Dir: testcache.Dir("runners"), ReadOnly: []string{cache}})
	assert.NilError(t, err)
	return &Fuzzer{Sandbox: executor, Limits: sandbox.DefaultLimits, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
}

func findTools(t *testing.T) *toolchain.Tools {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	return tools
}

// readableDir returns a directory that replays may read.
func readableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(cache, "inputs-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	assert.NilError(t, err)
	return dir
}
