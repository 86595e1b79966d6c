package toolchain

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func programOf(t *testing.T, r Compiled) *cprog.Program {
	t.Helper()
	p, err := r.Program()
	assert.NilError(t, err)
	return p
}

// readAll reads units and fails the test if that fails.
func readAll(t testing.TB, c *Compiler, flags Flags, units []Unit) []Compiled {
	t.Helper()
	got, err := c.Read(t.Context(), t.TempDir(), flags, units)
	assert.NilError(t, err)
	return got
}

// outlined writes the nodes of a reading one a line, with what both it and clang's own dump say.
func outlined(b *strings.Builder, n *cprog.Node, depth int) {
	typ := ""
	if n.Type != nil && !strings.HasSuffix(n.Kind, "Decl") && n.Kind != "StringLiteral" { // those of __FILE__ differ
		typ = n.Type.Spelling
	}
	kind := n.Kind
	if kind == "GenericAssociation" {
		kind = ""
	}
	name := n.Name
	if kind == "GotoStmt" { // clang's dump has no name there
		name = ""
	}
	fmt.Fprintf(b, "%*s%s %q %q %q\n", depth, "", kind, name, operator(n.Op, n.Kind), typ)
	for _, in := range n.Inner {
		outlined(b, in, depth+1)
	}
}

func operator(op, kind string) string {
	if strings.HasSuffix(kind, "Decl") { // struct, enum
		return ""
	}
	return op
}

// A dumpedNode is a node of the tree that clang -ast-dump=json prints; nil of an absent statement.
type dumpedNode struct {
	Kind, Name, Opcode, CastKind string
	IsImplicit                   bool
	Loc                          struct{ File string }
	Type                         struct{ QualType string }
	Inner                        []*dumpedNode
	Filled                       []*dumpedNode `json:"array_filler"` // stands for Inner
}

// dumpOf returns the declarations of a source itself, which come after those of what it includes: there clang
// says the name of the file again.
func dumpOf(t *testing.T, u Unit) []*dumpedNode {
	t.Helper()
	args := []string{testTools(t).Clang.Path, "-fsyntax-only", "-fparse-all-comments", "-Xclang", "-ast-dump=json", "-x", string(u.Lang), "-"}
	tree, err := Run(t.Context(), Command{Args: args, Stdin: strings.NewReader(u.Source), MaxOutput: 1 << 30})
	assert.NilError(t, err)
	var unit dumpedNode
	assert.NilError(t, json.Unmarshal(tree.Stdout, &unit))
	return unit.Inner[slices.IndexFunc(unit.Inner, func(n *dumpedNode) bool { return n.Loc.File == "<stdin>" }):]
}

// dumped is outlined for clang's dump, without what readings leave out: types, template arguments
// and parameters.
func dumped(b *strings.Builder, n *dumpedNode, depth int) {
	if n == nil {
		n = new(dumpedNode)
	}
	switch {
	case strings.HasSuffix(n.Kind, "Type"), n.Kind == "TemplateArgument", strings.HasSuffix(n.Kind, "Comment"):
		return
	}
	typ := n.Type.QualType
	if strings.HasSuffix(n.Kind, "Decl") || n.Kind == "StringLiteral" {
		typ = ""
	}
	op := n.Opcode + n.CastKind
	fmt.Fprintf(b, "%*s%s %q %q %q\n", depth, "", n.Kind, n.Name, op, typ)
	for _, in := range append(n.Inner, n.Filled...) {
		dumped(b, in, depth+1)
	}
}

var lambdaPlace = regexp.MustCompile(` at <stdin>:\d+:\d+`)

// TestReadingIsTheSyntaxTree holds readings against the trees that clang itself dumps.
func TestReadingIsTheSyntaxTree(t *testing.T) {
	const source = `#include <assert.h>
#include <string.h>
struct point { int x, y; unsigned f : 3; };
enum colour { red = 3, green };
static int twice(int a) { return a * 2; }
int test_a(void) {
    struct point p = {1, green}, q[4] = {[1] = {2}};
    assert(p.x == 1 && sizeof q[0] == 12);
    for (int i = 0; i < 3; i++) { p.y += twice(i) << 1; continue; }
    switch (p.y) { case 1: break; default: p.y--; }
    do { p.x = strcmp("a\n", "b") ? -p.x : ~p.y; } while (0);
    if (p.x) goto end; else return _Generic(p.x, int: 1, default: 2);
end:
    return p.x;
}
`
	const cxx = `#include <string>
template <typename T> T least(T a, T b) { return a < b ? a : b; }
struct Base { virtual ~Base() {} int n = 1; };
struct Derived : Base { Derived(int k) : m(k) { n = k; } int get() const { return m; } int m; };
int test_b() {
    Derived d(2);
    std::string s("text");
    auto f = [&d](int x) { return d.get() + x; };
    for (char c : s) { if (c == 't') return f(least(1, 2)); }
    try { throw 1; } catch (int e) { return e; }
    return s.size() == 4 ? 0 : static_cast<int>(s[0]);
}
`
	units := []Unit{{ID: "plain", Lang: trial.C, Source: source}, {ID: "classes", Lang: trial.CXX, Source: cxx}}
	c := testCompiler(t, 2)
	for i, r := range readAll(t, c, Flags{}, units) {
		p := programOf(t, r)
		assert.Assert(t, r.OK && p != nil && !p.Unreadable, "%s is not read: %s", r.ID, r.Diagnostics)
		var want, got strings.Builder
		for _, n := range dumpOf(t, units[i]) {
			if !n.IsImplicit {
				dumped(&want, n, 0)
			}
		}
		for _, n := range p.Tree {
			outlined(&got, n, 0)
		}
		g, w := strings.Split(got.String(), "\n"), strings.Split(lambdaPlace.ReplaceAllString(want.String(), ""), "\n")
		for k := 0; k < len(g) || k < len(w); k++ {
			if k >= len(g) || k >= len(w) || g[k] != w[k] {
				t.Errorf("%s: from line %d on, got\n%s\nwant\n%s", units[i].ID, k, strings.Join(g[k:min(k+20, len(g))], "\n"), strings.Join(w[k:min(k+20, len(w))], "\n"))
				break
			}
		}
	}
}

// TestRead checks that each unit has its own reading, whichever way it was compiled.
func TestRead(t *testing.T) {
	units := []Unit{
		{ID: "plain", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\n\nint plain(void) { return 1; }\n"},
		{ID: "again", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\n\nint again(void) { return 2; }\n"},
		{ID: "third", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\n\nint third(void) { return 2; }\n"},
		{ID: "broken", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\nint broken(void) { return x; }\n"},
		{ID: "nowhere", Lang: trial.C, Source: "#include <nowhere.h>\nint nowhere(void) { return 1; }\n"},
		{ID: "bare", Lang: trial.C, Source: "int bare(void) { return 1; }\n"},
		{ID: "late", Lang: trial.C, Source: "int x;\n#include <string.h>\nint late(void) { return 1; }\n"},
		{ID: "pragma", Lang: trial.C, Source: "#include <string.h>\n#pragma GCC diagnostic ignored \"-Wall\"\nint pragma(void) { return 1; }\n"},
		{ID: "classy", Lang: trial.CXX, Source: "#include <string>\nint classy() { std::string s(\"a\"); return s.size(); }\n"},
	}
	c, dir := testCompiler(t, 1), t.TempDir()
	compiled, err := c.Compile(t.Context(), dir, Flags{}, units)
	assert.NilError(t, err)
	for i, r := range slices.Concat(compiled, readAll(t, c, Flags{}, units)) {
		u, p := units[i%len(units)], programOf(t, r)
		bad := u.ID == "broken" || u.ID == "nowhere"
		assert.Check(t, r.ID == u.ID && r.OK != bad && (p == nil) == bad,
			"unit %s: reading of %s, ok = %v", u.ID, r.ID, r.OK)
		if bad || p == nil {
			continue
		}
		var names []string
		for _, f := range p.Functions {
			names = append(names, f.Decl.Name)
		}
		if !slices.Equal(names, []string{u.ID}) {
			t.Errorf("unit %s defines %q", u.ID, names)
			continue
		}
		f := p.Functions[0].Node
		if at := strings.Index(u.Source, "int "+u.ID); int(f.Begin.Offset) != at || f.Begin.File != cprog.Main {
			t.Errorf("unit %s: its function begins at %+v, want offset %d", u.ID, f.Begin, at)
		}
		if line := 1 + strings.Count(u.Source[:f.Begin.Offset], "\n"); int(f.Begin.Line) != line {
			t.Errorf("unit %s: its function begins at line %d, want %d", u.ID, f.Begin.Line, line)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*"+readingSuffix)); err != nil || len(left) > 0 {
		t.Errorf("readings are left behind: %v, %v", left, err)
	}
}

// TestHostilePrograms: what is no honest program is an outcome of its own, and the others of its
// batch are read.
func TestHostilePrograms(t *testing.T) {
	deep := "#include <string.h>\nint f(void) { return " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "; }\n"
	wide := "#include <string.h>\nint g(void) { return 0" + strings.Repeat(" + 1", 3000) + "; }\n"
	later := wide + "int test_later(void) { return g(); }\n"
	long := "#include <string.h>\nint h(void) {\n" + strings.Repeat("    strlen(\"some text that is long\");\n", 2<<20/40) + "return 0; }\n"
	units := []Unit{
		{ID: "honest", Lang: trial.C, Source: "#include <string.h>\nint test_a(void) { return 0; }\n"},
		{ID: "deep", Lang: trial.C, Source: deep},
		{ID: "wide", Lang: trial.C, Source: wide},
		{ID: "later", Lang: trial.C, Source: later},
		{ID: "long", Lang: trial.C, Source: long},
		{ID: "itself", Lang: trial.C, Source: "#include __FILE__\nint test_i(void) { return 0; }\n"},
		{ID: "latin", Lang: trial.C, Source: "#include <string.h>\nint test_l(void) { return strlen(\"\xe4\xf6\xfc\") - 3; }\n"},
		{ID: "utf16", Lang: trial.C, Source: "\xff\xfei\x00n\x00t\x00"},
		{ID: "empty", Lang: trial.C, Source: ""},
		{ID: "other", Lang: trial.C, Source: "#include <string.h>\nint test_b(void) { return 0; }\n"},
	}
	want := map[string]string{"honest": "test_a", "other": "test_b", "wide": ", too large", "later": ", too large", "long": ", too large", "latin": "test_l", "empty": ""}
	for _, r := range readAll(t, testCompiler(t, 2), Flags{}, units) {
		names, compiles := want[r.ID]
		if r.OK != compiles {
			t.Errorf("%s: compiles = %v; %.200s", r.ID, r.OK, r.Diagnostics)
			continue
		}
		if !compiles {
			continue
		}
		got, p := "", programOf(t, r)
		for _, f := range p.Functions {
			got += f.Decl.Name
		}
		if p.Unreadable {
			got += ", too large"
		}
		assert.Check(t, got == names, "%s: functions %q, want %q", r.ID, got, names)
	}
}

// TestReadingsKeepNoNames: equal programs have equal readings, whatever their files are called.
func TestReadingsKeepNoNames(t *testing.T) {
	const source = "#include <assert.h>\nint test_a(void) { struct { int x; } s = {0}; assert(s.x == 0); return 0; }\n"
	r := readAll(t, testCompiler(t, 1), Flags{}, []Unit{{ID: "one", Lang: trial.C, Source: source}, {ID: "another", Lang: trial.C, Source: source}})
	assert.Check(t, r[0].reading != nil && bytes.Equal(r[0].reading, r[1].reading),
		"the readings of one program under two names differ")
}

// TestReadingFixtures makes the readings that package cprog's tests decode, with -update.
func TestReadingFixtures(t *testing.T) {
	if !*updateReadings {
		t.Skip("only with -update-readings")
	}
	for name, lang := range map[string]trial.Language{"small.c": trial.C, "classes.cc": trial.CXX} {
		path := filepath.Join("../cprog/testdata", name)
		text, err := os.ReadFile(path)
		assert.NilError(t, err)
		r := readAll(t, testCompiler(t, 1), Flags{}, []Unit{{ID: "unit", Lang: lang, Source: string(text)}})
		assert.NilError(t, os.WriteFile(path+readingSuffix, r[0].reading, 0o666))
	}
}

var updateReadings = flag.Bool("update-readings", false, "make the readings in cprog/testdata anew")
