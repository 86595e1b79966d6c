package libbuild

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A C++ library with two header directories, one of them an include directory and one not,
// and a public header that includes another by its installed name. It wants C++20.
var wordsLibrary = map[string]string{
	"words/words.h": "#pragma once\n#include <string>\n#include \"words/kind.h\"\n" +
		"namespace words {\nKind kind(const std::string& word);\ninline int& calls() { static int n = 0; return n; }\n}\n",
	"words/kind.h":    "#pragma once\nnamespace words { enum Kind { kLower, kOther }; }\n",
	"include/extra.h": "#pragma once\nextern \"C\" int words_version(void);\n",
	"src/lower.h":     "#pragma once\ninline bool lower(char c) { return 'a' <= c && c <= 'z'; }\n",
	"src/words.cc": "#include \"words/words.h\"\n#include \"extra.h\"\n#include \"lower.h\"\n#if __cplusplus < 202002L\n#error \"needs C++20\"\n#endif\n" +
		"namespace words {\nKind kind(const std::string& word) {\n  calls()++;\n  if (word.empty()) throw 1;\n  for (char c : word) if (!lower(c)) return kOther;\n  return kLower;\n}\n}\n" +
		"int words_version(void) { return 1; }\n",
	"fuzz/fuzz.c": "#include <stddef.h>\nint words_version(void);\n" +
		"int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) { return words_version() == 0; }\n",
}

func wordsRequest(t *testing.T, v Variant) Request {
	lib := &lisabench.Library{
		Name:     "words",
		Language: trial.CXX,
		Headers:  []string{"words/words.h", "words/kind.h", "include/extra.h"},
		Recipe: lisabench.Recipe{Sources: []string{"src/*.cc"}, Includes: []string{".", "include", "src"},
			CFlags: []string{"-std=c++20"}, SONAME: "libwords.so.1"},
	}
	return Request{Library: lib, Edition: lisabench.Debian, Tree: tree(t, "words", wordsLibrary), Variant: v}
}

func TestHeadersKeepTheirDirectories(t *testing.T) {
	r := wordsRequest(t, Plain)
	r.Library.AlsoInstalled = map[string]string{"words2/extra.h": "include/extra.h", "lower.h": "src/lower.h"}
	build, err := newBuilder(t, t.TempDir()).Build(t.Context(), r)
	assert.NilError(t, err)
	var installed []string
	for name := range build.Sums {
		if header, ok := strings.CutPrefix(name, "include/"); ok {
			installed = append(installed, header)
		}
	}
	slices.Sort(installed)
	if want := []string{"extra.h", "lower.h", "words/kind.h", "words/words.h", "words2/extra.h"}; !slices.Equal(installed, want) {
		t.Errorf("installed %v, want %v", installed, want)
	}
}

// A program in C++ works with every variant, linked as the harness links one stand-alone.
func TestCXXVariants(t *testing.T) {
	cache := t.TempDir()
	b := newBuilder(t, cache)
	program := filepath.Join(t.TempDir(), "program.cc")
	const source = "#include <words/words.h>\n#include <extra.h>\nint main() {\n" +
		"  try { words::kind(\"\"); return 2; } catch (int) {}\n" +
		"  bool ok = words::kind(\"abc\") == words::kLower && words::kind(\"aBc\") == words::kOther;\n" +
		"  return ok && words::calls() == 3 && words_version() == 1 ? 0 : 1;\n}\n"
	assert.NilError(t, os.WriteFile(program, []byte(source), 0o644))
	link := map[Variant][]string{Coverage: {"-fprofile-instr-generate"}, Sanitizer: toolchain.SanitizeFlags, Fuzzer: {"-fsanitize=address"}}
	for _, v := range variants {
		t.Run(string(v), func(t *testing.T) {
			build, err := b.Build(t.Context(), wordsRequest(t, v))
			assert.NilError(t, err)
			defined, _, undefined, err := toolchain.Symbols(build.SharedLib)
			if err != nil || !slices.Contains(defined, "words_version") || !slices.Contains(undefined, "__cxa_throw") {
				t.Errorf("shared object defines %v and needs %v, %v; want words_version and libstdc++", defined, undefined, err)
			}
			assert.Check(t, (v == Coverage) == (build.Counters > 0),
				"%d coverage counters in variant %s", build.Counters, v)
			script, err := os.ReadFile(build.Commands)
			assert.Check(t, err == nil && strings.Contains(string(script), "-shared"),
				"command log %q, %v; want the whole link command", script, err)
			dir := filepath.Dir(build.SharedLib)
			for form, lib := range map[string][]string{"static": {build.StaticLib}, "shared": {build.SharedLib, "-Wl,-rpath," + dir}} {
				exe := filepath.Join(t.TempDir(), form)
				args := slices.Concat([]string{b.tools.ClangXX.Path, "-I" + build.IncludeDir, program}, lib, link[v], []string{"-o", exe})
				if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: args}); err != nil {
					t.Fatal(err)
				}
				if form == "shared" { // it is asked for by its SONAME
					soname := filepath.Join(filepath.Dir(exe), "libwords.so.1")
					assert.NilError(t, os.Symlink(build.SharedLib, soname))
				}
				run := toolchain.Command{Args: []string{exe}, Dir: t.TempDir(), Env: []string{"LD_LIBRARY_PATH=" + filepath.Dir(exe)}}
				if out, err := toolchain.Run(t.Context(), run); err != nil {
					t.Errorf("%s: %v\n%s", form, err, out.Stderr)
				}
			}
		})
	}
}

// A harness may be C although its library is C++; the link then needs libstdc++ as well.
func TestCHarnessOfCXXLibrary(t *testing.T) {
	r := wordsRequest(t, Plain)
	target := trial.FuzzTarget{Name: "fuzz", Source: filepath.Join(r.Tree.Dir, "fuzz", "fuzz.c")}
	build, err := newBuilder(t, t.TempDir()).FuzzTarget(t.Context(), r, target)
	assert.NilError(t, err)
	out, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{build.Executable, "-runs=100"}, Dir: t.TempDir()})
	assert.Check(t, err == nil && strings.Contains(string(out.Stderr), "Done 100 runs"), "%v, %s", err, out.Stderr)
}
