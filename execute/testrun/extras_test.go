package testrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestExtras compiles hand-written programs with what they bring along, the fast way and the plain way.
func TestExtras(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"thrice.c": "#include <tiny.h>\nint thrice(int x) { return twice(x) + x; }\n",
		"copy.c":   "int twice(int x) { return 0; }\nint copied(void) { return 1; }\n",
		"broken.c": "int broken(void) { return nothing; }\n",
	} {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		e.cfg.Helpers = append(e.cfg.Helpers, filepath.Join(dir, name))
	}
	e.cfg.Defines, e.cfg.Std = []string{"SIX=6"}, []string{"c99", "c++20"}
	installed := map[string]bool{}
	for _, f := range e.cfg.Linker.Frameworks() {
		installed[f.Name] = len(f.Libs) > 0
	}
	const gtest = "#include <gtest/gtest.h>\nextern \"C\" int twice(int);\nTEST(Tiny, twice) { EXPECT_EQ(twice(2), "
	for _, tt := range []struct {
		name, source string
		lang         trial.Language
		needs        string // framework
		want         trial.Outcome
		words        string
	}{
		{name: "helper", source: "int thrice(int);\nint main(void) { assert(thrice(2) == SIX); return 0; }", want: trial.OK},
		{name: "the library's own function", source: "int copied(void);\nint main(void) { return copied(); }", want: trial.LinkError,
			words: "undefined symbol: copied: neither the program nor libtiny.so defines it"},
		{name: "left out", source: "int broken(void);\nint main(void) { return broken(); }", want: trial.LinkError, words: "broken.c does not compile: broken.c:1:27: error: use of undeclared identifier 'nothing'"},
		{name: "standard of C", source: "#if __STDC_VERSION__ != 199901L\n#error\n#endif\nvoid test_c(void) {}", want: trial.OK},
		{name: "standard of C++", lang: trial.CXX, source: "#if __cplusplus != 202002L\n#error\n#endif\nvoid test_c() {}", want: trial.OK},
		{name: "mangled", lang: trial.CXX, source: "namespace n { int f(int); }\nint main() { return n::f(1); }", want: trial.LinkError, words: "undefined symbol: n::f(int)"},
		{name: "passed over", source: "static void test_a(void) {}\n_Bool test_b(void) { return 1; }\nvoid test_c(int x) {}\nvoid helper(void) { test_a(); }\nvoid second(void) {}",
			want: trial.LinkError, words: "test_a is not called: it is static; test_b is not called: it returns _Bool; test_c is not called: it has parameters"},
		{name: "GoogleTest", needs: "GoogleTest", lang: trial.CXX, source: gtest + "4); }", want: trial.OK},
		{name: "GoogleTest fails", needs: "GoogleTest", lang: trial.CXX, source: gtest + "5); }", want: trial.NonzeroExit},
		{name: "Check", needs: "Check", source: `#include <check.h>
START_TEST(known) { ck_assert_int_eq(twice(2), 4); } END_TEST
int main(void) {
	Suite *s = suite_create("s"); TCase *c = tcase_create("c"); tcase_add_test(c, known); suite_add_tcase(s, c);
	SRunner *r = srunner_create(s); srunner_run_all(r, CK_SILENT);
	return srunner_ntests_failed(r);
}`, want: trial.OK},
		{name: "cmocka", needs: "cmocka", source: `#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
static void known(void **state) { assert_int_equal(twice(2), 4); }
int main(void) { const struct CMUnitTest tests[] = {cmocka_unit_test(known)}; return cmocka_run_group_tests(tests, 0, 0); }`, want: trial.OK},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.needs != "" && !installed[tt.needs] {
				t.Skip(tt.needs, " is not installed")
			}
			p := trial.Program{ID: "p", Lang: tt.lang, Source: tt.source}
			if p.Lang == "" {
				p = program("p", tt.source)
			}
			results, err := e.Run(t.Context(), lib.plain, []trial.Program{p}, Options{Stdout: true})
			assert.NilError(t, err)
			if r := results[0]; r.Outcome != tt.want || !strings.Contains(r.Diagnostic, tt.words) {
				t.Errorf("%s, want %s and %q:\n%s%s", r.Outcome, tt.want, tt.words, r.Diagnostic, r.Stdout)
			}
			plain, err := e.Plain(t.Context(), lib.plain, p, PlainOptions{})
			assert.Check(t, err == nil && plain[0].Outcome == tt.want, "the plain way: %+v, %v", plain, err)
		})
	}
}
