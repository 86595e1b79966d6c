package libbuild

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// disguiseOf prepares disguised builds of a library of four functions, of which the bug changes one.
func disguiseOf(t testing.TB, secret Secret) *Disguise {
	t.Helper()
	files := map[string]string{
		"counter.h": "int counter_next(int n);\nint counter_zero(void);\nint counter_twice(int n);\nconst char *counter_name(void);\n",
		"counter.c": `#include "counter.h"
__attribute__((noinline)) int counter_next(int n) { return n > 9 ? counter_zero() : n + 1; }
int counter_twice(int n) { return counter_next(counter_next(n)); }
const char *counter_name(void) { return "counter"; }
`,
		"zero.c": "#include \"counter.h\"\nint counter_zero(void) { return 0; }\n",
	}
	b := newBuilder(t, t.TempDir())
	request := func(name, old, new string) Request {
		return Request{Library: library(), Tree: tree(t, name, changed(files, "counter.c", old, new)), Variant: Plain}
	}
	d, err := b.Disguise(t.Context(), request("fixed", "", ""), request("buggy", "n > 9", "n > 8"), secret, "test", t.TempDir())
	assert.NilError(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestDisguisedBuilds: each behaves as it should, stand-alone as well, and all differ in every way
// in which a program can know a build again.
func TestDisguisedBuilds(t *testing.T) {
	d := disguiseOf(t, Secret{1})
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	work := t.TempDir()
	source := filepath.Join(work, "main.c")
	if err := os.WriteFile(source, []byte(`#include "counter.h"
#include <string.h>
int main(void) { return strcmp(counter_name(), "counter") || counter_twice(3) != 5 ? 99 : counter_next(9); }
`), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]bool{} // the values of each observation
	for i := range 10 {
		as := Behaviour(i % 2)
		b, err := d.Build(t.Context(), as)
		assert.NilError(t, err)
		static, err := b.Static()
		assert.NilError(t, err)
		want := "10"
		if as == AsBuggy {
			want = "0"
		}
		for _, lib := range []string{b.SharedLib, static} {
			exe := filepath.Join(work, fmt.Sprint("main", i))
			args := []string{tools.Clang.Path, source, "-I" + b.IncludeDir, lib, "-Wl,-rpath," + filepath.Dir(lib), "-o", exe}
			if strings.HasSuffix(lib, ".so") { // its SONAME is another name
				assert.NilError(t, os.Symlink(lib, filepath.Join(filepath.Dir(lib), "libcounter.so.1")))
			}
			if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: args}); err != nil {
				t.Fatal(err)
			}
			_, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{exe}})
			code := 0
			if failed, ok := err.(*toolchain.CommandError); ok {
				code = failed.ExitCode
			}
			assert.Check(t, fmt.Sprint(code) == want,
				"build %d of behaviour %d, %s: counter_next(9) is %d, want %s", i, as, filepath.Base(lib), code, want)
		}
		for what, value := range observe(t, b.SharedLib) {
			if seen[what] == nil {
				seen[what] = map[string]bool{}
			}
			seen[what][value] = true
		}
	}
	for what, values := range seen {
		want := 7 // distances are multiples of 16: some may be equal by chance
		if what == "size of the symbol" {
			want = 2 // of few shapes, of which some may be equal
		}
		assert.Check(t, len(values) >= want, "%d different values of: %s", len(values), what)
	}
}

// observe returns what somebody could know a library again by.
func observe(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NilError(t, err)
	f, err := elf.NewFile(bytes.NewReader(content))
	assert.NilError(t, err)
	symbols, err := f.DynamicSymbols()
	assert.NilError(t, err)
	at := map[string]elf.Symbol{}
	for _, s := range symbols {
		at[s.Name] = s
	}
	next, text := at["counter_next"], f.Section(".text")
	code, err := text.Data()
	assert.NilError(t, err)
	start := next.Value - text.Addr
	return map[string]string{
		"text":               string(code),
		"size of text":       fmt.Sprint(len(code)),
		"changed function":   string(code[start:min(start+24, uint64(len(code)))]),
		"size of the symbol": fmt.Sprint(next.Size),
		"distance":           fmt.Sprint(int64(next.Value) - int64(at["counter_twice"].Value)),
		"unchanged distance": fmt.Sprint(int64(at["counter_zero"].Value) - int64(at["counter_name"].Value)),
	}
}

func TestDisguiseIsDrawnFromTheSecret(t *testing.T) {
	content := func(secret Secret) string {
		b, err := disguiseOf(t, secret).Build(t.Context(), AsReference)
		assert.NilError(t, err)
		text, err := os.ReadFile(b.SharedLib)
		assert.NilError(t, err)
		return string(text)
	}
	first, again := content(Secret{1}), content(Secret{1})
	assert.Check(t, first == again, "one secret makes two builds")
	assert.Check(t, first != content(Secret{2}), "two secrets make one build")
}
