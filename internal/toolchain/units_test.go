package toolchain

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// sideEffects are programs in C++ that could leave something to the units after them.
var sideEffects = []string{
	"int main() { auto f = [](int x) { return [=](int y) { return x + y; }; }; return f(1)(-1); }",
	"int main() { struct { int x; } a{1}; struct { int x; } b{2}; return b.x - 2 * a.x; }",
	"static int n = [] { return 3; }(); inline int twice() { static int calls; return ++calls * 2; } int main() { return twice() - 2 + n - 3; }",
	"struct K { int k; }; template <> struct std::hash<K> { size_t operator()(const K &k) const { return k.k; } };\nint main() { return std::hash<K>()(K{0}); }",
	"namespace std { template <> void swap(string &a, string &b) { a = b; } int mine = 4; }\nint main() { std::string a = \"x\", b; std::swap(a, b); return a.size(); }",
	"namespace std { inline namespace deep { struct vectr {}; } }\nint main() { std::vectr v; (void)v; return std::vectr{} == 1; }",
	"struct K {}; bool operator<(K, K) { return false; } template class std::vector<K>; int main() { std::map<K, int> m; m[K()]; return m.size() - 1; }",
	"struct K { friend int hidden(K) { return 0; } }; int main() { return hidden(K()); }",
	"int hidden; int main() { return hidden; }",
	"#undef assert\n#define assert(x) 0\n#define string 5\nint main() { return assert(1) + string - 5; }",
	"thread_local std::string t = \"x\"; std::string g = t + \"y\"; int main() { return g.size() - 2; }",
	"template <int N> struct A { static const int v = A<N - 1>::v; }; template <> struct A<0> { static const int v = 0; };\nint main() { return A<900>::v; }",
	"int operator\"\"_n(unsigned long long x) { return int(x); } int main() { return 0_n; }",
	"int main() { return std::strng(\"x\").size() + 0_n; }",
	"extern \"C\" int puts(const char *) noexcept; int main() { return puts(\"\") < 0; }",
	"extern \"C\" double puts(int); int main() { return 0; }",
	"std::string many[1 << 10]; constexpr int f(int n) { return n ? f(n - 1) : 0; } static_assert(f(400) == 0, \"\"); int main() { return many[3].size(); }",
}

// globals are programs in C++ that use names of the preamble's in the global namespace, or declare them again.
var globals = []string{
	"int main() { FILE *f = nullptr; size_t n = 0; div_t d = div(1, 2); puts(\"\"); abs(1); strlen(\"\"); return f || n || d.quot; }",
	"typedef int size_t; int main() { return 0; }",
	"void size_t(); struct FILE { int x; }; int main() { return 0; }",
	"int puts; int main() { return puts; }",
	"int puts(int); double abs(const char *); int main() { return puts(3) + abs(nullptr) + abs(\"\", 1); }",
	"int main() { FILE *f = nullptr; size_t n = 0; div_t d = div(1, 2); puts(\"\"); abs(1); strlen(\"\"); return f || n || d.quot + 1; }",
	"int main() { int puts = 1, size_t = 2; { typedef int FILE; FILE abs = 3; return puts + size_t + abs; } }",
	"using namespace std; int main() { return abs(-1.0) + abs(-1) + div(1L, 2L).quot + abs(string()); }",
	"namespace n { int puts(int); int abs; size_t FILE(int); } using n::puts; using n::abs; int main() { return puts(1) + abs(1); }",
	"static int strlen(const char *); int main() { return strle(\"\") + ab(1) + siz_t(1); }",
	"extern \"C\" { int strlen(const char *); } struct div_t { int z; }; int main() { return strlen(\"\"); }",
}

// TestUnitsDoNotSeeEachOther: a program's object, reading and diagnostics are those that clang makes, whatever
// was compiled before it in its process. A process of three units compiles each as clang does.
func TestUnitsDoNotSeeEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of programs in C++")
	}
	var units []Unit
	for i, body := range slices.Concat(sideEffects, globals, cxxOddities, globals) {
		units = append(units, Unit{ID: fmt.Sprint("x", i), Lang: trial.CXX, Source: "#include <algorithm>\n#include <cassert>\n#include <cstdlib>\n#include <cstdio>\n#include <cstring>\n#include <map>\n#include <memory>\n" +
			"#include <stdexcept>\n#include <string>\n#include <vector>\n" + body + "\n"})
	}
	c := testCompiler(t, 1)
	var log strings.Builder
	c.log = NewCommandLog(&log)
	want := map[string]made{}
	for three := range slices.Chunk(units, 3) {
		maps.Copy(want, madeOf(t, c, three))
	}
	reversed := slices.Clone(units)
	slices.Reverse(reversed)
	for name, order := range map[string][]Unit{"as listed": units, "reversed": reversed} {
		log.Reset()
		got := madeOf(t, c, order)
		if n := strings.Count(log.String(), "-include-pch"); n != 1 {
			t.Errorf("%s: %d processes, want 1: units are compiled anew where one crashes", name, n)
		}
		for id, g := range got {
			if w := want[id]; g.Diagnostics != w.Diagnostics || g.OK != w.OK || !bytes.Equal(g.object, w.object) || !reflect.DeepEqual(g.program, w.program) {
				t.Errorf("%s: %s: OK=%v, %d bytes\n%s\nwant OK=%v, %d bytes\n%s", name, id,
					g.OK, len(g.object), g.Diagnostics, w.OK, len(w.object), w.Diagnostics)
			}
		}
	}
}

// A made unit is what a compiler made of it.
type made struct {
	Compiled
	object  []byte
	program *cprog.Program
}

func madeOf(t *testing.T, c *Compiler, units []Unit) map[string]made {
	t.Helper()
	compiled, err := c.Compile(t.Context(), t.TempDir(), Flags{}, units)
	assert.NilError(t, err)
	all := map[string]made{}
	for _, u := range compiled {
		m := made{Compiled: u}
		if u.OK {
			if m.object, err = os.ReadFile(u.Object); err != nil {
				t.Fatal(err)
			}
			if m.program, err = u.Program(); err != nil {
				t.Fatal(err)
			}
		}
		all[u.ID] = m
	}
	return all
}
