package cprog_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// read returns the reading of a program that clang makes.
func read(t testing.TB, compiler *toolchain.Compiler, lang trial.Language, source string) *cprog.Program {
	t.Helper()
	r, err := compiler.Read(t.Context(), t.TempDir(), toolchain.Flags{}, []toolchain.Unit{{ID: "program", Lang: lang, Source: source}})
	assert.NilError(t, err)
	assert.Assert(t, r[0].OK, "%s\ndoes not compile:\n%s", source, r[0].Diagnostics)
	p, err := r[0].Program()
	assert.NilError(t, err)
	return p
}

func newCompiler(t testing.TB) *toolchain.Compiler {
	t.Helper()
	tools, err := toolchain.Find(context.Background(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return c
}

// TestProgram checks what readings of real programs say.
func TestProgram(t *testing.T) {
	compiler := newCompiler(t)
	t.Run("entries", func(t *testing.T) { testEntries(t, compiler) })
	t.Run("values and types", func(t *testing.T) { testTypes(t, compiler) })
	t.Run("calls", func(t *testing.T) { testCalls(t, compiler) })
}

func names(list []*cprog.Function) string {
	var out []string
	for _, f := range list {
		kind := "void "
		if f.ReturnsInt {
			kind = "int "
		}
		out = append(out, kind+f.Decl.Mangled)
	}
	return strings.Join(out, ", ")
}

// testEntries states the rule for what the harness calls.
func testEntries(t *testing.T, compiler *toolchain.Compiler) {
	for _, tc := range []struct{ name, source, want string }{
		{"main", "int main(void) { return 0; }", "int main"},
		{"main with arguments wins over tests", "void test_a(void){}\nint main(int argc, char **argv)\n{ return 0; }", "int main"},
		{"test functions in order", "int test_b(void) { return 1; }\nvoid test_a() {}", "int test_b, void test_a"},
		{"lone function of any name", "int parse_it(void) { if (1) { } return 0; }", "int parse_it"},
		{"two functions of any name are helpers without an entry", "int a(void) { return 0; }\nint b(void) { return 0; }", ""},
		{"static helper is not an entry", "static int helper(void) { return 0; }\nvoid check(void) { helper(); }", "void check"},
		{"static by its declaration", "static int helper(void);\nvoid check(void) { helper(); }\nint helper(void) { return 0; }", "void check"},
		{"helper with parameters is not an entry", "int add(int a, int b) { return a + b; }\nvoid test_add(void) {}", "void test_add"},
		{"text in comments, strings and macros does not count", "/* int main(void) { */ // int main(void) {\n#define M int main(void) {\nchar *s = \"int main(void) {\";\nvoid test_x(void) { char c = '{'; }", "void test_x"},
		{"a function that a macro writes counts", "#define TEST(name) int test_##name(void)\nTEST(a) { return 0; }", "int test_a"},
		{"a result by another name", "typedef int status;\nstatus test_a(void) { return 0; }\nunsigned test_b(void) { return 0; }", "int test_a"},
		{"initialisers are not functions", "int a[] = { 1, 2 };\nstruct s { int x; };\nvoid test_x(void) {}", "void test_x"},
		{"declaration only", "int main(void);", ""},
		{"parameters of 1978", "int main(argc, argv) int argc; char **argv; { return 0; }", "int main"},
		{"C++: extern C", "extern \"C\" {\nvoid test_x(void) {}\n}\nint test_y() { return 0; }\nextern \"C\" void test_z(void) {}\n", "void test_x, int _Z6test_yv, void test_z"},
		{"C++: namespaces and methods are no entries", "namespace n { int test_a() { return 0; } }\nnamespace { int test_b() { return 0; } }\nstruct s { static void test_c() {} };\nvoid test_d() {}", "void _Z6test_dv"},
		{"C++: templates are no entries", "template <int N> int test_a() { return N; }\nint test_b() noexcept { return test_a<0>(); }", "int _Z6test_bv"},
		{"C++: pointers to a template's parameter have no size", "template <typename T> T first(T *p) { T *const *q = &p; return **q; }\nint test_b() { int n = 0; return first(&n); }", "int _Z6test_bv"},
		{"empty", "", ""},
	} {
		lang := trial.C
		if strings.HasPrefix(tc.name, "C++") {
			lang = trial.CXX
		}
		if got := names(read(t, compiler, lang, tc.source).Entries()); got != tc.want {
			t.Errorf("%s: entries %q, want %q", tc.name, got, tc.want)
		}
	}
}

func testTypes(t *testing.T, compiler *toolchain.Compiler) {
	p := read(t, compiler, trial.C, `#include <stddef.h>
#include <assert.h>
enum e { A = 3, B };
struct s { char e[8][48]; unsigned f : 3; struct s *next; const size_t n; };
#define TWICE(x) ((x) * 2)
int test_a(void) {
    struct s packed[2];
    assert(sizeof packed[0] == TWICE(204));
    long long v = -B;
    return TWICE(v) == sizeof(char[7]);
}
`)
	var got []string
	for n := range p.Functions[0].Node.All() {
		switch {
		case n.Kind == "UnaryExprOrTypeTraitExpr":
			got = append(got, fmt.Sprintf("%s %s %d", n.Name, n.Arg.Spelling, n.Value))
		case n.Kind == "UnaryOperator" && n.Op == "-":
			v, ok := n.Int()
			got = append(got, fmt.Sprintf("%d %v %s", v, ok, n.Type.Spelling))
		case n.Kind == "VarDecl":
			got = append(got, fmt.Sprintf("%s: kind %d, %d bits, %d bytes", n.Name, n.Type.Kind, n.Type.Bits, n.Type.Size))
		case n.Kind == "ReturnStmt":
			b := n.Inner[0]
			got = append(got, fmt.Sprintf("line %d, macro %v", b.Begin.Line, b.Begin.Macro != nil && b.Begin.Macro.File.Own()))
		}
	}
	want := []string{"packed: kind 8, 0 bits, 816 bytes", "sizeof int 4", "sizeof struct s 408", "sizeof struct s 408",
		"v: kind 3, 64 bits, 8 bytes", "-4 true int", "line 10, macro true", "sizeof char[7] 7"}
	assert.Check(t, slices.Equal(got, want), "got %q\nwant %q", got, want)
	packed := p.Functions[0].Node.Body().Inner[0].Inner[0].Type.Elem.Record
	if want := []cprog.Field{{Name: "e"}, {"f", 3072, 3}, {"next", 3136, 0}, {"n", 3200, 0}}; !slices.Equal(packed.Fields, want) {
		t.Errorf("the fields of %s are %+v, want %+v", packed.Name, packed.Fields, want)
	}
}

func testCalls(t *testing.T, compiler *toolchain.Compiler) {
	p := read(t, compiler, trial.C, `#include <string.h>
static int helper(const char *s) { return (int)strlen(s); }
static int other(void) { return 1; }
int test_a(void) { return helper("a") - (*&helper)("b"); }
int test_b(void) { int (*f)(void) = other; return f(); }
int main(void) { return test_a(); }
`)
	reached := cprog.Reached(p.Entries())
	var out []string
	for _, f := range p.Functions {
		out = append(out, fmt.Sprintf("%s %v", f.Decl.Name, reached[f]))
	}
	if want := []string{"helper true", "other false", "test_a true", "test_b false", "main true"}; !slices.Equal(out, want) {
		t.Errorf("reached %q, want %q", out, want)
	}
	var called []string
	for _, f := range p.Functions {
		for n := range f.Node.All() {
			if n.Kind == "CallExpr" {
				name := "?"
				if n.Decl != nil {
					name = fmt.Sprint(n.Decl.Name, " ", n.Decl.Function != nil)
				}
				called = append(called, name)
			}
		}
	}
	if want := []string{"strlen false", "helper true", "helper true", "?", "test_a true"}; !slices.Equal(called, want) {
		t.Errorf("calls %q, want %q", called, want)
	}
}
