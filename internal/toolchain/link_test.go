package toolchain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func testLinker(t testing.TB) *Linker {
	t.Helper()
	l, err := NewLinker(context.Background(), testTools(t), testcache.Dir("stubs"), nil)
	assert.NilError(t, err)
	return l
}

// compileOne compiles a program that must compile and returns its object.
func compileOne(t testing.TB, lang trial.Language, flags Flags, source string) string {
	t.Helper()
	got, err := testCompiler(t, 1).Compile(context.Background(), t.TempDir(), flags, []Unit{{ID: "unit", Lang: lang, Source: source}})
	assert.NilError(t, err)
	assert.Assert(t, got[0].OK, "does not compile:\n%s", got[0].Diagnostics)
	return got[0].Object
}

// loadMain runs the main function of a shared object in a process of its own, which has
// preload loaded, and returns its output.
func loadMain(t *testing.T, so string, preload ...string) (string, error) {
	t.Helper()
	ctx := context.Background()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "load.c"), `#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *h = NULL;
    for (int i = 1; i < argc; i++) {
        h = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
        if (h == NULL) { puts(dlerror()); return 99; }
    }
    return ((int (*)(void))dlsym(h, "main"))();
}`)
	loader := filepath.Join(dir, "load")
	if _, err := Run(ctx, Command{Args: []string{testTools(t).ClangXX.Path, "-x", "c", filepath.Join(dir, "load.c"), "-x", "none",
		"-Wl,--no-as-needed", "-lm", "-lstdc++", "-o", loader}}); err != nil {
		t.Fatal(err)
	}
	out, err := Run(ctx, Command{Args: append(append([]string{loader}, preload...), so)})
	return string(out.Stdout), err
}

// TestLinkSharedSameAsExecutable checks what is easily lost without the driver: symbol
// versions, the static parts of the C library, exceptions, static constructors.
func TestLinkSharedSameAsExecutable(t *testing.T) {
	tests := []struct {
		name string
		lang trial.Language
		code string
	}{
		{"newest symbol versions", trial.C, `
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <pthread.h>
int main(void) {
    char *p = realpath("/", NULL); /* the oldest version refuses NULL */
    printf("%s %g\n", p ? p : "(null)", pow(2, exp(1)));
    pthread_cond_t c; return pthread_cond_init(&c, NULL);
}`},
		{"static parts of libraries", trial.C, `
#include <stdio.h>
#include <stdlib.h>
static void bye(void) { puts("bye"); fflush(stdout); }
int main(int argc, char **argv) {
    (void)argv;
    atexit(bye);
    __int128 big = (__int128)(argc != 0) << 70;
    printf("%d\n", (int)((big + 5) / 3 % 1000));
    return 0;
}`},
		{"exceptions and constructors", trial.CXX, `
#include <cstdio>
#include <stdexcept>
#include <string>
struct Greeting { std::string text; Greeting() : text("made") {} ~Greeting() { std::puts("gone"); std::fflush(stdout); } } greeting;
int main() {
    try { throw std::runtime_error(greeting.text); }
    catch (const std::exception &e) { std::printf("caught %s\n", e.what()); }
    return 0;
}`},
	}
	l := testLinker(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := context.Background()
			object := compileOne(t, tt.lang, Flags{}, tt.code)
			dir := t.TempDir()
			so, exe := filepath.Join(dir, "t.so"), filepath.Join(dir, "t")
			assert.NilError(t, l.LinkShared(ctx, tt.lang, object, so))
			got, err := loadMain(t, so)
			assert.Assert(t, err == nil, "%v\n%s", err, got)
			if _, err := Run(ctx, Command{Args: []string{testTools(t).ClangXX.Path, object, "-lm", "-o", exe}}); err != nil {
				t.Fatal(err)
			}
			want, err := Run(ctx, Command{Args: []string{exe}})
			assert.NilError(t, err)
			assert.Check(t, got == string(want.Stdout), "loaded: %q, executable: %q", got, want.Stdout)
		})
	}
}

func TestLinkSharedLeavesSymbolsUndefined(t *testing.T) {
	object := compileOne(t, trial.C, Flags{}, "int shape_new(int); int own(void) { return 1; } static int hidden(void) { return shape_new(3); } int main(void) { return own() + hidden(); }")
	so := filepath.Join(t.TempDir(), "t.so")
	assert.NilError(t, testLinker(t).LinkShared(context.Background(), trial.C, object, so))
	for _, file := range []string{object, so} {
		defined, _, undefined, err := Symbols(file)
		assert.NilError(t, err)
		if !slices.Contains(defined, "own") || !slices.Contains(defined, "main") || slices.Contains(defined, "hidden") {
			t.Errorf("%s defines %v", file, defined)
		}
		assert.Check(t, slices.Contains(undefined, "shape_new") && !slices.Contains(undefined, "own"),
			"%s needs %v", file, undefined)
	}
	if out, err := loadMain(t, so); err == nil || !strings.Contains(out, "undefined symbol: shape_new") {
		t.Errorf("loading it: %v, %q", err, out)
	}
}

func TestLinkLibrary(t *testing.T) {
	ctx := context.Background()
	l := testLinker(t)
	dir := t.TempDir()
	object := compileOne(t, trial.C, Flags{IncludeDirs: []string{shapesInclude(t)}}, shapesSource)
	archive := filepath.Join(dir, "libshapes.a")
	var bytes [2]string
	for i := range bytes {
		assert.NilError(t, l.tools.Archive(ctx, []string{object}, archive, nil))
		text, err := os.ReadFile(archive)
		assert.NilError(t, err)
		bytes[i] = string(text)
	}
	assert.Check(t, bytes[0] == bytes[1] && bytes[0] != "", "archives of the same object differ")
	link := LibraryLink{Lang: trial.C, Objects: []string{object}, SONAME: "libshapes.so.1", Out: filepath.Join(dir, "libshapes.so")}
	assert.NilError(t, l.tools.LinkLibrary(ctx, link, nil))
	link.Objects = []string{compileOne(t, trial.C, Flags{}, "int nowhere(void); int f(void) { return nowhere(); }")}
	var failed *CommandError
	if err := l.tools.LinkLibrary(ctx, link, nil); !errors.As(err, &failed) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("link with an undefined symbol: %v", err)
	}
}
