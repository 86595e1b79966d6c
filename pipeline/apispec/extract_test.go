package apispec

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const clang = "/usr/lib/llvm-19/bin/clang"

var newCompiler = sync.OnceValues(func() (*toolchain.Compiler, error) {
	tools, err := toolchain.Find(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
})

func testCompiler(t testing.TB) *toolchain.Compiler {
	t.Helper()
	c, err := newCompiler()
	assert.NilError(t, err)
	return c
}

// loadText reads a library in C whose header lib.h has that text, and returns the header's directory.
func loadText(t *testing.T, text string) (spec *Spec, dir string) {
	t.Helper()
	dir = t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "lib.h"), []byte(text), 0o644))
	spec, err := Load(t.Context(), testCompiler(t), trial.Target{Library: "test", Language: trial.C, Headers: []string{"lib.h"}, IncludeDirs: []string{dir}})
	assert.NilError(t, err)
	return spec, dir
}

func loadHeader(t *testing.T, headers ...string) *Spec {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	assert.NilError(t, err)
	spec, err := Load(context.Background(), testCompiler(t), trial.Target{
		Library: "test", Language: trial.C, Headers: headers, IncludeDirs: []string{dir}})
	assert.NilError(t, err)
	return spec
}

// TestGolden pins everything extracted from a header with each construct once.
func TestGolden(t *testing.T) {
	got, err := json.MarshalIndent(loadHeader(t, "shapes.h"), "", "  ")
	assert.NilError(t, err)
	dir, err := filepath.Abs("testdata")
	assert.NilError(t, err)
	got = append(bytes.ReplaceAll(got, []byte(dir+"/"), nil), '\n')
	golden.AssertBytes(t, got, "shapes.golden.json")
}

func TestDocsAboveOrBelow(t *testing.T) {
	for _, tc := range []struct{ header, function, want string }{
		{"below.h", "below_first", "First adds one."},
		{"below.h", "below_second", "Second adds two."},
	} {
		t.Run(tc.function, func(t *testing.T) {
			assert.Check(t, is.Equal(loadHeader(t, tc.header).function(tc.function).Doc, tc.want), "doc")
		})
	}
}

func TestParameterNamesFromComments(t *testing.T) {
	f := loadHeader(t, "below.h").function("below_third")
	if got := f.Params[0].Name + " " + f.Params[1].Name; got != "path mode" {
		t.Errorf("parameter names = %q, want path mode", got)
	}
	assert.Check(t, strings.Contains(f.Doc, "Third opens a path."),
		"doc = %q, want the comment that quotes the prototype", f.Doc)
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"broken.h": "int f(", "empty.h": "#define X 1\n"} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, tc := range []struct{ name, header, want string }{
		{"missing header", "absent.h", "public header absent.h is in none of"},
		{"header that does not compile", "broken.h", "expected"},
		{"no functions", "empty.h", "no function is declared"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(context.Background(), testCompiler(t), trial.Target{
				Library: "test", Language: trial.C, Headers: []string{tc.header}, IncludeDirs: []string{dir}})
			assert.Check(t, err != nil && strings.Contains(err.Error(), tc.want),
				"error = %v, want one that says %q", err, tc.want)
		})
	}
}

// TestTypesNamedByATypedefOnly spells the types of `typedef struct {…} T, *P`, for which
// there is no struct T, so that C compiles them.
func TestTypesNamedByATypedefOnly(t *testing.T) {
	const text = `typedef struct { int n; } Stat, *Stats;
typedef struct tag { int n; } Tagged, *Taggeds;
typedef enum { LOW, HIGH } Level, *Levels;
typedef union { int i; float f; } Either, *Eithers;
void all(Stats a, const Stat *b, Taggeds c, Levels d, Eithers e, struct tag f);
`
	spec, dir := loadText(t, text)
	program := "#include \"lib.h\"\n"
	for i, want := range []string{"Stat", "const Stat", "struct tag", "Level", "Either", "struct tag"} {
		p := spec.function("all").Params[i]
		typ := p.Type
		if typ.Kind == Pointer {
			typ = typ.Elem
		}
		if got := typ.String(); got != want {
			t.Errorf("%s: what it points at is %q, want %q", p.Name, got, want)
		}
		program += typ.Declare(p.Name) + ";\n"
	}
	file := filepath.Join(dir, "program.c")
	assert.NilError(t, os.WriteFile(file, []byte(program), 0o644))
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{clang, "-fsyntax-only", file}}); err != nil {
		t.Errorf("%v of:\n%s", err, program)
	}
}

// TestOddTypes reads a header with a type that the parser does not know, which is spelled as clang does.
func TestOddTypes(t *testing.T) {
	const text = "typedef float four __attribute__((vector_size(16)));\nstruct s { four v; };\nint f(four a, struct s *b, __attribute__((vector_size(8))) int c);\n"
	spec, _ := loadText(t, text)
	f := spec.function("f")
	if f.Params[0].Type.String() != "four" || f.Params[1].Type.String() != "struct s *" || f.Params[2].Type.Kind != Unknown {
		t.Errorf("%s", f.Declaration("f"))
	}
}
