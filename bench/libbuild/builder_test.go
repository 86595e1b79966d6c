package libbuild

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// files of a library with a header that only one of its sources reads.
var counterLibrary = map[string]string{
	"counter.h":  "int counter_next(int n);\nint counter_zero(void);\n",
	"private.h":  "#define STEP 1\n",
	"counter.c":  "#include \"counter.h\"\n#include \"private.h\"\nint counter_next(int n) { return n > 9 ? 0 : n + STEP; }\n",
	"zero.c":     "#include \"counter.h\"\nint counter_zero(void) { return 0; }\n",
	"unused.txt": "not compiled\n",
}

func library() *lisabench.Library {
	return &lisabench.Library{
		Name:    "counter",
		Headers: []string{"counter.h"},
		Recipe:  lisabench.Recipe{Sources: []string{"*.c"}, Includes: []string{"."}, SONAME: "libcounter.so.1"},
	}
}

// tree writes files into a directory of its own; its key is its name, as distinct as its content.
func tree(t testing.TB, name string, files map[string]string) source.Tree {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for f, text := range files {
		path := filepath.Join(dir, f)
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return source.Tree{Dir: dir, Key: name}
}

func changed(files map[string]string, file, old, new string) map[string]string {
	c := map[string]string{}
	for f, text := range files {
		c[f] = text
	}
	c[file] = strings.Replace(c[file], old, new, 1)
	return c
}

func newBuilder(t testing.TB, cache string) *Builder {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	return New(tools, cache, 2, slog.New(slog.DiscardHandler))
}

func TestBuildCompilesOnlyWhatChanged(t *testing.T) {
	cache := t.TempDir()
	b := newBuilder(t, cache)
	for _, step := range []struct {
		name     string
		files    map[string]string
		compiled int
	}{
		{"first", counterLibrary, 2},
		{"one source changed", changed(counterLibrary, "counter.c", "> 9", "> 8"), 1},
		{"header of one source changed", changed(counterLibrary, "private.h", "1", "2"), 1},
		{"header of both changed", changed(counterLibrary, "counter.h", "int counter_zero", "/* c */ int counter_zero"), 2},
		{"new header", changed(counterLibrary, "new.h", "", "int new_one(void);\n"), 2},
		{"text that is not compiled changed", changed(counterLibrary, "unused.txt", "not", "never"), 0},
	} {
		t.Run(step.name, func(t *testing.T) {
			r := Request{Library: library(), Edition: lisabench.Debian, Tree: tree(t, step.name, step.files), Variant: Plain}
			before := compilations(t, b)
			build, err := b.Build(t.Context(), r)
			assert.NilError(t, err)
			compiled := compilations(t, b) - before
			assert.Check(t, compiled == step.compiled && build.Objects == 2,
				"compiled %d of %d objects, want %d of 2", compiled, build.Objects, step.compiled)
			again, err := newBuilder(t, cache).Build(t.Context(), r)
			assert.Check(t, err == nil && again.Dir == build.Dir,
				"second build = %v, %v; want the cached %s", again, err, build.Dir)
		})
	}
}

// compilations is how many sources ccache has had compiled for a builder's cache.
func compilations(t *testing.T, b *Builder) (n int) {
	out, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{b.tools.Ccache.Path, "--print-stats"},
		Env: []string{"CCACHE_DIR=" + filepath.Join(b.cache, "objects")}})
	assert.NilError(t, err)
	_, count, _ := strings.Cut(string(out.Stdout), "cache_miss\t")
	_, err = fmt.Sscan(count, &n)
	assert.NilError(t, err)
	return n
}

// TestHeadersHash: what is compiled against the headers is compiled again where their hash is another.
func TestHeadersHash(t *testing.T) {
	b, reference := newBuilder(t, t.TempDir()), ""
	for _, tt := range []struct {
		name    string
		files   map[string]string
		also    map[string]string
		differs bool
	}{
		{"reference", counterLibrary, nil, true},
		{"private header", changed(counterLibrary, "private.h", "1", "2"), nil, false},
		{"public header", changed(counterLibrary, "counter.h", "int n", "int m"), nil, true},
		{"installed elsewhere", counterLibrary, map[string]string{"also/counter.h": "counter.h"}, true},
	} {
		lib := library()
		lib.AlsoInstalled = tt.also
		build, err := b.Build(t.Context(), Request{Library: lib, Tree: tree(t, tt.name, tt.files), Variant: Plain})
		assert.NilError(t, err)
		assert.Check(t, (build.HeadersHash != reference) == tt.differs,
			"%s: the hash differs from the reference's: %v", tt.name, !tt.differs)
		reference = cmp.Or(reference, build.HeadersHash)
	}
}

func TestBuildFailureTellsFileAndCommand(t *testing.T) {
	cache := t.TempDir()
	b := newBuilder(t, cache)
	broken := changed(counterLibrary, "zero.c", "return 0", "return nothing")
	_, err := b.Build(t.Context(), Request{Library: library(), Tree: tree(t, "broken", broken), Variant: Plain})
	var failed *toolchain.CommandError
	assert.Assert(t, errors.As(err, &failed), "error = %v, want a *toolchain.CommandError", err)
	for _, want := range []string{"library counter", "zero.c:2", "use of undeclared identifier 'nothing'", "-c"} {
		assert.Check(t, strings.Contains(err.Error(), want), "error lacks %q:\n%v", want, err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "builds", "*")); len(left) > 0 {
		t.Errorf("a failed build left %v", left)
	}
}

func TestBuildFailureTellsMissingPackages(t *testing.T) {
	broken := tree(t, "broken", changed(counterLibrary, "zero.c", "#include", "#include <no/such/header.h>\n#include"))
	const hint = "apt-get install no-such-package-here): "
	for _, tt := range []struct {
		name  string
		needs []string
		want  bool
	}{
		{"all there", []string{"dpkg", "libc-bin"}, false},
		{"one missing", []string{"dpkg", "no-such-package-here"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lib := library()
			lib.Recipe.Needs = tt.needs
			_, err := newBuilder(t, t.TempDir()).Build(t.Context(), Request{Library: lib, Tree: broken, Variant: Plain})
			var failed *toolchain.CommandError
			assert.Check(t, errors.As(err, &failed) && strings.Contains(err.Error(), "no/such/header.h"),
				"error = %v, want the compiler's", err)
			if err != nil && strings.Contains(err.Error(), hint) != tt.want {
				t.Errorf("error = %v, with %q: %v", err, hint, !tt.want)
			}
		})
	}
}

func TestRecipeThatMatchesNothing(t *testing.T) {
	lib := library()
	lib.Recipe.Sources = []string{"src/*.c"}
	_, err := newBuilder(t, t.TempDir()).Build(t.Context(), Request{Library: lib, Tree: tree(t, "t", counterLibrary), Variant: Plain})
	assert.Check(t, err != nil && strings.Contains(err.Error(), `"src/*.c" matches no file`), "error = %v", err)
}

func TestGeneratedFiles(t *testing.T) {
	lib := library()
	lib.Recipe.Copy = []lisabench.CopyStep{{From: "counter.h.in", To: "counter.h"}, {From: "counter.h.in", To: "made/by/copy.h"}}
	lib.Recipe.Write = []lisabench.WriteStep{{To: "private.h", Text: "#define STEP 3\n"}, {To: "made/of/us.h", Text: "int us(void);\n"}}
	lib.Headers = append(lib.Headers, "made/by/copy.h", "made/of/us.h")
	lib.Recipe.Configure = [][]string{{"sh", "-c", "echo 'int made(void) { return 1; }' > made.c"}}
	files := map[string]string{"counter.h.in": counterLibrary["counter.h"], "counter.c": counterLibrary["counter.c"], "zero.c": counterLibrary["zero.c"]}
	tr := tree(t, "t", files)
	build, err := newBuilder(t, t.TempDir()).Build(t.Context(), Request{Library: lib, Tree: tr, Variant: Plain})
	assert.NilError(t, err)
	assert.Check(t, build.Objects == 3, "%d objects, want 3 with the generated source", build.Objects)
	if !exists(filepath.Join(build.IncludeDir, "made/of/us.h"), filepath.Join(build.IncludeDir, "made/by/copy.h")) {
		t.Errorf("%s lacks generated headers: %v", build.IncludeDir, build.Sums)
	}
	if _, err := os.Stat(filepath.Join(tr.Dir, "made.c")); err == nil {
		t.Error("the recipe changed the tree itself, which is shared")
	}
}

// What a recipe says is unused is not copied, also where it is deep in the tree; links are.
func TestUnusedFilesAreNotCopied(t *testing.T) {
	lib := library()
	lib.Recipe.Write = []lisabench.WriteStep{{To: "private.h", Text: "#define STEP 3\n"}}
	lib.Recipe.Unused = []string{"test", "doc/big.txt", "none"}
	files := changed(counterLibrary, "test/a/b.txt", "", "")
	files["doc/big.txt"], files["doc/test"] = "big", "kept"
	tr := tree(t, "t", files)
	assert.NilError(t, os.Symlink("doc/test", filepath.Join(tr.Dir, "link")))
	dir, _, err := newBuilder(t, t.TempDir()).Sources(t.Context(), Request{Library: lib, Tree: tr})
	assert.NilError(t, err)
	for name, want := range map[string]bool{"counter.c": true, "doc/test": true, "link": true, "test": false, "doc/big.txt": false} {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Builders of their own have no lock in common, as those of several processes.
func TestTwoProcessesOnOneCache(t *testing.T) {
	cache := t.TempDir()
	lib := library()
	lib.Recipe.Write = []lisabench.WriteStep{{To: "config.h", Text: "\n"}} // so that the tree is prepared too
	fuzz := changed(counterLibrary, "fuzz/f.c", "", "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *data, size_t size) { return 0; }\n")
	r := Request{Library: lib, Tree: tree(t, "t", fuzz), Variant: Plain}
	target := trial.FuzzTarget{Name: "f", Source: filepath.Join(r.Tree.Dir, "fuzz/f.c")}
	builders := []*Builder{newBuilder(t, cache), newBuilder(t, cache), newBuilder(t, cache)}
	var g errgroup.Group
	for _, b := range builders {
		g.Go(func() error {
			if _, err := b.Build(t.Context(), r); err != nil {
				return err
			}
			_, err := b.FuzzTarget(t.Context(), r, target)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "*", ".*tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// exists reports whether all of the files are there.
func exists(files ...string) bool {
	return !slices.ContainsFunc(files, func(f string) bool { _, err := os.Stat(f); return err != nil })
}

// variants lists every variant.
var variants = []Variant{Plain, Coverage, Sanitizer, Fuzzer}
