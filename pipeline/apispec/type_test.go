package apispec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestTypes reads typedefs of T, spells what they stand for, and has clang compare what Declare makes of it
// with the typedef.
func TestTypes(t *testing.T) {
	const c = `typedef unsigned char Bytef;
typedef void *blob;
struct z_stream_s;
union u { int i; };
enum mode { MODE };
typedef struct { int n; } Stat;
`
	const cxx = `#include <map>
#include <string>
#include <vector>
struct Thing { int get() const; };
namespace out { inline namespace v1 { struct In { enum class E { A }; typedef int number; }; } template <typename T> struct Box {}; }
`
	all := []struct {
		lang       trial.Language
		decl, want string
		kind       Kind
	}{
		{trial.C, "int T", "int", Int},
		{trial.C, "_Bool T", "_Bool", Bool},
		{trial.C, "long double T", "long double", Float},
		{trial.C, "const char *T", "const char *", Pointer},
		{trial.C, "char *const T", "char *const", Pointer},
		{trial.C, "const char *const *T", "const char *const *", Pointer},
		{trial.C, "const unsigned char *restrict T", "const unsigned char *", Pointer},
		{trial.C, "long long unsigned T", "unsigned long long", Int},
		{trial.C, "const Bytef *T", "const Bytef *", Pointer},
		{trial.C, "const blob T", "const blob", Pointer},
		{trial.C, "unsigned char T[16]", "unsigned char[16]", Array},
		{trial.C, "int T[]", "int[]", Array},
		{trial.C, "int T[2][3]", "int[2][3]", Array},
		{trial.C, "struct z_stream_s *T", "struct z_stream_s *", Pointer},
		{trial.C, "union u T", "union u", Union},
		{trial.C, "enum mode T", "enum mode", EnumRef},
		{trial.C, "Stat *T", "Stat *", Pointer},
		{trial.C, "int (*T)(void *, const struct z_stream_s *)", "int (*)(void *, const struct z_stream_s *)", Pointer},
		{trial.C, "void (*T(int, void (*)(int)))(int)", "void (*(int, void (*)(int)))(int)", Func},
		{trial.C, "int T(const char *, ...)", "int (const char *, ...)", Func},
		{trial.C, "int (*T[4])(void)", "int (*[4])(void)", Array},
		{trial.C, "int (*T)[8]", "int (*)[8]", Pointer},
		{trial.C, "__attribute__((vector_size(8))) int T", "__attribute__((__vector_size__(2 * sizeof(int)))) int", Unknown},
		{trial.CXX, "const std::map<std::string, int> &T", "const std::map<std::string, int> &", Ref},
		{trial.CXX, "std::vector<std::string>::size_type T", "std::vector<std::basic_string<char>>::size_type", Int},
		{trial.CXX, "Thing &&T", "Thing &&", MoveRef},
		{trial.CXX, "char (&T)[8]", "char (&)[8]", Ref},
		{trial.CXX, "int *const &T", "int *const &", Ref},
		{trial.CXX, "out::v1::In::E T", "out::In::E", EnumRef},
		{trial.CXX, "out::In::number T", "out::In::number", Int},
		{trial.CXX, "out::Box<Thing *> *T", "out::Box<Thing *> *", Pointer},
		{trial.CXX, "void T(int) noexcept", "void (int)", Func},
		{trial.CXX, "auto T(int) -> const char *", "const char *(int)", Func},
	}
	name := regexp.MustCompile(`\bT\b`)
	for lang, text := range map[trial.Language]string{trial.C: c, trial.CXX: cxx} {
		program := "#include \"lib.h\"\n"
		text += "int f(void);\n"
		for i, tc := range all {
			if tc.lang == lang {
				text += "typedef " + name.ReplaceAllString(tc.decl, fmt.Sprint("T", i)) + ";\n"
			}
		}
		dir := t.TempDir()
		assert.NilError(t, os.WriteFile(filepath.Join(dir, "lib.h"), []byte(text), 0o644))
		spec, err := Load(t.Context(), testCompiler(t), trial.Target{Language: lang, Headers: []string{"lib.h"}, IncludeDirs: []string{dir}})
		assert.NilError(t, err)
		for i, tc := range all {
			at := slices.IndexFunc(spec.Typedefs, func(d *Typedef) bool { return d.Name == fmt.Sprint("T", i) })
			if tc.lang != lang || !assert.Check(t, at >= 0, tc.decl) {
				continue
			}
			typ := spec.Typedefs[at].Type
			assert.Check(t, typ.Kind == tc.kind && squeeze(typ.String()) == squeeze(tc.want),
				"%s is read as %s %q, want %s %q", tc.decl, typ.Kind, typ, tc.kind, tc.want)
			if !strings.Contains(tc.decl, "restrict") && !strings.Contains(tc.decl, "noexcept") { // which is left out, and makes another type
				program += fmt.Sprintf("extern T%d name%[1]d;\nextern %s;\n", i, typ.Declare(fmt.Sprint("name", i)))
			}
		}
		file := filepath.Join(dir, "program"+lang.Ext())
		assert.NilError(t, os.WriteFile(file, []byte(program), 0o644))
		if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{clang, "-fsyntax-only", file}}); err != nil {
			t.Errorf("%v of:\n%s", err, program)
		}
	}
}

// squeeze removes spaces, in which clang and Declare differ.
func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }
