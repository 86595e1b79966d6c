package toolchain

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// sameAsAlone compiles units both ways and reports every difference. It returns how many
// of them do not compile.
func sameAsAlone(t *testing.T, c *Compiler, flags Flags, units []Unit) (failed int) {
	t.Helper()
	ctx := context.Background()
	got, err := c.Compile(ctx, t.TempDir(), flags, units)
	assert.NilError(t, err)
	wants, errs := make([]Compiled, len(units)), make([]error, len(units))
	plain := &batcher{Compiler: c, dir: t.TempDir(), flags: flags}
	var wg sync.WaitGroup
	for i, u := range units {
		wg.Go(func() { wants[i], _, errs[i] = plain.driven(ctx, u, nil) })
	}
	wg.Wait()
	for i, u := range units {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		g, want := got[i], wants[i]
		assert.Check(t, g.ID == u.ID && g.OK == want.OK && g.Diagnostics == want.Diagnostics,
			"%s\n%s\ngot OK=%v\n%s\nwant OK=%v\n%s", u.ID, u.Source, g.OK, g.Diagnostics, want.OK, want.Diagnostics)
		if _, err := os.Stat(g.Object); g.OK != (err == nil) {
			t.Errorf("%s: OK=%v, object: %v", u.ID, g.OK, err)
		}
		if !g.OK {
			failed++
		}
	}
	return failed
}

// TestCompileFlagsSameAsAlone repeats a part of the corpus with flags that change what is
// accepted or how it is worded.
func TestCompileFlagsSameAsAlone(t *testing.T) {
	include := shapesInclude(t)
	units := corpus()
	for name, flags := range map[string]Flags{
		"sanitize": {Sanitize: true},
		"strict":   {Extra: []string{"-std=c99", "-Wall", "-Werror", "-g"}, Defines: []string{`TEXT="a b\"c"`}},
		"silent":   {Extra: []string{"-w"}},
	} {
		t.Run(name, func(t *testing.T) {
			flags.IncludeDirs = []string{include}
			sameAsAlone(t, testCompiler(t, 2), flags, units[len(units)-10:])
		})
	}
}

// TestCompileSameAsAlone is the differential test of the fast way: every verdict and every
// word about every program must be those of one driver call per program.
func TestCompileSameAsAlone(t *testing.T) {
	units := corpus()
	flags := Flags{IncludeDirs: []string{shapesInclude(t)}}
	failed := sameAsAlone(t, testCompiler(t, 2), flags, units)
	assert.Check(t, failed >= 25 && failed <= len(oddities),
		"%d of %d programs do not compile: the corpus tests too little", failed, len(units))
}

var cxxOddities = []string{
	"int main() { return 0; }",
	"int main() { std::vector<int> v; v.push_back(\"x\"); return 0; }",
	"int main() { std::string s = 5; return s.size(); }",
	"int main() { std::map<std::string, int> m; m[\"a\"] = 1; return m.at(\"a\") - 1; }",
	"struct K {}; int main() { std::map<K, int> m; m[K()] = 1; return 0; }",
	"int main() { std::unique_ptr<int> a(new int), b = a; return 0; }",
	"template <int N> struct A { static const int v = A<N + 1>::v; }; int main() { return A<0>::v; }",
	"int main() { int x = {}; return undeclared(x); }",
	"int main() { std::sort(1, 2); return 0; }",
	"int main() { std::vector<std::string> v{\"b\", \"a\"}; std::sort(v.begin(), v.end()); return v[0] != \"a\"; }",
	"class B { int secret; }; int main() { return B().secret; }",
	"int main() { static_assert(sizeof(int) == 8, \"wide\"); return 0; }",
	"int main() { auto f = [](auto x) { return x.size(); }; return f(3); }",
	"int main() { try { throw std::runtime_error(\"x\"); } catch (const std::exception &) { return 0; } return 1; }",
	"int main() { std::vectr<int> v; return 0; }",
}

// TestCompileSurvivesCompilerTrouble mixes good programs with some on which the compiler
// crashes or runs out of its limits: the others must not notice.
func TestCompileSurvivesCompilerTrouble(t *testing.T) {
	c := testCompiler(t, 1)
	c.limits = Limits{CPU: time.Minute, Memory: 1 << 30, FileSize: 4 << 20}
	flags := Flags{IncludeDirs: []string{shapesInclude(t)}}
	trouble := map[string]string{
		"size":   "\nint main(void) { return 0; }\n__asm__(\".fill 8000000,1,0\");\n",
		"memory": "\nstatic const char big[1UL << 31] = {1, [(1UL << 31) - 1] = 2};\nint main(void) { return big[1]; }\n",
		"nested": "\nint main(void) { return " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000) + "; }\n",
	}
	var units []Unit
	for i, name := range []string{"size", "memory", "nested"} {
		units = append(units, Unit{ID: fmt.Sprint("good", i), Lang: trial.C, Source: goodProgram(i)},
			Unit{ID: name, Lang: trial.C, Source: commonIncludes + trouble[name]})
	}
	units = append(units, Unit{ID: "last", Lang: trial.C, Source: goodProgram(9)})
	got, err := c.Compile(context.Background(), t.TempDir(), flags, units)
	assert.NilError(t, err)
	for i, g := range got {
		_, bad := trouble[units[i].ID]
		assert.Check(t, g.OK != bad, "%s: OK=%v\n%.500s", units[i].ID, g.OK, g.Diagnostics)
		if bad && g.Diagnostics == "" {
			t.Errorf("%s: fails without a word", g.ID)
		}
	}
}

// countCommands counts the compilers that a log shows, by kind, and empties it.
func countCommands(log *bytes.Buffer) (alone, batches, pchs int) {
	for line := range strings.Lines(log.String()) {
		switch {
		case strings.Contains(line, "-emit-pch"):
			pchs++
		case strings.Contains(line, "-include-pch"):
			batches++
		case strings.Contains(line, " -Xclang -load "):
			alone++
		}
	}
	log.Reset()
	return alone, batches, pchs
}

// TestCompileProcesses pins how much work is shared: without it, all programs could go
// alone and every other test would still pass.
func TestCompileProcesses(t *testing.T) {
	var log bytes.Buffer
	include := shapesInclude(t)
	cacheDir := t.TempDir()
	compile := func(units []Unit) (alone, batches, pchs int) {
		t.Helper()
		// A new compiler each time: the cache on disk must do.
		c, err := NewCompiler(testTools(t), cacheDir, testcache.Dir("plugins"), 1, NewCommandLog(&log))
		assert.NilError(t, err)
		if _, err := c.Compile(context.Background(), t.TempDir(), Flags{IncludeDirs: []string{include}}, units); err != nil {
			t.Fatal(err)
		}
		return countCommands(&log)
	}
	var units []Unit
	for i := range 30 {
		units = append(units, Unit{ID: fmt.Sprint("p", i), Lang: trial.C, Source: goodProgram(i)})
	}
	expect := func(what string, units []Unit, alone, batches, pchs int) {
		t.Helper()
		a, b, p := compile(units)
		assert.Check(t, a == alone && b == batches && p == pchs,
			"%s: %d alone, %d batches, %d preambles; want %d, %d, %d", what, a, b, p, alone, batches, pchs)
	}
	expect("two with a new preamble", units[:2], 2, 0, 0)
	expect("thirty", units, 0, 1, 1)
	expect("thirty again", units, 0, 1, 0)
	expect("one with a known preamble", units[:1], 0, 1, 0)

	broken := append([]Unit(nil), units...)
	for _, i := range []int{5, 6, 20} {
		broken[i].Source = strings.Replace(broken[i].Source, "return 0;", "return nope;", 1)
	}
	expect("three of thirty wrong", broken, 3, 1, 0)

	writeFile(t, filepath.Join(include, "shapes.h"), shapesHeader+"int shape_added(void);\n")
	expect("header changed", units, 30, 1, 0)
	expect("thirty with the changed header", units, 0, 1, 1)
}

// C++17 has no register; a header of C that uses it compiles where distributions install it, and so here.
func TestRegisterInAHeaderOfC(t *testing.T) {
	include := t.TempDir()
	if err := os.WriteFile(filepath.Join(include, "colour.h"), []byte("void convert(register int x);\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unit := Unit{ID: "p", Lang: trial.CXX, Source: "#include <colour.h>\nint main() {}\n"}
	got, err := testCompiler(t, 1).Compile(t.Context(), t.TempDir(), Flags{IncludeDirs: []string{include}}, []Unit{unit})
	assert.Check(t, err == nil && got[0].OK, "%+v, %v", got, err)
}

// TestCompileSeesChangedHeader changes the header between calls of one compiler: verdicts
// must be those of the header as it is.
func TestCompileSeesChangedHeader(t *testing.T) {
	c := testCompiler(t, 1)
	include := shapesInclude(t)
	flags := Flags{IncludeDirs: []string{include}}
	var units []Unit
	for i := range 4 {
		units = append(units, Unit{ID: fmt.Sprint("p", i), Lang: trial.C,
			Source: commonIncludes + "int main(void) { return shape_added(); }\n"})
	}
	for _, tt := range []struct {
		header string
		failed int
	}{{shapesHeader, 4}, {shapesHeader + "int shape_added(void);\n", 0}, {shapesHeader + "int shape_added(int);\n", 4}, {"#error gone\n", 4}, {shapesHeader + "int shape_added(void);\n", 0}} {
		writeFile(t, filepath.Join(include, "shapes.h"), tt.header)
		if failed := sameAsAlone(t, c, flags, units); failed != tt.failed {
			t.Errorf("%d do not compile, want %d, with header\n%s", failed, tt.failed, tt.header)
		}
	}
}

// TestCompileNoisyAndPragmaHeaders has a header that warns, and one whose macro silences
// an error: the first program's silence must not reach the second.
func TestCompileNoisyAndPragmaHeaders(t *testing.T) {
	include := shapesInclude(t)
	writeFile(t, filepath.Join(include, "noisy.h"), "#warning deprecated header\n#include \"shapes.h\"\n")
	writeFile(t, filepath.Join(include, "quiet.h"), "#include \"shapes.h\"\n#define QUIET _Pragma(\"clang diagnostic ignored \\\"-Wint-conversion\\\"\")\n")
	var units []Unit
	for i, source := range []string{
		"#include \"noisy.h\"\nint main(void) { return nope; }\n",
		"#include \"noisy.h\"\nint main(void) { return 0; }\n",
		"#include \"noisy.h\"\nint main(void) { return nope2; }\n",
		"#include \"quiet.h\"\nint main(void) { QUIET int *p = 5; return p == 0; }\n",
		"#include \"quiet.h\"\nint main(void) {       int *p = 5; return p == 0; }\n",
		"#include \"quiet.h\"\nint main(void) { return 0; }\n",
	} {
		units = append(units, Unit{ID: fmt.Sprint("p", i), Lang: trial.C, Source: source})
	}
	if failed := sameAsAlone(t, testCompiler(t, 1), Flags{IncludeDirs: []string{include}}, units); failed != 3 {
		t.Errorf("%d do not compile, want 3", failed)
	}
}

func TestCompileRefuses(t *testing.T) {
	c := testCompiler(t, 1)
	ok := Unit{ID: "a", Lang: trial.C}
	tests := []struct {
		name  string
		flags Flags
		units []Unit
	}{
		{"ID with a slash", Flags{}, []Unit{{ID: "../a", Lang: trial.C}}},
		{"ID like a flag", Flags{}, []Unit{{ID: "-o", Lang: trial.C}}},
		{"same ID twice", Flags{}, []Unit{ok, ok}},
		{"unknown language", Flags{}, []Unit{{ID: "a", Lang: "rust"}}},
		{"relative include directory", Flags{IncludeDirs: []string{"include"}}, []Unit{ok}},
		{"flag the compiler does not know", Flags{Extra: []string{"-fno-such-flag"}}, []Unit{ok, {ID: "b", Lang: trial.C, Source: commonIncludes}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := c.Compile(context.Background(), t.TempDir(), tt.flags, tt.units); err == nil {
				t.Errorf("no error, %+v", got)
			}
		})
	}
}

// TestMachineAtFault tells a full disk, which is no verdict, from a program that says so.
func TestMachineAtFault(t *testing.T) {
	for text, want := range map[string]bool{
		"error: unable to open output file 'p1.o': 'No space left on device'\n":                           true,
		"/usr/bin/ld: final link failed: No space left on device\nclang: error: linker command failed\n":  true,
		"ld.bfd: final link failed: No space left on device\n":                                            true,
		"ld.lld: error: failed to open t.so: No space left on device\n":                                   true,
		"/usr/bin/ld: p0.o: undefined reference to `f'\n":                                                 false,
		"p0.c:1:1: warning: x\nfatal error: error in backend: IO failure: No space left on device\n":      true,
		"p1.c:3:2: error: No space left on device\n    3 | #error No space left on device\n":              false,
		"p1.c:3:9: error: use of undeclared 'x'\n    3 |  f(x, \"error: unable to open output file\");\n": false,
	} {
		if got := full.MatchString(text); got != want {
			t.Errorf("%v for %q", got, text)
		}
	}
}
